/* SPDX-License-Identifier: Apache-2.0 */
/* event.h — seats and pools sold together, and their sale rules.
 *
 * Owns the settings, the layout, the claims on its seats (core/seat.h), its pools (core/pool.h) and the counts. A removed
 * event keeps its slot and names for the reservations that still speak of it, but cannot be found by id.
 */
#ifndef CORE_EVENT_H
#define CORE_EVENT_H

#include "core/layout.h"
#include "core/outcome.h"
#include "core/pool.h"
#include "core/seat.h"

struct state;
struct command;

struct event {
    struct event_image image; /* texts are owned */

    /* derived */
    uint32_t slot;
    uint64_t seq; /* the last change that touched it or anything in it */
    struct layout *layout; /* NULL: no seats */
    struct seat **seats;   /* chunks of SEAT_CHUNK, by position */
    uint32_t seat_chunks;
    uint32_t *row_free;    /* available seats per row of the layout; NULL until `best` first asks */
    struct event_counts counts;
    struct pool *pools;
    uint32_t pool_count;
    uint64_t live_units;   /* claimed seats and units, held or confirmed */
};

uint64_t event_id_hash(struct text id);
uint64_t event_number_hash(uint64_t number);
struct event *event_find(struct state *st, struct text id); /* or NULL; removed ones are not found */
struct event *event_find_number(struct state *st, uint64_t number); /* or NULL; removed ones too */

/* Commands. */
enum outcome_code event_put(struct state *st, const struct command *c, struct outcome *out);
enum outcome_code event_remove(struct state *st, const struct command *c, struct outcome *out);
enum outcome_code event_seats_stage(struct state *st, const struct command *c, struct outcome *out);
enum outcome_code event_seats_publish(struct state *st, const struct command *c, struct outcome *out);
enum outcome_code event_seats_block(struct state *st, const struct command *c, struct outcome *out);

/* Recovery: the effect of a change, without judging. */
struct event *event_restore(struct state *st, const struct event_image *image, uint64_t seq);
/* Puts a layout in place of the present one; takes it. Seats that are new are available. */
void event_set_layout(struct state *st, struct event *e, struct layout *layout);
void event_set_blocked(struct state *st, struct event *e, uint32_t position, bool blocked);

/* Admin need not wait for on_sale_at; off_sale_at is for everyone. */
bool event_on_sale(const struct event *e, enum role role, int64_t now_ms);
void event_release(struct event *e); /* frees what it owns, and itself */

#endif
