/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text/digits.h"
#include "http/access/pass.h"
#include "http/catalogue/code_call.h"
#include "http/claim/item_body.h"
#include "http/claim/reservation_call.h"
#include "http/record/encode.h"
#include "http/wire/reply.h"

/* ---- Add ---- */

/* One item, or a list of items. */
struct items_body {
    struct item_body item; /* first: see ITEM_BODY_ROWS */
    struct json_list_value items;
    struct json_text_value user_id;
};

const struct json_field api_items_fields[] = {
    ITEM_BODY_ROWS,
    JSON_LIST(struct items_body, items, struct item_body, item_body_fields, 1, ITEMS_MAX, JSON_OPTIONAL,
              .about = "The items to add: all or nothing.", .forms = item_body_forms),
    FIELD_USER_ID(struct items_body, user_id, ABOUT_OWNER),
    JSON_END,
};

/* clang-format off */
#define ADDED(name, about, needs, may, example) {"add_" #name, about, needs, may " user_id", example},
const struct json_form api_items_forms[] = {
    {"add_items", "Several items.", "items", "user_id code",
     JSON_EXAMPLE({"items": [{"event": "arena", "seat": "A16"}, {"event": "arena", "seat": "A17"}]})},
    ITEM_FORMS(ADDED, "A16")
    {0},
};
/* clang-format on */

/* Fills in command->hold. False: `fault` is set. */
static bool items_fill(struct items_body *body, struct arena *arena, struct command *command, struct json_fault *fault)
{
    bool several = body->items.given;
    if (several) { /* a code beside `items` applies to all of them */
        command->hold.code = text_given(body->item.code);
        body->item.code = (struct json_text_value){0};
    }
    if (several && item_body_given(&body->item)) {
        *fault = (struct json_fault){.pointer = "/items", .detail = "Send either one item or items, not both."};
        return false;
    }
    const struct item_body *bodies = several ? body->items.entries : &body->item;
    command->hold.count = several ? (uint32_t)body->items.count : 1;
    command->hold.items = item_body_requests(bodies, command->hold.count, several ? "/items" : "", arena, fault);
    return command->hold.items != NULL;
}

GATE(api_items_gate)
{
    struct items_body body;
    struct json_fault fault;
    command->kind = COMMAND_ITEMS_ADD;
    if (!request_read(r, &body, sizeof(body), &fault))
        return false;
    command->user_id = text_given(body.user_id);
    return encode_id_read(ENCODE_RESERVATION, r->parameters[0], &command->reservation) &&
           command_judge_caller(command) == OUTCOME_OK && items_fill(&body, &r->arena, command, &fault);
}

HANDLER(api_items_add)
{
    struct items_body body;
    struct json_fault fault;
    struct call *call = reservation_call_read(r, COMMAND_ITEMS_ADD, &body, sizeof(body), &body.user_id);
    if (!call)
        return;
    struct command *command = &call->command;
    if (!items_fill(&body, &r->arena, command, &fault)) {
        reply_invalid(r, fault.pointer, fault.detail);
        return;
    }
    command->idempotent = request_idempotency(r, command->idempotency_key, command->idempotency_body);
    command->pass = pass_of(r);
    if (code_call_may_try(r, command))
        call_submit(call, reservation_call_granted);
}

/* ---- Drop and move ---- */

HANDLER(api_item_drop)
{
    struct call *call = reservation_call_owned(r, COMMAND_ITEM_DROP);
    if (!call)
        return;
    call->command.item.item_id = item_body_id(r->parameters[1]);
    call_submit(call, reservation_call_granted);
}

struct move_body {
    struct json_text_value seat, attributes, category, user_id;
    struct json_int_value start, end, quantity;
};

const struct json_field api_item_move_fields[] = {
    FIELD_ID(struct move_body, seat, JSON_OPTIONAL, "The seat to move to, in the same event."),
    JSON_TIME(struct move_body, start, JSON_OPTIONAL, .about = "The new start of the slot."),
    JSON_TIME(struct move_body, end, JSON_OPTIONAL,
              .about = "The new end; not needed if the item has a service."),
    JSON_INT(
        struct move_body, quantity, 1, QUANTITY_MAX, JSON_OPTIONAL,
        .about =
            "How many units of a pool. More units are claimed, fewer are released immediately. Only while "
            "the item is held."),
    FIELD_LABEL(struct move_body, category, 1, JSON_OPTIONAL,
                "Another category, at its current price. Only while the item is held."),
    JSON_RAW(struct move_body, attributes, ITEM_ATTRIBUTES_SIZE_MAX, JSON_OPTIONAL,
             .about = "The new attributes of the item: an object of at most 1 KiB."),
    FIELD_USER_ID(struct move_body, user_id, ABOUT_OWNER),
    JSON_END,
};

/* clang-format off */
const struct json_form api_item_move_forms[] = {
    {"move_to_seat", "To another seat.", "seat", "user_id", JSON_EXAMPLE({"seat": "A16"})},
    {"move_to_time", "To another time.", "start", "end user_id",
     JSON_EXAMPLE({"start": "2030-06-03T10:00:00Z", "end": "2030-06-03T10:30:00Z"})},
    {"set_quantity", "More or fewer units of a pool.", "quantity", "user_id", JSON_EXAMPLE({"quantity": 3})},
    {"set_category", "Another category.", "category", "user_id", JSON_EXAMPLE({"category": "child"})},
    {"set_attributes", "Its attributes: replaces the whole object.", "attributes", "user_id",
     JSON_EXAMPLE({"attributes": {"name": "Ann"}})},
    {0},
};
/* clang-format on */

/* The one change that the body makes. False: there are several, and 400 was replied. */
static bool read_change(struct request *r, const struct move_body *body, enum command_kind *kind)
{
    bool moves = body->seat.text || body->start.given || body->end.given;
    int changes =
        moves + (body->attributes.text != NULL) + body->quantity.given + (body->category.text != NULL);
    *kind = body->attributes.text  ? COMMAND_ITEM_ATTRIBUTES
            : body->quantity.given ? COMMAND_ITEM_QUANTITY
            : body->category.text  ? COMMAND_ITEM_CATEGORY
                                   : COMMAND_ITEM_MOVE;
    if (changes > 1)
        return reply_invalid(r,
                             body->attributes.text  ? "/attributes"
                             : body->quantity.given ? "/quantity"
                                                    : "/category",
                             "Send one change at a time: a move, a quantity, a category, or attributes.");
    return true;
}

/* A seat, or a start with or without an end. */
static bool move_is_complete(struct request *r, const struct move_body *body)
{
    if (body->attributes.text || body->quantity.given || body->category.text)
        return true;
    if (body->seat.text && (body->start.given || body->end.given))
        return reply_invalid(r, "/seat", "Send either a seat or a start and an end, not both.");
    if (!body->seat.text && !body->start.given && body->end.given)
        return reply_invalid(r, "/start", "Missing start.");
    if (!body->seat.text && !body->start.given)
        return reply_invalid(r, "",
                             "Missing change: send a seat, a start and, without a service, an end, a "
                             "quantity, a category, or attributes.");
    return true;
}

HANDLER(api_item_move)
{
    struct move_body body;
    struct call *call = reservation_call_read(r, COMMAND_ITEM_MOVE, &body, sizeof(body), &body.user_id);
    if (!call || !move_is_complete(r, &body) || !read_change(r, &body, &call->command.kind))
        return;
    call->command.item.category = text_given(body.category);
    call->command.item.attributes = text_given(body.attributes);
    call->command.item.quantity = (uint32_t)body.quantity.value;
    call->command.item.item_id = item_body_id(r->parameters[1]);
    call->command.item.seat = text_given(body.seat);
    call->command.item.start_ms = body.start.value;
    call->command.item.end_ms = body.end.value;
    call->command.item.has_end = body.end.given;
    call->command.pass = pass_of(r);
    call_submit(call, reservation_call_granted);
}
