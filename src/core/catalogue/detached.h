/* SPDX-License-Identifier: Apache-2.0 */
/* detached.h — what removed events no longer need.
 *
 * It may be large, and freeing memory takes milliseconds per hundred megabytes: so core only sets it aside,
 * for another thread to free.
 */
#ifndef CORE_DETACHED_H
#define CORE_DETACHED_H

#include <stdint.h>

struct state;
struct layout;
struct seat;
struct queue;
struct waiting_list;
struct codes;

struct detached {
    struct detached *next;
    struct layout *layout;
    struct seat **seats;
    uint32_t seat_chunks;
    struct queue *queue;
    struct waiting_list *list;
    struct codes *codes;
};

/* One more, empty, for the state to set something aside in. */
struct detached *detached_add(struct state *st);
void detached_release(struct detached *first); /* the whole list; from any thread */

#endif
