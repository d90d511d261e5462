/* SPDX-License-Identifier: Apache-2.0 */
/* record_problem.c — part of encode.h: refusals. */
#include "base/assertion.h"
#include "http/describe/refusals.h"
#include "http/record/encode.h"
#include "http/record/record.h"
#include "http/wire/reply.h"

#define TEXT_SIZE 96

/* The rules for bookings, then those for cancelling. */
static const char *rule_word(unsigned index)
{
    const unsigned bookings = BOOKING_RULE_LAST - BOOKING_RULE_FIRST + 1;
    return index < bookings ? booking_rule_word(index) : cancel_rule_word(index - bookings);
}

/* clang-format off */
#define ALWAYS(F) \
    F(STRING, type, "urn:holdfast:problem:in_use", "A URN that ends with the code.", type) \
    F(STRING, title, "In use", "The code as a short title.", title) \
    F(INT, status, 409, "The HTTP status.", problem->status) \
    F(STRING, detail, "There are live claims on it.", "A sentence for people to read.", problem->detail) \
    F(WORD, code, "in_use", "The stable code of the refusal; match on it, not on the text.", \
      refusals_code, problem->code)
#define SOMETIMES(F) \
    F(MAYBE_STRING, pointer, , "The invalid field, as a JSON pointer; `?name` is a query parameter.", \
      problem->pointer) \
    F(MAYBE_UINT, line, , "The invalid line of the CSV; the header is line 1.", problem->line, problem->line) \
    F(MAYBE_LIST, items, , "The items that are not available.", obstacle, \
      is_taken(code) || problem->taken, write_items(w, problem)) \
    F(MAYBE_TEXTS, seats, , "The single seats that would be left.", singles, singles ? problem->outcome->single_count : 0) \
    F(MAYBE_UINT, limit, , "How many one user may have.", limited, problem->outcome->limit) \
    F(MAYBE_UINT, have, , "How many this user already has.", limited, problem->outcome->have) \
    F(MAYBE_UINT, item, , "The index of the item in the request, from 0.", \
      closed || ruled, problem->outcome->closed_item) \
    F(MAYBE_WORD, rule, , "The booking rule for user tokens that was not met, or the rule that prevents cancelling.", \
      rule_word, ruled || kept, \
      kept ? cancel_rule_name(problem->outcome->cancel_rule) : booking_rule_name(problem->outcome->rule)) \
    F(MAYBE_TIME_OR_NULL, until, , "Until when it could be cancelled; null: never.", \
      kept, problem->outcome->cancel_until_ms) \
    F(MAYBE_TEXT, calendar, , "The calendar that is closed at that time, or whose limit is reached.", \
      closed ? closed->id : limited ? problem->outcome->limited_calendar : (struct text){0}) \
    F(MAYBE_STRING, refund_due, , "The refund due for the payment that came with a refused commit.", refund_due) \
    F(MAYBE_STRING, reservation_id, , "The reservation that the payment belongs to.", owner) \
    F(MAYBE_INSTANT, at, , "When the ticket was used, or its check-in undone.", used, used->at_ms) \
    F(MAYBE_TEXT, gate, , "The gate where that happened, if known.", used ? used->gate : (struct text){0}) \
    F(MAYBE_TEXT, timezone, , "The time zone of the opening hours.", \
      closed ? closed->timezone : (struct text){0}) \
    F(MAYBE_LIST, hours, , "The opening hours.", opening_hours, closed, encode_hours(w, closed)) \
    F(MAYBE_LIST, closed, , "The closed intervals that overlap; empty: outside opening hours.", closed_interval, \
      closed, encode_closed(w, closed, problem->outcome->asked.start_ms, problem->outcome->asked.end_ms))
#define PROBLEM(F) ALWAYS(F) SOMETIMES(F)
RECORD(problem,
    "A refusal (RFC 9457). `invalid` has a pointer or, in CSV, a line; `taken`, `sold_out` and "
    "`no_adjacent_seats` have items; `limit_exceeded` has limit and have, and calendar if it is a calendar's limit; "
    "`closed` has item, calendar, timezone, hours and closed; `not_bookable` has item and rule; "
    "`not_cancellable` has rule and until; `already_checked_in` and `undone` have at, and gate if known; "
    "`leaves_single` has seats; a refused commit has refund_due if a payment of an app or admin key is owed; "
    "`payment_used` has reservation_id.",
    PROBLEM)
/* clang-format on */

/* "no_such_event" is "No such event". */
static void write_title(const char *code, char out[TEXT_SIZE])
{
    size_t size = strlen(code);
    ASSERT(size > 0 && size < TEXT_SIZE);
    for (size_t i = 0; i <= size; i++)
        out[i] = code[i] == '_' ? ' ' : code[i];
    if (out[0] >= 'a' && out[0] <= 'z')
        out[0] = (char)(out[0] - 'a' + 'A');
}

void encode_problem_begin(struct json_writer *w, const struct problem *problem)
{
    char type[TEXT_SIZE], title[TEXT_SIZE];
    int size = snprintf(type, sizeof(type), "urn:holdfast:problem:%s", problem->code);
    ASSERT(size > 0 && (size_t)size < sizeof(type));
    write_title(problem->code, title);
    json_object_begin(w);
    ALWAYS(WRITE)
}

static bool is_taken(enum outcome_code code)
{
    return code == OUTCOME_TAKEN || code == OUTCOME_SOLD_OUT || code == OUTCOME_NO_ADJACENT_SEATS;
}

static void write_items(struct json_writer *w, const struct problem *problem)
{
    if (problem->taken)
        encode_seats_taken(w, problem->taken);
    else
        encode_obstacles(w, problem->outcome, problem->command);
}

void encode_problem(struct json_writer *w, const struct problem *problem)
{
    enum outcome_code code = problem->outcome ? problem->outcome->code : OUTCOME_OK;
    bool limited = code == OUTCOME_LIMIT_EXCEEDED, ruled = code == OUTCOME_NOT_BOOKABLE;
    bool kept = code == OUTCOME_NOT_CANCELLABLE;
    const struct check_in_image *used =
        code == OUTCOME_ALREADY_CHECKED_IN || code == OUTCOME_UNDONE ? &problem->outcome->check_in : NULL;
    const struct text *singles = code == OUTCOME_LEAVES_SINGLE ? problem->outcome->singles : NULL;
    const struct calendar_image *closed = code == OUTCOME_CLOSED ? &problem->outcome->calendar : NULL;
    char due[ENCODE_REFUND_SIZE];
    const char *refund_due = problem->outcome && problem->outcome->refund_due ? due : NULL;
    if (refund_due)
        encode_refund_id(problem->outcome->refund_due, due);
    char owner_id[ENCODE_ID_SIZE + 1] = "", *owner = NULL;
    if (code == OUTCOME_PAYMENT_USED && !id_none(problem->outcome->payment_owner)) {
        encode_id(ENCODE_RESERVATION, problem->outcome->payment_owner, owner_id);
        owner = owner_id;
    }
    encode_problem_begin(w, problem);
    SOMETIMES(WRITE)
    json_object_end(w);
}
