/* SPDX-License-Identifier: Apache-2.0 */
/* answers.h — the internals of view.h: the answers that are kept, and the callers waiting for them. For the
 * files of view/ only. */
#ifndef VIEW_ANSWERS_H
#define VIEW_ANSWERS_H

#include "core/state.h"
#include "view/board.h"
#include "view/view.h"

/* The answers kept for one event. */
struct event_answers {
    struct board *board;     /* NULL: not requested yet */
    struct document *layout; /* NULL: not made yet */
};

struct view {
    struct store *store;
    /* The store's state, where time does not matter; store_state brings it to this turn's instant. */
    const struct state *state;

    struct event_answers *events; /* by the event's index; may be shorter than the state's list */
    uint32_t event_count;

    struct spans **calendars; /* view/spans.c: by the calendar's index; NULL: not followed yet */
    uint32_t calendar_count;

    /* view/availability.c */
    struct board *boards_waiting; /* with callers waiting for an answer */
    struct waiter *waiters_gone;  /* callers whose event was removed while they waited */
    uint64_t answer_bytes;        /* of availability answers that are still being read */
    uint64_t answers_max;

    /* view/layouts.c */
    struct layout_job *layout_jobs; /* in progress */

    /* view/queues.c: a ring of entries that have moved and were not reported to the listener yet, by seq */
    struct moved_entry *moved;
    uint64_t moved_first, moved_end;
    uint32_t moved_capacity;
    void (*on_moved)(void *ctx, uint64_t event_number, uint32_t number);
    void *on_moved_ctx;

    /* view/claims.c */
    view_seat_fn on_seat;
    void *on_seat_ctx;

    /* view/fleets.c: a ring of what happened to rides and offers, by seq. Those before `rides_notified` were
     * reported, and stay for clients that reconnect. */
    struct ride_touch *rides;
    uint64_t rides_first, rides_notified, rides_end;
    uint32_t rides_capacity;
    uint64_t rides_floor; /* everything after this seq is in the ring */
    void (*on_ride)(void *ctx, const struct ride_touch *touch);
    void *on_ride_ctx;
};

/* view/view.c: those of an event. Valid until the next call. */
struct event_answers *view_answers(struct view *v, const struct event *e);

/* view/availability.c: the board is about to be freed; callers waiting for it get an error. */
void availability_forget(struct view *v, struct board *b);
/* Does one step of an answer that callers wait for; true: there is more to do. */
bool availability_step(struct view *v);
/* view/spans.c: records the time spans that the last step changed. */
void spans_touched(struct view *v);
void spans_release(struct view *v);
/* view/queues.c: records the entries that the last step moved. */
void queues_moved(struct view *v);
/* Reports some of those that are durable by now; true: there are more. */
bool queues_notify(struct view *v);
/* view/claims.c: reports the seats that the last step touched. */
void claims_touched(struct view *v);
/* view/fleets.c: the same for rides and offers. */
void fleets_touched(struct view *v);
bool fleets_notify(struct view *v);

#endif
