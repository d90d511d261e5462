/* SPDX-License-Identifier: Apache-2.0 */
#include "http/wire/problem.h"

#include <stdio.h>
#include <string.h>

#include "base/assertion.h"
#include "http/record/hours_text.h"
#include "http/wire/reply.h"

/* Names the item that does not exist. False: the code's own sentence is enough. */
static bool name_missing(const struct outcome *outcome, const struct command *command,
                         char out[HOURS_TEXT_SIZE])
{
    if (!command || (command->kind != COMMAND_HOLD && command->kind != COMMAND_ITEMS_ADD) ||
        outcome->refused_item >= command->hold.count)
        return false;
    const struct item_request *item = &command->hold.items[outcome->refused_item];
    enum outcome_code code = outcome->code;
    bool seat = code == OUTCOME_NO_SUCH_SEAT, event = code == OUTCOME_NO_SUCH_EVENT;
    if (seat || code == OUTCOME_NO_SUCH_POOL)
        snprintf(out, HOURS_TEXT_SIZE, "No %s \"%.*s\" in event \"%.*s\".", seat ? "seat" : "pool",
                 (int)item->part.size, item->part.at, (int)item->resource.size, item->resource.at);
    else if (event || code == OUTCOME_NO_SUCH_CALENDAR || code == OUTCOME_NO_SUCH_GROUP)
        snprintf(out, HOURS_TEXT_SIZE, "No %s \"%.*s\".",
                 event                           ? "event"
                 : code == OUTCOME_NO_SUCH_GROUP ? "group"
                                                 : "calendar",
                 (int)item->resource.size, item->resource.at);
    else
        return false;
    return true;
}

#define POINTER_SIZE 24

/* The same for commands that name seats by id. */
static bool name_missing_seat(const struct outcome *outcome, const struct command *command,
                              char out[HOURS_TEXT_SIZE], char pointer[POINTER_SIZE])
{
    if (!command || command->kind != COMMAND_SEATS_BLOCK || outcome->code != OUTCOME_NO_SUCH_SEAT)
        return false;
    ASSERT(outcome->refused_item < command->seats_block.count);
    struct text id = command->seats_block.ids[outcome->refused_item], event = command->seats_block.event;
    snprintf(out, HOURS_TEXT_SIZE, "No seat \"%.*s\" in event \"%.*s\".", (int)id.size, id.at,
             (int)event.size, event.at);
    snprintf(pointer, POINTER_SIZE, "/ids/%u", outcome->refused_item);
    return true;
}

void problem_reply_outcome(struct request *r, const struct outcome *outcome, const struct command *command)
{
    char sentence[HOURS_TEXT_SIZE], pointer[POINTER_SIZE];
    struct problem problem = problem_of(outcome->code);
    problem.outcome = outcome;
    problem.command = command;
    if (outcome->detail)
        problem.detail = outcome->detail;
    if (outcome->code == OUTCOME_INVALID)
        problem.pointer = outcome->pointer;
    if (outcome->code == OUTCOME_CLOSED) {
        hours_text_closed(&outcome->calendar, outcome->zone, &outcome->asked, sentence);
        problem.detail = sentence;
    }
    if (outcome->code == OUTCOME_INVALID && outcome->ttl_most_s &&
        strcmp(outcome->pointer, "/ttl_seconds") == 0) {
        snprintf(sentence, sizeof(sentence), "Invalid ttl_seconds: a hold may last at most %u seconds here.",
                 outcome->ttl_most_s);
        problem.detail = sentence;
    }
    if (name_missing(outcome, command, sentence))
        problem.detail = sentence;
    if (name_missing_seat(outcome, command, sentence, pointer)) {
        problem.detail = sentence;
        problem.pointer = pointer;
    }
    reply_wait(r, outcome->seq);
    reply_problem(r, &problem);
}

void problem_reply_import(struct request *r, const struct import_result *result)
{
    const struct import_fault *fault = &result->fault;
    struct problem problem = problem_of(result->code);
    if (result->code == OUTCOME_INVALID) {
        problem.detail = fault->detail;
        problem.line = fault->line;
        problem.pointer = fault->line ? NULL : fault->pointer;
        if (fault->kind == IMPORT_TOO_MANY) {
            problem.status = 413;
            problem.code = "too_large";
        }
    } else if (result->code == OUTCOME_NO_SUCH_SEAT) {
        problem.detail = fault->detail;
        problem.pointer = fault->pointer;
    } else if (result->code == OUTCOME_TAKEN) {
        problem.detail = "Claimed seats cannot be blocked, moved to another allotment or removed.";
        problem.taken = result;
    }
    reply_wait(r, result->seq);
    reply_problem(r, &problem);
}
