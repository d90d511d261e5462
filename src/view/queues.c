/* SPDX-License-Identifier: Apache-2.0 */
/* queues.c — waiting rooms behind the door of the embedded store: what is looked at without a command, and who
 * is told of queue entries that move.
 *
 * A move is remembered with the seq of its step, and told when that is durable, a slice at a time: ten
 * thousand streams may hang on one step. When nobody listens nothing is remembered.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "store/local.h"

#define TELL_AT_ONCE 256u

struct moved_entry {
    uint64_t seq, event;
    uint32_t number;
};

enum outcome_code store_queue_find(struct store *s, struct text event, struct queue_view *out)
{
    const struct event *e = event_find(s->state, event);
    if (!e)
        return OUTCOME_NO_SUCH_EVENT;
    state_set_now(s->state, store_now(s));
    return queue_view(s->state, e, out) ? OUTCOME_OK : OUTCOME_NO_WAITING_ROOM;
}

bool store_queue_entry(struct store *s, uint64_t event_number, uint32_t number, struct queue_entry_image *out,
                       uint64_t *seq)
{
    const struct event *e = event_find_number(s->state, event_number);
    struct queue_view queue;
    state_set_now(s->state, store_now(s));
    if (!e || !queue_view(s->state, e, &queue) || number < 1 || number > queue.joined)
        return false;
    queue_entry_view(s->state, e, number, out);
    *seq = queue_entry_seq(e);
    return true;
}

void store_queue_present(struct store *s, uint64_t event_number, uint32_t number)
{
    struct event *e = event_find_number(s->state, event_number);
    state_set_now(s->state, store_now(s));
    if (e)
        queue_present(s->state, e, number);
}

uint32_t store_list_position(struct store *s, uint64_t event_number, uint32_t number, uint64_t *seq)
{
    const struct event *e = event_find_number(s->state, event_number);
    *seq = e ? waiting_list_seq(e) : s->state->seq;
    return e ? waiting_list_position(e, number) : 0;
}

void store_entry_stats(const struct store *s, struct entry_stats *out)
{
    const struct state *st = s->state;
    *out = (struct entry_stats){.waiting = st->queue_by_status[QUEUE_WAITING],
                                .active = st->queue_by_status[QUEUE_ADMITTED],
                                .listed = st->list_by_status[LIST_WAITING],
                                .joined_total = st->totals.joined,
                                .admitted_total = st->totals.admitted,
                                .passed_over_total = st->totals.passed_over,
                                .offered_total = st->totals.offered};
}

/* ---- Who has moved ---- */

void store_on_moved(struct store *s, void (*fn)(void *ctx, uint64_t event_number, uint32_t number), void *ctx)
{
    s->on_moved = fn;
    s->on_moved_ctx = ctx;
    if (!fn)
        s->moved_first = s->moved_end;
}

static struct moved_entry *moved_at(const struct store *s, uint64_t index)
{
    return &s->moved[index & (s->moved_capacity - 1)];
}

static void moved_grow(struct store *s)
{
    uint64_t capacity = s->moved_capacity ? s->moved_capacity * 2 : 1024;
    struct moved_entry *ring = memory_get(capacity * sizeof(*ring));
    for (uint64_t i = s->moved_first; i < s->moved_end; i++)
        ring[i & (capacity - 1)] = *moved_at(s, i);
    free(s->moved);
    s->moved = ring;
    s->moved_capacity = capacity;
}

void entries_moved(struct store *s)
{
    struct state *st = s->state;
    for (uint32_t i = 0; s->on_moved && i < st->moved_count; i++) {
        if (s->moved_end - s->moved_first == s->moved_capacity)
            moved_grow(s);
        *moved_at(s, s->moved_end++) =
            (struct moved_entry){.seq = st->seq,
                                 .event = st->events[st->moved[i].event]->image.number,
                                 .number = st->moved[i].number};
    }
    st->moved_count = 0;
}

/* Whoever is told may do anything, and so move others. */
bool entries_tell(struct store *s)
{
    for (uint32_t i = 0; i < TELL_AT_ONCE; i++) {
        if (s->moved_first == s->moved_end || moved_at(s, s->moved_first)->seq > s->durable_seq)
            return false;
        struct moved_entry moved = *moved_at(s, s->moved_first++);
        s->on_moved(s->on_moved_ctx, moved.event, moved.number);
    }
    return true;
}
