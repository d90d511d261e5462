/* SPDX-License-Identifier: Apache-2.0 */
/* belt.h — carries bytes from one thread that makes them to one that uses them, a large piece at a time.
 *
 * The maker fills one buffer while the user empties another. For recovery: SQLite is read on one processor
 * while the state is built on the other.
 */
#ifndef STORE_BELT_H
#define STORE_BELT_H

#include <pthread.h>
#include <stdbool.h>

#include "base/buf.h"

#define BELT_PIECE ((size_t)1 << 20)

struct belt {
    pthread_mutex_t mutex;
    pthread_cond_t moved;
    struct buf filling; /* the maker's */
    struct buf carried; /* under the mutex; empty: there is room */
    struct buf using;   /* the user's */
    bool idle;          /* the user waits */
    bool ended, broken;
};

void belt_init(struct belt *b);
void belt_release(struct belt *b);

/* Maker: sends on what is in `filling` when it is a piece, or whatever there is. False: the user has given
 * up. */
bool belt_offer(struct belt *b);
bool belt_send(struct belt *b);
/* Maker: sends the rest and waits until all of it has been used. */
bool belt_drain(struct belt *b);
void belt_end(struct belt *b); /* no more will come */

/* User: the next piece in `using`. False: there will be none. */
bool belt_take(struct belt *b);
void belt_break(struct belt *b); /* gives up: what comes is dropped */

#endif
