/* SPDX-License-Identifier: Apache-2.0 */
/* pool.h — a count of equal units, such as standing room or a room type.
 *
 * Owns the arithmetic available + held + sold == capacity and the order in which its holds lapse; who holds
 * the units is up to the reservation. Changes and outcomes include this header for its limits and image.
 */
#ifndef CORE_POOL_H
#define CORE_POOL_H

#include "core/types.h"

#define POOL_CAPACITY_MAX 1000000000
#define POOLS_MAX 1000 /* of one event */

struct pool_image {
    uint64_t event;
    uint32_t position;
    struct text id;
    struct text name;
    uint32_t capacity;
    int64_t price;
    struct text prices;    /* by category, JSON: see catalogue/price_list.h */
    struct text allotment; /* it belongs to */
    uint32_t available;    /* derived; not encoded */
};

struct state;
struct event;
struct item;
struct pool; /* core/catalogue/event.h */

/* Available units, as shown to clients: 0 for a pool in an allotment, and while the event's waiting list is being
 * served. */
uint32_t pool_shown(const struct event *e, const struct pool *p);
struct pool *pool_find(struct event *e, struct text id); /* or NULL */

/* An item for `quantity` units at the current price of the category, which must exist; without fence and id. */
struct item pool_item(const struct event *e, uint32_t position, uint32_t quantity, struct text category);

/* Copies the pools of another event, without claims; this event has none. */
void pools_copy(struct state *st, struct event *e, const struct event *from);
/* Creates or replaces the pool; NULL: it does not fit. */
struct pool *pool_restore(struct state *st, const struct pool_image *image, uint64_t seq);

#endif
