/* SPDX-License-Identifier: Apache-2.0 */
#include "http/line_call.h"

#include "http/encode.h"
#include "http/reply.h"
#include "http/reservation_call.h"
#include "http/shape.h"

bool line_call_user(struct request *r, struct json_text_value named, struct text *out)
{
    *out = shape_text(named);
    if (!reservation_call_may_name(r, *out))
        return false;
    if (!out->at && r->actor.role == ROLE_USER)
        *out = r->actor.name;
    if (!out->at)
        reply_invalid(r, "/user_id", "A user_id is required with this key.");
    return out->at != NULL;
}

struct call *line_call_queue_entry(struct request *r, enum command_kind kind)
{
    struct call *call = call_make(r, kind);
    call->command.queue.event = r->parameters[0];
    if (!encode_queue_entry_id_read(r->parameters[1], &call->command.queue.entry))
        call->command.queue.entry = (struct id){0};
    return call;
}

int line_call_status(struct request *r, const struct outcome *outcome)
{
    reply_header(r, "Cache-Control", "no-store");
    if (!outcome->replayed)
        return outcome->created ? 201 : 200;
    reply_header(r, "Idempotent-Replayed", "true");
    return outcome->http_status;
}
