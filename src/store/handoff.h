/* SPDX-License-Identifier: Apache-2.0 */
/* handoff.h — carries bytes from one thread that makes them to one that uses them, a large piece at a time.
 *
 * The maker fills one buffer while the user empties another. For recovery: SQLite is read on one processor
 * while the state is built on the other.
 */
#ifndef STORE_HANDOFF_H
#define STORE_HANDOFF_H

#include <pthread.h>
#include <stdbool.h>

#include "base/memory/buf.h"

#define HANDOFF_PIECE ((size_t)1 << 20)
#define HANDOFF_MOST                                                                                         \
    ((size_t)32 << 20) /* of a piece: what is made while the user is busy with something else */

struct handoff {
    pthread_mutex_t mutex;
    pthread_cond_t moved;
    struct buf filling; /* the maker's */
    size_t due;         /* the maker's: of what size it is sent, if there is room */
    struct buf carried; /* under the mutex; empty: there is room */
    struct buf using;   /* the user's */
    bool idle;          /* the user waits */
    bool ended, broken;
};

void handoff_init(struct handoff *b);
void handoff_release(struct handoff *b);

/* Maker: sends on what is in `filling` when it is a piece and there is room, at the latest when it is HANDOFF_MOST. False:
 * the user has given up. */
bool handoff_offer(struct handoff *b);
/* Maker: sends the rest and waits until all of it has been used. */
bool handoff_drain(struct handoff *b);
void handoff_end(struct handoff *b); /* no more will come */

/* User: the next piece in `using`. False: there will be none. */
bool handoff_take(struct handoff *b);
void handoff_break(struct handoff *b); /* gives up: what comes is dropped */

#endif
