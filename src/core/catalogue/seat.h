/* SPDX-License-Identifier: Apache-2.0 */
/* seat.h — one seat's claim: free, blocked, or claimed by exactly one reservation.
 *
 * `claim` is written in seat.c alone, which keeps the event's set of claimed seats, its counts and the
 * touches in step. Who claims it and until when is the reservation's business. Which seats are blocked is a
 * set of the event's, so that an import of any size is published by a few operations on whole sets
 * (event_seats.h).
 */
#ifndef CORE_SEAT_H
#define CORE_SEAT_H

#include "core/types.h"

struct state;
struct event;
struct item;
struct obstacle;
struct reservation;

#define SEAT_CHUNK 65536u
#define CLAIM_NONE 0u
#define CLAIM_STUB 0x80000000u    /* the rest is the handle of a stub: sold, its reservation forgotten */
#define CLAIM_PLANNED 0x7fffffffu /* picked by the command that is being judged */

struct seat {
    uint32_t claim;   /* a reservation's handle + 1, a stub, planned, or none */
    uint32_t touched; /* derived: where it is among the touches of the command that touched it last
                         (state_touch) */
    uint64_t version; /* seq of the last change that claimed it or ended its claim */
};

/* What remains of a confirmed reservation that the book has: enough to know who has the seat. */
struct stub {
    struct id reservation;
    uint32_t seats; /* that point to it */
};

struct seat *seat_at(const struct event *e, uint32_t position);
bool seat_blocked(const struct event *e, uint32_t position);
/* Blocked or in an allotment: unless it is claimed, it shows as blocked. */
bool seat_off_sale(const struct event *e, uint32_t position);
/* The same of one that is held: it is no stock that may come free for anybody. */
bool seat_held_off(const struct state *st, const struct event *e, uint32_t position);
/* As availability shows it: a lapsed hold is still held until it is settled, and what is free while the
 * waiting list is being served is held for those on it. */
enum unit_status seat_status(const struct state *st, const struct event *e, uint32_t position);

/* The obstacle that it is to the request item with this index. */
struct obstacle seat_obstacle(struct state *st, const struct event *e, uint32_t position, uint32_t index);
/* Its availability has changed. */
void seat_touch(struct state *st, const struct event *e, uint32_t position);
/* An item for it at its current price of the category, which it has; without fence and id. */
struct item seat_item(const struct event *e, uint32_t position, struct text category);

void seats_release(struct seat **seats, uint32_t chunks);

/* For the command being judged: marks a free seat, or unmarks it. */
void seat_plan(struct seat *seat);
void seat_unplan(struct seat *seat);
/* The seat must be free or planned. sold: the reservation is confirmed. */
void seat_claim(struct state *st, struct event *e, uint32_t position, uint32_t claim, uint64_t fence,
                bool sold);

#endif
