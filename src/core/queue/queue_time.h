/* SPDX-License-Identifier: Apache-2.0 */
/* queue_time.h — what time does to a waiting room, and when it is due next. For queue*.c, event.c and state.c.
 *
 * Settling is both lazy and eager: commands settle the entries they look at, state_admit the rest. Each queue with
 * anything left to do is in the heap st->queues_due, by the time at which it is due.
 *
 * Functions that move an entry, from the inside out:
 *
 *   queue_restore_status   sets the status in memory, unchecked; for entries from the book     (queue_line.h)
 *   queue_set_status       the same, and asserts that it is legal; for the journal             (queue_line.h)
 *   queue_note_move        the same, and adds the move to st->scratch and st->moved
 *   queue_emit_moves       emits the moves in st->scratch as one change
 *   queue_emit_move        one move of a command: notes it, emits it, and schedules the queue
 */
#ifndef CORE_QUEUE_TIME_H
#define CORE_QUEUE_TIME_H

#include "core/queue/queue_line.h"
#include "core/state.h"

#define QUEUE_ADMISSION_MILLI 1000             /* of credit */
#define QUEUE_IDLE_MILLI QUEUE_ADMISSION_MILLI /* kept while the line is empty */
#define QUEUE_STEP_MS 20 /* while people are admitted, state_admit is due about this often */

/* The heap of queues, by event index. */
void queues_init(struct state *st);
/* Updates when the queue is due; call it after any change of the queue. */
void queue_schedule(struct state *st, struct event *e);
/* Call after a change of the settings of the event or the queue. */
void queue_apply_settings(struct state *st, struct event *e);
/* The event has more stock: a full queue can admit again. */
void queue_stock_grew(struct state *st, struct event *e);
/* The event is removed: takes its queue, which must exist, out of the heap and the counts, for the caller to
 * release. */
struct queue *queue_take(struct state *st, struct event *e);

/* Commits a new image of the queue. */
void queue_save(struct state *st, const struct queue_image *image);
/* Adds the entry to st->moved, so that its stream sends its new state. */
void queue_touch_entry(struct state *st, const struct event *e, uint32_t number);
/* Moves an entry in memory, and adds the move to st->scratch and st->moved; the caller emits it, perhaps together with
 * others. */
void queue_note_move(struct state *st, struct event *e, uint32_t number, enum queue_status status,
                     int64_t until_ms);
/* Emits the `count` moves in st->scratch, as the server or as the caller. */
void queue_emit_moves(struct state *st, struct event *e, uint32_t count, bool by_server);
/* Moves one entry: both of the above, and queue_schedule. */
void queue_emit_move(struct state *st, struct event *e, uint32_t number, enum queue_status status,
                     int64_t until_ms, bool by_server);

/* Opens the queue if it is time: the draw, in one change. */
void queue_open_due(struct state *st, struct event *e);
/* When the entry's pass ends, or the time to come back; INT64_MAX: never. */
int64_t queue_lapses_at(const struct state *st, const struct queue_entry *entry);
/* Its status after that. */
static inline enum queue_status queue_lapsed_status(const struct queue_entry *entry)
{
    return entry->status == QUEUE_ADMITTED ? QUEUE_FINISHED : QUEUE_LEFT;
}
/* Ends it if that time has passed. A judgement alone has more to settle then (claim/gate.h). */
void queue_settle(struct state *st, struct event *e, uint32_t number);

/* How many people can be admitted at the same time, by the settings and the stock. */
uint64_t queue_places(const struct event *e);
/* Whether people can be admitted now, by the settings. */
bool queue_admits(const struct state *st, const struct event *e);
/* Adds the credit earned since the last call, up to `most_milli` in total. */
void queue_earn(const struct state *st, struct event *e, int64_t most_milli);
/* Whether its owner was seen recently enough. */
bool queue_is_present(const struct state *st, const struct event *e, const struct queue_entry *entry);
/* The owner of an entry that was passed over is back; the next state_admit emits that. */
void queue_note_return(struct state *st, struct event *e, uint32_t number);

#endif
