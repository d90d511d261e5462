/* SPDX-License-Identifier: Apache-2.0 */
/* record_item.c — part of encode.h: the items of a reservation, its tickets, and items that are not available. The
 * members of each kind of item are in item_kinds.h. */
#include "base/assertion.h"
#include "http/claim/item_kinds.h"
#include "http/record/record.h"

/* ---- Items and tickets ---- */

/* clang-format off */
#define ITEM(F) F(DECIMAL, item_id, "1", "The id of the item within the reservation.", item->item_id)
#define PRICE(F, price_) F(INT, price, price_, "The price of the whole item, in minor units.", item->price)
#define EXTRA(F) F(MAYBE_OBJECT, attributes, , "Your own data about this item, if there is any.", item->attributes)
#define TICKET(F) \
    F(CHARS, code, "9KQ2M7XW4T8Z1C5V3R6H", "The code on the ticket; unguessable.", code) \
    F(DECIMAL, item_id, "1", "The item that the ticket is for.", item->item_id)

#define K(kind_, name_, MEMBERS, MORE, price_, item_, ticket_) \
    RECORD_ROWS(name_##_item, item_, ITEM(ROW) MEMBERS(ROW) MORE(ROW) PRICE(ROW, price_) EXTRA(ROW)) \
    RECORD_ROWS(name_##_ticket, ticket_, TICKET(ROW) MEMBERS(ROW))
ITEM_CLAIMS(K)
#undef K

#define K(kind_, name_, ...) OPTION(name_##_item)
ONE_OF(item, "An item of a reservation.", ITEM_CLAIMS(K))
#undef K
#define K(kind_, name_, ...) OPTION(name_##_ticket)
ONE_OF(ticket, "A ticket for one seat, one unit of a pool or one slot.", ITEM_CLAIMS(K))
#undef K

void encode_item(struct json_writer *w, const struct item_image *item, bool staff)
{
    if (!item) {
        json_null(w);
        return;
    }
    switch (item->kind) {
#define K(kind_, name_, MEMBERS, MORE, price_, ...) \
    case kind_: \
        WRITE_ROWS(ITEM(WRITE) MEMBERS(WRITE) MORE(WRITE) PRICE(WRITE, price_) EXTRA(WRITE)); \
        break;
    ITEM_CLAIMS(K)
#undef K
    case ITEM_BEST: /* in requests only */
    case ITEM_GROUP:
        ASSERT(false);
    }
}

static void write_ticket(struct json_writer *w, const struct reservation_image *r,
                         const struct item_image *item, uint32_t unit)
{
    char code[TICKET_CODE_SIZE];
    ticket_code_write(r->ticket_key, item->item_id, unit, code);
    switch (item->kind) {
#define K(kind_, name_, MEMBERS, ...) \
    case kind_: \
        WRITE_ROWS(TICKET(WRITE) MEMBERS(WRITE)); \
        break;
    ITEM_CLAIMS(K)
#undef K
    case ITEM_BEST:
    case ITEM_GROUP:
        ASSERT(false);
    }
}
/* clang-format on */

void encode_items(struct json_writer *w, const struct reservation_image *r, bool staff)
{
    json_array_begin(w);
    for (uint32_t i = 0; i < r->item_count; i++)
        encode_item(w, &r->items[i], staff);
    json_array_end(w);
}

void encode_tickets(struct json_writer *w, const struct reservation_image *r)
{
    json_array_begin(w);
    for (uint32_t i = 0; i < r->item_count; i++)
        for (uint32_t unit = 0; unit < r->items[i].quantity; unit++)
            write_ticket(w, r, &r->items[i], unit);
    json_array_end(w);
}

/* ---- Items that are not available ---- */

/* clang-format off */
WORDS_OF_ENUM(unit_statuses, unit_status, UNIT_HELD, UNIT_SOLD, UNIT_BLOCKED)

#define BEST(F) \
    F(UINT, quantity, 2, "How many seats.", best->quantity) \
    F(MAYBE_TEXT, section, , "Only seats of this section.", best->section) \
    F(MAYBE_TEXT, tier, , "Only seats of this tier.", best->tier) \
    F(MAYBE_TEXT, allotment, , "Also seats of this allotment.", best->allotment) \
    F(MAYBE_UINT, accessible, , "How many of them must be accessible.", best->accessible, best->accessible) \
    F(BOOL, adjacent, true, "Only side by side.", best->adjacent)
RECORD(best_seats, "The requested best seats.", BEST)

RECORD(obstacle,
    "An item that is not available, as requested: its index in the request, and its status or how many are "
    "left. For an import, the seat and its status.", OBSTACLE)
/* clang-format on */

static void write_best(struct json_writer *w, const struct item_request *best)
{
    WRITE_RECORD(BEST);
}

/* index NULL: it has no index in the request. status 0: shows how many are left instead. */
static void write_obstacle(struct json_writer *w, const uint32_t *index, const struct item_request *asked,
                           bool has_end, enum unit_status status, uint32_t available)
{
    WRITE_RECORD(OBSTACLE);
}

/* The item as the command requested it. A move names only the new place, not the event, calendar or service. */
static struct item_request command_asked(const struct command *command, uint32_t index)
{
    switch (command->kind) {
    case COMMAND_SEATS_BLOCK:
        ASSERT(index < command->seats_block.count);
        return (struct item_request){.kind = ITEM_SEAT,
                                     .resource = command->seats_block.event,
                                     .part = command->seats_block.ids[index]};
    case COMMAND_ITEM_MOVE:
        return (struct item_request){.kind = command->item.seat.at ? ITEM_SEAT : ITEM_SLOT,
                                     .part = command->item.seat,
                                     .start_ms = command->item.start_ms,
                                     .end_ms = command->item.end_ms};
    case COMMAND_ITEM_QUANTITY:
        return (struct item_request){.kind = ITEM_POOL, .quantity = command->item.quantity};
    default:
        ASSERT(command->kind == COMMAND_HOLD || command->kind == COMMAND_ITEMS_ADD);
        ASSERT(index < command->hold.count);
        return command->hold.items[index];
    }
}

void encode_obstacles(struct json_writer *w, const struct outcome *outcome, const struct command *command)
{
    json_array_begin(w);
    for (uint32_t i = 0; i < outcome->obstacle_count; i++) {
        const struct obstacle *obstacle = &outcome->obstacles[i];
        struct item_request asked = command_asked(command, obstacle->item);
        bool has_end = command->kind == COMMAND_ITEM_MOVE ? command->item.has_end
                                                          : ASKED_TIMED(&asked) && !asked.part.at;
        write_obstacle(w, &obstacle->item, &asked, has_end, obstacle->status, obstacle->available);
    }
    json_array_end(w);
}

void encode_seats_taken(struct json_writer *w, const struct import_result *result)
{
    json_array_begin(w);
    for (uint32_t i = 0; i < result->taken_count; i++) {
        const struct import_taken *taken = &result->taken[i];
        struct item_request asked = {.kind = ITEM_SEAT, .resource = result->taken_event, .part = taken->id};
        write_obstacle(w, result->taken_event.at ? &taken->item : NULL, &asked, false, taken->status, 0);
    }
    json_array_end(w);
}
