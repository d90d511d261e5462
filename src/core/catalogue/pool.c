/* SPDX-License-Identifier: Apache-2.0 */
#include "core/catalogue/pool.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory.h"
#include "core/claim/kind.h"
#include "core/claim/plan.h"
#include "core/queue/queue_time.h"
#include "core/claim/expiry.h"

struct pool *pool_find(struct event *e, struct text id)
{
    for (uint32_t i = 0; i < e->pool_count; i++)
        if (text_equal(e->pools[i].image.id, id))
            return &e->pools[i];
    return NULL;
}

uint32_t pool_shown(const struct event *e, const struct pool *p)
{
    return waiting_list_busy(e) ? 0 : pool_available(p);
}

static struct text text_own(struct text t)
{
    return t.at ? (struct text){memory_copy(t.at, t.size), t.size} : t;
}

struct pool *pool_restore(struct state *st, const struct pool_image *image, uint64_t seq)
{
    struct event *e = event_find_number(st, image->event);
    if (!e || image->position > e->pool_count || image->position >= POOLS_MAX)
        return NULL;
    if (image->position < e->pool_count &&
        image->capacity < e->pools[image->position].held + e->pools[image->position].sold)
        return NULL;
    /* Before the old ones are freed: the image may borrow them. */
    struct text id = text_own(image->id), name = text_own(image->name);
    if (image->position == e->pool_count) {
        e->pools = memory_grow(e->pools, e->pool_count + 1u, sizeof(*e->pools));
        e->pools[e->pool_count] = (struct pool){0};
        heap_init(&e->pools[e->pool_count].lapses, reservation_item_placed, st);
        e->pool_count++;
    }
    struct pool *p = &e->pools[image->position];
    ASSERT(e->pool_count <= POOLS_MAX);
    free((void *)(uintptr_t)p->image.id.at);
    free((void *)(uintptr_t)p->image.name.at);
    p->image = *image;
    p->image.id = id;
    p->image.name = name;
    e->seq = seq;
    state_touch(st, e->index, ITEM_POOL, image->position);
    queue_stock_grew(st, e);
    waiting_list_freed(st, e);
    return p;
}

enum outcome_code pool_put(struct state *st, const struct command *c, struct outcome *out)
{
    struct event *e = event_find(st, c->pool_put.event);
    if (!e)
        return OUTCOME_NO_SUCH_EVENT;
    struct pool *p = pool_find(e, c->pool_put.id);
    if (!p && e->pool_count == POOLS_MAX)
        return state_invalid(out, "Too many pools: at most 1000 per event.", "%s", "");
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
                               .price = c->pool_put.price};
    st->change.kind = CHANGE_POOL;
    st->change.pool = image;
    out->created = !p;
    out->seq = state_emit(st);
    ASSERT(e->seq < out->seq);
    p = pool_restore(st, &image, out->seq);
    ASSERT(p && p->held + p->sold <= p->image.capacity); /* what was judged fits */
    out->pool = p->image;
    return OUTCOME_OK;
}

void pool_claim(struct state *st, struct event *e, uint32_t position, uint32_t quantity, bool sold)
{
    struct pool *p = &e->pools[position];
    ASSERT(position < e->pool_count);
    ASSERT(quantity >= 1 && quantity <= pool_available(p));
    if (sold)
        p->sold += quantity;
    else
        p->held += quantity;
    state_touch(st, e->index, ITEM_POOL, position);
}

void pool_sell(struct state *st, struct event *e, uint32_t position, uint32_t quantity)
{
    struct pool *p = &e->pools[position];
    ASSERT(quantity <= p->held);
    p->held -= quantity;
    p->sold += quantity;
    ASSERT(p->held + p->sold <= p->image.capacity);
    state_touch(st, e->index, ITEM_POOL, position);
}

void pool_free(struct state *st, struct event *e, uint32_t position, uint32_t quantity, bool sold)
{
    struct pool *p = &e->pools[position];
    uint32_t *from = sold ? &p->sold : &p->held;
    ASSERT(quantity <= *from);
    *from -= quantity;
    ASSERT(pool_available(p) >= quantity && pool_available(p) <= p->image.capacity);
    state_touch(st, e->index, ITEM_POOL, position);
}

/* ---- What is asked for ---- */

struct item pool_item(const struct event *e, uint32_t position, uint32_t quantity)
{
    return (struct item){.event = e->index,
                         .position = position,
                         .quantity = quantity,
                         .price = e->pools[position].image.price * quantity,
                         .kind = ITEM_POOL};
}

static enum outcome_code judge(struct step *step, struct target *t, enum phase phase, struct outcome *out)
{
    enum outcome_code code = plan_judge_event(step, t, phase, out);
    if (code != OUTCOME_OK || phase != PHASE_RESOLVE)
        return code;
    const struct pool *p = pool_find(t->event, t->request->unit);
    t->position = p ? p->image.position : 0;
    return p ? OUTCOME_OK : OUTCOME_NO_SUCH_POOL;
}

/* What other items of the same request get of it, which the pool does not know of yet. */
static uint32_t planned_of(const struct step *step, const struct target *t)
{
    uint32_t planned = 0;
    for (uint32_t i = 0; i < step->plan_count; i++) {
        const struct item *item = &step->plan[i].item;
        if (item->kind == ITEM_POOL && item->event == t->event->index && item->position == t->position)
            planned += item->quantity;
    }
    return planned;
}

static enum outcome_code pick(struct step *step, const struct target *t, struct outcome *out)
{
    struct pool *p = &t->event->pools[t->position];
    uint32_t planned = planned_of(step, t), wanted = planned + t->request->quantity;
    settle_pool(step->state, p, wanted);
    if (wanted > pool_available(p)) {
        state_saw(out, t->event->seq);
        plan_obstacle(step, t, 0, pool_available(p) - planned, out);
        return OUTCOME_SOLD_OUT;
    }
    struct item item = pool_item(t->event, t->position, t->request->quantity);
    plan_add(step, t, &item);
    return OUTCOME_OK;
}

const struct request_kind pool_request = {.judge = judge, .pick = pick};

/* ---- What is claimed ---- */

/* The plan itself is all that knows of planned units. */
static void unplan(struct state *st, const struct planned *p)
{
    (void)st;
    (void)p;
}

const struct claim_kind pool_claims = {.retarget = plan_unmovable, .unplan = unplan};
