/* SPDX-License-Identifier: Apache-2.0 */
/* detached.h — memory of removed events.
 *
 * It can be large, and freeing takes milliseconds per hundred megabytes: so core only puts it on a list, for another
 * thread to free.
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

/* Adds an empty element to the state's list, for the caller to fill. */
struct detached *detached_add(struct state *st);
void detached_release(struct detached *first); /* the whole list; from any thread */

#endif
