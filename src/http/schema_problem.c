/* SPDX-License-Identifier: Apache-2.0 */
/* schema_problem.c — of schema.h: refusals, and what was in the way. */
#include <string.h>

#include "http/fault.h"
#include "http/schema_table.h"

WORDS_OF_ENUM(seat_statuses, enum seat_status, SEAT_HELD, SEAT_BLOCKED, seat_status_name)

/* The codes of core that leave the store, then those of the edge. */
static const char *const codes[] = {
#define X(name, code, status, text) [OUTCOME_##name] = (status) >= 400 && (status) != 500 ? (code) : NULL,
    OUTCOMES(X)
#undef X
#define X(name, code, status, text) [OUTCOME_COUNT + FAULT_##name] = (code),
        FAULTS(X)
#undef X
};

/* Core and the edge share some. */
static bool said_before(size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (codes[i] && strcmp(codes[i], codes[at]) == 0)
            return true;
    return false;
}

static const char *code_words(unsigned index)
{
    for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++)
        if (codes[i] && !said_before(i) && index-- == 0)
            return codes[i];
    return NULL;
}

/* clang-format off */
RECORD(problem,
    "A refusal (RFC 9457). `invalid` has a pointer or, in CSV, a line; `taken`, `sold_out` and "
    "`no_adjacent_seats` have items; `limit_exceeded` has limit and have; `closed` has item, calendar, "
    "timezone, hours and closed.",
    MEMBER(type, TEXT),
    MEMBER(title, TEXT),
    MEMBER(status, INT),
    MEMBER(detail, TEXT),
    WORD(code, code_words),
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
