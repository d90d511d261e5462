/* SPDX-License-Identifier: Apache-2.0 */
/* room_time.h — what the passing of time does to a waiting room, and when it must be looked at next. For
 * room*.c, event.c and state.c.
 *
 * Everything here is lazy and eager at once: whoever looks at a room settles what it looks at, and
 * state_admit the rest. Each room that has anything ahead of it is in the state's heap of rooms, under the
 * instant at which it is due.
 */
#ifndef CORE_ROOM_TIME_H
#define CORE_ROOM_TIME_H

#include "core/queue/room_line.h"
#include "core/state.h"

#define ROOM_ADMISSION_MILLI 1000            /* of credit */
#define ROOM_IDLE_MILLI ROOM_ADMISSION_MILLI /* so much is kept when nobody waits */
#define ROOM_STEP_MS 20 /* while people are admitted, state_admit is due about so often */

/* The heap of rooms; handles are slots of events. */
void rooms_init(struct state *st);
/* The room has changed: when it is due follows from what it is now. */
void room_schedule(struct state *st, struct event *e);
/* The event or the room has other settings. */
void room_refit(struct state *st, struct event *e);
/* There is more to get of the event: who waited for that need not any more. */
void room_stock_grew(struct state *st, struct event *e);
/* The event is removed: its room, which it must have, is never due again, counts no more, and is the caller's
 * to release. */
struct room *room_take(struct state *st, struct event *e);

/* Emits the room's record as it is. */
void room_emit(struct state *st, struct event *e);
/* Emits the moves that stand in st->scratch, by the server or by the caller. */
void room_emit_moves(struct state *st, struct event *e, uint32_t count, bool by_server);
/* Moves an entry in memory and tells of it; the caller emits. */
void room_shift(struct state *st, struct event *e, uint32_t number, enum queue_status status,
                int64_t until_ms);
/* Moves one entry, and emits. */
void room_shift_one(struct state *st, struct event *e, uint32_t number, enum queue_status status,
                    int64_t until_ms, bool by_server);

/* Opens the room if its time has come: the draw, in one change. */
void room_open_due(struct state *st, struct event *e);
/* When the entry's pass ends, or it no longer may come back; INT64_MAX: it has no end. */
int64_t room_lapses_at(const struct state *st, const struct room_entry *entry);
/* What becomes of it then. */
static inline enum queue_status room_lapsed_status(const struct room_entry *entry)
{
    return entry->status == QUEUE_ADMITTED ? QUEUE_FINISHED : QUEUE_LEFT;
}
/* Ends it if that has come. */
void room_settle(struct state *st, struct event *e, uint32_t number);

/* How many may be active. */
uint64_t room_places(const struct event *e);
/* Whether people may be admitted now, as far as the settings say. */
bool room_admits(const struct state *st, const struct event *e);
/* Adds what was earned since the last time, up to `most_milli` in all. */
void room_earn(const struct state *st, struct event *e, int64_t most_milli);
/* The line has begun to move, or moves at another rate: what was measured before says nothing. */
static inline void room_measure_anew(const struct state *st, struct room *r)
{
    r->measured_from_ms = st->now_ms;
}

/* Whether its owner was heard of lately enough. */
bool room_is_present(const struct state *st, const struct event *e, const struct room_entry *entry);
/* One that was passed over is back; the next state_admit writes it down. */
void room_comes(struct state *st, struct event *e, uint32_t number);

#endif
