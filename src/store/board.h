/* SPDX-License-Identifier: Apache-2.0 */
/* board.h — an event's availability, kept ready to send.
 *
 * The letter map and the JSON of the seats are patched in place as seats change, so a read copies bytes and never walks the
 * seats. A ring of the latest touches answers "what changed since" and feeds the streams. Made when an event is first
 * asked for; about 50 bytes a seat. Gone with a restart, and then the first answer is a full one.
 */
#ifndef STORE_BOARD_H
#define STORE_BOARD_H

#include "core/state.h"
#include "store/store.h"

#define BOARD_RING_MAX 65536u    /* touches remembered */
#define BOARD_SINCE_MAX 4096u    /* more than that: a full answer is cheaper */

struct board_touch {
    uint64_t seq;
    uint64_t version; /* seat: its version; pool: units available */
    uint32_t position;
    uint8_t kind;
    uint8_t status;
};

struct board {
    struct event *event;
    struct buf seats;     /* "A15":"held"     ,"A16":... the value padded to one width */
    uint32_t *values;     /* by position: where the value begins in `seats` */
    char *letters;        /* by position */
    struct board_touch *ring;
    uint32_t ring_capacity;
    uint64_t ring_first, ring_end; /* ever growing; index by capacity */
    uint64_t floor;                /* everything after this seq is in the ring */
    struct document *answers[2];   /* the whole, by format, as it was at its seq; NULL: none */
};

struct board *board_make(struct state *st, struct event *e);
void board_release(struct board *b);
/* A seat or pool of the event looks different now, or (kind 0) all of it does. */
void board_touched(struct board *b, struct state *st, const struct touch *touch);
/* Whether "what changed since" can be answered by the ring. */
bool board_knows(const struct board *b, uint64_t since);
/* A new document with one reference; its size is added to *counted, and taken off again when it goes. */
struct document *board_answer(struct board *b, struct state *st, enum availability_format format, uint64_t since,
                              uint64_t *counted);
void board_layout_etag(const struct event *e, char out[32]);
bool board_touches(struct board *b, uint64_t after, uint64_t upto,
                   void (*fn)(void *ctx, const struct touch_view *touch), void *ctx);

#endif
