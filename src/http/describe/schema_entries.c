/* SPDX-License-Identifier: Apache-2.0 */
/* schema_entries.c — of schema.h: waiting rooms, and those who stand in them or on a waiting list. */
#include "core/types.h"
#include "http/describe/about.h"
#include "http/describe/schema_table.h"

/* clang-format off */
/* ---- A waiting room ---- */

#define PACE \
    MEMBER(rate_per_second, INT, 200, ABOUT_QUEUE_RATE), \
    MEMBER(max_active, INT, 5000, ABOUT_QUEUE_MAX_ACTIVE), \
    MEMBER(pass_ttl_seconds, INT, 900, ABOUT_QUEUE_PASS_TTL), \
    MEMBER(shuffle_before_open, BOOL, false, ABOUT_QUEUE_SHUFFLE), \
    MEMBER(by_inventory, BOOL, true, ABOUT_QUEUE_BY_INVENTORY), \
    TEXTS(tiers, "gold", ABOUT_QUEUE_TIERS, NULL_HERE)
#define OPEN_AT MEMBER(open_at, TIME, "2030-06-01T10:00:00.000Z", ABOUT_QUEUE_OPEN_AT, NULLABLE)
#define PUBLIC \
    MEMBER(serving, INT, 4200, "The greatest position that was admitted."), \
    MEMBER(waiting, INT, 180000, "How many wait."), \
    MEMBER(admitted_per_second, NUMBER, 199.8, "How fast it goes at the moment."), \
    OPEN_AT, \
    MEMBER(paused, BOOL, false, "Nobody is admitted while it is true."), \
    MEMBER(opened_at, TIME, "2030-06-01T10:00:00.000Z", "When it began to admit; null: not yet.", NULLABLE), \
    ONE(draw, draw, "What the draw can be checked by; null: there is none.", NULL_HERE)

RECORD(waiting_room, "The settings of an event's waiting room.",
    OPEN_AT, PACE)

ONE_OF(queue, "A waiting room as the caller may see it.",
    &schema_queue_public, &schema_queue_admin)

RECORD(queue_public, "How far a waiting room is.",
    PUBLIC)

RECORD(queue_admin, "A waiting room as its admin sees it.",
    PUBLIC,
    PACE,
    MEMBER(active, INT, 830, "How many passes are live."),
    MEMBER(passed_over, INT, 12, "How many were absent when their turn came, and may come back."),
    MEMBER(finished, INT, 3350, "How many have used their pass, or let it run out."),
    MEMBER(left, INT, 40, "How many have left."),
    MEMBER(joined, INT, 184232, "How many have joined at all."))

RECORD(draw, "What anybody can check a draw by; the seed and the number of entries are told at the opening.",
    MEMBER(commitment, TEXT, "5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef",
           "The SHA-256 of the seed, known from the start."),
    MEMBER(seed, TEXT, null, "The seed, in hex; null before the opening.", NULLABLE),
    MEMBER(entries, INT, null, "How many were drawn; null before the opening.", NULLABLE))

/* ---- Entries ---- */

RECORD(queue_entry, "Somebody in a waiting room.",
    MEMBER(entry_id, TEXT, "ent_01JX5M0Q6H8Z3V7T2R9K4C1W0E", "The id, as in the path."),
    MEMBER(event, TEXT, "premiere", "The event."),
    MEMBER(user_id, TEXT, "ann", "Whose entry it is."),
    MEMBER(number, INT, 4711, "By arrival; what a draw starts from."),
    MEMBER(position, INT, 4711, "The place in the order, which stays; null before a draw.", NULLABLE),
    MEMBER(ahead, INT, 511, "How many will be admitted before; null before a draw and when it is over.", NULLABLE),
    WORD(status, queue_status_word, "waiting", "Where it is in the line."),
    MEMBER(eta_seconds, INT, 3, "When its turn is likely to come, in seconds; null: not known.", NULLABLE),
    MEMBER(poll_after_seconds, INT, 2, "When to ask again, in seconds; null when it is over.", NULLABLE),
    MEMBER(joined_at, TIME, "2030-06-01T10:00:20.000Z", "When it joined."),
    ROW(returns_until, TIME, "Passed over: until when it may come back; null once it is back.",
        .may_be = SCHEMA_NULLABLE | SCHEMA_OPTIONAL),
    MAYBE(pass, TEXT, "Admitted: what to send as Holdfast-Pass."),
    MAYBE(pass_expires_at, TIME, "Admitted: until when the pass is good."),
    MAYBE(tiers, TEXT, "The tiers that the pass is for, if not all.", .many = SCHEMA_LIST))

RECORD(entry_stream, "Whatever happens to somebody in a waiting room.",
    ONE(entry, queue_entry, "The whole entry as it is now."))

RECORD(list_entry, "Somebody on a waiting list, and the wish.",
    MEMBER(entry_id, TEXT, "lst_01JX5M0Q6H8Z3V7T2R9K4C1W0E", "The id, as in the path."),
    MEMBER(event, TEXT, "arena", "The event."),
    MEMBER(user_id, TEXT, "ann", "Whose entry it is."),
    MEMBER(position, INT, 12, "The place among those who wait; null when it no longer waits.", NULLABLE),
    WORD(status, list_status_word, "waiting", "What became of the wish."),
    MEMBER(quantity, INT, 2, ABOUT_WISH_QUANTITY),
    MEMBER(adjacent, BOOL, true, ABOUT_WISH_ADJACENT),
    MEMBER(tier, TEXT, "gold", ABOUT_WISH_TIER, NULLABLE),
    MEMBER(section, TEXT, null, ABOUT_WISH_SECTION, NULLABLE),
    MEMBER(pool, TEXT, null, ABOUT_WISH_POOL, NULLABLE),
    MEMBER(joined_at, TIME, "2030-06-01T10:00:20.000Z", "When it joined."),
    MEMBER(reservation_id, TEXT, null, "Offered: the hold that waits for its owner.", NULLABLE))
/* clang-format on */
