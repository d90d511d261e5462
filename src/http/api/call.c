/* SPDX-License-Identifier: Apache-2.0 */
#include "http/api/call.h"

#include "http/catalogue/code_call.h"
#include "http/api/text_check.h"
#include "http/wire/problem.h"
#include "http/wire/reply.h"

#define QUERY_USER_ID 0

struct call *call_make(struct request *r, enum command_kind kind)
{
    struct call *call = arena_zeroed(&r->arena, sizeof(*call));
    call->request = r;
    call->command.kind = kind;
    call->command.actor = r->actor;
    call->command.order = r->order;
    return call;
}

static void judged(void *ctx, const struct outcome *outcome)
{
    struct call *call = ctx;
    if (call->ended)
        call->ended(call, outcome);
    if (outcome->code != OUTCOME_OK) {
        code_call_judged(call->request, &call->command, outcome);
        problem_reply_outcome(call->request, outcome, &call->command);
        return;
    }
    reply_wait(call->request, outcome->seq);
    call->granted(call, outcome);
}

bool call_read_user(struct request *r, struct text *out)
{
    *out = r->query[QUERY_USER_ID];
    if (!out->at || text_check_user_id(out->at, out->size))
        return true;
    return request_refuse_query(r, QUERY_USER_ID, FIELD_USER_ID_FORM);
}

bool call_check_id(struct request *r, unsigned parameter, struct json_text_value id)
{
    if (!id.text || text_equal(text_given(id), r->parameters[parameter]))
        return true;
    return reply_invalid(r, "/id", "Invalid id: expected the one in the path.");
}

void call_submit(struct call *call, void (*granted)(struct call *call, const struct outcome *outcome))
{
    call->granted = granted;
    store_submit(call->request->store, &call->command, judged, call);
}

int call_status(struct call *call, const struct outcome *outcome)
{
    if (!outcome->replayed)
        return outcome->created ? 201 : 200;
    reply_header(call->request, "Idempotent-Replayed", "true");
    return outcome->http_status;
}

static void turn(void *ctx)
{
    (void)ctx; /* no work: only lets the loop turn once before `next` */
}

void call_after_turn(struct request *r, void (*next)(void *ctx), void *ctx)
{
    store_work(r->store, turn, next, ctx);
}

void call_reply_empty(struct call *call, const struct outcome *outcome)
{
    (void)outcome;
    reply_empty(call->request, 204);
}
