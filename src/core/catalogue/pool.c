/* SPDX-License-Identifier: Apache-2.0 */
#include "core/catalogue/pool.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/catalogue/event_price.h"
#include "core/claim/expiry.h"
#include "core/claim/kind.h"
#include "core/claim/plan.h"
#include "core/claim/reservation.h"
#include "core/codec.h"
#include "core/queue/queue.h"
#include "core/queue/queue_time.h"
#include "core/state_check_parts.h"
#include "core/waitlist/wish_group.h"

struct pool *pool_find(struct event *e, struct text id)
{
    for (uint32_t i = 0; i < e->pool_count; i++)
        if (text_equal(e->pools[i].image.id, id))
            return &e->pools[i];
    return NULL;
}

uint32_t pool_shown(const struct event *e, const struct pool *p)
{
    return waiting_list_busy(e) || p->image.allotment.at ? 0 : pool_available(p);
}

struct pool *pool_restore(struct state *st, const struct pool_image *image, uint64_t seq)
{
    struct event *e = event_find_number(st, image->event);
    if (!e || image->position > e->pool_count || image->position >= POOLS_MAX)
        return NULL;
    /* Only the capacity of a new image can conflict with existing claims. */
    if (image->position < e->pool_count &&
        image->capacity < e->pools[image->position].held + e->pools[image->position].sold)
        return NULL;
    if (!allotment_name_sound(image->allotment))
        return NULL;
    struct price_list *list = image->prices.at ? price_list_of_pool(image->prices) : NULL;
    if (image->prices.at && !list)
        return NULL;
    /* Copy before freeing the old ones: the image can borrow them. */
    struct text id = text_own(image->id), name = text_own(image->name), prices = text_own(image->prices),
                allotment = text_own(image->allotment);
    if (image->position == e->pool_count) {
        e->pools = memory_grow(e->pools, e->pool_count + 1u, sizeof(*e->pools));
        e->pools[e->pool_count] = (struct pool){0};
        heap_init(&e->pools[e->pool_count].lapses, reservation_item_placed, st);
        e->pool_count++;
    }
    struct pool *p = &e->pools[image->position];
    text_free(p->image.id);
    text_free(p->image.name);
    text_free(p->image.prices);
    text_free(p->image.allotment);
    price_list_free(p->prices);
    p->image = *image;
    p->image.id = id;
    p->image.name = name;
    p->image.prices = prices;
    p->image.allotment = allotment;
    p->prices = list;
    e->seq = seq;
    state_touch(st, ITEM_POOL, e->index, image->position, &p->touched);
    /* Called even if it has shrunk: both check the stock themselves. */
    queue_stock_grew(st, e);
    waiting_list_freed(st, e);
    return p;
}

static void pool_save(struct state *st, const struct pool_image *image)
{
    st->change.kind = CHANGE_POOL;
    st->change.pool = *image;
    state_commit(st);
}

static enum outcome_code prices_judge(const struct event *e, struct text prices, struct outcome *out)
{
    struct price_list *list = prices.at ? price_list_of_pool(prices) : NULL;
    ASSERT(!prices.at == !list); /* the edge has written them */
    state_saw(out, e->seq);
    enum outcome_code code = event_prices_judge(list, e->prices, "/prices", out);
    price_list_free(list);
    return code;
}

enum outcome_code pool_put(struct state *st, const struct command *c, struct outcome *out)
{
    struct event *e = event_find(st, c->pool_put.event);
    if (!e)
        return OUTCOME_NO_SUCH_EVENT;
    struct pool *p = pool_find(e, c->pool_put.id);
    if (!p && e->pool_count == POOLS_MAX)
        return state_invalid(out, "Too many pools: at most 1000 per event.", "%s", "");
    enum outcome_code code = prices_judge(e, c->pool_put.prices, out);
    if (code != OUTCOME_OK)
        return code;
    if (p && c->pool_put.capacity < p->held + p->sold) {
        settle_pool(st, p, p->image.capacity); /* lapsed holds do not count */
        if (c->pool_put.capacity < p->held + p->sold) {
            state_saw(out, e->seq);
            return OUTCOME_CAPACITY_IN_USE;
        }
    }
    struct pool_image image = {.event = e->image.number,
                               .position = p ? p->image.position : e->pool_count,
                               .id = c->pool_put.id,
                               .name = c->pool_put.name,
                               .capacity = c->pool_put.capacity,
                               .price = c->pool_put.price,
                               .prices = c->pool_put.prices,
                               .allotment = c->pool_put.allotment};
    out->created = !p;
    pool_save(st, &image);
    out->seq = st->seq;
    out->pool = e->pools[image.position].image;
    return OUTCOME_OK;
}

void pools_copy(struct state *st, struct event *e, const struct event *from)
{
    ASSERT(e->pool_count == 0);
    for (uint32_t i = 0; i < from->pool_count; i++) {
        struct pool_image image = from->pools[i].image;
        image.event = e->image.number;
        pool_save(st, &image);
    }
    ASSERT(e->pool_count == from->pool_count);
}

/* ---- The change: read change_codec.c before touching its bytes ---- */

/* clang-format off */
#define POOL_FIELDS(X) \
    X(number, event) X(u32, position, POOLS_MAX) X(text, id) X(optional, name) \
    X(u32, capacity, POOL_CAPACITY_MAX) X(signed, price) X(optional, allotment) X(optional, prices)
/* clang-format on */

CHANGE_CODEC(pool, pool, POOL_FIELDS)
CHANGE_RESTORE(pool, pool_restore(st, &c->pool, c->seq))

/* ---- The kind of request ---- */

struct item pool_item(const struct event *e, uint32_t position, uint32_t quantity, struct text category)
{
    int64_t price = 0;
    bool priced = event_pool_price(e, position, category, &price);
    ASSERT(priced && quantity >= 1);
    return (struct item){.resource = e->index,
                         .part = position,
                         .quantity = quantity,
                         .price = price * quantity,
                         .kind = ITEM_POOL};
}

static enum outcome_code resolve(struct step *step, struct target *t, struct outcome *out)
{
    enum outcome_code code = plan_find_event(step, t, out);
    if (code != OUTCOME_OK)
        return code;
    const struct pool *p = pool_find(t->event, t->request->part);
    t->part = p ? p->image.position : 0;
    return p ? OUTCOME_OK : OUTCOME_NO_SUCH_POOL;
}

static enum outcome_code judge_category(struct step *step, struct target *t, struct outcome *out)
{
    int64_t price;
    enum outcome_code code = plan_category(step, t, out);
    if (code == OUTCOME_OK && !event_pool_price(t->event, t->part, t->category, &price))
        code = plan_unpriced(t, out);
    return code;
}

/* Units planned for other items of the same request, which the pool does not count yet. */
static uint32_t planned_of(const struct step *step, const struct target *t)
{
    uint32_t planned = 0;
    for (uint32_t i = 0; i < step->plan_count; i++) {
        const struct item *item = &step->plan[i].item;
        if (item->kind == ITEM_POOL && item->resource == t->event->index && item->part == t->part)
            planned += item->quantity;
    }
    return planned;
}

static enum outcome_code pool_pick(struct step *step, struct target *t, struct outcome *out)
{
    struct pool *p = &t->event->pools[t->part];
    if (!allotment_allows(t, false, p->image.allotment)) {
        state_saw(out, t->event->seq);
        plan_obstacle(step, t, 0, 0, out);
        return OUTCOME_SOLD_OUT;
    }
    uint32_t planned = planned_of(step, t), wanted = planned + t->request->quantity;
    /* Only as far as needed: the timer settles the rest. */
    settle_pool(step->state, p, wanted);
    /* Earlier items were judged the same way, and settling only frees. */
    ASSERT(planned <= pool_available(p));
    if (wanted > pool_available(p)) {
        state_saw(out, t->event->seq);
        plan_obstacle(step, t, 0, pool_available(p) - planned, out);
        return OUTCOME_SOLD_OUT;
    }
    struct item item = pool_item(t->event, t->part, t->request->quantity, t->category);
    plan_add(step, t, &item)->extra.allotment = p->image.allotment;
    return OUTCOME_OK;
}

/* A pool has no tier, so a code with tiers is not valid for it. */
static enum outcome_code judge_code(struct step *step, struct target *t, struct outcome *out)
{
    struct text allotment = t->event->pools[t->part].image.allotment;
    enum outcome_code code = code_judge(step, t, allotment, out);
    bool outside = code == OUTCOME_OK && t->code && !code_has_tier(t->code, (struct text){0});
    return outside ? OUTCOME_CODE_INVALID : code;
}

/* clang-format off */
const struct request_kind pool_request = {
    .gated = true, .pick = pool_pick,
    .judge = {[PHASE_NAMED] = allotment_judge_named, [PHASE_RESOLVE] = resolve, [PHASE_CATEGORY] = judge_category,
              [PHASE_ON_SALE] = plan_on_sale, [PHASE_PASS] = queue_judge_pass,
              [PHASE_GUESTS] = plan_guests, [PHASE_CODE] = judge_code,
              [PHASE_CODE_USED] = code_judge_used, [PHASE_LIMIT] = plan_limit},
};
/* clang-format on */

/* ---- The kind of claim ---- */

/* Planned units are in the plan only: there is nothing to unplan. */

static struct pool *pool_of(struct state *st, const struct item *item)
{
    struct event *e = st->events[item->resource];
    ASSERT(item->part < e->pool_count);
    return &e->pools[item->part];
}

static void touch(struct state *st, const struct item *item, struct pool *p)
{
    ASSERT(p->held + p->sold <= p->image.capacity);
    state_touch(st, ITEM_POOL, item->resource, item->part, &p->touched);
}

static void claim(struct state *st, uint32_t handle, const struct item *item, bool sold)
{
    (void)handle;
    struct pool *p = pool_of(st, item);
    ASSERT(item->quantity <= pool_available(p));
    *(sold ? &p->sold : &p->held) += item->quantity;
    touch(st, item, p);
}

static void sell(struct state *st, const struct item *item)
{
    struct pool *p = pool_of(st, item);
    ASSERT(item->quantity <= p->held);
    p->held -= item->quantity;
    p->sold += item->quantity;
    touch(st, item, p);
}

static void free_claim(struct state *st, uint32_t handle, const struct item *item, uint64_t seq, bool sold)
{
    (void)handle;
    (void)seq;
    struct pool *p = pool_of(st, item);
    /* A pool only counts: it does not store whose units these were, or which change ends them. */
    uint32_t *from = sold ? &p->sold : &p->held;
    ASSERT(item->quantity <= *from);
    *from -= item->quantity;
    touch(st, item, p);
}

static void freed(struct event *e, const struct item *item)
{
    list_freed_pool(e->list, item->part);
}

static bool rejoin(struct state *st, uint32_t handle, const struct item *item)
{
    (void)handle;
    return item->quantity <= pool_of(st, item)->sold;
}

static bool exists(const struct state *st, const struct item *item)
{
    return item->resource < st->event_count && item->part < st->events[item->resource]->pool_count;
}

static bool is_free(struct state *st, const struct item *item)
{
    return !st->events[item->resource]->image.removed && item->quantity <= pool_available(pool_of(st, item));
}

static void name(struct state *st, const struct item *item, struct item_image *out)
{
    const struct event *e = st->events[item->resource];
    event_item_name(e, out);
    if (item->part < e->pool_count)
        out->part_id = e->pools[item->part].image.id;
}

static struct heap *lapses(struct state *st, const struct item *item)
{
    return &pool_of(st, item)->lapses;
}

/* ---- All pools of an event ---- */

static bool settle_event(struct state *st, struct event *e)
{
    for (uint32_t i = 0; i < e->pool_count && !st->settle_short; i++)
        settle_pool(st, &e->pools[i], e->pools[i].image.capacity);
    return true;
}

static uint64_t stock(const struct event *e)
{
    uint64_t left = 0;
    for (uint32_t i = 0; i < e->pool_count; i++) {
        ASSERT(e->pools[i].sold <= e->pools[i].image.capacity);
        /* Held units count: their holds can still lapse. */
        if (!e->pools[i].image.allotment.at)
            left += e->pools[i].image.capacity - e->pools[i].sold;
    }
    return left;
}

static void release(struct event *e)
{
    for (uint32_t i = 0; i < e->pool_count; i++) {
        text_free(e->pools[i].image.id);
        text_free(e->pools[i].image.name);
        text_free(e->pools[i].image.prices);
        text_free(e->pools[i].image.allotment);
        price_list_free(e->pools[i].prices);
        heap_release(&e->pools[i].lapses);
    }
    free(e->pools);
    e->pools = NULL;
    e->pool_count = 0;
}

static uint64_t check_pool(struct check *c, struct event *e, uint32_t position)
{
    const struct pool *p = &e->pools[position];
    struct text id = p->image.id;
    uint64_t held = check_claimed(c, ITEM_POOL, e->index, position, true);
    uint64_t sold = check_claimed(c, ITEM_POOL, e->index, position, false);
    snprintf(c->subject, sizeof(c->subject), "Pool %.*s ", TEXT_ARGS(id));
    check_expect(c,
                 p->image.event == e->image.number && p->image.position == position && pool_find(e, id) == p,
                 "of %.*s is out of place.", TEXT_ARGS(e->image.id));
    check_expect(c, (uint64_t)p->held + p->sold <= p->image.capacity, "is over its capacity.");
    check_expect(c, p->held == held, "counts %u held units, its reservations have %llu.", p->held,
                 (unsigned long long)held);
    check_expect(c, p->sold >= sold, "counts %u sold units, its reservations have %llu.", p->sold,
                 (unsigned long long)sold);
    check_expect(c, check_lapses(c, &p->lapses), "has lapses that do not match its held items.");
    c->subject[0] = '\0';
    check_heap_order(c, &p->lapses, "a pool's lapses");
    return (uint64_t)p->held + p->sold;
}

static uint64_t check_event(struct check *c, struct event *e)
{
    uint64_t units = 0;
    for (uint32_t i = 0; i < e->pool_count; i++)
        units += check_pool(c, e, i);
    snprintf(c->subject, sizeof(c->subject), "Event %.*s ", TEXT_ARGS(e->image.id));
    return units;
}

static struct text set_aside(const struct event *e, uint32_t position)
{
    ASSERT(position < e->pool_count);
    return e->pools[position].image.allotment;
}

/* clang-format off */
const struct claim_kind pool_claims = {
    .in_event = true, .many = true,
    .retarget = plan_unmovable,
    .claim = claim, .sell = sell, .free = free_claim, .freed = freed, .rejoin = rejoin,
    .added = event_item_added, .gone = event_item_gone, .recall = event_item_recall,
    .find = event_item_find, .exists = exists, .is_free = is_free, .name = name,
    .price = event_pool_price, .set_aside = set_aside, .lapses = lapses, .seq = event_item_seq,
    .settle_event = settle_event, .stock = stock, .release = release, .check_event = check_event,
};
/* clang-format on */
