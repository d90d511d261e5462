/* SPDX-License-Identifier: Apache-2.0 */
/* script_calendar.c — the verbs of a script about calendars. */
#include <stdio.h>
#include <stdlib.h>

#include "script.h"

#include "core/calendar/group.h"

#define MINUTE_MS 60000

/* ---- The verb calendar ---- */

struct lists {
    struct hours_range hours[HOURS_MAX];
    struct closed_interval closed[CLOSED_MAX];
    struct service_image services[SERVICES_EVER_MAX];
    char text[1024]; /* the names of services point into it */
};

static int day_of(const char *name)
{
    static const char days[] = "montuewedthufrisatsun";
    const char *found = strstr(days, name);
    return found ? (int)(found - days) / 3 : 0;
}

/* "mon,wed-fri" as bits, Monday first. */
static uint8_t days_read(char *word)
{
    uint8_t days = 0;
    char *part;
    while ((part = strsep(&word, ","))) {
        const char *first = strsep(&part, "-"), *last = part ? part : first;
        for (int day = day_of(first); day <= day_of(last); day++)
            days |= (uint8_t)(1 << day);
    }
    return days;
}

static uint16_t minutes_read(const char *clock)
{
    return (uint16_t)(strtol(clock, NULL, 10) * 60 + strtol(strchr(clock, ':') + 1, NULL, 10));
}

/* "mon-fri@09:00-12:30;sat@22:00-02:00" */
static uint32_t hours_read(const char *word, struct hours_range *out)
{
    char copy[512];
    uint32_t count = 0;
    snprintf(copy, sizeof(copy), "%s", word ? word : "");
    char *rest = copy, *part;
    while (word && (part = strsep(&rest, ";"))) {
        char *days = strsep(&part, "@"), *from = strsep(&part, "-");
        out[count++] = (struct hours_range){days_read(days), minutes_read(from), minutes_read(part)};
    }
    return count;
}

/* "1d..2d;5d..6d" */
static uint32_t closed_read(const char *word, struct closed_interval *out)
{
    char copy[512];
    uint32_t count = 0;
    snprintf(copy, sizeof(copy), "%s", word ? word : "");
    char *rest = copy, *part;
    while (word && (part = strsep(&rest, ";"))) {
        script_interval(part, &out[count].start_ms, &out[count].end_ms);
        count++;
    }
    return count;
}

/* "cut:30m:2500,wash:10m" or "s1..s500:5m"; the names point into text. */
static uint32_t services_read(const char *word, struct lists *lists)
{
    static char ids[SCRIPT_IDS_MAX][ID_SIZE_MAX + 1];
    uint32_t count = 0;
    snprintf(lists->text, sizeof(lists->text), "%s", word ? word : "");
    char *rest = lists->text, *part;
    while (word && (part = strsep(&rest, ","))) {
        const char *name = strsep(&part, ":"), *duration = strsep(&part, ":");
        struct service_image service = {.duration_minutes = (uint32_t)(script_time(duration) / MINUTE_MS),
                                        .price = part ? script_number(part) : 0};
        uint32_t names = strstr(name, "..") ? script_ids(name, ids) : 0;
        for (uint32_t i = 0; i < (names ? names : 1); i++) {
            service.id = script_text(names ? ids[i] : name);
            lists->services[count++] = service;
        }
    }
    return count;
}

static uint32_t minutes(const char *word, uint32_t otherwise)
{
    return word ? (uint32_t)(script_time(word) / MINUTE_MS) : otherwise;
}

static uint32_t number(const char *word, uint32_t otherwise)
{
    return word ? (uint32_t)script_number(word) : otherwise;
}

static struct calendar_rules rules_read(const struct script_line *l)
{
    struct calendar_rules rules = CALENDAR_RULES_PLAIN;
    const char *guests = script_option(l, "guests");
    rules.buffer_before_minutes = minutes(script_option(l, "before"), 0);
    rules.min_minutes = minutes(script_option(l, "least"), 0);
    rules.max_minutes = minutes(script_option(l, "most"), 0);
    if (script_flag(l, "perslot"))
        rules.price_per = PRICE_PER_SLOT;
    rules.notice_minutes = minutes(script_option(l, "notice"), 0);
    rules.horizon_days = number(script_option(l, "horizon"), HORIZON_DAYS);
    rules.per_user_limit = number(script_option(l, "limit"), 0);
    rules.change_until_minutes = minutes(script_option(l, "change"), 0);
    rules.cancels = script_option(l, "cancel") != NULL;
    rules.cancel_until_minutes = minutes(script_option(l, "cancel"), 0);
    rules.size = number(script_option(l, "size"), 1);
    rules.guests = !guests || strcmp(guests, "no") != 0;
    return rules;
}

void script_calendar(struct script *s, struct outcome *out)
{
    static struct lists lists;
    const struct script_line *l = &s->line;
    const char *capacity = script_option(l, "capacity"), *price = script_option(l, "price");
    const char *zone = script_option(l, "zone") ? script_option(l, "zone") : "UTC";
    struct command c = {.kind = COMMAND_CALENDAR_PUT, .actor = {.role = ROLE_ADMIN}};
    c.calendar_put.image = (struct calendar_image){
        .id = script_text(l->words[1]),
        .name = script_text(l->words[1]),
        .timezone = script_text(zone),
        .capacity = capacity ? (uint32_t)script_number(capacity) : 1,
        .price = price ? script_number(price) : 0,
        .terms = script_terms(l, 300, 900),
        .slot_minutes = minutes(script_option(l, "slot"), 30),
        .buffer_minutes = minutes(script_option(l, "buffer"), 0),
        .rules = rules_read(l),
        .hours = lists.hours,
        .hours_count = hours_read(script_option(l, "hours"), lists.hours),
        .closed = lists.closed,
        .closed_count = closed_read(script_option(l, "closed"), lists.closed),
        .services = lists.services,
        .service_count = services_read(script_option(l, "services"), &lists),
    };
    c.calendar_put.zone = zone_load(zone);
    if (!c.calendar_put.zone) {
        script_wrong(s, "There is no zone %s.", zone);
        return;
    }
    world_apply(&s->world, &c, out);
    zone_release(c.calendar_put.zone);
}

/* ---- Items ---- */

bool script_interval(char *word, int64_t *start_ms, int64_t *end_ms)
{
    char *dots = strstr(word, "..");
    if (dots)
        *dots = '\0';
    *start_ms = WORLD_EPOCH_MS + script_time(word);
    *end_ms = dots ? WORLD_EPOCH_MS + script_time(dots + 2) : 0;
    return dots != NULL;
}

bool script_slot_request(char *word, struct item_request *out)
{
    char *at = strchr(word, '@');
    if (!at)
        return false;
    *at++ = '\0';
    char *service = strchr(at, '/');
    if (service)
        *service++ = '\0';
    char *party = strchr(word, '#');
    if (party)
        *party++ = '\0';
    *out = (struct item_request){.kind = party ? ITEM_GROUP : ITEM_SLOT,
                                 .party = party ? (uint32_t)script_number(party) : 0,
                                 .resource = script_text(word),
                                 .part = script_text(service),
                                 .quantity = 1};
    script_interval(at, &out->start_ms, &out->end_ms);
    return true;
}

/* ---- Looking ---- */

void script_expect_slot(struct script *s)
{
    char copy[128];
    struct item_request item;
    snprintf(copy, sizeof(copy), "%s", s->line.words[1]);
    script_slot_request(copy, &item);
    const struct calendar *c = calendar_find(s->world.st, item.resource);
    if (!c) {
        script_wrong(s, "There is no such calendar.");
        return;
    }
    uint32_t most = timeline_most(&c->timeline, item.start_ms, item.end_ms);
    script_must_be(s, "most", most);
    script_must_be(s, "sold", timeline_most_sold(&c->timeline, item.start_ms, item.end_ms));
    script_must_be(s, "available", c->image.capacity - most);
}

static int64_t length_of(const struct calendar *c, const struct script_line *l)
{
    const char *length = script_option(l, "length"), *service = script_option(l, "service");
    if (service && !c)
        return 0; /* the calendars of a group have their own */
    if (service)
        return calendar_service_ms(c, calendar_service_find(c, script_text(service)));
    return length ? script_time(length) : 0;
}

/* Answers "9h:1;570m:1": the starts, relative to `from`, and how many are available; `next=10h` if there can be
 * more. */
void script_slots(struct script *s)
{
    static struct slot of_calendar[1000];
    struct slot *slots = of_calendar;
    const struct script_line *l = &s->line;
    const struct calendar *c = calendar_find(s->world.st, script_text(l->words[1]));
    const struct group *g = group_find(s->world.st, script_text(l->words[1]));
    const char *from = script_option(l, "from"), *to = script_option(l, "to"),
               *limit = script_option(l, "limit");
    if ((!c && !g) || !from || !to) {
        script_wrong(s, "There is no such calendar or group, or no time.");
        return;
    }
    struct slots_query query = {.from_ms = WORLD_EPOCH_MS + script_time(from),
                                .to_ms = WORLD_EPOCH_MS + script_time(to),
                                .now_ms = s->world.now_ms,
                                .ruled = script_flag(l, "ruled"),
                                .length_ms = length_of(c, l),
                                .limit = limit ? (uint32_t)script_number(limit) : 1000};
    struct slots_page page = c ? calendar_slots(c, &query, slots) : script_group_slots(s, g, &query, &slots);
    struct buf text;
    buf_init(&text, 1 << 20);
    for (uint32_t i = 0; i < page.count; i++) {
        buf_append_text(&text, i ? ";" : "");
        script_time_write(&text, slots[i].start_ms - query.from_ms);
        buf_printf(&text, ":%u", slots[i].available);
    }
    struct text is = {(const char *)text.data, text.size};
    const char *wanted = l->expected_count ? l->expected[0] : "none", *next = script_expected(l, "next");
    if (!text_equal(is, strcmp(wanted, "none") == 0 ? (struct text){0} : script_text(wanted)))
        script_wrong(s, "%.*s", (int)is.size, is.at ? is.at : "none");
    if (next ? !page.more || query.from_ms + script_time(next) != page.next_ms : page.more)
        script_wrong(s, "The next is at %lld ms.",
                     page.more ? (long long)(page.next_ms - query.from_ms) : -1LL);
    buf_release(&text);
}
