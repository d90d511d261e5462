/* SPDX-License-Identifier: Apache-2.0 */
/* pool.h — a count of equal units, such as standing room or a room type.
 *
 * Owns the arithmetic available + held + sold == capacity and the order in which its holds lapse; who holds
 * the units is the reservation's business.
 */
#ifndef CORE_POOL_H
#define CORE_POOL_H

#include "base/heap.h"
#include "core/image.h"
#include "core/outcome.h"

struct state;
struct event;
struct item;
struct command;
struct reservation;

struct pool {
    struct pool_image image; /* texts are owned; image.available is not kept */

    /* derived */
    uint32_t held, sold;
    uint32_t touched;   /* where it is among the touches of the command that touched it last */
    struct heap lapses; /* held items by deadline; a handle is (reservation << 8 | index of the item) */
};

static inline uint32_t pool_available(const struct pool *p)
{
    return p->image.capacity - p->held - p->sold;
}
/* As availability shows it: nothing while the event's waiting list is being served. */
uint32_t pool_shown(const struct event *e, const struct pool *p);
struct pool *pool_find(struct event *e, struct text id); /* or NULL */

/* An item for so many units at the current price, without fence and id. */
struct item pool_item(const struct event *e, uint32_t position, uint32_t quantity);

/* Makes or replaces the pool; NULL: it does not fit. */
struct pool *pool_restore(struct state *st, const struct pool_image *image, uint64_t seq);

#endif
