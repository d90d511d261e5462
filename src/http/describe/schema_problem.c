/* SPDX-License-Identifier: Apache-2.0 */
/* schema_problem.c — of schema.h: refusals, and what was in the way. */
#include "http/describe/about.h"
#include "http/describe/refusals.h"
#include "http/describe/schema_table.h"

/* clang-format off */
WORDS_OF_ENUM(seat_statuses, seat_status, SEAT_HELD, SEAT_SOLD, SEAT_BLOCKED)

RECORD(problem,
    "A refusal (RFC 9457). `invalid` has a pointer or, in CSV, a line; `taken`, `sold_out` and "
    "`no_adjacent_seats` have items; `limit_exceeded` has limit and have; `closed` has item, calendar, "
    "timezone, hours and closed.",
    MEMBER(type, TEXT, "urn:holdfast:problem:in_use", "A URN that ends in the code."),
    MEMBER(title, TEXT, "In use", "The code in words."),
    MEMBER(status, INT, 409, "The status of the answer."),
    MEMBER(detail, TEXT, "There are live claims on it.", "A sentence for people."),
    WORD(code, refusals_code, "in_use", "Why: the stable word to tell refusals apart by."),
    MAYBE(pointer, TEXT, "The field that is wrong, as a JSON pointer; `?name` is a query parameter."),
    MAYBE(line, INT, "The line of the CSV that is wrong; the header is 1."),
    MAYBE_LIST(items, obstacle, "What was in the way."),
    MAYBE(limit, INT, "How many one user may have."),
    MAYBE(have, INT, "How many this one has already."),
    MAYBE(item, INT, "Which item of the request, from 0 on."),
    MAYBE(calendar, TEXT, "The calendar that is closed then."),
    MAYBE(timezone, TEXT, "The time zone of its hours."),
    MAYBE_LIST(hours, hours, "Its opening hours."),
    MAYBE_LIST(closed, interval, "The closed intervals in the way; none: the hours are the reason."))

RECORD(obstacle,
    "An item that was in the way, as it was asked for: its place in the request, and its status or what is "
    "left. Of an import, the seat and its status.",
    MAYBE(item, INT, "Which item of the request, from 0 on."),
    MAYBE(event, TEXT, "The event."),
    MAYBE(seat, TEXT, "The seat."),
    MAYBE(pool, TEXT, "The pool."),
    MAYBE(quantity, INT, "How many units were asked for."),
    MAYBE_ONE(best, best, "The best seats that were asked for."),
    MAYBE(calendar, TEXT, "The calendar."),
    MAYBE(start, TIME, "When it was to begin."),
    MAYBE(end, TIME, "When it was to end."),
    MAYBE(service, TEXT, "The service."),
    MAYBE_WORD(status, seat_statuses, "How the seat or the time stands."),
    MAYBE(available, INT, "How many are left."))

RECORD(best, "The best seats that were asked for.",
    MEMBER(quantity, INT, 2, "How many seats."),
    MAYBE(section, TEXT, "Only seats of this section."),
    MAYBE(tier, TEXT, "Only seats of this tier."),
    MEMBER(adjacent, BOOL, true, "Side by side or not at all."))
/* clang-format on */
