/* SPDX-License-Identifier: Apache-2.0 */
/* record_item.c — of encode.h and schema.h: the items of a reservation, its tickets, and what was in the way
 * of one. All that the JSON of a kind of item has of its own is here: its rows, its row in ITEM_KINDS, and its
 * case in item_asked. */
#include "base/assertion.h"
#include "http/record/encode.h"
#include "http/record/record.h"

/* ---- Items and tickets ---- */

/* clang-format off */
#define ITEM(F) F(DECIMAL, item_id, "1", "The id of the item within the reservation.", item->item_id)
#define PRICE(F, price_) F(INT, price, price_, "The price of the whole item, in minor units.", item->price)
#define TICKET(F) \
    F(CHARS, code, "9KQ2M7XW4T8Z1C5V3R6H", "The code on the ticket; unguessable.", code) \
    F(DECIMAL, item_id, "1", "The item that the ticket is for.", item->item_id)

#define SEAT(F) \
    F(TEXT, event, "arena", "The event.", item->resource_id) \
    F(TEXT, seat, "A15", "The seat.", item->part_id)
#define POOL(F) \
    F(TEXT, event, "arena", "The event.", item->resource_id) \
    F(TEXT, pool, "floor", "The pool.", item->part_id)
#define UNITS(F) F(UINT, quantity, 2, "How many units.", item->quantity)
#define SLOT(F) \
    F(TEXT, calendar, "dr_smith", "The calendar.", item->resource_id) \
    F(INSTANT, start, "2030-06-03T08:00:00.000Z", "The start of the slot.", item->start_ms) \
    F(INSTANT, end, "2030-06-03T08:30:00.000Z", "The end of the slot.", item->end_ms) \
    F(MAYBE_TEXT, service, , "The service, if one was booked.", item->part_id)
#define NO_MORE(F)

/* The kind, its name in schemas, its members, those of its item alone, an example of a price, and its item
 * and its ticket in words. */
#define ITEM_KINDS(K) \
    K(ITEM_SEAT, seat, SEAT, NO_MORE, 4500, "A seat.", "For a seat.") \
    K(ITEM_POOL, pool, POOL, UNITS, 5000, "Units of a pool.", "For a unit of a pool.") \
    K(ITEM_SLOT, slot, SLOT, NO_MORE, 4000, "A slot of a calendar.", "For a slot of a calendar.")

#define K(kind_, name_, MEMBERS, MORE, price_, item_, ticket_) \
    RECORD_ROWS(item_of_##name_, item_, ITEM(ROW) MEMBERS(ROW) MORE(ROW) PRICE(ROW, price_)) \
    RECORD_ROWS(ticket_of_##name_, ticket_, TICKET(ROW) MEMBERS(ROW))
ITEM_KINDS(K)
#undef K

#define K(kind_, name_, ...) OPTION(item_of_##name_)
ONE_OF(item, "An item of a reservation.", ITEM_KINDS(K))
#undef K
#define K(kind_, name_, ...) OPTION(ticket_of_##name_)
ONE_OF(ticket, "A ticket for one seat, one unit of a pool or one slot.", ITEM_KINDS(K))
#undef K

static void write_item(struct json_writer *w, const struct item_image *item)
{
    switch (item->kind) {
#define K(kind_, name_, MEMBERS, MORE, price_, ...) \
    case kind_: \
        WRITE_ROWS(ITEM(WRITE) MEMBERS(WRITE) MORE(WRITE) PRICE(WRITE, price_)); \
        break;
    ITEM_KINDS(K)
#undef K
    case ITEM_BEST: /* in requests only */
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
    ITEM_KINDS(K)
#undef K
    case ITEM_BEST:
        ASSERT(false);
    }
}
/* clang-format on */

void encode_items(struct json_writer *w, const struct reservation_image *r)
{
    json_array_begin(w);
    for (uint32_t i = 0; i < r->item_count; i++)
        write_item(w, &r->items[i]);
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

/* ---- What was in the way ---- */

/* An item as it was asked for, by the members that this kind has. */
struct asked {
    struct text event, seat, pool, calendar, service;
    uint32_t quantity;               /* 0: not given */
    const struct item_request *best; /* or NULL */
    bool has_start, has_end;
    int64_t start_ms, end_ms;
};

/* clang-format off */
WORDS_OF_ENUM(unit_statuses, unit_status, UNIT_HELD, UNIT_SOLD, UNIT_BLOCKED)

#define BEST(F) \
    F(UINT, quantity, 2, "How many seats.", best->quantity) \
    F(MAYBE_TEXT, section, , "Only seats of this section.", best->section) \
    F(MAYBE_TEXT, tier, , "Only seats of this tier.", best->tier) \
    F(BOOL, adjacent, true, "Only side by side.", best->adjacent)
RECORD(best, "The requested best seats.", BEST)

#define OBSTACLE(F) \
    F(MAYBE_UINT, item, , "The index of the item in the request, from 0.", index != NULL, *index) \
    F(MAYBE_TEXT, event, , "The event.", asked->event) \
    F(MAYBE_TEXT, seat, , "The seat.", asked->seat) \
    F(MAYBE_TEXT, pool, , "The pool.", asked->pool) \
    F(MAYBE_UINT, quantity, , "How many units were requested.", asked->quantity, asked->quantity) \
    F(MAYBE_ONE, best, , "The requested best seats.", best, asked->best, write_best(w, asked->best)) \
    F(MAYBE_TEXT, calendar, , "The calendar.", asked->calendar) \
    F(MAYBE_INSTANT, start, , "The requested start.", asked->has_start, asked->start_ms) \
    F(MAYBE_INSTANT, end, , "The requested end.", asked->has_end, asked->end_ms) \
    F(MAYBE_TEXT, service, , "The service.", asked->service) \
    F(MAYBE_WORD, status, , "The status of the seat or slot.", unit_statuses, status, unit_status_name(status)) \
    F(MAYBE_UINT, available, , "How many are left.", !status, available)
RECORD(obstacle,
    "An item that is not available, as requested: its index in the request, and its status or how many are "
    "left. For an import, the seat and its status.", OBSTACLE)
/* clang-format on */

static void write_best(struct json_writer *w, const struct item_request *best)
{
    WRITE_RECORD(BEST);
}

/* index NULL: it has no place in the request. status 0: it is told how many are left. */
static void write_obstacle(struct json_writer *w, const uint32_t *index, const struct asked *asked,
                           enum unit_status status, uint32_t available)
{
    WRITE_RECORD(OBSTACLE);
}

static struct asked item_asked(const struct item_request *item)
{
    switch (item->kind) {
    case ITEM_SEAT:
        return (struct asked){.event = item->resource, .seat = item->part};
    case ITEM_POOL:
        return (struct asked){.event = item->resource, .pool = item->part, .quantity = item->quantity};
    case ITEM_BEST:
        return (struct asked){.event = item->resource, .best = item};
    case ITEM_SLOT:
        return (struct asked){.calendar = item->resource,
                              .service = item->part,
                              .has_start = true,
                              .has_end = !item->part.at,
                              .start_ms = item->start_ms,
                              .end_ms = item->end_ms};
    }
    ASSERT(false);
}

static struct asked command_asked(const struct command *command, uint32_t index)
{
    if (command->kind == COMMAND_SEATS_BLOCK) {
        ASSERT(index < command->seats_block.count);
        return (struct asked){.event = command->seats_block.event, .seat = command->seats_block.ids[index]};
    }
    if (command->kind == COMMAND_ITEM_MOVE)
        return (struct asked){.seat = command->item.seat,
                              .has_start = !command->item.seat.at,
                              .has_end = command->item.has_end,
                              .start_ms = command->item.start_ms,
                              .end_ms = command->item.end_ms};
    ASSERT(command->kind == COMMAND_HOLD || command->kind == COMMAND_ITEMS_ADD);
    ASSERT(index < command->hold.count);
    return item_asked(&command->hold.items[index]);
}

void encode_obstacles(struct json_writer *w, const struct outcome *outcome, const struct command *command)
{
    json_array_begin(w);
    for (uint32_t i = 0; i < outcome->obstacle_count; i++) {
        const struct obstacle *obstacle = &outcome->obstacles[i];
        struct asked asked = command_asked(command, obstacle->item);
        write_obstacle(w, &obstacle->item, &asked, obstacle->status, obstacle->available);
    }
    json_array_end(w);
}

void encode_seats_taken(struct json_writer *w, const struct import_result *result)
{
    json_array_begin(w);
    for (uint32_t i = 0; i < result->taken_count; i++) {
        struct asked asked = {.seat = result->taken[i].id};
        write_obstacle(w, NULL, &asked, result->taken[i].status, 0);
    }
    json_array_end(w);
}
