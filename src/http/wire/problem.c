/* SPDX-License-Identifier: Apache-2.0 */
#include "http/wire/problem.h"

#include "base/assertion.h"
#include "http/record/encode.h"
#include "http/record/hours_text.h"
#include "http/record/member.h"
#include "http/wire/reply.h"

struct refusal {
    const struct outcome *outcome;
    const struct command *command;
};

static void write_limit(struct json_writer *w, const void *ctx)
{
    const struct refusal *refusal = ctx;
    json_key(w, "limit");
    json_uint(w, refusal->outcome->limit);
    json_key(w, "have");
    json_uint(w, refusal->outcome->have);
}

static void write_items(struct json_writer *w, const void *ctx)
{
    const struct refusal *refusal = ctx;
    json_key(w, "items");
    encode_obstacles(w, refusal->outcome, refusal->command);
}

/* ---- Closed ---- */

#define MINUTE_MS 60000

static void write_closed(struct json_writer *w, const void *ctx)
{
    const struct refusal *refusal = ctx;
    const struct calendar_image *calendar = &refusal->outcome->calendar;
    const struct closed_interval *asked = &refusal->outcome->asked;
    member_uint(w, "item", refusal->outcome->closed_item);
    member_text(w, "calendar", calendar->id);
    member_text(w, "timezone", calendar->timezone);
    json_key(w, "hours");
    encode_hours(w, calendar);
    json_key(w, "closed");
    encode_closed(w, calendar, asked->start_ms, asked->end_ms);
}

/* ---- Replies ---- */

void problem_reply_outcome(struct request *r, const struct outcome *outcome, const struct command *command)
{
    ASSERT(outcome->code != OUTCOME_OK && outcome->code != OUTCOME_FETCH);
    struct refusal refusal = {outcome, command};
    struct problem problem = {
        .status = outcome_http_status(outcome->code),
        .code = outcome_name(outcome->code),
        .detail = outcome->detail ? outcome->detail : outcome_sentence(outcome->code),
        .pointer = outcome->code == OUTCOME_INVALID ? outcome->pointer : NULL,
        .ctx = &refusal,
    };
    char sentence[HOURS_TEXT_SIZE];
    if (outcome->code == OUTCOME_LIMIT_EXCEEDED) {
        problem.more = write_limit;
    } else if (outcome->code == OUTCOME_CLOSED) {
        hours_text_closed(&outcome->calendar, outcome->zone, &outcome->asked, sentence);
        problem.detail = sentence;
        problem.more = write_closed;
    } else if (outcome->code == OUTCOME_TAKEN || outcome->code == OUTCOME_SOLD_OUT ||
               outcome->code == OUTCOME_NO_ADJACENT_SEATS) {
        problem.more = write_items;
    }
    reply_wait(r, outcome->seq);
    reply_problem(r, &problem);
}

static void write_line(struct json_writer *w, const void *ctx)
{
    const struct import_result *result = ctx;
    json_key(w, "line");
    json_uint(w, result->fault.line);
}

static void write_taken(struct json_writer *w, const void *ctx)
{
    const struct import_result *result = ctx;
    json_key(w, "items");
    encode_seats_taken(w, result);
}

void problem_reply_import(struct request *r, const struct import_result *result)
{
    ASSERT(result->code != OUTCOME_OK);
    const struct import_fault *fault = &result->fault;
    struct problem problem = {
        .status = outcome_http_status(result->code),
        .code = outcome_name(result->code),
        .detail = outcome_sentence(result->code),
        .ctx = result,
    };
    if (result->code == OUTCOME_INVALID) {
        problem.detail = fault->detail;
        problem.pointer = fault->line ? NULL : fault->pointer;
        problem.more = fault->line ? write_line : NULL;
        if (fault->kind == IMPORT_TOO_MANY) {
            problem.status = 413;
            problem.code = "too_large";
        }
    } else if (result->code == OUTCOME_TAKEN) {
        problem.detail = "Claimed seats cannot be blocked.";
        problem.more = write_taken;
    }
    reply_wait(r, result->seq);
    reply_problem(r, &problem);
}
