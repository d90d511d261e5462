/* SPDX-License-Identifier: Apache-2.0 */
#include "view/view.h"

#include <stdlib.h>

#include "base/memory.h"
#include "view/answers.h"

#define ANSWERS_MAX ((uint64_t)512 << 20)

static void on_touched(void *ctx)
{
    struct view *v = ctx;
    const struct state *st = v->state;
    for (uint32_t i = 0; i < st->touch_count; i++) {
        const struct touch *touch = &st->touches[i];
        if (st->events[touch->event]->image.removed) {
            availability_forget(v, touch->event);
            layouts_forget(v, touch->event);
        } else {
            availability_touched(v, touch);
        }
    }
    queues_moved(v);
}

static void on_durable(void *ctx, uint64_t durable_seq)
{
    struct view *v = ctx;
    (void)durable_seq;
    if (queues_tell(v))
        store_more(v->store);
}

static bool on_slice(void *ctx)
{
    struct view *v = ctx;
    bool more = availability_step(v);
    return queues_tell(v) || more;
}

static void on_closed(void *ctx)
{
    struct view *v = ctx;
    availability_release(v);
    layouts_release(v);
    free(v->moved);
    free(v);
}

struct view *view_open(struct store *s, uint64_t answers_max)
{
    struct view *v = memory_zeroed(1, sizeof(*v));
    v->store = s;
    v->state = store_state(s);
    v->answers_max = answers_max ? answers_max : ANSWERS_MAX;
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
