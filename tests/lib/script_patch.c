/* SPDX-License-Identifier: Apache-2.0 */
/* script_patch.c — the verb patch: changes the named fields, and all others stay as they are at that moment. An option
 * is a field by its short name; `-` is null.
 */
#include "base/crypto/hash.h"
#include "core/calendar/calendar.h"
#include "script.h"

/* The value of an option, NULL if it is not given. *null says whether it is null, which adds to the set as values
 * do. */
static const char *named(const struct script_line *l, const char *option, const struct patch_field *fields,
                         const char *field, uint64_t *given)
{
    const char *word = script_option(l, option);
    *given |= word ? patch_set(fields, field) : 0;
    return word && strcmp(word, "-") != 0 ? word : NULL;
}

#define NAMED(option, field) named(l, option, fields, field, given)

static uint32_t seconds(const char *word)
{
    return word ? (uint32_t)(script_time(word) / 1000) : 0;
}

static uint32_t number(const char *word, uint32_t otherwise)
{
    return word ? (uint32_t)script_number(word) : otherwise;
}

static int64_t instant(const char *word)
{
    return word ? WORLD_EPOCH_MS + script_time(word) : 0;
}

static void read_terms(const struct script_line *l, const struct patch_field *fields, uint64_t *given,
                       struct terms *terms)
{
    terms->hold_ttl_s = seconds(NAMED("ttl", "hold_ttl_seconds"));
    terms->max_hold_s = seconds(NAMED("max", "max_hold_seconds"));
    const char *payment = NAMED("payment", "payment");
    terms->payment = payment && strcmp(payment, "none") == 0 ? PAYMENT_NONE : PAYMENT_REQUIRED;
}

static void read_room(const struct script_line *l, struct event_patch *p)
{
    const struct patch_field *fields = queue_patch_fields;
    uint64_t *given = &p->queue_given;
    const char *room = script_option(l, "room");
    if (!room)
        return;
    p->given |= patch_set(event_patch_fields, "waiting_room");
    p->values.has_queue = strcmp(room, "-") != 0;
    p->values.queue.open_at_ms = instant(NAMED("open", "open_at"));
    p->values.queue.rate_per_second = number(NAMED("rate", "rate_per_second"), 50);
    p->values.queue.max_active = number(NAMED("active", "max_active"), 0);
    const char *pass = NAMED("passttl", "pass_ttl_seconds");
    p->values.queue.pass_ttl_s = pass ? seconds(pass) : 900;
}

static void read_event(const struct script_line *l, struct event_patch *p)
{
    const struct patch_field *fields = event_patch_fields;
    uint64_t *given = &p->given;
    struct event_image *e = &p->values;
    e->name = script_text(NAMED("name", "name"));
    e->per_user_limit = number(NAMED("limit", "per_user_limit"), 0);
    e->starts_at_ms = instant(NAMED("starts", "starts_at"));
    e->on_sale_at_ms = instant(NAMED("onsale", "on_sale_at"));
    e->off_sale_at_ms = instant(NAMED("offsale", "off_sale_at"));
    e->terms.staff_hold_s = seconds(NAMED("staff", "staff_hold_seconds"));
    e->venue = script_text(NAMED("venue", "venue"));
    e->timezone = script_text(NAMED("zone", "timezone"));
    p->zone = e->timezone.at ? zone_load(e->timezone.at) : NULL;
    e->categories = script_text(NAMED("categories", "categories"));
    e->prices = script_text(NAMED("prices", "prices"));
    read_terms(l, fields, given, &e->terms);
    read_room(l, p);
    e->entry_key[0] = hash_sip((struct hash_key){7, 8}, p->id.at, p->id.size);
    hash_sha256(p->id.at, p->id.size, p->seed);
}

static void read_calendar(const struct script_line *l, struct calendar_patch *p)
{
    static struct service_image service;
    const struct patch_field *fields = calendar_patch_fields;
    uint64_t *given = &p->given;
    struct calendar_image *c = &p->values;
    c->name = script_text(NAMED("name", "name"));
    c->capacity = number(NAMED("capacity", "capacity"), 1);
    c->price = number(NAMED("price", "price"), 0);
    c->rules.min_minutes = seconds(NAMED("least", "min_minutes")) / 60;
    c->rules.max_minutes = seconds(NAMED("most", "max_minutes")) / 60;
    const char *zone = NAMED("zone", "timezone"), *only = NAMED("service", "services");
    c->timezone = script_text(zone ? zone : "UTC");
    if (*given & patch_set(fields, "timezone"))
        p->zone = zone_load(c->timezone.at);
    service = (struct service_image){script_text(only), 30, SERVICE_PRICE_OPEN, false};
    c->services = &service;
    c->service_count = only != NULL;
    read_terms(l, fields, given, &c->terms);
}

void script_patch(struct script *s, struct outcome *out)
{
    struct script_line *l = &s->line;
    const struct text id = script_text(l->words[1]);
    struct command c = {.kind = COMMAND_EVENT_PATCH, .actor = {.role = ROLE_ADMIN}};
    if (calendar_find(s->world.st, id) || script_flag(l, "calendar")) {
        c.kind = COMMAND_CALENDAR_PATCH;
        c.calendar_patch.id = id;
        read_calendar(l, &c.calendar_patch);
        world_apply(&s->world, &c, out);
        zone_release(c.calendar_patch.zone);
        return;
    }
    c.event_patch.id = id;
    read_event(l, &c.event_patch);
    world_apply(&s->world, &c, out);
    zone_release(c.event_patch.zone);
}
