/* SPDX-License-Identifier: Apache-2.0 */
#include "http/claim/reservation_call.h"

#include "base/assertion.h"
#include "http/access/order_token.h"
#include "http/api/text_check.h"
#include "http/record/encode.h"
#include "http/server.h"
#include "http/wire/reply.h"

bool reservation_call_may_name(struct request *r, struct text user_id)
{
    if (actor_may_name(r->actor, user_id))
        return true;
    struct problem problem = problem_of(OUTCOME_NOT_OWNER);
    problem.detail = "A user token can only name its own user.";
    reply_problem(r, &problem);
    return false;
}

bool reservation_call_named(struct request *r, struct json_text_value named, struct text *out)
{
    struct text in_body = {named.text, named.size};
    struct text in_query;
    if (!call_read_user(r, &in_query))
        return false;
    *out = in_body.at ? in_body : in_query;
    if (in_body.at && in_query.at && !text_equal(in_body, in_query))
        return reply_invalid(r, "/user_id", "The body and the query name different users.");
    return reservation_call_may_name(r, *out);
}

struct call *reservation_call_make(struct request *r, enum command_kind kind, struct json_text_value named)
{
    struct call *call = call_make(r, kind);
    struct command *command = &call->command;
    if (!reservation_call_named(r, named, &command->user_id))
        return NULL;
    if (!encode_id_read(ENCODE_RESERVATION, r->parameters[0], &command->reservation)) {
        reply_outcome(r, OUTCOME_NO_SUCH_RESERVATION);
        return NULL;
    }
    return call;
}

struct call *reservation_call_read(struct request *r, enum command_kind kind, void *body, size_t size,
                                   struct json_text_value *named)
{
    return request_decode(r, body, size) ? reservation_call_make(r, kind, *named) : NULL;
}

struct owner_body {
    struct json_text_value user_id;
};
const struct json_field api_owner_fields[] = {
    FIELD_USER_ID(struct owner_body, user_id, ABOUT_OWNER),
    JSON_END,
};

struct call *reservation_call_owned(struct request *r, enum command_kind kind)
{
    struct owner_body body;
    return reservation_call_read(r, kind, &body, sizeof(body), &body.user_id);
}

void reservation_call_granted(struct call *call, const struct outcome *outcome)
{
    struct request *r = call->request;
    ASSERT(outcome->has_reservation);
    encode_reservation(reply_json(r, call_status(call, outcome)), r->actor.role, &outcome->reservation,
                       store_now(r->store));
    reply_finish(r);
}

void reservation_call_managed(struct call *call, const struct outcome *outcome)
{
    struct request *r = call->request;
    char token[ORDER_TOKEN_SIZE_MAX];
    int64_t now_ms = store_now(r->store);
    size_t size = 0;
    ASSERT(outcome->has_reservation &&
           r->actor.role != ROLE_ORDER); /* a token cannot be used to get another */
    if (outcome->reservation.status == RESERVATION_CONFIRMED)
        size = order_token_write(r->server->auth.credentials, outcome, now_ms, token);
    reply_header(r, "Cache-Control", "no-store");
    encode_managed_reservation(reply_json(r, call_status(call, outcome)), r->actor.role,
                               &outcome->reservation, now_ms, (struct text){size ? token : NULL, size});
    reply_finish(r);
}

void reservation_call_created(struct call *call, const struct outcome *outcome)
{
    char path[] = "/v1/reservations/res_01JX5M0Q6H8Z3V7T2R9K4C1W0E"; /* all have this size */
    ASSERT(outcome->has_reservation);
    encode_id(ENCODE_RESERVATION, outcome->reservation.id, path + sizeof(path) - 1 - ENCODE_ID_SIZE);
    reply_header_text(call->request, "Location", (struct text){path, sizeof(path) - 1});
    if (call->command.hold.commit)
        reservation_call_managed(call, outcome);
    else
        reservation_call_granted(call, outcome);
}
