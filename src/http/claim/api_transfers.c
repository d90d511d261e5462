/* SPDX-License-Identifier: Apache-2.0 */
/* Ownership of a confirmed reservation: transfers, and access by manage tokens. */
#include "base/crypto/random.h"
#include "http/claim/reservation_call.h"
#include "http/api/text_check.h"
#include "http/record/encode.h"
#include "http/wire/reply.h"

struct transfer_body {
    struct json_text_value to_user_id, user_id;
    struct json_bool_value keep_attributes;
};

const struct json_field api_transfer_fields[] = {
    FIELD_TEXT(struct transfer_body, to_user_id, 1, USER_SIZE_MAX, JSON_REQUIRED, text_check_user_id,
               "The new owner."),
    FIELD_USER_ID(struct transfer_body, user_id, ABOUT_OWNER),
    JSON_BOOL_OR(
        struct transfer_body, keep_attributes, false,
        .about =
            "App and admin keys only: keep the attributes of the reservation and of its items, which are "
            "otherwise cleared."),
    JSON_END,
};

static void transferred(struct call *call, const struct outcome *outcome)
{
    struct request *r = call->request;
    struct json_writer *w = reply_json(r, call_status(call, outcome));
    /* Core decides who may see the whole reservation, which includes the tickets of the new owner. */
    if (outcome->brief)
        encode_transferred(w, &outcome->reservation);
    else
        encode_reservation(w, r->actor.role, &outcome->reservation, store_now(r->store));
    reply_finish(r);
}

HANDLER(api_reservation_transfer)
{
    struct transfer_body body;
    struct call *call = reservation_call_read(r, COMMAND_TRANSFER, &body, sizeof(body), &body.user_id);
    if (!call)
        return;
    struct command *command = &call->command;
    command->idempotent = request_idempotency(r, command->idempotency_key, command->idempotency_body);
    command->transfer.to = text_given(body.to_user_id);
    command->transfer.keep_attributes = body.keep_attributes.value;
    command->transfer.ticket_key[0] = random_u64();
    command->transfer.ticket_key[1] = random_u64();
    call_submit(call, transferred);
}

HANDLER(api_manage_tokens_revoke)
{
    struct call *call = reservation_call_owned(r, COMMAND_TOKENS_REVOKE);
    if (call)
        call_submit(call, call_reply_empty);
}
