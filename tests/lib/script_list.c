/* SPDX-License-Identifier: Apache-2.0 */
/* script_list.c — the verbs of a script about waiting lists. */
#include <stdio.h>

#include "core/catalogue/event.h"
#include "core/entry_id.h"
#include "core/waitlist/wish_group.h"
#include "script.h"

void script_list_settings(const struct script_line *l, struct command *c)
{
    const char *starts = script_option(l, "starts");
    c->event_put.image.has_list = script_flag(l, "list");
    c->event_put.image.starts_at_ms = starts ? WORLD_EPOCH_MS + script_time(starts) : 0;
}

static void verb_enlist(struct script *s, struct outcome *out)
{
    static struct item_request items[ITEMS_MAX + 10];
    char copy[256];
    const char *on = script_option(&s->line, "on");
    struct command c = script_command(s, COMMAND_LIST_JOIN);
    struct script_name *n = script_name(s, s->line.words[1]);
    snprintf(copy, sizeof(copy), "%s", on ? on : "");
    script_idempotency(&s->line, &c);
    if (script_items(copy, items) != 1) {
        script_wrong(s, "One thing is wished for.");
        return;
    }
    c.list.event = items[0].resource;
    c.list.wish = (struct list_wish){.quantity = items[0].quantity,
                                     .adjacent = items[0].adjacent,
                                     .tier = items[0].tier,
                                     .section = items[0].section,
                                     .pool = items[0].part};
    c.list.code = script_text(script_option(&s->line, "code"));
    if (world_apply(&s->world, &c, out) != OUTCOME_OK)
        return;
    n->id = out->list_entry.id;
    snprintf(n->event, sizeof(n->event), "%.*s", (int)items[0].resource.size, items[0].resource.at);
}

static void verb_entry(struct script *s, enum command_kind kind, struct outcome *out)
{
    struct command c = script_command(s, kind);
    const char *on = script_option(&s->line, "on");
    struct script_name *n = script_name(s, s->line.words[1]);
    c.list.entry = n->id;
    c.list.event = script_text(on ? on : n->event);
    world_apply(&s->world, &c, out);
}

bool script_list_verb(struct script *s, struct outcome *out)
{
    const char *verb = s->line.words[0];
    if (strcmp(verb, "enlist") == 0)
        verb_enlist(s, out);
    else if (strcmp(verb, "listed") == 0)
        verb_entry(s, COMMAND_LIST_LOOK, out);
    else if (strcmp(verb, "unlist") == 0)
        verb_entry(s, COMMAND_LIST_LEAVE, out);
    else
        return false;
    return true;
}

/* offer R of L: R is the reservation offered to L. */
static void verb_offer(struct script *s)
{
    const char *of = script_option(&s->line, "of");
    const struct script_name *entry = script_name(s, of ? of : "nobody");
    struct event *e = event_find(s->world.st, script_text(entry->event));
    uint64_t number = e && e->list ? entry_id_number(e->image.entry_key, ENTRY_LIST, entry->id) : 0;
    struct list_entry_image image = {0};
    if (number)
        waiting_list_image(e, (uint32_t)number, &image);
    if (image.status != LIST_OFFERED)
        script_wrong(s, "%s is %s.", of, number ? list_status_name(image.status) : "not there");
    script_name(s, s->line.words[1])->id = image.reservation;
}

/* list E waiting=N offered=N finished=N left=N */
static void verb_list(struct script *s)
{
    static const uint32_t none[LIST_LEFT + 1];
    struct event *e = event_find(s->world.st, script_text(s->line.words[1]));
    const uint32_t *by_status = e && e->list ? e->list->by_status : none;
    for (enum list_status status = LIST_WAITING; status <= LIST_LEFT; status++)
        script_must_be(s, list_status_name(status), by_status[status]);
}

bool script_list_query(struct script *s)
{
    const char *verb = s->line.words[0];
    if (strcmp(verb, "offer") == 0)
        verb_offer(s);
    else if (strcmp(verb, "list") == 0)
        verb_list(s);
    else if (strcmp(verb, "serve") == 0)
        world_serve(&s->world);
    else
        return false;
    return true;
}

/* ---- Answers ---- */

void script_list_write(struct buf *out, const struct list_entry_image *entry)
{
    char id[ID_TEXT_SIZE + 1] = {0}, reservation[ID_TEXT_SIZE + 1] = {0};
    id_write(entry->id, id);
    id_write(entry->reservation, reservation);
    buf_printf(out, " entry %s of %.*s %s position %u joined %lld changed %lld offered %s", id,
               (int)entry->user_id.size, entry->user_id.at, list_status_name(entry->status), entry->position,
               (long long)entry->joined_at_ms, (long long)entry->changed_at_ms, reservation);
}

void script_list_check(struct script *s, const struct list_entry_image *entry)
{
    script_expect_number(s, "position", entry->position);
    script_expect_number(s, "number", entry->number);
    const char *offered = script_expected(&s->line, "offered");
    if (offered && !id_equal(entry->reservation, script_name(s, offered)->id))
        script_wrong(s, "It was offered something else.");
}
