/* SPDX-License-Identifier: Apache-2.0 */
/* script_expect.c — checks what a line of a script expects. */
#include <stdio.h>
#include <stdlib.h>

#include "script.h"

#include "core/catalogue/event.h"
#include "core/claim/reservation.h"
#include "core/claim/user.h"

/* ---- The answer as text, to be compared between runs ---- */

void script_item(struct buf *out, const struct item_image *item)
{
    buf_printf(out, "%.*s", (int)item->resource_id.size, item->resource_id.at);
    if (item->kind == ITEM_SLOT) {
        buf_append_text(out, "@");
        script_time_write(out, item->start_ms - WORLD_EPOCH_MS);
        buf_append_text(out, "..");
        script_time_write(out, item->end_ms - WORLD_EPOCH_MS);
    }
    if (item->part_id.at)
        buf_printf(out, "/%.*s", (int)item->part_id.size, item->part_id.at);
    if (item->kind == ITEM_POOL)
        buf_printf(out, "*%u", item->quantity);
    if (item->group_id.at)
        buf_printf(out, "#%.*s", (int)item->group_id.size, item->group_id.at);
    if (item->category.at)
        buf_printf(out, "%%%.*s", (int)item->category.size, item->category.at);
    if (item->code.at)
        buf_printf(out, "!%.*s", (int)item->code.size, item->code.at);
    if (item->allotment.at)
        buf_printf(out, "^%.*s", (int)item->allotment.size, item->allotment.at);
    if (item->attributes.at)
        buf_printf(out, "~%.*s", (int)item->attributes.size, item->attributes.at);
}

static void describe_items(struct buf *out, const struct reservation_image *r)
{
    for (uint32_t i = 0; i < r->item_count; i++) {
        buf_append_text(out, i ? ";" : "");
        script_item(out, &r->items[i]);
    }
}

static void describe_obstacles(struct buf *out, const struct outcome *o)
{
    for (uint32_t i = 0; i < o->obstacle_count; i++) {
        buf_printf(out, "%s%u:", i ? ";" : "", o->obstacles[i].item);
        if (o->obstacles[i].kind == ITEM_SEAT || o->obstacles[i].kind == ITEM_SLOT ||
            o->obstacles[i].kind == ITEM_GROUP)
            buf_printf(out, "%s", unit_status_name(o->obstacles[i].status));
        else
            buf_printf(out, "%u", o->obstacles[i].available);
    }
}

static void describe_singles(struct buf *out, const struct outcome *o)
{
    const struct text *ids = o->has_reservation ? o->reservation.leaves_single : o->singles;
    uint32_t count = o->has_reservation ? o->reservation.leaves_single_count : o->single_count;
    for (uint32_t i = 0; i < count; i++)
        buf_printf(out, "%s%.*s", i ? ";" : "", (int)ids[i].size, ids[i].at);
    if (!count)
        buf_append_text(out, "none");
}

static void describe_reservation(struct buf *out, const struct reservation_image *r)
{
    char pnr[PNR_SIZE], ticket[TICKET_CODE_SIZE];
    pnr_write(r->number, pnr);
    buf_printf(
        out,
        " %s of %.*s fence %llu version %u pnr %.*s until %lld max %lld paid %lld confirmed %lld ended %lld",
        reservation_status_name(r->status), (int)r->user_id.size, r->user_id.at, (unsigned long long)r->fence,
        r->version, PNR_SIZE, pnr, (long long)r->expires_at_ms, (long long)r->max_expires_at_ms,
        (long long)r->payment_started_at_ms, (long long)r->confirmed_at_ms, (long long)r->ended_at_ms);
    buf_printf(out, " total %lld %s attributes %.*s by %.*s %.*s items ",
               (long long)reservation_image_total(r), r->currency, (int)r->attributes.size,
               r->attributes.at ? r->attributes.at : "", (int)r->payment_method.size,
               r->payment_method.at ? r->payment_method.at : "", (int)r->payment_ref.size,
               r->payment_ref.at ? r->payment_ref.at : "");
    describe_items(out, r);
    for (uint32_t i = 0; i < r->item_count; i++)
        buf_printf(out, " %lld-%lld-%u", (long long)r->items[i].price, (long long)r->items[i].until_ms,
                   r->items[i].lead_ms);
    for (uint32_t i = 0; r->status == RESERVATION_CONFIRMED && i < r->item_count; i++)
        for (uint32_t unit = 0; unit < r->items[i].quantity && unit < 3; unit++) {
            ticket_code_write(r->ticket_key, r->items[i].item_id, unit, ticket);
            buf_printf(out, " %.*s", TICKET_CODE_SIZE, ticket);
        }
}

void script_answer(struct script *s, const struct outcome *out)
{
    struct buf *b = &s->answers;
    buf_printf(b, "%d: %s created %d replayed %d %u changes %u", s->line.number, outcome_name(out->code),
               out->created, out->replayed, out->http_status, s->world.appended);
    if (out->has_reservation)
        describe_reservation(b, &out->reservation);
    if (out->entry.number)
        script_entry_write(b, &out->entry);
    if (out->list_entry.number)
        script_list_write(b, &out->list_entry);
    script_money_write(b, out);
    if (out->has_check_in)
        script_ticket_write(b, &out->check_in);
    script_dispatch_write(b, out);
    buf_append_text(b, " obstacles ");
    describe_obstacles(b, out);
    describe_singles(b, out);
    buf_printf(b, " limit %u have %u closed %u %.*s %s\n", out->limit, out->have, out->closed_item,
               (int)out->calendar.id.size, out->calendar.id.at ? out->calendar.id.at : "", out->pointer);
}

/* ---- After the arrow ---- */

void script_expect_number(struct script *s, const char *name, int64_t is)
{
    const char *wanted = script_expected(&s->line, name);
    if (wanted && script_number(wanted) != is)
        script_wrong(s, "%s is %lld.", name, (long long)is);
}

static void expect_time(struct script *s, const char *name, int64_t is_ms)
{
    const char *wanted = script_expected(&s->line, name);
    if (!wanted)
        return;
    bool none = strcmp(wanted, "none") == 0;
    if (none ? is_ms != 0 : WORLD_EPOCH_MS + script_time(wanted) != is_ms)
        script_wrong(s, "%s is %lld ms after the beginning.", name,
                     (long long)(is_ms ? is_ms - WORLD_EPOCH_MS : 0));
}

static void expect_text(struct script *s, const char *name, const struct buf *is)
{
    const char *wanted = script_expected(&s->line, name);
    if (wanted && !text_equal(script_text(wanted), (struct text){(const char *)is->data, is->size}))
        script_wrong(s, "%s is %.*s.", name, (int)is->size, is->data ? (const char *)is->data : "");
}

static void expect_fence(struct script *s, struct script_name *n, const struct reservation_image *r)
{
    const char *wanted = script_expected(&s->line, "fence");
    if (wanted && strcmp(wanted, "new") == 0 && r->fence <= n->fence)
        script_wrong(s, "The fence is still %llu.", (unsigned long long)r->fence);
    if (wanted && strcmp(wanted, "same") == 0 && r->fence != n->fence)
        script_wrong(s, "The fence went from %llu to %llu.", (unsigned long long)n->fence,
                     (unsigned long long)r->fence);
    n->fence = r->fence;
}

/* tickets=N: this many, all different, with a new key; tickets=same: as before. */
static void expect_tickets(struct script *s, struct script_name *n, const struct reservation_image *r)
{
    static char codes[1024][TICKET_CODE_SIZE];
    uint32_t count = 0;
    for (uint32_t i = 0; r->status == RESERVATION_CONFIRMED && i < r->item_count; i++)
        for (uint32_t unit = 0; unit < r->items[i].quantity && count < 1024; unit++)
            ticket_code_write(r->ticket_key, r->items[i].item_id, unit, codes[count++]);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (memcmp(codes[i], codes[k], TICKET_CODE_SIZE) == 0)
                script_wrong(s, "Two tickets have one code.");
    const char *wanted = script_expected(&s->line, "tickets");
    bool same = memcmp(n->ticket_key, r->ticket_key, sizeof(n->ticket_key)) == 0;
    if (wanted && (strcmp(wanted, "same") == 0 ? !same : same || script_number(wanted) != count))
        script_wrong(s, "There are %u tickets, %s.", count, same ? "those of before" : "others");
    if (!same)
        memcpy(n->old_key, n->ticket_key, sizeof(n->old_key));
    memcpy(n->ticket_key, r->ticket_key, sizeof(n->ticket_key));
}

static void expect_reservation(struct script *s, const struct reservation_image *r)
{
    struct buf items;
    buf_init(&items, 1 << 16);
    describe_items(&items, r);
    expect_text(s, "items", &items);
    buf_release(&items);
    expect_time(s, "until", r->expires_at_ms);
    expect_time(s, "max", r->max_expires_at_ms);
    expect_time(s, "paid", r->payment_started_at_ms);
    expect_time(s, "confirmed", r->confirmed_at_ms);
    expect_time(s, "ended", r->ended_at_ms);
    expect_time(s, "recorded", r->payment_recorded_at_ms);
    script_expect_number(s, "version", r->version);
    script_expect_number(s, "gen", r->manage_gen);
    const char *owner = script_expected(&s->line, "owner");
    if (owner && !text_equal(script_text(owner), r->user_id))
        script_wrong(s, "It belongs to %.*s.", (int)r->user_id.size, r->user_id.at);
    script_expect_number(s, "total", reservation_image_total(r));
    script_expect_number(s, "count", r->item_count);
    const char *attributes = script_expected(&s->line, "attributes");
    if (attributes && !text_equal(script_text(attributes), r->attributes.at ? r->attributes : TEXT("{}")))
        script_wrong(s, "The attributes are %.*s.", (int)r->attributes.size, r->attributes.at);
    const char *ref = script_expected(&s->line, "ref");
    if (ref && !text_equal(script_text(ref), r->payment_ref))
        script_wrong(s, "The payment_ref is %.*s.", (int)r->payment_ref.size, r->payment_ref.at);
}

static void expect_code(struct script *s, const struct outcome *out, const char *wanted)
{
    const char *code = outcome_name(out->code);
    const char *status = NULL;
    if (out->code == OUTCOME_OK && out->has_reservation)
        status = reservation_status_name(out->reservation.status);
    else if (out->code == OUTCOME_OK && out->entry.number)
        status = queue_status_name(out->entry.status);
    else if (out->code == OUTCOME_OK && out->list_entry.number)
        status = list_status_name(out->list_entry.status);
    else if (out->code == OUTCOME_OK)
        status = script_dispatch_status(out);
    /* `expired` is both a refusal and the status of a record. */
    bool fits = status ? strcmp(wanted, status) == 0 : strcmp(wanted, code) == 0;
    if (!fits)
        script_wrong(s, "%s%s%s%s", code, status ? " " : "", status ? status : "", out->pointer);
}

/* Records from the book are durable, and their seq is no longer known: so only in the plain run. */
static void expect_waits(struct script *s, const struct outcome *out)
{
    const char *wanted = script_expected(&s->line, "waits");
    if (!wanted || s->mode != SCRIPT_PLAIN)
        return;
    uint64_t least = s->world.st->seq;
    bool none = strcmp(wanted, "none") == 0;
    if (!none && strcmp(wanted, "last") != 0) {
        uint32_t handle = reservation_find(s->world.st, script_name(s, wanted)->id);
        least = handle == TABLE_NONE ? UINT64_MAX : reservation_at(s->world.st, handle)->seq;
    }
    if (none ? out->seq != 0 : out->seq < least)
        script_wrong(s, "The answer waits for %llu.", (unsigned long long)out->seq);
}

/* Values in scripts have no spaces: "_" is used instead. */
static bool sentence_matches(const char *wanted, const char *sentence)
{
    while (*wanted && (*wanted == *sentence || (*wanted == '_' && *sentence == ' '))) {
        wanted++;
        sentence++;
    }
    return !*wanted && !*sentence;
}

void script_outcome_check(struct script *s, const struct outcome *out)
{
    const struct script_line *l = &s->line;
    if (!l->expected_count) {
        if (out->code != OUTCOME_OK)
            script_wrong(s, "%s %s", outcome_name(out->code), out->pointer);
    } else {
        expect_code(s, out, l->expected[0]);
    }
    if (out->has_reservation) {
        for (int i = 0; i < s->name_count; i++)
            if (id_equal(s->names[i].id, out->reservation.id)) {
                expect_fence(s, &s->names[i], &out->reservation);
                expect_tickets(s, &s->names[i], &out->reservation);
            }
        expect_reservation(s, &out->reservation);
    }
    if (out->entry.number)
        script_entry_check(s, &out->entry);
    if (out->list_entry.number)
        script_list_check(s, &out->list_entry);
    script_money_check(s, out);
    if (out->has_check_in)
        script_ticket_check(s, &out->check_in);
    script_dispatch_check(s, out);
    struct buf obstacles;
    buf_init(&obstacles, 1 << 16);
    describe_obstacles(&obstacles, out);
    expect_text(s, "obstacles", &obstacles);
    buf_clear(&obstacles);
    describe_singles(&obstacles, out);
    expect_text(s, "singles", &obstacles);
    buf_release(&obstacles);
    script_expect_number(s, "limit", out->limit);
    script_expect_number(s, "have", out->have);
    script_expect_number(s, "closed", out->closed_item);
    script_expect_number(s, "item", out->closed_item);
    script_expect_number(s, "changes", s->world.appended);
    script_expect_number(s, "replayed", out->replayed ? out->http_status : 0);
    expect_waits(s, out);
    const char *rule = script_expected(l, "rule");
    if (rule && out->code == OUTCOME_NOT_CANCELLABLE) {
        if (strcmp(rule, cancel_rule_name(out->cancel_rule)) != 0)
            script_wrong(s, "The rule is %s.", cancel_rule_name(out->cancel_rule));
        expect_time(s, "till", out->cancel_until_ms);
    } else if (rule && (out->code != OUTCOME_NOT_BOOKABLE || strcmp(rule, booking_rule_name(out->rule)) != 0))
        script_wrong(s, "The rule is %s.", out->rule ? booking_rule_name(out->rule) : "none");
    const char *pointer = script_expected(l, "pointer");
    if (pointer && strcmp(pointer, out->pointer) != 0)
        script_wrong(s, "The pointer is %s.", out->pointer);
    const char *says = script_expected(l, "says");
    if (says && !sentence_matches(says, out->detail ? out->detail : outcome_sentence(out->code)))
        script_wrong(s, "It says: %s", out->detail ? out->detail : outcome_sentence(out->code));
    if (out->code == OUTCOME_OK && script_expects(l, "brief") != out->brief)
        script_wrong(s, "It is answered %s.", out->brief ? "in brief" : "as a whole");
    if (script_expects(l, "created") && !out->created)
        script_wrong(s, "Nothing was created.");
    if (script_expects(l, "unchanged") && (s->world.appended || out->created))
        script_wrong(s, "Something changed.");
}

/* ---- The verb expect ---- */

/* A word "name=value" of the line itself. */
void script_must_be(struct script *s, const char *name, uint64_t is)
{
    size_t size = strlen(name);
    for (int i = 2; i < s->line.count; i++)
        if (strncmp(s->line.words[i], name, size) == 0 && s->line.words[i][size] == '=' &&
            (uint64_t)script_number(s->line.words[i] + size + 1) != is)
            script_wrong(s, "%s is %llu.", name, (unsigned long long)is);
}

static void expect_unit(struct script *s, struct event *e, const char *unit)
{
    const struct pool *p = pool_find(e, script_text(unit));
    uint32_t position = layout_find(e->layout, script_text(unit));
    if (p) {
        script_must_be(s, "available", pool_available(p));
        script_must_be(s, "held", p->held);
        script_must_be(s, "sold", p->sold);
    } else if (position == LAYOUT_NONE) {
        script_wrong(s, "There is no %s.", unit);
    } else if (strcmp(unit_status_name(seat_status(s->world.st, e, position)), s->line.words[2]) != 0) {
        script_wrong(s, "%s is %s.", unit, unit_status_name(seat_status(s->world.st, e, position)));
    }
}

static void expect_counts(struct script *s, const struct event *e)
{
    script_must_be(s, "seats", e->counts.seats);
    script_must_be(s, "available", e->counts.available);
    script_must_be(s, "held", e->counts.held);
    script_must_be(s, "sold", e->counts.sold);
    script_must_be(s, "blocked", e->counts.blocked);
}

static void expect_memory(struct script *s, bool remembered)
{
    bool there = reservation_find(s->world.st, script_name(s, s->line.words[2])->id) != TABLE_NONE;
    if (s->mode == SCRIPT_PLAIN && there != remembered)
        script_wrong(s, "%s is %s.", s->line.words[2], there ? "remembered" : "forgotten");
}

static void expect_has(struct script *s, const char *user, const char *event, const char *units)
{
    uint32_t handle = user_find(s->world.st, script_text(user));
    const struct event *e = event_find(s->world.st, script_text(event));
    uint32_t have = handle == TABLE_NONE || !e ? 0 : user_count_get(s->world.st, handle, e->index);
    if (have != (uint32_t)script_number(units))
        script_wrong(s, "%s has %u.", user, have);
}

static void expect_name(struct script *s)
{
    struct reservation_image image;
    struct item_image items[ITEMS_MAX];
    if (!script_image(s, script_name(s, s->line.words[1])->id, &image, items)) {
        script_wrong(s, "There is no such reservation.");
        return;
    }
    if (strcmp(reservation_status_name(image.status), s->line.words[2]) != 0)
        script_wrong(s, "%s is %s.", s->line.words[1], reservation_status_name(image.status));
    expect_reservation(s, &image);
}

void script_expect(struct script *s)
{
    const struct script_line *l = &s->line;
    char copy[128];
    snprintf(copy, sizeof(copy), "%s", l->count > 2 ? l->words[1] : "");
    char *unit = copy;
    const char *event = strsep(&unit, "/");
    struct event *e = event_find(s->world.st, script_text(event));
    if (l->count < 3)
        script_wrong(s, "Nothing is expected.");
    else if (strchr(l->words[1], '@'))
        script_expect_slot(s);
    else if (strcmp(l->words[1], "forgotten") == 0 || strcmp(l->words[1], "remembered") == 0)
        expect_memory(s, l->words[1][0] == 'r');
    else if (l->count == 5 && strcmp(l->words[2], "has") == 0)
        expect_has(s, l->words[1], l->words[3], l->words[4]);
    else if (unit && e)
        expect_unit(s, e, unit);
    else if (e)
        expect_counts(s, e);
    else
        expect_name(s);
}
