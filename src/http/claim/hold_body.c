/* SPDX-License-Identifier: Apache-2.0 */
#include "http/claim/hold_body.h"

#include <stdio.h>

#include "base/text/digits.h"
#include "base/crypto/random.h"

#define RESOURCE_ID_SIZE_MAX (2 * ID_SIZE_MAX + 1) /* "event/seat" */
#define PAYMENT_TEXT(member, about)                                                                          \
    FIELD_TEXT(struct hold_body, member, 1, PAYMENT_TEXT_SIZE_MAX, JSON_NULLABLE, text_check_payment, about)

const struct json_field hold_body_fields[] = {
    FIELD_USER_ID(struct hold_body, user_id, "The owner of the hold. Required with an app or admin key."),
    JSON_TEXT(struct hold_body, resource_id, 1, RESOURCE_ID_SIZE_MAX, JSON_OPTIONAL,
              .about = "`event/seat`, or just a seat of the event `default`."),
    JSON_LIST(struct hold_body, items, struct item_body, item_body_fields, 1, ITEMS_MAX, JSON_OPTIONAL,
              .about = "The items to hold: all or nothing.", .forms = item_body_forms),
    JSON_INT(struct hold_body, ttl_seconds, 1, TTL_SECONDS_MAX, JSON_OPTIONAL,
             .about = "How long to hold them, in seconds, up to the maximum of the event or calendar."),
    JSON_RAW(struct hold_body, attributes, ATTRIBUTES_SIZE_MAX, JSON_OPTIONAL,
             .about = "Your own data: an object of at most 4 KiB."),
    FIELD_CODE(struct hold_body, code, JSON_OPTIONAL, ABOUT_CODE_GIVEN),
    JSON_BOOL_OR(struct hold_body, commit, false,
                 .about = "Confirm in the same call. Only for app and admin keys."),
    PAYMENT_TEXT(payment_method, "With commit: how it was paid."),
    PAYMENT_TEXT(payment_ref, "With commit: the payment provider's reference."),
    FIELD_MONEY(struct hold_body, amount, "With payment_ref: the amount paid. Defaults to the total."),
    JSON_END,
};

#define EITHER "user_id ttl_seconds attributes code commit payment_method payment_ref amount"
/* clang-format off */
const struct json_form hold_body_forms[] = {
    {"hold_items", "Several items of any kind.", "items", EITHER,
     JSON_EXAMPLE({"user_id": "ann", "items": [{"event": "arena", "seat": "A15"},
        {"event": "arena", "pool": "floor", "quantity": 2}]})},
    {"hold_resource", "One seat, by resource_id.", "resource_id", EITHER,
     JSON_EXAMPLE({"user_id": "ann", "resource_id": "arena/A15", "ttl_seconds": 300})},
    {0},
};
/* clang-format on */

static bool set_fault(struct json_fault *fault, const char *pointer, const char *detail)
{
    snprintf(fault->pointer, sizeof(fault->pointer), "%s", pointer);
    snprintf(fault->detail, sizeof(fault->detail), "%s", detail);
    return false;
}

static bool body_is_complete(const struct hold_body *body, struct text if_match, struct json_fault *fault)
{
    if (body->resource_id.text && body->items.given)
        return set_fault(fault, "/items", "Send either items or resource_id, not both.");
    if (!body->resource_id.text && !body->items.given)
        return set_fault(fault, "/items", "Missing items: send items or resource_id.");
    if (if_match.at && !body->resource_id.text)
        return set_fault(fault, "", "If-Match is only allowed with resource_id.");
    if (body->payment_method.text && !body->commit.value)
        return set_fault(fault, "/payment_method", "payment_method is only allowed with commit.");
    if (body->payment_ref.text && !body->commit.value)
        return set_fault(fault, "/payment_ref", "payment_ref is only allowed with commit.");
    if (body->amount.object.given && !body->amount.object.is_null && !body->payment_ref.text)
        return set_fault(fault, "/amount", "amount is only allowed with payment_ref.");
    return true;
}

/* A strong ETag of a seat: its version in quotes. */
static bool read_version(struct text etag, uint64_t *version)
{
    *version = 0;
    if (etag.size < 3 || etag.size > 21 || etag.at[0] != '"' || (etag.at[1] == '0' && etag.size > 3) ||
        etag.at[etag.size - 1] != '"')
        return false;
    return digits_read(etag.at + 1, etag.size - 2, version);
}

static bool fill_short_form(const struct hold_body *body, struct text if_match, struct arena *arena,
                            struct command *command, struct json_fault *fault)
{
    struct item_request *item = arena_take(arena, sizeof(*item));
    if (!item_body_resource_id(text_given(body->resource_id), item))
        return set_fault(fault, "/resource_id",
                         "Invalid resource_id: \"event/seat\", or a seat of the event \"default\".");
    command->hold.items = item;
    command->hold.count = 1;
    command->hold.if_match = if_match.at != NULL;
    if (command->hold.if_match && !read_version(if_match, &command->hold.version))
        return set_fault(fault, "", "Invalid If-Match: the version of the seat in quotes.");
    return true;
}

static bool fill_items(const struct hold_body *body, struct text if_match, struct arena *arena,
                       struct command *command, struct json_fault *fault)
{
    if (body->resource_id.text)
        return fill_short_form(body, if_match, arena, command, fault);
    command->hold.items = item_body_requests(body->items.entries, body->items.count, "/items", arena, fault);
    command->hold.count = (uint32_t)body->items.count;
    return command->hold.items != NULL;
}

bool hold_body_fill(const struct hold_body *body, struct text if_match, struct arena *arena,
                    struct command *command, struct json_fault *fault)
{
    if (!command->user_id.at && command->actor.role != ROLE_USER)
        return set_fault(fault, "/user_id", "Missing user_id: required with an app or admin key.");
    if (!body_is_complete(body, if_match, fault) || !fill_items(body, if_match, arena, command, fault))
        return false;
    command->hold.ttl_s = (uint32_t)body->ttl_seconds.value;
    command->hold.attributes = text_given(body->attributes);
    command->hold.code = text_given(body->code);
    if (command->hold.commit) {
        command->hold.ticket_key[0] = random_u64();
        command->hold.ticket_key[1] = random_u64();
        command->hold.payment_method = text_given(body->payment_method);
        command->hold.payment_ref = text_given(body->payment_ref);
        command->hold.amount = money_body_read(&body->amount);
    }
    return true;
}
