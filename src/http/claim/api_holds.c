/* SPDX-License-Identifier: Apache-2.0 */
/* api_holds.c — a new hold. */
#include "base/crypto/random.h"
#include "http/access/pass.h"
#include "http/catalogue/code_call.h"
#include "http/claim/hold_body.h"
#include "http/claim/reservation_call.h"
#include "http/wire/reply.h"

/* Refusals that concern the caller come before those that concern the request. */
static bool read_caller(struct request *r, const struct hold_body *body, struct command *command)
{
    command->hold.commit = body->commit.value;
    if (!reservation_call_named(r, body->user_id, &command->user_id))
        return false;
    enum outcome_code code = command_judge_caller(command);
    if (code == OUTCOME_FORBIDDEN)
        reply_forbidden(r, "commit needs an app key or the admin key.");
    else if (code != OUTCOME_OK)
        reply_outcome(r, code);
    return code == OUTCOME_OK;
}

GATE(api_reservation_gate)
{
    struct hold_body body;
    struct json_fault fault;
    command->kind = COMMAND_HOLD;
    if (!request_read(r, &body, sizeof(body), &fault))
        return false;
    command->hold.commit = body.commit.value;
    command->user_id = text_given(body.user_id);
    return command_judge_caller(command) == OUTCOME_OK &&
           hold_body_fill(&body, r->headers.if_match, &r->arena, command, &fault);
}

HANDLER(api_reservation_hold)
{
    struct hold_body body;
    struct json_fault fault;
    if (!request_read(r, &body, sizeof(body), &fault)) {
        reply_invalid(r, fault.pointer, fault.detail);
        return;
    }
    struct call *call = call_make(r, COMMAND_HOLD);
    struct command *command = &call->command;
    if (!read_caller(r, &body, command))
        return;
    if (!hold_body_fill(&body, r->headers.if_match, &r->arena, command, &fault)) {
        reply_invalid(r, fault.pointer, fault.detail);
        return;
    }
    command->reservation = id_make(store_now(r->store), random_u64(), random_u64());
    command->idempotent = request_idempotency(r, command->idempotency_key, command->idempotency_body);
    command->pass = pass_of(r);
    if (code_call_may_try(r, command))
        call_submit(call, reservation_call_created);
}
