/* SPDX-License-Identifier: Apache-2.0 */
/* seat.h — one seat's claim: free, blocked, or claimed by exactly one reservation.
 *
 * `claim` is written only in seat.c, which keeps the event's set of claimed seats, its counts and the
 * touches in sync. Who claims it and until when is up to the reservation. The event has the set of blocked
 * seats, so that an import of any size is published by a few operations on whole sets (event_seats.h).
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
    uint32_t touched; /* derived: index of its last touch (state_touch) */
    uint64_t version; /* seq of the last change that claimed it or ended its claim */
};

/* What stays in memory of a forgotten confirmed reservation: its id. */
struct stub {
    struct id reservation;
    uint32_t seats; /* how many point to it */
};

struct seat *seat_at(const struct event *e, uint32_t position);
bool seat_blocked(const struct event *e, uint32_t position);
/* Blocked or in an allotment. Unless claimed, it is shown as blocked. */
bool seat_off_sale(const struct event *e, uint32_t position);
/* Held, and off sale when it comes free: not stock for the public. */
bool seat_held_off(const struct state *st, const struct event *e, uint32_t position);
/* As shown to clients: a lapsed hold is held until it is settled, and free seats are shown as held while the waiting
 * list is being served. */
enum unit_status seat_status(const struct state *st, const struct event *e, uint32_t position);

/* The seat as an obstacle for the request item with this index. */
struct obstacle seat_obstacle(struct state *st, const struct event *e, uint32_t position, uint32_t index);
/* Its availability has changed. */
void seat_touch(struct state *st, const struct event *e, uint32_t position);
/* An item for it at the current price of the category, which must exist; without fence and id. */
struct item seat_item(const struct event *e, uint32_t position, struct text category);

void seats_release(struct seat **seats, uint32_t chunks);

/* For the command being judged: marks a free seat, or unmarks it. */
void seat_plan(struct seat *seat);
void seat_unplan(struct seat *seat);
/* The seat must be free or planned. sold: the reservation is confirmed. */
void seat_claim(struct state *st, struct event *e, uint32_t position, uint32_t claim, uint64_t fence,
                bool sold);

#endif
