/* SPDX-License-Identifier: Apache-2.0 */
/* answers.h — what is behind view.h: the answers that are kept, and who waits for them. For the files of
 * view/ only. */
#ifndef VIEW_ANSWERS_H
#define VIEW_ANSWERS_H

#include "core/state.h"
#include "view/board.h"
#include "view/view.h"

/* What is kept of one event. */
struct event_answers {
    struct board *board;     /* NULL: nobody has asked yet */
    struct document *layout; /* NULL: not made yet */
};

struct view {
    struct store *store;
    /* The store's state, where time does not matter; store_state brings it to this turn's instant. */
    const struct state *state;

    struct event_answers
        *events; /* by the event's index; as many as there were when one was last asked for */
    uint32_t event_count;

    struct spans **calendars; /* view/spans.c: by the calendar's index; NULL: nobody has asked */
    uint32_t calendar_count;

    /* view/availability.c */
    struct board *boards_waiting; /* that somebody waits for an answer of */
    struct waiter *waiters_gone;  /* who waited for an answer of an event that is gone */
    uint64_t answer_bytes;        /* of availability answers that somebody still reads */
    uint64_t answers_max;

    /* view/layouts.c */
    struct layout_job *layout_jobs; /* under way */

    /* view/queues.c: entries that have moved and whose listener was not told yet, in the order of their seqs:
     * a ring */
    struct moved_entry *moved;
    uint64_t moved_first, moved_end;
    uint32_t moved_capacity;
    void (*on_moved)(void *ctx, uint64_t event_number, uint32_t number);
    void *on_moved_ctx;

    /* view/fleets.c: what has happened to rides and offers, in the order of seqs: a ring. Those before `rides_told`
     * were told, and stay for those who come back. */
    struct ride_touch *rides;
    uint64_t rides_first, rides_told, rides_end;
    uint32_t rides_capacity;
    uint64_t rides_floor; /* what came after this seq is known */
    void (*on_ride)(void *ctx, const struct ride_touch *touch);
    void *on_ride_ctx;
};

/* view/view.c: of an event that is asked for. Valid until the next call. */
struct event_answers *view_answers(struct view *v, const struct event *e);

/* view/availability.c: the board goes away; those who wait for its answers are told. */
void availability_forget(struct view *v, struct board *b);
/* Goes on with an answer that somebody waits for; true: there is more to do. */
bool availability_step(struct view *v);
/* view/spans.c: takes note of the time that the state says has changed. */
void spans_touched(struct view *v);
void spans_release(struct view *v);
/* view/queues.c: takes note of the entries that the state says have moved. */
void queues_moved(struct view *v);
/* Tells of some that are durable by now; true: there are more of them. */
bool queues_tell(struct view *v);
/* view/fleets.c: the same of rides and offers. */
void fleets_touched(struct view *v);
bool fleets_tell(struct view *v);

#endif
