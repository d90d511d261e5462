/* SPDX-License-Identifier: Apache-2.0 */
#include "queue_carry.h"

#include "core/catalogue/event.h"
#include "core/queue/queue_time.h"

static void carry_one(const struct event *x, struct state *to, struct event *y)
{
    const struct queue *p = x->queue;
    struct queue *q = y->queue;
    q->credit_milli = p->credit_milli;
    q->credit_at_ms = p->credit_at_ms;
    q->stepped_at_ms = p->stepped_at_ms;
    q->measured_from_ms = p->measured_from_ms;
    q->full = p->full;
    q->rested = p->rested;
    memcpy(q->paces, p->paces, sizeof(q->paces));
    q->pace_count = p->pace_count;
    for (uint32_t i = 1; i <= queue_joined(q); i++) {
        queue_entry(q, i)->asked_s = queue_entry(p, i)->asked_s;
        queue_entry(q, i)->told_s = queue_entry(p, i)->told_s;
    }
    for (uint32_t i = 0; i < p->returning_count; i++)
        queue_note_return(to, y, p->returning[i]);
    queue_schedule(to, y);
}

void queue_carry(struct state *from, struct state *to)
{
    to->admitting_since_ms = from->admitting_since_ms;
    for (uint32_t i = 0; i < from->event_count; i++) {
        struct event *y = event_find_number(to, from->events[i]->image.number);
        if (from->events[i]->queue && y && y->queue)
            carry_one(from->events[i], to, y);
    }
}
