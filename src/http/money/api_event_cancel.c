/* SPDX-License-Identifier: Apache-2.0 */
/* Cancels an event, and shows the progress of its refunds. */
#include "http/api/call.h"
#include "http/api/text_check.h"
#include "http/describe/about.h"
#include "http/live/queue_snapshot.h"
#include "http/record/record.h"
#include "http/wire/reply.h"

/* clang-format off */
#define EVENT_CANCEL(F) \
    F(WORD, state, "running", "`none`: not cancelled. `running`: holds and sales are being ended. `done`: none " \
      "are left.", cancel_state_word, cancel_state_name(outcome->cancel_state)) \
    F(UINT, refunded, 1204, "Sales refunded so far, in full or for their items of this event.", outcome->cancel_refunded) \
    F(UINT, left, 796, "Sales known to be left.", outcome->cancel_left)
RECORD(event_cancel, "The progress of an event's cancellation.", EVENT_CANCEL)
/* clang-format on */

struct cancel_body {
    struct json_text_value reason;
};

const struct json_field api_event_cancel_fields[] = {
    FIELD_TEXT(struct cancel_body, reason, 1, REFUND_REASON_SIZE_MAX, JSON_NULLABLE, text_check_name,
               "The reason in words: shown with each refund due and in the histories."),
    JSON_END,
};

static void show(struct call *call, int status, const struct outcome *outcome)
{
    struct json_writer *w = reply_json(call->request, status);
    WRITE_RECORD(EVENT_CANCEL);
    reply_finish(call->request);
}

static void cancelled(struct call *call, const struct outcome *outcome)
{
    queue_snapshots_forget(call->request->server, call->command.event_cancel.event);
    show(call, 202, outcome);
}

static void looked(struct call *call, const struct outcome *outcome)
{
    show(call, 200, outcome);
}

HANDLER(api_event_cancel)
{
    struct cancel_body body;
    if (!request_decode(r, &body, sizeof(body)))
        return;
    struct call *call = call_make(r, COMMAND_EVENT_CANCEL);
    call->command.event_cancel.event = r->parameters[0];
    call->command.event_cancel.reason = text_given(body.reason);
    call_submit(call, cancelled);
}

HANDLER(api_event_cancel_get)
{
    struct call *call = call_make(r, COMMAND_EVENT_CANCEL_LOOK);
    call->command.event_cancel.event = r->parameters[0];
    call_submit(call, looked);
}
