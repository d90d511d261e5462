/* SPDX-License-Identifier: Apache-2.0 */
/* record_problem.c — of schema.h: refusals. They are written by reply_problem_body, and what goes with a code
 * by problem.c. */
#include "http/record/record.h"
#include "http/describe/refusals.h"

/* clang-format off */
#define PROBLEM(F) \
    F(TEXT, type, "urn:holdfast:problem:in_use", "A URN that ends in the code.") \
    F(TEXT, title, "In use", "The code in words.") \
    F(INT, status, 409, "The status of the answer.") \
    F(TEXT, detail, "There are live claims on it.", "A sentence for people.") \
    F(WORD, code, "in_use", "Why: the stable word to tell refusals apart by.", refusals_code) \
    F(MAYBE_TEXT, pointer, , "The field that is wrong, as a JSON pointer; `?name` is a query parameter.") \
    F(MAYBE_UINT, line, , "The line of the CSV that is wrong; the header is 1.") \
    F(MAYBE_LIST, items, , "What was in the way.", obstacle) \
    F(MAYBE_UINT, limit, , "How many one user may have.") \
    F(MAYBE_UINT, have, , "How many this one has already.") \
    F(MAYBE_UINT, item, , "Which item of the request, from 0 on.") \
    F(MAYBE_TEXT, calendar, , "The calendar that is closed then.") \
    F(MAYBE_TEXT, timezone, , "The time zone of its hours.") \
    F(MAYBE_LIST, hours, , "Its opening hours.", hours) \
    F(MAYBE_LIST, closed, , "The closed intervals in the way; none: the hours are the reason.", interval)
RECORD(problem,
    "A refusal (RFC 9457). `invalid` has a pointer or, in CSV, a line; `taken`, `sold_out` and "
    "`no_adjacent_seats` have items; `limit_exceeded` has limit and have; `closed` has item, calendar, "
    "timezone, hours and closed.", PROBLEM)
/* clang-format on */
