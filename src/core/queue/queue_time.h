/* SPDX-License-Identifier: Apache-2.0 */
/* queue_time.h — what the passing of time does to a waiting room, and when it must be looked at next. For
 * queue*.c, event.c and state.c.
 *
 * Everything here is lazy and eager at once: whoever looks at a queue settles what it looks at, and
 * state_admit the rest. Each queue that has anything ahead of it is in the heap st->queues_due, under the
 * instant at which it is due.
 *
 * Who moves an entry, from the inside out:
 *
 *   queue_restore_status   sets the status in memory and asks nothing; entries from the book   (queue_line.h)
 *   queue_set_status       the same, and asserts that the entry may become this; the journal   (queue_line.h)
 *   queue_note_move        the same, adds the move to st->scratch and tells the followers
 *   queue_emit_moves       emits what is noted in st->scratch as one change
 *   queue_emit_move        a command's one move: notes it, emits it, and sees when the queue is due
 */
#ifndef CORE_QUEUE_TIME_H
#define CORE_QUEUE_TIME_H

#include "core/queue/queue_line.h"
#include "core/state.h"

#define QUEUE_ADMISSION_MILLI 1000             /* of credit */
#define QUEUE_IDLE_MILLI QUEUE_ADMISSION_MILLI /* kept when nobody waits */
#define QUEUE_STEP_MS 20 /* while people are admitted, state_admit is due about this often */

/* The heap of queues; handles are indexes of events. */
void queues_init(struct state *st);
/* The queue has changed: when it is due follows from what it is now. */
void queue_schedule(struct state *st, struct event *e);
/* The event or the queue has other settings. */
void queue_refit(struct state *st, struct event *e);
/* The event has more stock: a queue that was full may admit again. */
void queue_stock_grew(struct state *st, struct event *e);
/* The event is removed: its queue, which it must have, is never due again, no longer counts, and is the
 * caller's to release. */
struct queue *queue_take(struct state *st, struct event *e);

/* Emits the queue's record as it is. */
void queue_emit(struct state *st, struct event *e);
/* Moves an entry in memory, and adds the move to st->scratch and st->moved; the caller emits it, perhaps with
 * others. */
void queue_note_move(struct state *st, struct event *e, uint32_t number, enum queue_status status,
                     int64_t until_ms);
/* Emits the moves noted in st->scratch, so many, as the server or as the caller. */
void queue_emit_moves(struct state *st, struct event *e, uint32_t count, bool by_server);
/* Moves one entry: both of the above, and queue_schedule. */
void queue_emit_move(struct state *st, struct event *e, uint32_t number, enum queue_status status,
                     int64_t until_ms, bool by_server);

/* Opens the queue if its time has come: the draw, in one change. */
void queue_open_due(struct state *st, struct event *e);
/* When the entry's pass ends, or its time to come back; INT64_MAX: it has no end. */
int64_t queue_lapses_at(const struct state *st, const struct queue_entry *entry);
/* What it becomes then. */
static inline enum queue_status queue_lapsed_status(const struct queue_entry *entry)
{
    return entry->status == QUEUE_ADMITTED ? QUEUE_FINISHED : QUEUE_LEFT;
}
/* Ends it if that instant has come. */
void queue_settle(struct state *st, struct event *e, uint32_t number);

/* How many may be admitted at once, by the settings and the stock. */
uint64_t queue_places(const struct event *e);
/* Whether people may be admitted now, as far as the settings say. */
bool queue_admits(const struct state *st, const struct event *e);
/* Adds what was earned since the last time, up to `most_milli` in all. */
void queue_earn(const struct state *st, struct event *e, int64_t most_milli);
/* The line has begun to move, or moves at another rate: what was measured before says nothing. */
static inline void queue_measure_anew(const struct state *st, struct queue *q)
{
    q->measured_from_ms = st->now_ms;
}

/* Whether its owner was heard of lately enough. */
bool queue_is_present(const struct state *st, const struct event *e, const struct queue_entry *entry);
/* An entry that was passed over is back; the next state_admit emits that. */
void queue_comes(struct state *st, struct event *e, uint32_t number);

#endif
