/* SPDX-License-Identifier: Apache-2.0 */
#include "http/queue/entry_call.h"

#include "http/api/text_check.h"
#include "http/record/encode.h"
#include "http/queue/entry_view.h"
#include "http/wire/reply.h"

static bool is_list(const struct command *command)
{
    return command->kind == COMMAND_LIST_JOIN || command->kind == COMMAND_LIST_LOOK ||
           command->kind == COMMAND_LIST_LEAVE;
}

static void name_event(struct command *command, struct text event)
{
    if (is_list(command))
        command->list.event = event;
    else
        command->queue.event = event;
}

struct call *entry_call_join(struct request *r, enum command_kind kind, struct json_text_value named)
{
    struct call *call = call_make(r, kind);
    struct command *command = &call->command;
    name_event(command, r->parameters[0]);
    command->user_id = text_given(named);
    command->idempotent = request_idempotency(r, command->idempotency_key, command->idempotency_body);
    return call;
}

void entry_call_entry(struct request *r, enum command_kind kind,
                      void (*granted)(struct call *call, const struct outcome *outcome))
{
    struct text named;
    if (!call_read_user(r, &named))
        return;
    struct call *call = call_make(r, kind);
    struct command *command = &call->command;
    struct id entry = {0};
    if (!encode_id_read(is_list(command) ? ENCODE_LIST_ENTRY : ENCODE_QUEUE_ENTRY, r->parameters[1], &entry))
        entry = (struct id){0};
    name_event(command, r->parameters[0]);
    if (is_list(command))
        command->list.entry = entry;
    else
        command->queue.entry = entry;
    command->user_id = named;
    call_submit(call, granted);
}

void entry_call_shown(struct call *call, const struct outcome *outcome)
{
    struct request *r = call->request;
    reply_header(r, "Cache-Control", "no-store");
    struct json_writer *w = reply_json(r, call_status(call, outcome));
    if (is_list(&call->command))
        encode_list_entry(w, &outcome->list_entry);
    else
        entry_view_write(r->server, w, &outcome->entry);
    reply_finish(r);
}

void entry_call_joined(struct call *call, const struct outcome *outcome)
{
    struct request *r = call->request;
    bool list = is_list(&call->command);
    struct text event = r->parameters[0];
    char id[ENCODE_ID_SIZE];
    if (list)
        encode_id(ENCODE_LIST_ENTRY, outcome->list_entry.id, id);
    else
        encode_id(ENCODE_QUEUE_ENTRY, outcome->entry.id, id);
    reply_header(r, "Location", "/v1/events/%.*s/%s/%.*s", (int)event.size, event.at,
                 list ? "waiting-list" : "queue", (int)sizeof(id), id);
    entry_call_shown(call, outcome);
}
