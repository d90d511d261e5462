/* SPDX-License-Identifier: Apache-2.0 */
#include "core/claim/plan.h"

#include <stdio.h>

#include "base/assertion.h"
#include "core/claim/best.h"
#include "core/claim/expiry.h"

/* ---- What is wanted ---- */

static bool asked_twice(const struct item_request *items, uint32_t index)
{
    for (uint32_t i = 0; i < index; i++)
        if (items[i].kind == ITEM_SEAT && text_equal(items[i].unit, items[index].unit) &&
            text_equal(items[i].event, items[index].event))
            return true;
    return false;
}

enum outcome_code plan_distinct(const struct item_request *items, uint32_t count, struct outcome *out)
{
    for (uint32_t i = 0; i < count; i++)
        if (items[i].kind == ITEM_SEAT && asked_twice(items, i))
            return state_invalid(out, "Duplicate seat.", "/items/%u/seat", i);
    if (count > ITEMS_MAX)
        return state_invalid(out, "Too many items: at most 100 per reservation.", "/items");
    return OUTCOME_OK;
}

void plan_begin(struct step *step)
{
    step->target_count = 0;
}

void plan_want(struct step *step, const struct item_request *item, uint32_t index)
{
    ASSERT(step->target_count < ITEMS_MAX);
    step->targets[step->target_count++] =
        (struct target){.request = item, .index = index, .start_ms = item->start_ms, .end_ms = item->end_ms};
}

enum outcome_code plan_size(struct step *step, uint64_t has_items, uint64_t has_units, struct outcome *out)
{
    for (uint32_t i = 0; i < step->target_count; i++) {
        const struct item_request *item = step->targets[i].request;
        has_items += item->kind == ITEM_BEST ? item->quantity : 1;
        has_units += item->quantity;
    }
    if (has_items > ITEMS_MAX)
        return state_invalid(out, "Too many items: at most 100 per reservation.", "/items");
    if (has_units > UNITS_MAX)
        return state_invalid(out, "Too many items: at most 1000 seats and units per reservation.", "/items");
    return OUTCOME_OK;
}

/* ---- What it names ---- */

/* The end of one with a service is not known before its calendar is; until then it counts as a
 * millisecond. */
static enum outcome_code instants_judge(struct state *st, const struct target *t, struct outcome *out)
{
    char within[24];
    if (t->request->kind != ITEM_SLOT)
        return OUTCOME_OK;
    int64_t end_ms = t->request->unit.at ? t->start_ms + 1 : t->end_ms;
    snprintf(within, sizeof(within), "/items/%u", t->index);
    return calendar_judge_instants(st->now_ms, st->now_ms, t->start_ms, end_ms, within, out);
}

static enum outcome_code resolve_slot(struct state *st, struct target *t, struct outcome *out)
{
    struct calendar *c = t->calendar = calendar_find(st, t->request->event);
    if (!c)
        return OUTCOME_NO_SUCH_CALENDAR;
    if (!t->request->unit.at)
        return OUTCOME_OK;
    uint32_t service = calendar_service_find(c, t->request->unit);
    if (service == SERVICE_NONE)
        return state_invalid(out, "Invalid service: not offered by this calendar.", "/items/%u/service",
                             t->index);
    t->position = service + 1;
    t->end_ms = t->start_ms + calendar_service_ms(c, service);
    if (t->end_ms > st->now_ms + SLOT_AHEAD_MAX_MS)
        return state_invalid(out, "Invalid start: ends more than ten years ahead.", "/items/%u/start",
                             t->index);
    return OUTCOME_OK;
}

static enum outcome_code resolve_one(struct state *st, struct target *t, struct outcome *out)
{
    const struct item_request *item = t->request;
    if (item->kind == ITEM_SLOT)
        return resolve_slot(st, t, out);
    struct event *e = t->event = event_find(st, item->event);
    if (!e)
        return OUTCOME_NO_SUCH_EVENT;
    if (item->kind == ITEM_SEAT) {
        t->position = layout_find(e->layout, item->unit);
        return t->position == LAYOUT_NONE ? OUTCOME_NO_SUCH_SEAT : OUTCOME_OK;
    }
    if (item->kind == ITEM_POOL) {
        const struct pool *p = pool_find(e, item->unit);
        t->position = p ? p->image.position : 0;
        return p ? OUTCOME_OK : OUTCOME_NO_SUCH_POOL;
    }
    return OUTCOME_OK;
}

static const struct terms *terms_of(const struct target *t)
{
    return t->calendar ? &t->calendar->image.terms : &t->event->image.terms;
}

static void terms_add(struct terms *terms, const struct terms *more)
{
    if (more->hold_ttl_s < terms->hold_ttl_s)
        terms->hold_ttl_s = more->hold_ttl_s;
    if (more->max_hold_s < terms->max_hold_s)
        terms->max_hold_s = more->max_hold_s;
    if (more->payment_ttl_s < terms->payment_ttl_s)
        terms->payment_ttl_s = more->payment_ttl_s;
    if (more->payment == PAYMENT_REQUIRED)
        terms->payment = PAYMENT_REQUIRED;
}

enum outcome_code plan_resolve(struct step *step, struct terms *terms, struct outcome *out)
{
    struct state *st = step->state;
    enum outcome_code code = OUTCOME_OK;
    for (uint32_t i = 0; code == OUTCOME_OK && i < step->target_count; i++)
        code = instants_judge(st, &step->targets[i], out);
    for (uint32_t i = 0; code == OUTCOME_OK && i < step->target_count; i++)
        code = resolve_one(st, &step->targets[i], out);
    for (uint32_t i = 0; code == OUTCOME_OK && i < step->target_count; i++) {
        const struct terms *own = terms_of(&step->targets[i]);
        if (i == 0)
            *terms = *own;
        if (memcmp(terms->currency, own->currency, sizeof(own->currency)) != 0)
            return state_invalid(out, PLAN_ONE_CURRENCY, "/items/%u", step->targets[i].index);
        terms_add(terms, own);
    }
    return code;
}

/* ---- Whether it may be had ---- */

enum outcome_code plan_on_sale(struct step *step)
{
    struct state *st = step->state;
    for (uint32_t i = 0; i < step->target_count; i++) {
        const struct event *e = step->targets[i].event; /* a calendar is always on sale */
        if (e && !event_on_sale(e, st->actor.role, st->now_ms))
            return OUTCOME_NOT_ON_SALE;
    }
    return OUTCOME_OK;
}

static enum outcome_code serve_lists(struct step *step)
{
    struct event *events[ITEMS_MAX];
    uint32_t count = 0;
    for (uint32_t i = 0; i < step->target_count; i++)
        if (step->targets[i].event)
            events[count++] = step->targets[i].event;
    return waiting_list_before_claim(step->state, events, count);
}

enum outcome_code plan_list(struct step *step)
{
    for (uint32_t i = 0; i < step->target_count; i++) {
        const struct event *e = step->targets[i].event;
        if (e && waiting_list_comes_first(step->state, e))
            return serve_lists(step);
    }
    return OUTCOME_OK;
}

static uint64_t wanted_of(const struct step *step, const struct event *e)
{
    uint64_t wanted = 0;
    for (uint32_t i = 0; i < step->target_count; i++)
        if (step->targets[i].event == e)
            wanted += step->targets[i].request->quantity;
    return wanted;
}

enum outcome_code plan_limits(struct step *step, struct text user, struct outcome *out)
{
    struct state *st = step->state;
    for (uint32_t i = 0; i < step->target_count; i++) {
        const struct event *e = step->targets[i].event;
        uint32_t limit = e ? e->image.per_user_limit : 0;
        if (!limit)
            continue;
        uint64_t wanted = wanted_of(step, e);
        uint32_t handle = user_find(st, user);
        uint32_t have = handle == TABLE_NONE ? 0 : user_count_get(st, handle, e->index);
        if (have + wanted > limit && handle != TABLE_NONE) {
            settle_user(st, handle);
            handle = user_find(st, user);
            have = handle == TABLE_NONE ? 0 : user_count_get(st, handle, e->index);
        }
        if (have + wanted > limit) {
            out->limit = limit;
            out->have = have;
            state_saw(out, e->seq);
            return OUTCOME_LIMIT_EXCEEDED;
        }
    }
    return OUTCOME_OK;
}

enum outcome_code plan_hours(struct step *step, struct outcome *out)
{
    enum outcome_code code = OUTCOME_OK;
    for (uint32_t i = 0; code == OUTCOME_OK && i < step->target_count; i++) {
        const struct target *t = &step->targets[i];
        if (t->calendar)
            code = calendar_judge_hours(t->calendar, t->index, t->start_ms, t->end_ms, out);
    }
    return code;
}

/* ---- Claiming ---- */

/* What only the timeline knows of a planned slot is taken back. */
static void uncount(struct state *st, const struct planned *p)
{
    if (p->counted)
        calendar_free(st->calendars[p->item.event], p->item.start_ms, p->item.until_ms, false);
}

void plan_drop(struct step *step)
{
    struct state *st = step->state;
    for (uint32_t i = 0; i < step->plan_count; i++) {
        const struct item *item = &step->plan[i].item;
        uncount(st, &step->plan[i]);
        if (item->kind == ITEM_SEAT)
            seat_unplan(seat_at(st->events[item->event], item->position));
    }
    step->plan_count = 0;
}

static void obstacle_add(struct step *step, struct outcome *out, const struct obstacle *obstacle)
{
    ASSERT(out->obstacle_count < ITEMS_MAX);
    uint32_t at = out->obstacle_count++;
    for (; at > 0 && step->obstacles[at - 1].item > obstacle->item; at--)
        step->obstacles[at] = step->obstacles[at - 1];
    step->obstacles[at] = *obstacle;
}

static struct planned *plan_add(struct step *step, uint32_t index, const struct item *item)
{
    /* Items stand in the order of the request, though named seats were picked first. */
    uint32_t at = step->plan_count++;
    for (; at > 0 && step->plan[at - 1].index > index; at--)
        step->plan[at] = step->plan[at - 1];
    step->plan[at] = (struct planned){.index = index, .item = *item};
    return &step->plan[at];
}

static void plan_add_unit(struct step *step, struct event *e, uint32_t index, enum item_kind kind,
                          uint32_t position, uint32_t quantity)
{
    int64_t price =
        kind == ITEM_SEAT ? layout_seat(e->layout, position)->price : e->pools[position].image.price;
    plan_add(step, index,
             &(struct item){.event = e->index,
                            .position = position,
                            .quantity = quantity,
                            .price = price * quantity,
                            .kind = kind});
}

static enum outcome_code claim_seat(struct step *step, struct event *e, uint32_t index, uint32_t position,
                                    struct outcome *out)
{
    struct state *st = step->state;
    settle_seat(st, e, position);
    struct seat *seat = seat_at(e, position);
    bool blocked = seat_blocked(e, position);
    if (seat->claim != CLAIM_NONE || blocked) {
        enum seat_status status = seat_status(st, e, position);
        if (seat->claim != CLAIM_NONE && seat->claim != CLAIM_PLANNED && !(seat->claim & CLAIM_STUB))
            state_saw(out, reservation_at(st, seat->claim - 1)->seq);
        else
            state_saw(out, blocked ? e->seq : 0);
        obstacle_add(step, out, &(struct obstacle){.item = index, .kind = ITEM_SEAT, .status = status});
        return OUTCOME_TAKEN;
    }
    seat_plan(seat);
    plan_add_unit(step, e, index, ITEM_SEAT, position, 1);
    return OUTCOME_OK;
}

static enum outcome_code claim_pool(struct step *step, struct event *e, uint32_t index, uint32_t position,
                                    uint32_t quantity, struct outcome *out)
{
    struct state *st = step->state;
    struct pool *p = &e->pools[position];
    uint32_t planned = 0;
    for (uint32_t i = 0; i < step->plan_count; i++)
        if (step->plan[i].item.kind == ITEM_POOL && step->plan[i].item.event == e->index &&
            step->plan[i].item.position == position)
            planned += step->plan[i].item.quantity;
    settle_pool(st, p, planned + quantity);
    if (planned + quantity > pool_available(p)) {
        state_saw(out, e->seq);
        obstacle_add(
            step, out,
            &(struct obstacle){.item = index, .kind = ITEM_POOL, .available = pool_available(p) - planned});
        return OUTCOME_SOLD_OUT;
    }
    plan_add_unit(step, e, index, ITEM_POOL, p->image.position, quantity);
    return OUTCOME_OK;
}

static enum outcome_code claim_best(struct step *step, const struct target *t, struct outcome *out)
{
    struct state *st = step->state;
    struct event *e = t->event;
    uint32_t index = t->index;
    const struct item_request *item = t->request;
    struct best_bound bound = {
        .tiers = t->tiers, .tier_count = t->tier_count, .planned = step->plan_count > 0};
    uint32_t picked[ITEMS_MAX];
    struct best_sight seen;
    enum outcome_code code = best_pick(st, e, item, &bound, picked, &seen);
    if (code != OUTCOME_OK) {
        state_saw(out, e->seq);
        obstacle_add(step, out,
                     &(struct obstacle){.item = index, .kind = ITEM_BEST, .available = seen.usable});
        return code;
    }
    for (uint32_t i = 0; i < item->quantity; i++) {
        settle_seat(st, e, picked[i]);
        if (seat_at(e, picked[i])->claim != CLAIM_NONE)
            return OUTCOME_SOLD_OUT; /* could not be settled in this step: RETRY */
        seat_plan(seat_at(e, picked[i]));
        plan_add_unit(step, e, index, ITEM_SEAT, picked[i], 1);
    }
    return OUTCOME_OK;
}

static bool wanted_again(const struct step *step, const struct target *t)
{
    for (const struct target *later = t + 1; later < step->targets + step->target_count; later++)
        if (later->calendar == t->calendar)
            return true;
    return false;
}

static enum outcome_code claim_slot(struct step *step, const struct target *t, struct outcome *out)
{
    struct state *st = step->state;
    struct calendar *c = t->calendar;
    struct item item = {.event = c->index,
                        .position = t->position,
                        .quantity = 1,
                        .price = t->position ? c->image.services[t->position - 1].price : c->image.price,
                        .start_ms = t->start_ms,
                        .end_ms = t->end_ms,
                        .until_ms = calendar_until(c, t->end_ms),
                        .kind = ITEM_SLOT};
    struct obstacle obstacle = {.item = t->index, .kind = ITEM_SLOT};
    enum outcome_code code = calendar_judge_room(st, c, item.start_ms, item.until_ms, &obstacle.status, out);
    if (code != OUTCOME_OK) {
        obstacle_add(step, out, &obstacle);
        return code;
    }
    struct planned *planned = plan_add(step, t->index, &item);
    planned->counted = wanted_again(step, t);
    if (planned->counted)
        calendar_claim(c, item.start_ms, item.until_ms, false, st->now_ms);
    return OUTCOME_OK;
}

static enum outcome_code claim_one(struct step *step, const struct target *t, struct outcome *out)
{
    switch (t->request->kind) {
    case ITEM_SEAT:
        return claim_seat(step, t->event, t->index, t->position, out);
    case ITEM_POOL:
        return claim_pool(step, t->event, t->index, t->position, t->request->quantity, out);
    case ITEM_BEST:
        return claim_best(step, t, out);
    case ITEM_SLOT:
        return claim_slot(step, t, out);
    }
    ASSERT(false && "an item of unknown kind");
    return OUTCOME_INVALID;
}

enum outcome_code plan_claim(struct step *step, struct outcome *out)
{
    enum outcome_code codes[ITEMS_MAX];
    enum outcome_code refusal = OUTCOME_OK;
    uint32_t first = 0;
    step->plan_count = 0;
    out->obstacles = step->obstacles;
    /* Named seats first, so that no `best` of the same request takes one of them. */
    for (int best = 0; best < 2; best++)
        for (uint32_t i = 0; i < step->target_count; i++)
            if ((step->targets[i].request->kind == ITEM_BEST) == best)
                codes[i] = claim_one(step, &step->targets[i], out);
    for (; first < step->target_count && refusal == OUTCOME_OK; first++)
        refusal = codes[first];
    if (refusal == OUTCOME_OK)
        return OUTCOME_OK;
    if (refusal == OUTCOME_TAKEN && step->targets[first - 1].calendar)
        out->detail = CALENDAR_TAKEN;
    plan_drop(step);
    return refusal;
}

void plan_grant(struct step *step, uint32_t handle, uint64_t fence)
{
    struct state *st = step->state;
    struct reservation *r = reservation_at(st, handle);
    for (uint32_t i = 0; i < step->plan_count; i++) {
        struct item *item = &step->plan[i].item;
        uncount(st, &step->plan[i]);
        item->fence = fence;
        item->item_id = r->next_item_id++;
        reservation_item_add(st, handle, item);
    }
    step->plan_count = 0;
}
