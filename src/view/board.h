/* SPDX-License-Identifier: Apache-2.0 */
/* board.h — an event's availability, kept ready to send.
 *
 * The letter map and the JSON of the seats are patched in place as seats change, and so is the last answer
 * while nobody is reading it: a read never walks the seats, and copies them only when an earlier answer is
 * still on its way to somebody. A ring of the latest touches answers "what changed since" and feeds the
 * streams.
 *
 * The ring exists from the first request for an event. The rest, about 50 bytes a seat, is made step by step
 * when somebody wants a whole answer, and made anew after another layout:
 *
 *   seats, values, letters   0 .. made     patched; a seat beyond `made` is looked at when its turn comes
 *   an answer being made     0 .. copied   patched; the bytes beyond `copied` come from the three above
 *
 * So whatever changes between two steps is in the answer, and the answer is that of the instant of its last
 * step.
 */
#ifndef VIEW_BOARD_H
#define VIEW_BOARD_H

#include "core/state.h"
#include "view/view.h"

#define BOARD_RING_MAX 65536u /* touches remembered */
#define BOARD_SINCE_MAX 4096u /* more than that: a full answer is cheaper */

struct board_touch {
    uint64_t seq;
    uint64_t version; /* seat: its version; pool: units available */
    uint32_t position;
    uint8_t kind;
    uint8_t status;
};

/* The whole answer in one format. */
struct board_answer {
    struct document *document; /* NULL: none */
    size_t head;               /* its bytes before the seats */
    size_t copied;             /* bytes of the seats; less than all of them: it is being made */
};

struct board {
    struct view *view;
    const struct event *event;

    struct buf seats; /* "A15":"held"     ,"A16":... the value padded to one width */
    uint32_t *values; /* by position: where the value begins in `seats` */
    char *letters;    /* in the order of positions, without removed seats */
    uint32_t made;    /* so many seats are in the three above */
    struct board_answer answers[2];

    struct board_touch *ring;
    uint32_t ring_capacity;
    uint64_t ring_first, ring_end; /* ever growing; index by capacity */
    uint64_t floor;                /* everything after this seq is in the ring */

    /* view/availability.c */
    struct waiter *waiters[2];        /* by format: who waits for a whole answer */
    enum availability_format stepped; /* the last one that a step was done for */
    struct board *next;               /* of those that somebody waits for */
};

struct board *board_make(struct view *v, const struct event *e);
void board_release(struct board *b); /* NULL is fine */
/* Part of the event looks different now, or all of it does. What is neither seat nor pool is not shown. */
void board_touched(struct board *b, const struct touch *touch);

/* The whole answer as it is now; the reference is the board's. NULL: more steps are needed. Each call is one,
 * of less than a millisecond; only a large event needs several, when it is first asked for or its last answer
 * is still being sent. */
struct document *board_step(struct board *b, enum availability_format format);
/* Whether "what changed since" can be answered by the ring; and that answer, with a reference of the
 * caller's. */
bool board_knows(const struct board *b, uint64_t since);
struct document *board_since(struct board *b, uint64_t since);
/* See view_touches. */
bool board_touches(struct board *b, uint64_t after, uint64_t upto,
                   void (*fn)(void *ctx, const struct touch_view *touch), void *ctx);

void board_layout_etag(const struct event *e, char out[32]);

#endif
