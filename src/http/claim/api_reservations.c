/* SPDX-License-Identifier: Apache-2.0 */
#include "base/crypto/random.h"
#include "http/money/money_body.h"
#include "http/claim/reservation_call.h"
#include "http/api/text_check.h"
#include "http/record/encode.h"
#include "http/wire/reply.h"

/* The bodies of calls on one reservation; each call has its own table. */
struct change_body {
    struct json_text_value user_id, attributes, payment_method, payment_ref;
    struct json_int_value ttl_seconds;
    struct money_body amount;
};

#define OWNER FIELD_USER_ID(struct change_body, user_id, ABOUT_OWNER)
#define ATTRIBUTES(need)                                                                                     \
    JSON_RAW(struct change_body, attributes, ATTRIBUTES_SIZE_MAX, need,                                      \
             .about = "The new attributes: an object of at most 4 KiB.")
#define PAYMENT_TEXT(member, about)                                                                          \
    FIELD_TEXT(struct change_body, member, 1, PAYMENT_TEXT_SIZE_MAX, JSON_NULLABLE, text_check_payment, about)

const struct json_field api_attributes_fields[] = {ATTRIBUTES(JSON_REQUIRED), OWNER, JSON_END};
/* Any TTL may be requested: the deadline is capped, not refused. */
const struct json_field api_extend_fields[] = {
    JSON_INT(struct change_body, ttl_seconds, 1, INT64_MAX, JSON_OPTIONAL,
             .about = "How long from now, in seconds. Defaults to the TTL of a hold."),
    OWNER,
    JSON_END,
};
const struct json_field api_payment_fields[] = {
    PAYMENT_TEXT(payment_ref, "The payment provider's reference. From an app or admin key it is recorded as "
                              "begun, not as paid."),
    OWNER,
    JSON_END,
};
const struct json_field api_commit_fields[] = {
    PAYMENT_TEXT(payment_method, "How it was paid. Only recorded."),
    PAYMENT_TEXT(payment_ref, "The payment provider's reference. Counts only from an app or admin key."),
    FIELD_MONEY(struct change_body, amount,
                "The amount paid, with payment_ref. Defaults to the missing amount, until the provider "
                "reports it."),
    ATTRIBUTES(JSON_OPTIONAL),
    OWNER,
    JSON_END,
};

static struct call *read_change(struct request *r, enum command_kind kind, struct change_body *body)
{
    return reservation_call_read(r, kind, body, sizeof(*body), &body->user_id);
}

enum { QUERY_MANAGE_TOKEN = 1 };

HANDLER(api_reservation_get)
{
    struct call *call = reservation_call_make(r, COMMAND_LOOK, (struct json_text_value){0});
    bool managed = r->query[QUERY_MANAGE_TOKEN].at != NULL;
    uint64_t one;
    if (!call || (managed && !request_query_number(r, QUERY_MANAGE_TOKEN, &one)))
        return;
    if (managed && r->actor.role == ROLE_ORDER)
        reply_forbidden(r, "A manage token cannot get another one.");
    else
        call_submit(call, managed ? reservation_call_managed : reservation_call_granted);
}

HANDLER(api_reservation_release)
{
    struct call *call = reservation_call_owned(r, COMMAND_RELEASE);
    if (call)
        call_submit(call, reservation_call_granted);
}

HANDLER(api_reservation_attributes)
{
    struct change_body body;
    struct call *call = read_change(r, COMMAND_ATTRIBUTES, &body);
    if (!call)
        return;
    call->command.attributes = text_given(body.attributes);
    call_submit(call, reservation_call_granted);
}

HANDLER(api_reservation_extend)
{
    struct change_body body;
    struct call *call = read_change(r, COMMAND_EXTEND, &body);
    if (!call)
        return;
    int64_t ttl_s = body.ttl_seconds.value;
    call->command.ttl_s = (uint32_t)(ttl_s < TTL_SECONDS_MAX ? ttl_s : TTL_SECONDS_MAX);
    call_submit(call, reservation_call_granted);
}

HANDLER(api_reservation_payment)
{
    struct change_body body;
    struct call *call = read_change(r, COMMAND_PAYMENT, &body);
    if (!call)
        return;
    call->command.commit.payment_ref = text_given(body.payment_ref);
    call_submit(call, reservation_call_granted);
}

HANDLER(api_reservation_commit)
{
    struct change_body body;
    struct call *call = read_change(r, COMMAND_COMMIT, &body);
    if (!call)
        return;
    struct command *command = &call->command;
    command->commit.ticket_key[0] = random_u64();
    command->commit.ticket_key[1] = random_u64();
    command->commit.payment_method = text_given(body.payment_method);
    command->commit.payment_ref = text_given(body.payment_ref);
    command->commit.amount = money_body_read(&body.amount);
    if (command->commit.amount.given && !command->commit.payment_ref.at) {
        reply_invalid(r, "/amount", "amount is only allowed with payment_ref.");
        return;
    }
    command->commit.attributes = text_given(body.attributes);
    call_submit(call, reservation_call_managed);
}
