/* SPDX-License-Identifier: Apache-2.0 */
/* schema_problem.c — of schema.h: refusals, and what was in the way. */
#include "http/refusals.h"
#include "http/schema_table.h"

static WORDS_OF_ENUM(seat_statuses, enum seat_status, SEAT_HELD, SEAT_BLOCKED, seat_status_name)

    /* clang-format off */
RECORD(problem,
    "A refusal (RFC 9457). `invalid` has a pointer or, in CSV, a line; `taken`, `sold_out` and "
    "`no_adjacent_seats` have items; `limit_exceeded` has limit and have; `closed` has item, calendar, "
    "timezone, hours and closed.",
    MEMBER(type, TEXT),
    MEMBER(title, TEXT),
    MEMBER(status, INT),
    MEMBER(detail, TEXT),
    WORD(code, refusals_code),
    MEMBER(pointer, TEXT, OPTIONAL),
    MEMBER(line, INT, OPTIONAL),
    LIST(items, obstacle, OPTIONAL),
    MEMBER(limit, INT, OPTIONAL),
    MEMBER(have, INT, OPTIONAL),
    MEMBER(item, INT, OPTIONAL),
    MEMBER(calendar, TEXT, OPTIONAL),
    MEMBER(timezone, TEXT, OPTIONAL),
    LIST(hours, hours, OPTIONAL),
    LIST(closed, interval, OPTIONAL))

RECORD(obstacle,
    "An item that was in the way, as it was asked for: its place in the request, and its status or what is "
    "left. Of an import, the seat and its status.",
    MEMBER(item, INT, OPTIONAL),
    MEMBER(event, TEXT, OPTIONAL),
    MEMBER(seat, TEXT, OPTIONAL),
    MEMBER(pool, TEXT, OPTIONAL),
    MEMBER(quantity, INT, OPTIONAL),
    ONE(best, best, OPTIONAL),
    MEMBER(calendar, TEXT, OPTIONAL),
    MEMBER(start, TIME, OPTIONAL),
    MEMBER(end, TIME, OPTIONAL),
    MEMBER(service, TEXT, OPTIONAL),
    WORD(status, seat_statuses, OPTIONAL),
    MEMBER(available, INT, OPTIONAL))

RECORD(best, "The best seats that were asked for.",
    MEMBER(quantity, INT),
    MEMBER(section, TEXT, OPTIONAL),
    MEMBER(tier, TEXT, OPTIONAL),
    MEMBER(adjacent, BOOL))
    /* clang-format on */
