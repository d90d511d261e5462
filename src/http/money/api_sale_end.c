/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a sale: refunded by staff, or cancelled by its owner. */
#include "http/claim/item_body.h"
#include "http/claim/reservation_call.h"
#include "http/api/text_check.h"
#include "http/record/encode.h"
#include "http/wire/reply.h"

struct refund_body {
    struct json_text_value reason, user_id;
    struct json_list_value items;
    struct json_bool_value paid_back;
};

const struct json_field api_refund_fields[] = {
    FIELD_TEXT(struct refund_body, reason, 1, REFUND_REASON_SIZE_MAX, JSON_NULLABLE, text_check_name,
               "The reason in words: shown with the refund due and in the history."),
    JSON_TEXTS(struct refund_body, items, 1, ITEMS_MAX, JSON_OPTIONAL, .check = text_check_id,
               .form = FIELD_ID_FORM, .about = "The ids of the items to refund. Defaults to all."),
    JSON_BOOL_OR(struct refund_body, paid_back, false,
                 .about = "It was already paid back: no refund is due."),
    FIELD_USER_ID(struct refund_body, user_id, ABOUT_OWNER),
    JSON_END,
};

/* False: a duplicate item, and 400 was replied. */
static bool read_items(struct request *r, const struct json_list_value *list, struct command *command)
{
    const struct json_text_value *given = list->entries;
    uint32_t *ids = arena_take(&r->arena, (list->count + 1) * sizeof(*ids));
    for (uint32_t i = 0; i < list->count; i++) {
        ids[i] = item_body_id(text_given(given[i]));
        for (uint32_t k = 0; k < i; k++)
            if (ids[i] && ids[k] == ids[i])
                return reply_invalid(r, "/items", "Duplicate item.");
    }
    command->refund.items = ids;
    command->refund.count = (uint32_t)list->count;
    return true;
}

HANDLER(api_reservation_refund)
{
    struct refund_body body;
    struct call *call = reservation_call_read(r, COMMAND_REFUND, &body, sizeof(body), &body.user_id);
    if (!call || !read_items(r, &body.items, &call->command))
        return;
    call->command.refund.reason = text_given(body.reason);
    call->command.refund.paid_back = body.paid_back.value;
    call_submit(call, reservation_call_granted);
}

HANDLER(api_reservation_cancel)
{
    if (r->actor.role == ROLE_APP || r->actor.role == ROLE_ADMIN) {
        reply_forbidden(r,
                        "Only the owner can cancel a sale. App and admin keys refund it: POST .../refund.");
        return;
    }
    struct call *call = reservation_call_owned(r, COMMAND_CANCEL);
    if (call)
        call_submit(call, reservation_call_granted);
}
