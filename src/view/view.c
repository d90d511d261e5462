/* SPDX-License-Identifier: Apache-2.0 */
#include "view/view.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/catalogue/event.h"
#include "core/claim/kind.h"
#include "view/answers.h"

#define ANSWERS_MAX ((uint64_t)512 << 20)

struct event_answers *view_answers(struct view *v, const struct event *e)
{
    uint32_t count = v->state->event_count;
    if (e->index >= v->event_count) {
        v->events = memory_grow(v->events, count, sizeof(*v->events));
        memset(v->events + v->event_count, 0, (count - v->event_count) * sizeof(*v->events));
        v->event_count = count;
    }
    return &v->events[e->index];
}

static void answers_release(struct event_answers *a)
{
    board_release(a->board);
    document_release(a->layout);
    *a = (struct event_answers){0};
}

static void on_touched(void *ctx)
{
    struct view *v = ctx;
    const struct state *st = v->state;
    for (uint32_t i = 0; i < st->touch_count; i++) {
        const struct touch *touch = &st->touches[i];
        bool in_event = touch->kind == TOUCH_EVENT || claim_kind((enum item_kind)touch->kind)->in_event;
        if (!in_event || touch->resource >= v->event_count)
            continue; /* never requested, so nothing is kept of it */
        struct event_answers *a = &v->events[touch->resource];
        if (!st->events[touch->resource]->image.removed) {
            if (a->board)
                board_touched(a->board, touch);
            continue;
        }
        if (a->board)
            /* The index may be reused by another event. */
            availability_forget(v, a->board);
        answers_release(a);
    }
    claims_touched(v);
    spans_touched(v);
    queues_moved(v);
    fleets_touched(v);
}

static void on_durable(void *ctx, uint64_t durable_seq)
{
    struct view *v = ctx;
    (void)durable_seq;
    bool more = queues_notify(v);
    if (fleets_notify(v) || more)
        store_more(v->store);
}

static bool on_slice(void *ctx)
{
    struct view *v = ctx;
    bool more = availability_step(v);
    more = queues_notify(v) || more;
    return fleets_notify(v) || more;
}

static void on_closed(void *ctx)
{
    struct view *v = ctx;
    ASSERT(!v->boards_waiting && !v->waiters_gone && !v->layout_jobs); /* every caller got its answer */
    for (uint32_t i = 0; i < v->event_count; i++)
        answers_release(&v->events[i]);
    free(v->events);
    spans_release(v);
    free(v->moved);
    free(v->rides);
    free(v);
}

struct view *view_open(struct store *s, uint64_t answers_max)
{
    struct view *v = memory_zeroed(1, sizeof(*v));
    v->store = s;
    /* The pointer does not change while the store is open. */
    v->state = store_state(s);
    v->answers_max = answers_max ? answers_max : ANSWERS_MAX;
    v->rides_floor = v->state->seq;
    store_on_touched(s, on_touched, v);
    store_on_durable(s, on_durable, v);
    store_on_slice(s, on_slice, v);
    store_on_closed(s, on_closed, v);
    return v;
}

uint64_t view_absent_seq(struct view *v)
{
    return v->state->removed_seq;
}
