/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting rooms: joining, reading, leaving, and control by the admin. Streams of an entry are in
 * live/entry_stream.c. */
#include "base/crypto/random.h"
#include "http/catalogue/code_call.h"
#include "http/forward/presence.h"
#include "http/queue/entry_call.h"
#include "http/queue/queue_body.h"
#include "http/api/text_check.h"
#include "http/live/queue_snapshot.h"
#include "http/record/encode.h"
#include "http/server.h"
#include "http/wire/reply.h"

/* ---- One entry ---- */

struct join_body {
    struct json_text_value user_id, code;
    struct json_list_value tiers;
};

const struct json_field api_queue_join_fields[] = {
    FIELD_USER_ID(struct join_body, user_id, "The user who joins. Required with an app or admin key."),
    QUEUE_BODY_TIERS(
        struct join_body, tiers,
        "The tiers that the pass is valid for, instead of the room's. Only for app and admin keys."),
    FIELD_CODE(struct join_body, code, JSON_OPTIONAL, ABOUT_CODE_GIVEN),
    JSON_END,
};

HANDLER(api_queue_join)
{
    struct join_body body;
    if (!request_decode(r, &body, sizeof(body)))
        return;
    struct call *call = entry_call_join(r, COMMAND_QUEUE_JOIN, body.user_id);
    struct command *command = &call->command;
    command->queue.code = text_given(body.code);
    if (queue_body_tiers(r, &body.tiers, "/tiers", &command->queue.tiers, &command->queue.tier_count) &&
        code_call_may_try(r, command))
        call_submit(call, entry_call_joined);
}

static void entry_looked(struct call *call, const struct outcome *outcome)
{
    struct request *r = call->request;
    if (r->actor.role != ROLE_ADMIN)
        presence_note_poll(r->server, outcome->entry.event, outcome->entry.number);
    entry_call_shown(call, outcome);
}

HANDLER(api_queue_entry_get)
{
    entry_call_entry(r, COMMAND_QUEUE_LOOK, entry_looked);
}

HANDLER(api_queue_entry_leave)
{
    entry_call_entry(r, COMMAND_QUEUE_LEAVE, entry_call_shown);
}

/* ---- The queue ---- */

static void show_queue(struct request *r, const struct queue_view *queue)
{
    reply_header(r, "Cache-Control", "no-store");
    encode_queue(reply_json(r, 200), queue, true);
    reply_wait(r, queue->seq);
    reply_finish(r);
}

HANDLER(api_queue_get)
{
    struct queue_view queue;
    if (r->actor.role != ROLE_ADMIN)
        queue_snapshot_reply(r);
    else if (queue_snapshot_look(r, &queue))
        show_queue(r, &queue);
}

struct patch_body {
    struct json_int_value rate_per_second, max_active, open_at;
    struct json_bool_value paused;
};

const struct json_field api_queue_patch_fields[] = {
    JSON_INT(struct patch_body, rate_per_second, 1, ADMISSION_RATE_MAX, JSON_OPTIONAL,
             .about = ABOUT_QUEUE_RATE),
    JSON_INT(struct patch_body, max_active, 0, INT32_MAX, JSON_OPTIONAL, .about = ABOUT_QUEUE_MAX_ACTIVE),
    JSON_BOOL(struct patch_body, paused, JSON_OPTIONAL, .about = "While true, nobody is admitted."),
    JSON_TIME(struct patch_body, open_at, JSON_NULLABLE, .about = ABOUT_QUEUE_OPEN_AT),
    JSON_END,
};

static void queue_patched(struct call *call, const struct outcome *outcome)
{
    queue_snapshots_forget(call->request->server, call->command.queue_patch.event);
    show_queue(call->request, &outcome->queue);
}

HANDLER(api_queue_patch)
{
    struct patch_body body;
    if (!request_decode(r, &body, sizeof(body)))
        return;
    struct call *call = call_make(r, COMMAND_QUEUE_PATCH);
    struct command *command = &call->command;
    command->queue_patch.event = r->parameters[0];
    random_bytes(command->queue_patch.seed, sizeof(command->queue_patch.seed));
    command->queue_patch.has_rate = body.rate_per_second.given;
    command->queue_patch.rate_per_second = (uint32_t)body.rate_per_second.value;
    command->queue_patch.has_max_active = body.max_active.given;
    command->queue_patch.max_active = (uint32_t)body.max_active.value;
    command->queue_patch.has_paused = body.paused.given;
    command->queue_patch.paused = body.paused.value;
    command->queue_patch.has_open_at = body.open_at.given;
    command->queue_patch.open_at_ms = body.open_at.value;
    call_submit(call, queue_patched);
}
