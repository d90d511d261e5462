/* SPDX-License-Identifier: Apache-2.0 */
/* queues.c — reads waiting rooms and waiting lists from memory, and reports moved queue entries to a listener.
 *
 * A move is kept with the seq of its step and reported once that is durable, a slice at a time: one step may
 * concern ten thousand streams. Without a listener nothing is kept.
 */

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/catalogue/event.h"
#include "core/queue/queue.h"
#include "view/answers.h"

#define NOTIFY_BATCH 256u

struct moved_entry {
    uint64_t seq, event;
    uint32_t number;
};

enum outcome_code view_queue_find(struct view *v, struct text event, struct queue_view *out)
{
    const struct state *st = store_state(v->store);
    const struct event *e = event_find(st, event);
    if (!e)
        return OUTCOME_NO_SUCH_EVENT;
    return queue_view(st, e, out) ? OUTCOME_OK : OUTCOME_NO_WAITING_ROOM;
}

bool view_queue_entry(struct view *v, uint64_t event_number, uint32_t number, struct queue_entry_image *out,
                      uint64_t *seq)
{
    const struct state *st = store_state(v->store);
    const struct event *e = event_find_number(st, event_number);
    struct queue_view queue;
    if (!e || !queue_view(st, e, &queue) || number < 1 || number > queue.joined)
        return false;
    queue_entry_view(st, e, number, out);
    *seq = queue_entry_seq(e);
    return true;
}

uint32_t view_list_position(struct view *v, uint64_t event_number, uint32_t number, uint64_t *seq)
{
    const struct event *e = event_find_number(v->state, event_number);
    *seq = e ? waiting_list_seq(e) : v->state->seq;
    return e ? waiting_list_position(e, number) : 0;
}

void view_entry_stats(struct view *v, struct entry_stats *out)
{
    const struct state *st = v->state;
    *out = (struct entry_stats){.waiting = st->queue_by_status[QUEUE_WAITING],
                                .active = st->queue_by_status[QUEUE_ADMITTED],
                                .listed = st->list_by_status[LIST_WAITING],
                                .joined_total = st->totals.joined,
                                .admitted_total = st->totals.admitted,
                                .passed_over_total = st->totals.passed_over,
                                .offered_total = st->totals.offered};
}

/* ---- Moved entries ---- */

void view_on_moved(struct view *v, void (*fn)(void *ctx, uint64_t event_number, uint32_t number), void *ctx)
{
    v->on_moved = fn;
    v->on_moved_ctx = ctx;
    if (!fn)
        /* The moves kept so far were for the listener that left. */
        v->moved_first = v->moved_end;
}

static struct moved_entry *moved_at(struct view *v, uint64_t index)
{
    return &v->moved[index & (v->moved_capacity - 1)];
}

void queues_moved(struct view *v)
{
    const struct state *st = v->state;
    for (uint32_t i = 0; v->on_moved && i < st->moved_count; i++) {
        ASSERT(v->moved_end == v->moved_first ||
               moved_at(v, v->moved_end - 1)->seq <= st->seq); /* reported in order */
        v->moved = memory_room_ring(v->moved, v->moved_end - v->moved_first, &v->moved_capacity, 1024,
                                    sizeof(*v->moved));
        *moved_at(v, v->moved_end++) =
            (struct moved_entry){.seq = st->seq,
                                 .event = st->events[st->moved[i].event]->image.number,
                                 .number = st->moved[i].number};
    }
}

/* The listener may do anything, including moving other entries. */
bool queues_notify(struct view *v)
{
    for (uint32_t i = 0; i < NOTIFY_BATCH; i++) {
        if (v->moved_first == v->moved_end || moved_at(v, v->moved_first)->seq > store_durable_seq(v->store))
            return false;
        /* A copy: the listener may make the ring grow. */
        struct moved_entry moved = *moved_at(v, v->moved_first++);
        v->on_moved(v->on_moved_ctx, moved.event, moved.number);
    }
    return true;
}
