/* SPDX-License-Identifier: Apache-2.0 */
#include "core/state_check_parts.h"

#include <stdlib.h>

#include "base/memory/memory.h"
#include "core/catalogue/event.h"
#include "core/queue/queue_line.h"

/* Sums over the entries of one queue. */
struct queue_sum {
    uint32_t by_status[QUEUE_STATUS_LAST + 1];
    uint32_t in_line, users, serving, returned;
    uint8_t *gone;    /* by position, of counted entries */
    uint8_t *in_heap; /* by number: 1 its end is in `untils`, 2 it is in `returned` */
};

static void check_times(struct check *c, const struct heap *h, const char *what)
{
    bool ordered = true;
    for (uint32_t i = 1; i < h->count; i++)
        ordered = ordered && h->entries[(i - 1) / 4].at_ms <= h->entries[i].at_ms;
    check_expect(c, ordered, "The heap of %s is out of order.", what);
}

/* Both heaps can have stale elements; the others must be correct. */
static void check_heaps(struct check *c, const struct queue *q, struct queue_sum *sum, struct text id)
{
    uint32_t joined = queue_joined(q);
    check_times(c, &q->untils, "deadlines of a waiting room");
    check_times(c, &q->returned, "entries that came back");
    for (uint32_t i = 0; i < q->untils.count; i++) {
        struct heap_entry h = q->untils.entries[i];
        if (h.handle >= 1 && h.handle <= joined &&
            h.at_ms >= queue_until_ms(queue_entry(q, (uint32_t)h.handle)))
            sum->in_heap[h.handle] |= 1;
    }
    for (uint32_t i = 0; i < q->returned.count; i++) {
        struct heap_entry h = q->returned.entries[i];
        if (h.handle < 1 || h.handle > joined || !queue_in_line(queue_entry(q, (uint32_t)h.handle)))
            continue;
        check_expect(c, h.at_ms == queue_position(q, (uint32_t)h.handle),
                     "An entry of %.*s came back at the wrong position.", TEXT_ARGS(id));
        sum->in_heap[h.handle] |= 2;
    }
}

static void check_turn(struct check *c, const struct queue *q, uint32_t number, struct queue_sum *sum,
                       struct text id)
{
    const struct queue_entry *entry = queue_entry(q, number);
    uint32_t position = queue_position(q, number);
    bool waits = entry->status == QUEUE_WAITING;
    bool came = entry->status == QUEUE_PASSED_OVER || (entry->until_s && !waits); /* it had its turn */
    if (q->order == QUEUE_HIDDEN) {
        check_expect(c, !came && q->cursor == 1, "An entry of %.*s had its turn before the draw.",
                     TEXT_ARGS(id));
        return;
    }
    check_expect(c, position >= 1 && position <= queue_joined(q) && queue_number(q, position) == number,
                 "Entry %u of %.*s has another entry's position.", number, TEXT_ARGS(id));
    check_expect(c, !waits || position >= q->cursor, "Entry %u of %.*s is waiting, but its turn is over.",
                 number, TEXT_ARGS(id));
    check_expect(c, !came || position < q->cursor, "Entry %u of %.*s had its turn too early.", number,
                 TEXT_ARGS(id));
    if (came && entry->status != QUEUE_PASSED_OVER && position > sum->serving)
        sum->serving = position;
    if (number <= q->gone_done && !queue_in_line(entry) && position >= 1 && position <= queue_joined(q))
        sum->gone[position] = 1;
}

static void check_entry(struct check *c, struct queue *q, uint32_t number, struct queue_sum *sum,
                        struct text id)
{
    const struct queue_entry *entry = queue_entry(q, number);
    enum queue_status status = (enum queue_status)entry->status;
    bool known = status >= QUEUE_STATUS_FIRST && status <= QUEUE_STATUS_LAST;
    check_expect(c, known, "Entry %u of %.*s has no status.", number, TEXT_ARGS(id));
    if (!known)
        return;
    sum->by_status[status]++;
    sum->in_line += queue_in_line(entry);
    uint32_t newest = queue_find_user(q, queue_user(q, number));
    sum->users += newest == number;
    check_expect(c, newest == number || (newest > number && !queue_status_live(status)),
                 "Entry %u of %.*s is live, but its user has a newer one or cannot be found.", number,
                 TEXT_ARGS(id));
    check_expect(
        c, (status != QUEUE_ADMITTED || entry->until_s) && (status != QUEUE_WAITING || !entry->until_s),
        "Entry %u of %.*s is waiting with a deadline, or admitted without one.", number, TEXT_ARGS(id));
    bool ends = entry->until_s && queue_status_live(status);
    check_expect(c, !ends || sum->in_heap[number] & 1, "The deadline of entry %u of %.*s is not in the heap.",
                 number, TEXT_ARGS(id));
    bool back = status == QUEUE_PASSED_OVER && !entry->until_s;
    check_expect(c, !back || sum->in_heap[number] & 2, "Entry %u of %.*s came back but is not in the heap.",
                 number, TEXT_ARGS(id));
    check_turn(c, q, number, sum, id);
}

static void check_sums(struct check *c, struct queue *q, const struct queue_sum *sum, struct text id)
{
    uint32_t gone = 0;
    bool agree = queue_tree_cleared(q) || q->gone_done == 0;
    for (uint32_t i = 1; queue_tree_cleared(q) && i <= queue_joined(q); i++) {
        gone += sum->gone[i];
        agree = agree && fenwick_sum(&q->gone, i) == gone;
    }
    check_expect(c, agree, "The waiting room of %.*s has wrong counts of people ahead.", TEXT_ARGS(id));
    check_expect(
        c, memcmp(sum->by_status, q->by_status, sizeof(q->by_status)) == 0 && sum->in_line == q->in_line,
        "The waiting room of %.*s has wrong counts by status.", TEXT_ARGS(id));
    check_expect(c, sum->users == q->by_user.count, "The waiting room of %.*s has the wrong number of users.",
                 TEXT_ARGS(id));
    check_expect(c, sum->serving == q->serving, "The waiting room of %.*s serves %u, not %u.", TEXT_ARGS(id),
                 sum->serving, q->serving);
}

static void check_queue(struct check *c, const struct event *e, uint64_t all_by_status[QUEUE_STATUS_LAST + 1])
{
    struct queue *q = e->queue;
    struct text id = e->image.id;
    const struct heap *due = &c->st->queues_due;
    uint32_t joined = queue_joined(q);
    bool shuffles = !e->image.has_queue || e->image.queue.shuffle_before_open;
    enum queue_order order = q->image.opened_at_ms ? (q->image.drawn ? QUEUE_BY_LOT : QUEUE_BY_NUMBER)
                                                   : (shuffles ? QUEUE_HIDDEN : QUEUE_BY_NUMBER);
    check_expect(c, q->order == order && q->draw.count == q->image.drawn && q->image.drawn <= joined,
                 "The waiting room of %.*s is not in the order in which it was opened.", TEXT_ARGS(id));
    check_expect(c, q->image.event == e->image.number && q->seq <= c->st->seq && q->moved_seq <= q->seq,
                 "The waiting room of %.*s belongs to another event, or has a seq that was never issued.",
                 TEXT_ARGS(id));
    check_expect(c, q->place == HEAP_NONE || check_in_heap(due, q->place, e->index),
                 "The waiting room of %.*s is not at its place in the heap.", TEXT_ARGS(id));
    check_expect(c, q->gone_done <= joined && q->gone.count >= joined && q->cursor <= joined + 1,
                 "The waiting room of %.*s counts more entries than it has.", TEXT_ARGS(id));
    struct queue_sum sum = {.gone = memory_zeroed(joined + 1u, 1), .in_heap = memory_zeroed(joined + 1u, 1)};
    check_heaps(c, q, &sum, id);
    for (uint32_t i = 1; i <= joined; i++)
        check_entry(c, q, i, &sum, id);
    check_sums(c, q, &sum, id);
    for (int status = QUEUE_STATUS_FIRST; status <= QUEUE_STATUS_LAST; status++)
        all_by_status[status] += sum.by_status[status];
    free(sum.gone);
    free(sum.in_heap);
}

void check_queues(struct check *c)
{
    uint32_t due = 0;
    uint64_t by_status[QUEUE_STATUS_LAST + 1] = {0};
    for (uint32_t i = 0; i < c->st->event_count; i++) {
        const struct event *e = c->st->events[i];
        check_expect(c, e->image.removed ? !e->queue : !e->image.has_queue || e->queue,
                     "Event %.*s is removed but has a waiting room, or lacks the one it should have.",
                     TEXT_ARGS(e->image.id));
        if (!e->queue)
            continue;
        due += e->queue->place != HEAP_NONE;
        check_queue(c, e, by_status);
    }
    check_expect(c, memcmp(by_status, c->st->queue_by_status, sizeof(by_status)) == 0,
                 "The counts of waiting room entries by status are wrong.");
    check_expect(c, due == c->st->queues_due.count, "Waiting rooms are due that do not exist.");
    check_heap_order(c, &c->st->queues_due, "waiting rooms");
}
