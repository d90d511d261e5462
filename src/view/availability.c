/* SPDX-License-Identifier: Apache-2.0 */
/* availability.c — what the door says about an event's seats and pools as they are now, and about what
 * happened to them.
 *
 * Most is answered at once from the event's board. A whole answer of a large event may take many steps:
 * whoever wants it waits, one step is done in each turn of the loop, and all who wait for the same get the
 * same document.
 */
#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory.h"
#include "store/local.h"

#define ANSWERS_MAX ((uint64_t)512 << 20)

struct waiter {
    struct waiter *next;
    store_availability_fn done;
    void *ctx;
};

static struct board *board_of(struct store *s, struct event *e)
{
    if (e->index >= s->board_count) {
        uint32_t count = s->state->event_count;
        s->boards = memory_grow(s->boards, count, sizeof(*s->boards));
        memset(s->boards + s->board_count, 0, (count - s->board_count) * sizeof(*s->boards));
        s->board_count = count;
    }
    if (!s->boards[e->index])
        s->boards[e->index] = board_make(s, e);
    return s->boards[e->index];
}

/* ---- Waiting ---- */

/* The last of those whose boards have waiters. */
static void board_queue(struct store *s, struct board *b)
{
    struct board **last = &s->boards_waiting;
    while (*last)
        last = &(*last)->next;
    *last = b;
    b->next = NULL;
}

static void board_unqueue(struct store *s, struct board *b)
{
    for (struct board **at = &s->boards_waiting; *at; at = &(*at)->next)
        if (*at == b) {
            *at = b->next;
            return;
        }
}

static bool has_waiters(const struct board *b)
{
    return b->waiters[AVAILABILITY_JSON] || b->waiters[AVAILABILITY_MAP];
}

static void wait_for(struct store *s, struct board *b, enum availability_format format,
                     store_availability_fn done, void *ctx)
{
    struct waiter *w = memory_get(sizeof(*w));
    if (!has_waiters(b))
        board_queue(s, b);
    *w = (struct waiter){.next = b->waiters[format], .done = done, .ctx = ctx};
    b->waiters[format] = w;
    local_more(s);
}

static struct waiter *waiters_take(struct board *b, enum availability_format format)
{
    struct waiter *taken = b->waiters[format];
    b->waiters[format] = NULL;
    return taken;
}

/* The formats take turns, so that neither waits for ever. */
static enum availability_format next_format(struct board *b)
{
    enum availability_format other = b->stepped == AVAILABILITY_JSON ? AVAILABILITY_MAP : AVAILABILITY_JSON;
    if (b->waiters[other])
        b->stepped = other;
    ASSERT(b->waiters[b->stepped]);
    return b->stepped;
}

/* Each gets a reference of its own. What they do next may be anything, so nothing else is in their way by
 * now. */
static void waiters_tell(struct waiter *w, enum outcome_code code, struct document *d)
{
    for (struct waiter *next; w; w = next) {
        next = w->next;
        if (d)
            d->references++;
        w->done(w->ctx, code, d);
        free(w);
    }
}

static void step(struct store *s)
{
    struct board *b = s->boards_waiting;
    enum availability_format format = next_format(b);
    struct document *d = board_step(b, format);
    board_unqueue(s, b);
    struct waiter *ready = d ? waiters_take(b, format) : NULL;
    if (has_waiters(b))
        board_queue(s, b);
    if (!d)
        return;
    d->references++;
    waiters_tell(ready, OUTCOME_OK, d);
    document_release(d);
}

/* Nothing will come of what they wait for. They are told in the next slice: in the middle of a command nobody
 * may be called. */
static void waiters_give_up(struct store *s, struct board *b)
{
    for (int format = AVAILABILITY_JSON; format <= AVAILABILITY_MAP; format++) {
        struct waiter **last = &s->waiters_gone;
        while (*last)
            last = &(*last)->next;
        *last = waiters_take(b, (enum availability_format)format);
    }
    board_unqueue(s, b);
    local_more(s);
}

bool availability_step(struct store *s)
{
    while (s->closing && s->boards_waiting)
        waiters_give_up(s, s->boards_waiting);
    struct waiter *gone = s->waiters_gone;
    s->waiters_gone = NULL;
    waiters_tell(gone, s->closing ? OUTCOME_UNAVAILABLE : OUTCOME_NO_SUCH_EVENT, NULL);
    if (s->boards_waiting)
        step(s);
    return s->boards_waiting || s->waiters_gone;
}

void availability_forget(struct store *s, uint32_t index)
{
    struct board *b = index < s->board_count ? s->boards[index] : NULL;
    if (!b)
        return;
    waiters_give_up(s, b);
    board_release(b);
    s->boards[index] = NULL;
}

/* ---- The door ---- */

static bool too_many_answers(const struct store *s)
{
    return s->answer_bytes > (s->options.answers_max ? s->options.answers_max : ANSWERS_MAX);
}

void store_availability(struct store *s, struct text event, enum availability_format format, uint64_t since,
                        store_availability_fn done, void *ctx)
{
    struct event *e = event_find(s->state, event);
    if (!e) {
        done(ctx, OUTCOME_NO_SUCH_EVENT, NULL);
        return;
    }
    struct board *b = board_of(s, e);
    if (format == AVAILABILITY_JSON && board_knows(b, since)) {
        done(ctx, OUTCOME_OK, board_since(b, since));
        return;
    }
    if (too_many_answers(s) || s->closing) {
        done(ctx, OUTCOME_UNAVAILABLE, NULL);
        return;
    }
    /* The first step is done here, which is all that most events need. The others come one a turn, however
     * many ask. */
    struct document *d = has_waiters(b) ? NULL : board_step(b, format);
    if (!d) {
        wait_for(s, b, format, done, ctx);
        return;
    }
    d->references++;
    done(ctx, OUTCOME_OK, d);
}

uint64_t store_absent_seq(const struct store *s)
{
    return s->state->removed_seq;
}

bool store_touches(struct store *s, uint64_t event_number, uint64_t after,
                   void (*fn)(void *ctx, const struct touch_view *touch), void *ctx)
{
    struct event *e = event_find_number(s->state, event_number);
    return e && !e->image.removed && board_touches(board_of(s, e), after, s->durable_seq, fn, ctx);
}
