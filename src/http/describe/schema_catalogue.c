/* SPDX-License-Identifier: Apache-2.0 */
/* schema_catalogue.c — of schema.h: events, seats, pools and what is free of them. */
#include "core/types.h"
#include "http/describe/schema_table.h"
#include "http/describe/schema_terms.h"

/* clang-format off */
/* ---- Events ---- */

RECORD(event, "The settings of an event, and how its seats stand.",
    MEMBER(id, TEXT, "arena", "The id, as in the path."),
    MEMBER(name, TEXT, "An evening at the arena", ABOUT_NAME),
    MEMBER(starts_at, TIME, "2030-06-07T19:00:00.000Z", ABOUT_STARTS_AT, NULLABLE),
    MEMBER(on_sale_at, TIME, null, ABOUT_ON_SALE_AT, NULLABLE),
    MEMBER(off_sale_at, TIME, null, ABOUT_OFF_SALE_AT, NULLABLE),
    SCHEMA_TERMS(600),
    MEMBER(per_user_limit, INT, 8, ABOUT_LIMIT),
    ONE(waiting_room, waiting_room, ABOUT_QUEUE, NULL_HERE),
    MEMBER(waiting_list, BOOL, false, ABOUT_LIST),
    MEMBER(created_at, TIME, "2030-05-01T08:00:00.000Z", "When it was made."),
    ONE(counts, event_counts, "How its seats stand."))

RECORD(event_counts, "How many seats an event has, and how many of each status.",
    MEMBER(seats, INT, 20000, "All of them."),
    MEMBER(available, INT, 19250, "Those that are free."),
    MEMBER(held, INT, 150, "Those in holds."),
    MEMBER(sold, INT, 500, "Those in confirmed reservations."),
    MEMBER(blocked, INT, 100, "Those off sale."))

/* ---- Seats and pools ---- */

RECORD(seats_imported, "How many seats an import has made and changed.",
    MEMBER(created, INT, 480, "New seats."),
    MEMBER(updated, INT, 20, "Seats that were there already."))

RECORD(seats_blocked, "How many seats were taken off sale or put back.",
    MEMBER(updated, INT, 2, "The seats named."))

RECORD(layout, "The static facts of every seat, in the order of the letter map.",
    MEMBER(event, TEXT, "arena", "The event."),
    LIST(seats, layout_seat, "Every seat, in the order of the letter map."))

#define SEAT_FACTS \
    MEMBER(section, TEXT, "stalls", ABOUT_SEAT_SECTION, NULLABLE), \
    MEMBER(row, TEXT, "A", ABOUT_SEAT_ROW, NULLABLE), \
    MEMBER(number, TEXT, "15", ABOUT_SEAT_NUMBER, NULLABLE), \
    MEMBER(x, NUMBER, 7.5, ABOUT_SEAT_X, NULLABLE), \
    MEMBER(y, NUMBER, 1, ABOUT_SEAT_Y, NULLABLE), \
    MEMBER(tier, TEXT, "gold", ABOUT_SEAT_TIER, NULLABLE), \
    MEMBER(price, INT, 4500, ABOUT_SEAT_PRICE), \
    MEMBER(accessible, BOOL, false, ABOUT_SEAT_ACCESSIBLE)
#define SEAT_STANDS(version_) \
    MEMBER(id, TEXT, "A15", ABOUT_SEAT_ID), \
    WORD(status, seat_status_word, "held", "How it stands."), \
    MEMBER(version, INT, version_, "Grows with every claim on it and every end of one; 0: never claimed.")

RECORD(layout_seat, "The static facts of a seat.",
    MEMBER(id, TEXT, "A15", ABOUT_SEAT_ID), SEAT_FACTS)

RECORD(seat, "A seat and its status; the version grows with every claim and every end of one.",
    SEAT_STANDS(1041), SEAT_FACTS)

RECORD(pool, "A count of equal units.",
    MEMBER(id, TEXT, "floor", "The id of the pool within its event."),
    MEMBER(name, TEXT, "Standing room", ABOUT_NAME, NULLABLE),
    MEMBER(capacity, INT, 500, ABOUT_POOL_CAPACITY),
    MEMBER(available, INT, 498, "How many of them are free."),
    MEMBER(price, INT, 2500, ABOUT_POOL_PRICE))

/* ---- What is free ---- */

ONE_OF(availability, "What is free, by id or, with format=map, as letters.",
    &schema_availability_seats, &schema_availability_map)

#define VERSION MEMBER(version, INT, 1041, "How far this is: for `since`, and the id of a stream's event.")

RECORD(availability_seats, "The status of every seat and pool, or of those that changed since a version.",
    VERSION,
    MEMBER(full, BOOL, true, "Whether this is everything, and not only what changed since."),
    WORD(seats, seat_status_word, "held", "The status of each seat, by its id.", .many = SCHEMA_MAP, .key = "A15"),
    ONE(pools, availability_pool, "What is left of each pool, by its id.", .many = SCHEMA_MAP, .key = "floor"))

RECORD(availability_pool, "How many units a pool has and how many of them are free.",
    MEMBER(capacity, INT, 500, ABOUT_POOL_CAPACITY),
    MEMBER(available, INT, 498, "How many of them are free."))

RECORD(availability_map, "A letter a seat in the order of the layout whose ETag it names: a, h, s or b.",
    VERSION,
    MEMBER(layout, TEXT, "\"9f3c2a\"", "The ETag of the layout that it belongs to."),
    MEMBER(map, TEXT, "aahsb", "A letter a seat: available, held, sold or blocked."))

/* ---- The stream ---- */

RECORD(seat_changed, "A seat has another status.", SEAT_STANDS(1042))

RECORD(pool_changed, "A pool has more or less left.",
    MEMBER(id, TEXT, "floor", "The pool."),
    MEMBER(available, INT, 496, "How many units are free."))

RECORD(stream_reset, "What came before cannot be told: read the availability, then follow.",
    MEMBER(version, INT, 1041, "The availability must be at least as new as this."))

RECORD(event_stream, "Whatever happens to the seats and pools of an event.",
    ONE(reset, stream_reset, "Read the availability before what follows."),
    ONE(seat, seat_changed, "A seat has another status."),
    ONE(pool, pool_changed, "A pool has more or less left."))
/* clang-format on */
