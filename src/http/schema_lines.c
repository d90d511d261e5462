/* SPDX-License-Identifier: Apache-2.0 */
/* schema_lines.c — of schema.h: waiting rooms, and those who stand in them or on a waiting list. */
#include "core/types.h"
#include "http/schema_table.h"

/* clang-format off */
static WORDS_OF_ENUM(queue_statuses, enum queue_status, QUEUE_WAITING, QUEUE_LEFT, queue_status_name)

/* ---- A waiting room ---- */

#define PACE \
    MEMBER(rate_per_second, INT), \
    MEMBER(max_active, INT), \
    MEMBER(pass_ttl_seconds, INT), \
    MEMBER(shuffle_before_open, BOOL), \
    MEMBER(by_inventory, BOOL), \
    TEXTS(tiers, NULLABLE)
#define PUBLIC \
    MEMBER(serving, INT), \
    MEMBER(waiting, INT), \
    MEMBER(admitted_per_second, NUMBER), \
    MEMBER(open_at, TIME, NULLABLE), \
    MEMBER(paused, BOOL), \
    MEMBER(opened_at, TIME, NULLABLE), \
    ONE(draw, draw, NULLABLE)

RECORD(waiting_room, "The settings of an event's waiting room.",
    MEMBER(open_at, TIME, NULLABLE), PACE)

ONE_OF(queue, "A waiting room as the caller may see it.",
    &schema_queue_public, &schema_queue_admin)

RECORD(queue_public, "How far a waiting room is.",
    PUBLIC)

RECORD(queue_admin, "A waiting room as its admin sees it.",
    PUBLIC,
    PACE,
    MEMBER(active, INT),
    MEMBER(passed_over, INT),
    MEMBER(finished, INT),
    MEMBER(left, INT),
    MEMBER(joined, INT))

RECORD(draw, "What anybody can check a draw by; the seed and the number of entries are told at the opening.",
    MEMBER(commitment, TEXT),
    MEMBER(seed, TEXT, NULLABLE),
    MEMBER(entries, INT, NULLABLE))

/* ---- Entries ---- */

RECORD(queue_entry, "Somebody in a waiting room.",
    MEMBER(entry_id, TEXT),
    MEMBER(event, TEXT),
    MEMBER(user_id, TEXT),
    MEMBER(number, INT),
    MEMBER(position, INT, NULLABLE),
    MEMBER(ahead, INT, NULLABLE),
    WORD(status, queue_statuses),
    MEMBER(eta_seconds, INT, NULLABLE),
    MEMBER(poll_after_seconds, INT, NULLABLE),
    MEMBER(joined_at, TIME),
    MEMBER(returns_until, TIME, .may_be = SCHEMA_NULLABLE | SCHEMA_OPTIONAL),
    MEMBER(pass, TEXT, OPTIONAL),
    MEMBER(pass_expires_at, TIME, OPTIONAL),
    TEXTS(tiers, OPTIONAL))

RECORD(entry_stream, "Whatever happens to somebody in a waiting room.",
    ONE(entry, queue_entry))

RECORD(list_entry, "Somebody on a waiting list, and the wish.",
    MEMBER(entry_id, TEXT),
    MEMBER(event, TEXT),
    MEMBER(user_id, TEXT),
    MEMBER(position, INT, NULLABLE),
    WORD(status, words_list_status),
    MEMBER(quantity, INT),
    MEMBER(adjacent, BOOL),
    MEMBER(tier, TEXT, NULLABLE),
    MEMBER(section, TEXT, NULLABLE),
    MEMBER(pool, TEXT, NULLABLE),
    MEMBER(joined_at, TIME),
    MEMBER(reservation_id, TEXT, NULLABLE))
    /* clang-format on */
