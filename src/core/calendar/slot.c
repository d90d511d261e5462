/* SPDX-License-Identifier: Apache-2.0 */
/* slot.c — an interval of a calendar: the kind of request and the kind of claim. */
#include <stdio.h>

#include "base/assertion.h"
#include "core/calendar/booking.h"
#include "core/calendar/buffers.h"
#include "core/calendar/calendar_removal.h"
#include "core/calendar/group.h"
#include "core/calendar/slot.h"
#include "core/claim/kind.h"
#include "core/claim/plan.h"
#include "core/claim/reservation.h"
#include "core/state_check_parts.h"

#define MINUTE_MS 60000LL

static struct calendar *calendar_of(const struct state *st, const struct item *item)
{
    ASSERT(item->kind == ITEM_SLOT && item->resource < st->calendar_count);
    return st->calendars[item->resource];
}

/* ---- The kind of request ---- */

/* A planned slot can be in the timeline, and nowhere else yet. */
static void unplan(struct state *st, const struct planned *p)
{
    if (p->counted)
        timeline_remove(&calendar_of(st, &p->item)->timeline, item_from(&p->item), p->item.until_ms, false);
}

/* A claim that has begun can keep its start, until it is over. */
static enum outcome_code judge_begun(const struct step *step, const struct target *t, struct outcome *out)
{
    const struct state *st = step->state;
    const struct item *from = t->from;
    bool begun = from->start_ms < st->now_ms, stays = t->start_ms == from->start_ms;
    int64_t earliest_ms = begun && stays && from->until_ms > st->now_ms ? from->start_ms : st->now_ms;
    return calendar_judge_instants(st->now_ms, earliest_ms, t->start_ms, t->end_ms, "", out);
}

/* The duration of a service is unknown until its calendar is found; until then it counts as a millisecond. */
enum outcome_code slot_judge_instants(struct step *step, struct target *t, struct outcome *out)
{
    char within[24];
    int64_t now_ms = step->state->now_ms, end_ms = t->request->part.at ? t->start_ms + 1 : t->end_ms;
    if (t->from)
        return judge_begun(step, t, out);
    snprintf(within, sizeof(within), "/items/%u", t->index);
    return calendar_judge_instants(now_ms, now_ms, t->start_ms, end_ms, within, out);
}

static enum outcome_code resolve(struct step *step, struct target *t, struct outcome *out)
{
    struct state *st = step->state;
    if (t->from)
        return OUTCOME_OK;
    struct calendar *c = t->calendar = calendar_find(st, t->request->resource);
    if (!c)
        return OUTCOME_NO_SUCH_CALENDAR;
    t->terms = &c->image.terms;
    if (!t->request->part.at)
        return OUTCOME_OK;
    uint32_t service = calendar_service_find(c, t->request->part);
    if (service == SERVICE_NONE)
        return state_invalid(out, "Invalid service: not offered by this calendar.", "/items/%u/service",
                             t->index);
    t->part = service + 1;
    t->end_ms = t->start_ms + calendar_service_ms(c, service);
    ASSERT(t->end_ms > t->start_ms); /* every service takes time */
    if (t->end_ms > st->now_ms + SLOT_AHEAD_MAX_MS)
        return state_invalid(out, "Invalid start: ends more than ten years ahead.", "/items/%u/start",
                             t->index);
    return OUTCOME_OK;
}

/* With a capacity above one, asking for the same time again means one more. */
static bool owned(struct step *step, const struct target *t)
{
    struct reservation *r = reservation_at(step->state, step->reservation);
    struct target found = *t;
    /* On a copy, and without its refusal: that belongs to a later phase. */
    if (resolve(step, &found, &step->trials[0]) != OUTCOME_OK || found.calendar->image.capacity > 1)
        return false;
    for (uint32_t i = 0; i < r->item_count; i++) {
        const struct item *item = &reservation_items(r)[i];
        if (item->kind == ITEM_SLOT && item->resource == found.calendar->index && item->part == found.part &&
            item->start_ms == found.start_ms && item->end_ms == found.end_ms)
            return true;
    }
    return false;
}

/* Also judges whether a sold slot would become more expensive. */
enum outcome_code slot_judge_hours(struct step *step, struct target *t, struct outcome *out)
{
    enum outcome_code code = calendar_judge_hours(t->calendar, t->index, t->start_ms, t->end_ms, out);
    int64_t price;
    if (code != OUTCOME_OK || !plan_moves_sold(step, t) || booking_moved_price(step, t, &price))
        return code;
    out->detail = "Only an app or admin key can move a booking to a more expensive time.";
    return OUTCOME_PAYMENT_REQUIRED;
}

/* Whether another target can still need this calendar: groups are picked after named targets, and can pick it, too. */
static bool wanted_again(const struct step *step, const struct target *t)
{
    for (const struct target *other = step->targets; other < step->targets + step->target_count; other++)
        if (other->group ? !other->calendar && group_has(other->group, t->calendar)
                         : other > t && other->calendar == t->calendar)
            return true;
    return false;
}

/* A held slot that is moved gets the current price, so the currency must be the reservation's. */
static enum outcome_code judge_currency(struct step *step, struct target *t, struct outcome *out)
{
    if (!t->from || plan_moves_sold(step, t))
        return OUTCOME_OK;
    struct terms own = reservation_terms(reservation_at(step->state, step->reservation));
    if (!plan_join_terms(&own, &t->calendar->image.terms))
        return state_invalid(out, PLAN_ONE_CURRENCY, "/start");
    return OUTCOME_OK;
}

/* Ignores the current claim of an item that moves, and the buffers of the reservation's other items. */
static enum outcome_code judge_room(struct step *step, const struct target *t, const struct item *item,
                                    enum unit_status *status, struct outcome *out)
{
    struct state *st = step->state;
    const struct item *from = t->from;
    bool sold = plan_moves_sold(step, t);
    ASSERT(!from || from->resource == t->calendar->index); /* it stays on its calendar */
    if (from)
        timeline_remove(&t->calendar->timeline, item_from(from), from->until_ms, sold);
    buffers_lift(step, t, item, true);
    enum outcome_code code =
        calendar_judge_room(st, t->calendar, item_from(item), item->until_ms, status, out);
    /* Put back in any case: granting removes it for good. */
    buffers_lift(step, t, item, false);
    if (from)
        timeline_add(&t->calendar->timeline, item_from(from), from->until_ms, sold);
    return code;
}

void slots_replan(struct step *step, const struct calendar *c)
{
    if (!c->image.buffer_minutes && !c->image.rules.buffer_before_minutes)
        return; /* no buffers */
    for (struct planned *p = step->plan; p < step->plan + step->plan_count; p++) {
        const struct target *t = step->targets;
        if (p->item.kind != ITEM_SLOT || p->item.resource != c->index)
            continue;
        while (t->index != p->index)
            t++;
        ASSERT(p->counted && t->calendar == c); /* a group not picked yet could still pick it */
        unplan(step->state, p);
        buffers_plan(step, t, &p->item);
        timeline_add(&t->calendar->timeline, item_from(&p->item), p->item.until_ms, false);
    }
}

enum outcome_code slot_plan(struct step *step, struct target *t, enum unit_status *status,
                            struct outcome *out)
{
    struct calendar *c = t->calendar;
    struct item item = {.resource = c->index,
                        .part = t->part,
                        .quantity = 1,
                        .price = booking_price(t),
                        .start_ms = t->start_ms,
                        .end_ms = t->end_ms,
                        .kind = ITEM_SLOT};
    ASSERT(item.start_ms < item.end_ms);
    if (plan_moves_sold(step, t))
        booking_moved_price(step, t, &item.price);
    buffers_plan(step, t, &item);
    enum outcome_code code = judge_room(step, t, &item, status, out);
    if (code != OUTCOME_OK)
        return code;
    /* A planned slot is counted only if another one of this request, on the same calendar, has yet to be judged:
     * so a request for one slot, as nearly all are, touches the timeline only when it is granted. */
    struct planned *planned = plan_add(step, t, &item);
    planned->counted = wanted_again(step, t);
    if (planned->counted)
        timeline_add(&c->timeline, item_from(&item), item.until_ms, false);
    return OUTCOME_OK;
}

static enum outcome_code slot_pick(struct step *step, struct target *t, struct outcome *out)
{
    enum unit_status status;
    enum outcome_code code = slot_plan(step, t, &status, out);
    if (code != OUTCOME_OK)
        plan_obstacle(step, t, status, 0, out);
    return code;
}

/* A calendar is always on sale, and has no waiting room or list. */
/* clang-format off */
const struct request_kind slot_request = {
    .owned = owned, .pick = slot_pick, .taken = "This slot was just taken. Please choose another time.",
    .judge = {[PHASE_INSTANTS] = slot_judge_instants, [PHASE_RESOLVE] = resolve,
              [PHASE_TERMS] = judge_currency,
              [PHASE_GUESTS] = booking_judge_guest, [PHASE_LIMIT] = booking_judge_limit,
              [PHASE_HOURS] = slot_judge_hours, [PHASE_BOOKABLE] = booking_judge_rules},
};
/* clang-format on */

/* ---- The kind of claim ---- */

/* The end is in the request, or follows from the service: its current duration or, if not offered any more, the old. */
static enum outcome_code retarget(struct step *step, struct target *t, struct outcome *out)
{
    const struct command *c = step->command;
    const struct item *from = t->from;
    if (c->item.seat.at)
        return plan_unmovable(step, t, out);
    t->calendar = calendar_of(step->state, from);
    if (t->calendar->image.removed)
        return OUTCOME_NO_SUCH_CALENDAR;
    t->part = from->part;
    t->start_ms = c->item.start_ms;
    t->end_ms = c->item.end_ms;
    if (c->item.has_end)
        return OUTCOME_OK;
    if (!from->part)
        return state_invalid(out, "Missing end.", "/end");
    ASSERT(from->part <= t->calendar->image.service_count); /* services are never deleted */
    bool offered = !t->calendar->image.services[from->part - 1].removed;
    t->end_ms = t->start_ms +
                (offered ? calendar_service_ms(t->calendar, from->part - 1) : from->end_ms - from->start_ms);
    return OUTCOME_OK;
}

static void claim(struct state *st, uint32_t handle, const struct item *item, bool sold)
{
    (void)handle;
    ASSERT(item->quantity == 1 && item->start_ms < item->until_ms);
    calendar_claim(calendar_of(st, item), item_from(item), item->until_ms, sold, st->now_ms);
    calendar_touch(st, calendar_of(st, item), item_from(item), item->until_ms);
    calendar_start_add(calendar_of(st, item), item->start_ms);
}

static void sell(struct state *st, const struct item *item)
{
    ASSERT(item->end_ms <= item->until_ms);
    timeline_sell(&calendar_of(st, item)->timeline, item_from(item), item->until_ms);
}

static void free_claim(struct state *st, uint32_t handle, const struct item *item, uint64_t seq, bool sold)
{
    (void)handle;
    (void)seq;
    timeline_remove(&calendar_of(st, item)->timeline, item_from(item), item->until_ms, sold);
    calendar_touch(st, calendar_of(st, item), item_from(item), item->until_ms);
    calendar_start_remove(calendar_of(st, item), item->start_ms);
}

/* The past can be folded, so only the rest is checked. */
static bool rejoin(struct state *st, uint32_t handle, const struct item *item)
{
    (void)handle;
    int64_t from_ms = item->start_ms > st->now_ms ? item->start_ms : st->now_ms;
    return from_ms >= item->until_ms ||
           timeline_most_sold(&calendar_of(st, item)->timeline, from_ms, item->until_ms);
}

static bool load(struct state *st, const struct item_image *item, struct id reservation)
{
    (void)reservation; /* a calendar only counts */
    ASSERT(st->seq == 0);
    struct calendar *c = calendar_find_number(st, item->resource);
    int64_t from_ms = item->start_ms - item->lead_ms;
    if (!c || from_ms >= item->until_ms || !calendar_has_room(c, from_ms, item->until_ms, st->now_ms))
        return false;
    calendar_claim(c, from_ms, item->until_ms, true, st->now_ms);
    calendar_start_add(c, item->start_ms);
    return true;
}

static bool slot_find(struct state *st, uint64_t number, uint32_t *place)
{
    const struct calendar *c = calendar_find_number(st, number);
    *place = c ? c->index : 0;
    return c;
}

static bool exists(const struct state *st, const struct item *item)
{
    if (item->resource >= st->calendar_count || st->calendars[item->resource]->gone)
        return false;
    const struct calendar_image *c = &st->calendars[item->resource]->image;
    return (!item->part || (item->part <= c->service_count && c->services[item->part - 1].id.at)) &&
           item->start_ms < item->end_ms && item->end_ms <= item->until_ms &&
           item->lead_ms <= item->before_minutes * MINUTE_MS &&
           item->until_ms - item->end_ms <= item->after_minutes * MINUTE_MS;
}

static bool is_free(struct state *st, const struct item *item)
{
    return calendar_has_room(calendar_of(st, item), item_from(item), item->until_ms, st->now_ms);
}

static void name(struct state *st, const struct item *item, struct item_image *out)
{
    const struct calendar_image *c = &calendar_of(st, item)->image;
    ASSERT(item->part <= SERVICES_EVER_MAX);
    out->resource = c->number;
    out->resource_id = c->id;
    /* A removed calendar has only the services that reservations in memory refer to: a ticket can be for another. */
    if (item->part && item->part <= c->service_count)
        out->part_id = c->services[item->part - 1].id;
}

static struct heap *lapses(struct state *st, const struct item *item)
{
    return &calendar_of(st, item)->lapses;
}

static uint64_t *seq_of(struct state *st, const struct item *item)
{
    return &calendar_of(st, item)->seq;
}

static void check(struct check *c, struct reservation *r, uint32_t handle, uint32_t index)
{
    (void)handle;
    const struct item *item = &reservation_items(r)[index];
    bool held = r->status == RESERVATION_HELD;
    for (int32_t step = 1; step >= -1; step -= 2)
        c->edges[c->edge_count++] = (struct slot_edge){.calendar = item->resource,
                                                       .held = held ? step : 0,
                                                       .sold = held ? 0 : step,
                                                       .at_ms = step > 0 ? item_from(item) : item->until_ms};
}

/* clang-format off */
const struct claim_kind slot_claims = {
    .timed = true,
    .retarget = retarget, .unplan = unplan,
    .buffers_trim = buffers_trim, .buffers_settle = buffers_settle, .buffers_grow = buffers_grow,
    .claim = claim, .sell = sell, .free = free_claim, .rejoin = rejoin, .load = load,
    .added = calendar_item_added, .gone = calendar_item_gone, .recall = calendar_recall,
    .find = slot_find, .exists = exists, .is_free = is_free, .name = name,
    .lapses = lapses, .seq = seq_of, .check = check, .check_all = check_calendars,
};
/* clang-format on */
