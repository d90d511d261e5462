/* SPDX-License-Identifier: Apache-2.0 */
/* schema_catalogue.c — of schema.h: events, seats, pools and what is free of them. */
#include "core/types.h"
#include "http/schema_table.h"
#include "http/schema_terms.h"

/* clang-format off */
static WORDS_OF_ENUM(seat_statuses, enum seat_status, SEAT_AVAILABLE, SEAT_BLOCKED, seat_status_name)

/* ---- Events ---- */

RECORD(event, "The settings of an event, and how its seats stand.",
    MEMBER(id, TEXT),
    MEMBER(name, TEXT),
    MEMBER(starts_at, TIME, NULLABLE),
    MEMBER(on_sale_at, TIME, NULLABLE),
    MEMBER(off_sale_at, TIME, NULLABLE),
    SCHEMA_TERMS,
    MEMBER(per_user_limit, INT),
    ONE(waiting_room, waiting_room, NULLABLE),
    MEMBER(waiting_list, BOOL),
    MEMBER(created_at, TIME),
    ONE(counts, event_counts))

RECORD(event_counts, "How many seats an event has, and how many of each status.",
    MEMBER(seats, INT),
    MEMBER(available, INT),
    MEMBER(held, INT),
    MEMBER(sold, INT),
    MEMBER(blocked, INT))

/* ---- Seats and pools ---- */

RECORD(seats_imported, "How many seats an import has made and changed.",
    MEMBER(created, INT), MEMBER(updated, INT))

RECORD(seats_blocked, "How many seats were taken off sale or put back.",
    MEMBER(updated, INT))

RECORD(layout, "The static facts of every seat, in the order of the letter map.",
    MEMBER(event, TEXT),
    LIST(seats, layout_seat))

#define SEAT_FACTS \
    MEMBER(section, TEXT, NULLABLE), \
    MEMBER(row, TEXT, NULLABLE), \
    MEMBER(number, TEXT, NULLABLE), \
    MEMBER(x, NUMBER, NULLABLE), \
    MEMBER(y, NUMBER, NULLABLE), \
    MEMBER(tier, TEXT, NULLABLE), \
    MEMBER(price, INT), \
    MEMBER(accessible, BOOL)

RECORD(layout_seat, "The static facts of a seat.",
    MEMBER(id, TEXT), SEAT_FACTS)

RECORD(seat, "A seat and its status; the version grows with every claim and every end of one.",
    MEMBER(id, TEXT),
    WORD(status, seat_statuses),
    MEMBER(version, INT),
    SEAT_FACTS)

RECORD(pool, "A count of equal units.",
    MEMBER(id, TEXT),
    MEMBER(name, TEXT, NULLABLE),
    MEMBER(capacity, INT),
    MEMBER(available, INT),
    MEMBER(price, INT))

/* ---- What is free ---- */

ONE_OF(availability, "What is free, by id or, with format=map, as letters.",
    &schema_availability_seats, &schema_availability_map)

RECORD(availability_seats, "The status of every seat and pool, or of those that changed since a version.",
    MEMBER(version, INT),
    MEMBER(full, BOOL),
    WORD(seats, seat_statuses, .many = SCHEMA_MAP),
    ONE(pools, availability_pool, .many = SCHEMA_MAP))

RECORD(availability_pool, "How many units a pool has and how many of them are free.",
    MEMBER(capacity, INT), MEMBER(available, INT))

RECORD(availability_map, "A letter a seat in the order of the layout whose ETag it names: a, h, s or b.",
    MEMBER(version, INT),
    MEMBER(layout, TEXT),
    MEMBER(map, TEXT))

/* ---- The stream ---- */

RECORD(seat_changed, "A seat has another status.",
    MEMBER(id, TEXT),
    WORD(status, seat_statuses),
    MEMBER(version, INT))

RECORD(pool_changed, "A pool has more or less left.",
    MEMBER(id, TEXT), MEMBER(available, INT))

RECORD(stream_reset, "What came before cannot be told: read the availability, then follow.",
    MEMBER(version, INT))

RECORD(event_stream, "Whatever happens to the seats and pools of an event.",
    ONE(reset, stream_reset), ONE(seat, seat_changed), ONE(pool, pool_changed))
    /* clang-format on */
