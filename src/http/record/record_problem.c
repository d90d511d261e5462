/* SPDX-License-Identifier: Apache-2.0 */
/* record_problem.c — of schema.h: refusals. They are written by reply_problem_body, and what goes with a code
 * by problem.c. */
#include "http/record/record.h"
#include "http/describe/refusals.h"

/* clang-format off */
#define PROBLEM(F) \
    F(TEXT, type, "urn:holdfast:problem:in_use", "A URN that ends with the code.") \
    F(TEXT, title, "In use", "The code as a short title.") \
    F(INT, status, 409, "The HTTP status.") \
    F(TEXT, detail, "There are live claims on it.", "A sentence for people to read.") \
    F(WORD, code, "in_use", "The stable code of the refusal; use it to tell refusals apart.", refusals_code) \
    F(MAYBE_TEXT, pointer, , "The invalid field, as a JSON pointer; `?name` is a query parameter.") \
    F(MAYBE_UINT, line, , "The invalid line of the CSV; the header is line 1.") \
    F(MAYBE_LIST, items, , "The items that are not available.", obstacle) \
    F(MAYBE_UINT, limit, , "How many one user may have.") \
    F(MAYBE_UINT, have, , "How many this user already has.") \
    F(MAYBE_UINT, item, , "The index of the item in the request, from 0.") \
    F(MAYBE_TEXT, calendar, , "The calendar that is closed at that time.") \
    F(MAYBE_TEXT, timezone, , "The time zone of the opening hours.") \
    F(MAYBE_LIST, hours, , "The opening hours.", hours) \
    F(MAYBE_LIST, closed, , "The closed intervals that overlap; empty: outside opening hours.", interval)
RECORD(problem,
    "A refusal (RFC 9457). `invalid` has a pointer or, in CSV, a line; `taken`, `sold_out` and "
    "`no_adjacent_seats` have items; `limit_exceeded` has limit and have; `closed` has item, calendar, "
    "timezone, hours and closed.", PROBLEM)
/* clang-format on */
