/* SPDX-License-Identifier: Apache-2.0 */
/* handoff.h — passes bytes from a producer thread to a consumer thread, a large piece at a time.
 *
 * The producer fills one buffer while the consumer empties another. For recovery: one processor reads SQLite while the
 * other builds the state.
 */
#ifndef STORE_HANDOFF_H
#define STORE_HANDOFF_H

#include <pthread.h>
#include <stdbool.h>

#include "base/memory/buf.h"

#define HANDOFF_PIECE ((size_t)1 << 20)      /* bytes; sent as soon as the consumer has room */
#define HANDOFF_PIECE_MAX ((size_t)32 << 20) /* grows up to this while the consumer is busy */

struct handoff {
    pthread_mutex_t mutex;
    pthread_cond_t moved;
    struct buf filling; /* producer only */
    size_t due;         /* producer only: the size at which to send it, if there is room */
    struct buf carried; /* under the mutex; empty: there is room */
    struct buf using;   /* consumer only */
    bool idle;          /* the consumer waits */
    bool ended, broken; /* by the producer; by the consumer */
};

void handoff_init(struct handoff *b);
void handoff_release(struct handoff *b);

/* Producer: sends `filling` when it has the size of a piece and there is room, and in any case at HANDOFF_PIECE_MAX. False:
 * the consumer has given up. */
bool handoff_offer(struct handoff *b);
/* Producer: sends the rest and waits until all of it was consumed. */
bool handoff_drain(struct handoff *b);
void handoff_end(struct handoff *b); /* producer: nothing more will come */

/* Consumer: gets the next piece in `using`. False: there are no more. */
bool handoff_take(struct handoff *b);
void handoff_break(struct handoff *b); /* consumer: gives up, and what still comes is dropped */

#endif
