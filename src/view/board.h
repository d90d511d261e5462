/* SPDX-License-Identifier: Apache-2.0 */
/* board.h — an event's availability, kept ready to send.
 *
 * The letter map and the JSON of the seats are patched in place as seats change, and so is the last answer
 * while it is not being read: a read never walks the seats, and copies them only while an earlier answer is
 * still being sent. A ring of the latest touches answers "what changed since" and feeds the streams.
 *
 * The ring exists from the first request for an event. The rest, about 50 bytes a seat, is built step by step
 * for the first full answer, and rebuilt when the layout changes:
 *
 *   seats, values, letters   0 .. made     patched; a seat beyond `made` is read when the steps reach it
 *   an answer in progress    0 .. copied   patched; the bytes beyond `copied` come from the three above
 *
 * So every change between two steps is in the answer, which shows the instant of its last step.
 */
#ifndef VIEW_BOARD_H
#define VIEW_BOARD_H

#include "core/state.h"
#include "view/view.h"

#define BOARD_RING_MAX 65536u /* touches remembered */
#define BOARD_SINCE_MAX 4096u /* beyond that a full answer is cheaper */

struct board_touch {
    uint64_t seq;
    uint64_t version; /* seat: its version; pool: units available */
    uint32_t position;
    uint8_t kind;
    uint8_t status;
};

/* The full answer in one format. */
struct board_answer {
    struct document *document; /* NULL: none */
    size_t head;               /* its bytes before the seats */
    size_t copied;             /* bytes of the seats; fewer than all: still in progress */
};

struct board {
    struct view *view;
    const struct event *event;

    struct buf seats; /* "A15":"held"     ,"A16":... the value padded to one width */
    uint32_t *values; /* by position: where the value begins in `seats` */
    char *letters;    /* in the order of positions, without removed seats */
    uint32_t made;    /* number of seats in the three above */
    struct board_answer answers[2];

    struct board_touch *ring;
    uint32_t ring_capacity;
    uint64_t ring_first, ring_end; /* ever growing; index by capacity */
    uint64_t floor;                /* everything after this seq is in the ring */

    /* view/availability.c */
    struct waiter *waiters[2];        /* by format: callers waiting for a full answer */
    enum availability_format stepped; /* the format of the last step */
    struct board *next;               /* in view.boards_waiting */
};

struct board *board_make(struct view *v, const struct event *e);
void board_release(struct board *b); /* NULL is fine */
/* Part of the event changed, or all of it. Only seats and pools are shown; other parts are ignored. */
void board_touched(struct board *b, const struct touch *touch);

/* The full answer as of now; the reference is the board's. NULL: more steps are needed. Each call is one step of
 * less than a millisecond; only a large event needs several, on its first request or while its last answer is
 * still being sent. */
struct document *board_step(struct board *b, enum availability_format format);
/* Whether the ring can answer "what changed since"; and that answer, with a reference for the caller. */
bool board_knows(const struct board *b, uint64_t since);
struct document *board_since(struct board *b, uint64_t since);
/* See view_touches. */
bool board_touches(struct board *b, uint64_t after, uint64_t upto,
                   void (*fn)(void *ctx, const struct touch_view *touch), void *ctx);

void board_layout_etag(const struct event *e, char out[32]);

#endif
