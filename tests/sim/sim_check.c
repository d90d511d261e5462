/* SPDX-License-Identifier: Apache-2.0 */
/* sim_check.c — compares core's answers with the model's. */
#include <stdio.h>
#include <strings.h>

#include "../lib/state_compare.h"
#include "core/catalogue/event.h"
#include "core/claim/reservation.h"
#include "core/claim/user.h"
#include "core/key.h"
#include "core/state_check.h"
#include "sim.h"

/* Ignoring case. */
static bool same_code(struct text found, int code)
{
    struct text name = translate_code(code, false);
    return found.size == name.size && (!code || strncasecmp(found.at, name.at, name.size) == 0);
}

static bool same_item(const struct model_item *m, const struct item_image *c)
{
    bool slot = m->kind == ITEM_SLOT;
    struct text event = slot ? translate_calendar(m->event % MODEL_GONE) : translate_event(m->event);
    struct text unit = slot                   ? translate_service(m->unit)
                       : m->kind == ITEM_SEAT ? translate_seat(m->unit)
                                              : translate_pool(m->unit);
    return m->id == c->item_id && m->fence == c->fence && m->kind == (uint8_t)c->kind &&
           m->quantity == c->quantity && m->price == c->price && text_equal(c->resource_id, event) &&
           text_equal(c->part_id, unit) &&
           text_equal(c->attributes.at ? c->attributes : TEXT("{}"), translate_attributes(m->attributes)) &&
           text_equal(c->allotment, translate_allotment(m->allotment)) && same_code(c->code, m->code) &&
           text_equal(c->category, translate_category(m->category)) &&
           text_equal(c->group_id, translate_group(m->group)) &&
           (!slot || (m->start_ms == c->start_ms && m->end_ms == c->end_ms && m->until_ms == c->until_ms &&
                      m->from_ms == c->start_ms - c->lead_ms));
}

/* NULL, or the name of the field that differs. Core may not have recorded yet that a hold is over. */
static const char *image_differs(struct sim *s, struct model_reservation *m,
                                 const struct reservation_image *c, bool settled)
{
    enum reservation_status status =
        settled ? model_status(&s->model, m) : (enum reservation_status)m->status;
    if (settled && status == RESERVATION_EXPIRED && m->status == RESERVATION_HELD) {
        m->status = RESERVATION_EXPIRED; /* recorded, from now on */
        m->version++;
        m->ended_at = m->expires_at;
    }
    if (c->status != status)
        return "status";
    if (c->version != m->version)
        return "version";
    if (c->fence != m->fence)
        return "fence";
    if (c->manage_gen != m->manage_gen || (c->transferred != 0) != m->transferred)
        return "generation of tokens";
    if (c->from_list != m->from_list)
        return "from_list";
    if (!text_equal(c->user_id, translate_user(m->user)))
        return "user_id";
    if (c->expires_at_ms != m->expires_at || c->max_expires_at_ms != m->max_at)
        return "expires_at";
    if (c->payment_started_at_ms != m->paid_at || c->confirmed_at_ms != m->confirmed_at ||
        c->ended_at_ms != m->ended_at)
        return "times";
    if (c->currency[0] != m->currency || c->payment_required != m->payment_required)
        return "currency";
    if (!text_equal(c->attributes.at ? c->attributes : TEXT("{}"), translate_attributes(m->attributes)))
        return "attributes";
    if (!text_equal(c->payment_ref, translate_ref(m->ref)))
        return "payment_ref";
    if (c->item_count != m->item_count)
        return "item count";
    for (int i = 0; i < m->item_count; i++)
        if (!same_item(&m->items[i], &c->items[i]))
            return "items";
    return NULL;
}

static void check_obstacles(struct sim *s, const struct model_answer *expected, const struct outcome *out)
{
    bool named =
        out->code == OUTCOME_TAKEN || out->code == OUTCOME_SOLD_OUT || out->code == OUTCOME_NO_ADJACENT_SEATS;
    if (!named || expected->obstacle_count == 0) /* blocking names seats, which the model does not */
        return;
    if (out->obstacle_count != expected->obstacle_count)
        sim_fail(s, "%u obstacles, expected %u.", out->obstacle_count, expected->obstacle_count);
    for (uint32_t i = 0; i < out->obstacle_count; i++) {
        const struct obstacle *o = &out->obstacles[i], *e = &expected->obstacles[i];
        bool same = o->item == e->item && o->kind == e->kind &&
                    (o->kind == ITEM_SEAT || ask_timed(o->kind) ? o->status == e->status
                                                                : o->available == e->available);
        if (!same)
            sim_fail(
                s,
                "Obstacle %u: item %u, status %d, available %u; expected item %u, status %d, available %u.",
                i, o->item, o->status, o->available, e->item, e->status, e->available);
    }
}

static void check_singles(struct sim *s, const struct model_answer *expected, const struct text *singles,
                          uint32_t single_count)
{
    uint32_t count = 0, left[ASK_SEATS] = {0};
    for (int seat = 0; seat < ASK_SEATS; seat++)
        for (int event = 0; event < ASK_EVENTS; event++)
            left[seat] += expected->singles[event] >> seat & 1;
    for (uint32_t i = 0; i < single_count; i++) {
        int seat = 0;
        while (seat < ASK_SEATS && !(left[seat] && text_equal(singles[i], translate_seat(seat))))
            seat++;
        if (seat == ASK_SEATS)
            sim_fail(s, "Seat %.*s is not left alone.", (int)singles[i].size, singles[i].at);
        left[seat]--;
    }
    for (int seat = 0; seat < ASK_SEATS; seat++)
        count += left[seat];
    if (count)
        sim_fail(s, "%u seats more are left alone.", count);
}

const char *sim_image_differs(struct sim *s, struct model_reservation *m, const struct reservation_image *c)
{
    return image_differs(s, m, c, true);
}

void sim_check_answer(struct sim *s, const struct ask *a, const struct model_answer *expected,
                      const struct outcome *out, bool exact)
{
    if (out->code != expected->code && out->code != expected->also)
        sim_fail(s, "Command %d: %s %s, expected %s.", a->kind, outcome_name(out->code), out->pointer,
                 outcome_name(expected->code));
    if (out->brief != expected->brief)
        sim_fail(s, "Command %d: the answer is brief, or should be.", a->kind);
    if (out->created != expected->created || out->replayed != expected->replayed)
        sim_fail(s, "Command %d: created %d, replayed %d; expected %d, %d.", a->kind, out->created,
                 out->replayed, expected->created, expected->replayed);
    if (out->code == OUTCOME_LIMIT_EXCEEDED && !expected->have_any &&
        (out->limit != expected->limit || out->have != expected->have))
        sim_fail(s, "Limit %u, have %u; expected %u, %u.", out->limit, out->have, expected->limit,
                 expected->have);
    if ((out->code == OUTCOME_CLOSED ||
         (out->code == OUTCOME_NOT_BOOKABLE && a->kind != COMMAND_ITEM_MOVE)) &&
        out->closed_item != expected->closed_item)
        sim_fail(s, "Item %u is closed or not bookable, expected %u.", out->closed_item,
                 expected->closed_item);
    if (out->code == OUTCOME_NOT_BOOKABLE && out->rule != expected->rule)
        sim_fail(s, "Not bookable by rule %d, expected %d.", out->rule, expected->rule);
    if (expected->pointer[0] && strcmp(expected->pointer, out->pointer) != 0)
        sim_fail(s, "Pointer %s, expected %s.", out->pointer, expected->pointer);
    check_obstacles(s, expected, out);
    if (out->code == OUTCOME_LEAVES_SINGLE)
        check_singles(s, expected, out->singles, out->single_count);
    if (out->codes_created != expected->codes_created || out->codes_updated != expected->codes_updated)
        sim_fail(s, "%u codes created, %u updated; expected %u, %u.", out->codes_created, out->codes_updated,
                 expected->codes_created, expected->codes_updated);
    if (a->kind == COMMAND_SEATS_BLOCK && out->code == OUTCOME_OK &&
        (out->seats_changed != expected->seats_changed || out->seats_skipped != expected->seats_skipped))
        sim_fail(s, "%u seats marked, %u skipped; expected %u, %u.", out->seats_changed, out->seats_skipped,
                 expected->seats_changed, expected->seats_skipped);
    sim_check_money(s, a, expected, out);
    if (out->code == OUTCOME_OK && ask_of_lines(a->kind))
        sim_check_entries(s, a, expected, out);
    if (out->has_reservation != (expected->reservation >= 0))
        sim_fail(s, "Command %d: a reservation is shown where none is expected, or none where one is.",
                 a->kind);
    if (!out->has_reservation)
        return;
    const char *wrong = model_adopt(&s->model, a, expected, &out->reservation, exact);
    if (wrong)
        sim_fail(s, "Command %d: %s.", a->kind, wrong);
    wrong = image_differs(s, &s->model.reservations[expected->reservation], &out->reservation, true);
    if (wrong)
        sim_fail(s, "Command %d: the answer's %s differs.", a->kind, wrong);
    struct model_answer left = {0};
    model_singles(&s->model, &s->model.reservations[expected->reservation], &left);
    check_singles(s, &left, out->reservation.leaves_single, out->reservation.leaves_single_count);
    model_settle(&s->model, NULL);
    if (!out->brief)
        sim_check_rows(s, &s->model.reservations[expected->reservation], &out->reservation);
    s->tally->replayed += out->replayed;
}

/* ---- Everything ---- */

static void check_seats(struct sim *s, int event, struct event *e)
{
    struct model_event *m = &s->model.events[event];
    uint32_t count = e->layout ? layout_seats(e->layout) : 0;
    if (count != m->seat_count)
        sim_fail(s, "Event %d has %u seats, expected %u.", event, count, m->seat_count);
    struct model_reservation *holders[ASK_SEATS] = {0};
    uint32_t counts[UNIT_BLOCKED + 1] = {0};
    for (int i = 0; i < MODEL_RESERVATIONS; i++) {
        struct model_reservation *r = &s->model.reservations[i];
        enum reservation_status status = model_status(&s->model, r);
        for (int k = 0; r->used && k < r->item_count; k++)
            if (r->items[k].kind == ITEM_SEAT && r->items[k].event == event &&
                (status == RESERVATION_HELD || status == RESERVATION_CONFIRMED))
                holders[r->items[k].unit] = r;
    }
    for (int seat = 0; seat < ASK_SEATS; seat++) {
        uint32_t position = layout_find(e->layout, translate_seat(seat));
        if ((position != LAYOUT_NONE) != m->seats[seat].exists)
            sim_fail(s, "Seat %d of event %d is there or not.", seat, event);
        if (position == LAYOUT_NONE)
            continue;
        const struct model_reservation *r = holders[seat];
        enum unit_status expected = r && r->status == RESERVATION_CONFIRMED ? UNIT_SOLD
                                    : r                                     ? UNIT_HELD
                                    : model_off_sale(&m->seats[seat])       ? UNIT_BLOCKED
                                                                            : UNIT_AVAILABLE;
        if (seat_status(s->state, e, position) != expected)
            sim_fail(s, "Seat %d of event %d is %s, expected %s.", seat, event,
                     unit_status_name(seat_status(s->state, e, position)), unit_status_name(expected));
        counts[expected]++;
        if (!text_equal(allotment_of(e, position), translate_allotment(m->seats[seat].allotment)))
            sim_fail(s, "Seat %d of event %d is in another allotment.", seat, event);
        if (r && !id_equal(state_compare_holder(s->state, e, position), r->id))
            sim_fail(s, "Seat %d of event %d has another holder.", seat, event);
        if (r && seat_at(e, position)->version != m->seats[seat].fence)
            sim_fail(s, "Seat %d of event %d has another version.", seat, event);
    }
    if (e->counts.available != counts[UNIT_AVAILABLE] || e->counts.held != counts[UNIT_HELD] ||
        e->counts.sold != counts[UNIT_SOLD] || e->counts.blocked != counts[UNIT_BLOCKED])
        sim_fail(s, "The seats of event %d are counted otherwise.", event);
}

static void check_event_codes(struct sim *s, int event, const struct event *e)
{
    for (int i = 1; i <= ASK_CODES; i++) {
        const struct model_code *m = &s->model.events[event].codes[i - 1];
        const struct code *found = code_find(e, translate_code(i, i % 2));
        if ((found != NULL) != m->made)
            sim_fail(s, "Code %d of event %d is there or not.", i, event);
        const struct code_image *c = found ? code_view(found) : NULL;
        if (c && (c->removed != m->removed || c->used != model_code_used(&s->model, event, i) ||
                  c->units != m->units))
            sim_fail(s, "Code %d of event %d is used %llu times, expected %u.", i, event,
                     (unsigned long long)c->used, model_code_used(&s->model, event, i));
    }
}

static void check_settings(struct sim *s, int event, const struct event_image *c)
{
    const struct model_event *e = &s->model.events[event];
    const struct ask_settings *m = &e->settings;
    uint32_t staff_s = m->staff_hold_s ? m->staff_hold_s : m->max_hold_s;
    bool same = c->terms.hold_ttl_s == m->hold_ttl_s && c->terms.max_hold_s == m->max_hold_s &&
                terms_staff_hold_s(&c->terms) == staff_s && c->terms.payment_ttl_s == m->payment_ttl_s &&
                c->terms.currency[0] == m->currency && c->per_user_limit == m->limit &&
                c->on_sale_at_ms == m->on_sale_at_ms && c->off_sale_at_ms == m->off_sale_at_ms &&
                c->starts_at_ms == m->starts_at_ms && c->no_guests == m->no_guests &&
                c->refuse_singles == m->refuse_singles && (c->access == ACCESS_CODE) == m->by_code &&
                (c->transfer == TRANSFER_OFF) == m->no_transfer && c->has_list == e->has_list &&
                c->has_queue == e->line.has;
    const struct queue_settings *q = &c->queue;
    bool room = !c->has_queue ||
                (q->open_at_ms == e->line.open_at_ms && q->rate_per_second == e->line.rate &&
                 q->max_active == e->line.max_active && q->pass_ttl_s == e->line.pass_ttl_s &&
                 q->shuffle_before_open == e->line.shuffle && q->by_inventory == e->line.by_inventory);
    if (!same || !room)
        sim_fail(s, "Event %d has other settings.", event);
}

static void check_event(struct sim *s, int event)
{
    struct model_event *m = &s->model.events[event];
    struct event *e = event_find(s->state, translate_event(event));
    if ((e != NULL) != m->exists)
        sim_fail(s, "Event %d is there or not.", event);
    if (!e)
        return;
    check_settings(s, event, &e->image);
    sim_check_cancelled(s, event, &e->image);
    check_seats(s, event, e);
    check_event_codes(s, event, e);
    for (int pool = 0; pool < ASK_POOLS; pool++) {
        const struct pool *p = pool_find(e, translate_pool(pool));
        if ((p != NULL) != m->pools[pool].exists)
            sim_fail(s, "Pool %d of event %d is there or not.", pool, event);
        if (p &&
            (pool_available(p) != m->pools[pool].capacity - model_claimed(&s->model, event, pool, false) ||
             p->sold != model_claimed(&s->model, event, pool, true)))
            sim_fail(s, "Pool %d of event %d has %u available.", pool, event, pool_available(p));
        if (p && m->pools[pool].allotment && pool_shown(e, p) != 0)
            sim_fail(s, "Pool %d of event %d is shown though it is set aside.", pool, event);
    }
    for (int user = 0; user < ASK_USERS + ASK_ERASED; user++) {
        uint32_t handle = user_find(s->state, translate_user(user));
        uint32_t have = handle == TABLE_NONE ? 0 : user_count_get(s->state, handle, e->index);
        if (have != model_have(&s->model, user, event))
            sim_fail(s, "User %d has %u of event %d.", user, have, event);
    }
}

static void check_reservation(struct sim *s, struct model_reservation *m)
{
    struct reservation_image image;
    struct item_image items[ITEMS_MAX], by_now[ITEMS_MAX];
    uint32_t handle = reservation_find(s->state, m->id);
    if (handle != TABLE_NONE)
        reservation_image_make(s->state, reservation_at(s->state, handle), &image, items);
    else if (!fake_book_find(&s->book, m->id, &image, items))
        sim_fail(s, "A reservation is lost.");
    if (handle == TABLE_NONE) /* the book may not know yet who was erased */
        erasure_translate(s->state, &image, by_now);
    const char *wrong = image_differs(s, m, &image, true);
    if (wrong)
        sim_fail(s, "The %s of a reservation differs.", wrong);
}

static bool value_is_of(struct sim *s, uint32_t value, int key)
{
    uint8_t hash[32];
    translate_value(value, hash);
    const struct key *found = state_key_find(s->state, hash, s->model.now);
    return found && text_equal(found->image.name, translate_api_key(key));
}

static void check_keys(struct sim *s)
{
    for (int i = 0; i < ASK_KEYS; i++) {
        bool exists = s->model.api_keys[i].exists;
        uint32_t value = s->model.api_keys[i].value, old = s->model.api_keys[i].old;
        if (value && value_is_of(s, value, i) != exists)
            sim_fail(s, "Key %d is found, or not, by its value.", i);
        if (old && value_is_of(s, old, i) != (exists && s->model.now < s->model.api_keys[i].old_until))
            sim_fail(s, "Key %d is found, or not, by its old value.", i);
    }
}

static void reported(void *ctx, const char *sentence)
{
    sim_fail(ctx, "%s", sentence);
}

void sim_check_all(struct sim *s)
{
    do
        sim_expire(s, UINT32_MAX);
    while (state_next_deadline(s->state) <= s->model.now);
    sim_serve(s);
    state_check(s->state, reported, s);
    for (int i = 0; i < ASK_EVENTS; i++)
        check_event(s, i);
    for (int i = 0; i < ASK_EVENTS; i++)
        sim_check_line(s, i);
    for (int i = 0; i < ASK_CALENDARS; i++)
        sim_check_calendar(s, i);
    sim_check_groups(s);
    check_keys(s);
    for (int i = 0; i < MODEL_RESERVATIONS; i++)
        if (s->model.reservations[i].used)
            check_reservation(s, &s->model.reservations[i]);
    sim_check_hooks(s);
    sim_check_ledger(s);
    s->tally->checks++;
}
