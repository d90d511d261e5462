/* SPDX-License-Identifier: Apache-2.0 */
#include "core/plan.h"

#include "base/assertion.h"
#include "core/best.h"
#include "core/settle.h"

static void terms_add(struct plan_terms *t, const struct event_image *e, bool first)
{
    if (first || e->hold_ttl_s < t->hold_ttl_s)
        t->hold_ttl_s = e->hold_ttl_s;
    if (first || e->max_hold_s < t->max_hold_s)
        t->max_hold_s = e->max_hold_s;
    if (first || e->payment_ttl_s < t->payment_ttl_s)
        t->payment_ttl_s = e->payment_ttl_s;
    t->payment_required = (!first && t->payment_required) || e->payment == PAYMENT_REQUIRED;
    if (first)
        memcpy(t->currency, e->currency, sizeof(t->currency));
}

static bool asked_twice(const struct item_request *items, uint32_t index)
{
    for (uint32_t i = 0; i < index; i++)
        if (items[i].kind == ITEM_SEAT && text_equal(items[i].unit, items[index].unit) &&
            text_equal(items[i].event, items[index].event))
            return true;
    return false;
}

static enum outcome_code resolve_one(struct state *st, const struct item_request *item, struct target *target)
{
    struct event *e = target->event = event_find(st, item->event);
    if (!e)
        return OUTCOME_NO_SUCH_EVENT;
    if (item->kind == ITEM_SEAT) {
        target->position = layout_find(e->layout, item->unit);
        return target->position == LAYOUT_NONE ? OUTCOME_NO_SUCH_SEAT : OUTCOME_OK;
    }
    if (item->kind == ITEM_POOL) {
        const struct pool *p = pool_find(e, item->unit);
        target->position = p ? p->image.position : 0;
        return p ? OUTCOME_OK : OUTCOME_NO_SUCH_POOL;
    }
    return OUTCOME_OK;
}

enum outcome_code plan_distinct(const struct item_request *items, uint32_t count, struct outcome *out)
{
    for (uint32_t i = 0; i < count; i++)
        if (items[i].kind == ITEM_SEAT && asked_twice(items, i))
            return state_invalid(out, "The same seat stands twice in the request.", "/items/%u/seat", i);
    return OUTCOME_OK;
}

enum outcome_code plan_size(const struct item_request *items, uint32_t count, uint64_t has_items, uint64_t has_units,
                            struct outcome *out)
{
    for (uint32_t i = 0; i < count; i++) {
        has_items += items[i].kind == ITEM_BEST ? items[i].quantity : 1;
        has_units += items[i].quantity;
    }
    if (has_items > ITEMS_MAX)
        return state_invalid(out, "A reservation has at most 100 items.", "/items");
    if (has_units > UNITS_MAX)
        return state_invalid(out, "A reservation has at most 1000 seats and units.", "/items");
    return OUTCOME_OK;
}

enum outcome_code plan_resolve(struct state *st, const struct item_request *items, uint32_t count,
                               struct plan_terms *terms, struct outcome *out)
{
    enum outcome_code size = plan_size(items, count, 0, 0, out);
    if (size != OUTCOME_OK)
        return size;
    for (uint32_t i = 0; i < count; i++) {
        enum outcome_code code = resolve_one(st, &items[i], &st->targets[i]);
        if (code != OUTCOME_OK)
            return code;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct event *e = st->targets[i].event;
        if (i > 0 && memcmp(terms->currency, e->image.currency, sizeof(terms->currency)) != 0)
            return state_invalid(out, "The items of one reservation must share one currency.", "/items/%u", i);
        terms_add(terms, &e->image, i == 0);
    }
    return OUTCOME_OK;
}

enum outcome_code plan_on_sale(struct state *st, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!event_on_sale(st->targets[i].event, st->actor.role, st->now_ms))
            return OUTCOME_NOT_ON_SALE;
    return OUTCOME_OK;
}

static uint64_t wanted_of(const struct item_request *items, uint32_t count, struct text event)
{
    uint64_t wanted = 0;
    for (uint32_t i = 0; i < count; i++)
        if (text_equal(items[i].event, event))
            wanted += items[i].quantity;
    return wanted;
}

enum outcome_code plan_limits(struct state *st, const struct item_request *items, uint32_t count, struct text user,
                              struct outcome *out)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct event *e = st->targets[i].event;
        uint32_t limit = e->image.per_user_limit;
        if (!limit)
            continue;
        uint64_t wanted = wanted_of(items, count, items[i].event);
        uint32_t handle = user_find(st, user);
        uint32_t have = handle == TABLE_NONE ? 0 : user_count_get(st, handle, e->slot);
        if (have + wanted > limit && handle != TABLE_NONE) {
            settle_user(st, handle);
            handle = user_find(st, user);
            have = handle == TABLE_NONE ? 0 : user_count_get(st, handle, e->slot);
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

void plan_drop(struct state *st)
{
    for (uint32_t i = 0; i < st->plan_count; i++)
        if (st->plan[i].kind == ITEM_SEAT)
            seat_unplan(seat_at(st->plan[i].event, st->plan[i].position));
    st->plan_count = 0;
}

static void obstacle_add(struct state *st, struct outcome *out, const struct obstacle *obstacle)
{
    ASSERT(out->obstacle_count < ITEMS_MAX);
    uint32_t at = out->obstacle_count++;
    for (; at > 0 && st->obstacles[at - 1].item > obstacle->item; at--)
        st->obstacles[at] = st->obstacles[at - 1];
    st->obstacles[at] = *obstacle;
}

static void plan_add(struct state *st, struct event *e, uint32_t index, enum item_kind kind, uint32_t position,
                     uint32_t quantity)
{
    int64_t price = kind == ITEM_SEAT ? e->layout->seats[position].price : e->pools[position].image.price;
    /* Items stand in the order of the request, though named seats were picked first. */
    uint32_t at = st->plan_count++;
    for (; at > 0 && st->plan[at - 1].index > index; at--)
        st->plan[at] = st->plan[at - 1];
    st->plan[at] = (struct planned){.event = e,
                                    .index = index,
                                    .position = position,
                                    .quantity = quantity,
                                    .price = price * quantity,
                                    .kind = kind};
}

static enum outcome_code claim_seat(struct state *st, struct event *e, uint32_t index, uint32_t position,
                                    struct outcome *out)
{
    settle_seat(st, e, position);
    struct seat *seat = seat_at(e, position);
    bool blocked = seat_blocked(e, position);
    if (seat->claim != CLAIM_NONE || blocked) {
        enum seat_status status = seat_status(st, e, position);
        if (seat->claim != CLAIM_NONE && seat->claim != CLAIM_PLANNED && !(seat->claim & CLAIM_STUB))
            state_saw(out, reservation_at(st, seat->claim - 1)->seq);
        else
            state_saw(out, blocked ? e->seq : 0);
        obstacle_add(st, out, &(struct obstacle){.item = index, .kind = ITEM_SEAT, .status = status});
        return OUTCOME_TAKEN;
    }
    seat_plan(seat);
    plan_add(st, e, index, ITEM_SEAT, position, 1);
    return OUTCOME_OK;
}

static enum outcome_code claim_pool(struct state *st, struct event *e, uint32_t index, uint32_t position,
                                    uint32_t quantity, struct outcome *out)
{
    struct pool *p = &e->pools[position];
    uint32_t planned = 0;
    for (uint32_t i = 0; i < st->plan_count; i++)
        if (st->plan[i].kind == ITEM_POOL && st->plan[i].event == e && st->plan[i].position == p->image.position)
            planned += st->plan[i].quantity;
    settle_pool(st, p, planned + quantity);
    if (planned + quantity > pool_available(p)) {
        state_saw(out, e->seq);
        obstacle_add(st, out, &(struct obstacle){.item = index, .kind = ITEM_POOL, .available = pool_available(p) - planned});
        return OUTCOME_SOLD_OUT;
    }
    plan_add(st, e, index, ITEM_POOL, p->image.position, quantity);
    return OUTCOME_OK;
}

static enum outcome_code claim_best(struct state *st, struct event *e, uint32_t index, const struct item_request *item,
                                    struct outcome *out)
{
    uint32_t picked[ITEMS_MAX], available = 0;
    enum outcome_code code = best_pick(st, e, item, picked, &available);
    if (code != OUTCOME_OK) {
        state_saw(out, e->seq);
        obstacle_add(st, out, &(struct obstacle){.item = index, .kind = ITEM_BEST, .available = available});
        return code;
    }
    for (uint32_t i = 0; i < item->quantity; i++) {
        settle_seat(st, e, picked[i]);
        if (seat_at(e, picked[i])->claim != CLAIM_NONE)
            return OUTCOME_SOLD_OUT; /* could not be settled in this step: AGAIN */
        seat_plan(seat_at(e, picked[i]));
        plan_add(st, e, index, ITEM_SEAT, picked[i], 1);
    }
    return OUTCOME_OK;
}

static enum outcome_code claim_one(struct state *st, const struct item_request *item, uint32_t index,
                                   struct outcome *out)
{
    struct event *e = st->targets[index].event;
    switch (item->kind) {
    case ITEM_SEAT:
        return claim_seat(st, e, index, st->targets[index].position, out);
    case ITEM_POOL:
        return claim_pool(st, e, index, st->targets[index].position, item->quantity, out);
    case ITEM_BEST:
        return claim_best(st, e, index, item, out);
    }
    ASSERT(!"an item of unknown kind");
    return OUTCOME_INVALID;
}

enum outcome_code plan_claim(struct state *st, const struct item_request *items, uint32_t count, struct outcome *out)
{
    enum outcome_code codes[ITEMS_MAX];
    enum outcome_code refusal = OUTCOME_OK;
    st->plan_count = 0;
    out->obstacles = st->obstacles;
    /* Named seats first, so that no `best` of the same request takes one of them. */
    for (int best = 0; best < 2; best++)
        for (uint32_t i = 0; i < count; i++)
            if ((items[i].kind == ITEM_BEST) == best)
                codes[i] = claim_one(st, &items[i], i, out);
    for (uint32_t i = 0; i < count && refusal == OUTCOME_OK; i++)
        refusal = codes[i];
    if (refusal != OUTCOME_OK)
        plan_drop(st);
    return refusal;
}

void plan_grant(struct state *st, uint32_t handle, uint64_t fence)
{
    struct reservation *r = reservation_at(st, handle);
    for (uint32_t i = 0; i < st->plan_count; i++) {
        const struct planned *p = &st->plan[i];
        struct item item = {.event = p->event->slot,
                            .position = p->position,
                            .quantity = p->quantity,
                            .place = HEAP_NONE,
                            .price = p->price,
                            .fence = fence,
                            .item_id = r->next_item_id++,
                            .kind = p->kind};
        reservation_item_add(st, handle, &item);
        p->event->seq = fence;
    }
    st->plan_count = 0;
}
