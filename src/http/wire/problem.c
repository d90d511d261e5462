/* SPDX-License-Identifier: Apache-2.0 */
#include "http/wire/problem.h"

#include "base/assertion.h"
#include "http/record/hours_text.h"
#include "http/wire/reply.h"

void problem_reply_outcome(struct request *r, const struct outcome *outcome, const struct command *command)
{
    char sentence[HOURS_TEXT_SIZE];
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
    } else if (result->code == OUTCOME_TAKEN) {
        problem.detail = "Claimed seats cannot be blocked.";
        problem.taken = result;
    }
    reply_wait(r, result->seq);
    reply_problem(r, &problem);
}
