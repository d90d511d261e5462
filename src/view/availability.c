/* SPDX-License-Identifier: Apache-2.0 */
/* availability.c — the current state of an event's seats and pools, and their latest changes.
 *
 * Most requests are answered at once from the event's board. The full answer of a large event may take many
 * steps: the callers wait, each turn of the loop does one step, and all who wait for the same answer share
 * one document.
 */
#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/catalogue/event.h"
#include "view/answers.h"

struct waiter {
    struct waiter *next;
    view_availability_fn done;
    void *ctx;
};

static struct board *board_of(struct view *v, const struct event *e)
{
    struct event_answers *a = view_answers(v, e);
    if (!a->board)
        a->board = board_make(v, e);
    return a->board;
}

/* ---- Waiting ---- */

/* Appends the board to those that have waiters. */
static void board_queue(struct view *v, struct board *b)
{
    struct board **last = &v->boards_waiting;
    while (*last)
        last = &(*last)->next;
    *last = b;
    b->next = NULL;
}

static void board_unqueue(struct view *v, struct board *b)
{
    for (struct board **at = &v->boards_waiting; *at; at = &(*at)->next)
        if (*at == b) {
            *at = b->next;
            return;
        }
}

static bool has_waiters(const struct board *b)
{
    return b->waiters[AVAILABILITY_JSON] || b->waiters[AVAILABILITY_MAP];
}

static void wait_for(struct view *v, struct board *b, enum availability_format format,
                     view_availability_fn done, void *ctx)
{
    struct waiter *w = memory_get(sizeof(*w));
    if (!has_waiters(b))
        board_queue(v, b);
    *w = (struct waiter){.next = b->waiters[format], .done = done, .ctx = ctx};
    b->waiters[format] = w;
    store_more(v->store);
}

static struct waiter *waiters_take(struct board *b, enum availability_format format)
{
    struct waiter *taken = b->waiters[format];
    b->waiters[format] = NULL;
    return taken;
}

/* The formats alternate, so that neither starves. */
static enum availability_format next_format(struct board *b)
{
    enum availability_format other = b->stepped == AVAILABILITY_JSON ? AVAILABILITY_MAP : AVAILABILITY_JSON;
    if (b->waiters[other])
        b->stepped = other;
    ASSERT(b->waiters[b->stepped]);
    return b->stepped;
}

/* Each gets its own reference. The callbacks may do anything, so `w` must be out of every list by now. */
static void waiters_finish(struct waiter *w, enum outcome_code code, struct document *d)
{
    for (struct waiter *next; w; w = next) {
        next = w->next;
        if (d)
            d->references++;
        w->done(w->ctx, code, d);
        free(w);
    }
}

static void step(struct view *v)
{
    struct board *b = v->boards_waiting;
    enum availability_format format = next_format(b);
    struct document *d = board_step(b, format);
    board_unqueue(v, b);
    struct waiter *ready = d ? waiters_take(b, format) : NULL;
    if (has_waiters(b))
        board_queue(v, b);
    if (!d)
        return;
    d->references++;
    waiters_finish(ready, OUTCOME_OK, d);
    document_release(d);
}

/* The waiters get an error in the next slice and not here: no callback may run during a command. */
void availability_forget(struct view *v, struct board *b)
{
    for (int format = AVAILABILITY_JSON; format <= AVAILABILITY_MAP; format++) {
        struct waiter **last = &v->waiters_gone;
        while (*last)
            last = &(*last)->next;
        *last = waiters_take(b, (enum availability_format)format);
    }
    board_unqueue(v, b);
    store_more(v->store);
}

bool availability_step(struct view *v)
{
    while (store_closing(v->store) && v->boards_waiting)
        availability_forget(v, v->boards_waiting);
    struct waiter *gone = v->waiters_gone;
    v->waiters_gone = NULL;
    waiters_finish(gone, store_closing(v->store) ? OUTCOME_UNAVAILABLE : OUTCOME_NO_SUCH_EVENT, NULL);
    if (v->boards_waiting)
        step(v);
    return v->boards_waiting || v->waiters_gone;
}

/* ---- Asking ---- */

static bool too_many_answers(const struct view *v)
{
    return v->answer_bytes > v->answers_max;
}

void view_availability(struct view *v, struct text event, enum availability_format format, uint64_t since,
                       view_availability_fn done, void *ctx)
{
    const struct event *e = event_find(v->state, event);
    if (!e) {
        done(ctx, OUTCOME_NO_SUCH_EVENT, NULL);
        return;
    }
    struct board *b = board_of(v, e);
    if (format == AVAILABILITY_JSON && board_knows(b, since)) {
        done(ctx, OUTCOME_OK, board_since(b, since));
        return;
    }
    if (too_many_answers(v) || store_closing(v->store)) {
        done(ctx, OUTCOME_UNAVAILABLE, NULL);
        return;
    }
    /* The first step is done here, which is enough for most events. Further steps come one per turn, however
     * many requests wait. */
    struct document *d = has_waiters(b) ? NULL : board_step(b, format);
    if (!d) {
        wait_for(v, b, format, done, ctx);
        return;
    }
    d->references++;
    done(ctx, OUTCOME_OK, d);
}

bool view_touches(struct view *v, uint64_t event_number, uint64_t after,
                  void (*fn)(void *ctx, const struct touch_view *touch), void *ctx)
{
    const struct event *e = event_find_number(v->state, event_number);
    return e && !e->image.removed &&
           board_touches(board_of(v, e), after, store_durable_seq(v->store), fn, ctx);
}
