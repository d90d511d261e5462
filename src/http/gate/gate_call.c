/* SPDX-License-Identifier: Apache-2.0 */
#include "http/gate/gate_call.h"

#include "http/access/pass.h"
#include "http/api/call.h"
#include "http/gate/intent.h"
#include "http/server.h"
#include "http/wire/large_body.h"
#include "http/wire/problem.h"

/* The command of the request. NULL: not one for the copy. */
static struct command *read_command(struct request *r)
{
    struct fault fault;
    bool plain = r->route->gate && r->actor.role != ROLE_NONE && !r->query_sent.at && !large_body_is(r);
    if (!plain || !request_decode_parameters(r, &fault) || !request_check_headers(r, &fault))
        return NULL;
    if (r->min_seq > store_durable_seq(r->store))
        return NULL; /* the copy lacks what the client has seen */
    struct command *command = &call_make(r, 0)->command;
    if (!r->route->gate(r, command))
        return NULL;
    command->idempotent = request_idempotency(r, command->idempotency_key, command->idempotency_body);
    command->pass = pass_of(r);
    return command;
}

bool gate_refuse(struct request *r, const struct command *command, const struct gate_intents *intents)
{
    const struct outcome *outcome;
    if (store_gate(r->store, command, intents, &outcome) != GATE_REFUSES)
        return false;
    problem_reply_outcome(r, outcome, command);
    return true;
}

bool gate_call(struct request *r)
{
    const struct outcome *outcome;
    const struct command *command = read_command(r);
    enum gate_verdict verdict = command ? store_gate(r->store, command, NULL, &outcome) : GATE_NO_VERDICT;
    if (verdict == GATE_REFUSES) {
        r->server->metrics.gate_refused++;
        problem_reply_outcome(r, outcome, command);
    }
    return verdict == GATE_REFUSES ||
           (verdict == GATE_GRANTS && r->server->options->gate_asks && intent_ask(r, command));
}
