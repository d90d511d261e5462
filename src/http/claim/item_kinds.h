/* SPDX-License-Identifier: Apache-2.0 */
/* item_kinds.h — the one table of the kinds of items (core/types.h): how each is requested, and how it is shown in
 * `items`, in `tickets` and in a refusal.
 *
 * item_body reads requests by it, record_item.c writes answers by it, and /openapi.json describes items by it.
 * To add a kind: its fields in struct item_body and ITEM_BODY_ROWS, its key in ITEM_KEYS, its rows in ITEM_FORMS, ITEM_REQUESTS
 * and ITEM_CLAIMS, and what it adds to ITEM_MISSING, TICKET_MEMBERS, ITEM_CSV and OBSTACLE.
 */
#ifndef HTTP_ITEM_KINDS_H
#define HTTP_ITEM_KINDS_H

#include "core/calendar/calendar_image.h"
#include "core/command.h"
#include "http/api/text_check.h"

/* ---- Requests ---- */

struct best_body {
    struct json_object_value object;
    struct json_int_value quantity;
    struct json_text_value section, tier, allotment;
    struct json_int_value accessible;
    struct json_bool_value adjacent;
};

struct item_body {
    struct json_text_value event, seat, pool, calendar, group, service, attributes, category, code, allotment;
    struct json_int_value quantity, start, end, party;
    struct best_body best;
};

extern const struct json_field best_body_fields[];

/* clang-format off */
/* The rows of an item's own fields, for a table whose struct begins with a struct item_body. */
#define ITEM_BODY_ROWS \
    FIELD_ID(struct item_body, event, JSON_OPTIONAL, "The event."), \
    FIELD_ID(struct item_body, seat, JSON_OPTIONAL, "The seat."), \
    FIELD_ID(struct item_body, pool, JSON_OPTIONAL, "The pool."), \
    JSON_INT(struct item_body, quantity, 1, QUANTITY_MAX, JSON_OPTIONAL, \
             .about = "How many units. Defaults to 1."), \
    JSON_OBJECT(struct item_body, best, best_body_fields, JSON_OPTIONAL, \
                .about = "Which seats to choose from."), \
    FIELD_ID(struct item_body, calendar, JSON_OPTIONAL, "The calendar."), \
    FIELD_ID(struct item_body, group, JSON_OPTIONAL, "The group. The server picks one of its calendars."), \
    JSON_INT(struct item_body, party, 1, CALENDAR_SIZE_MAX, JSON_OPTIONAL, \
             .about = "The number of people. Only calendars of at least this size are used. Defaults to 1."), \
    JSON_TIME(struct item_body, start, JSON_OPTIONAL, .about = "The start of the slot."), \
    JSON_TIME(struct item_body, end, JSON_OPTIONAL, .about = "The end of the slot."), \
    FIELD_ID(struct item_body, service, JSON_OPTIONAL, "The service, which sets the end and the price."), \
    FIELD_LABEL(struct item_body, category, 1, JSON_OPTIONAL, ABOUT_CATEGORY), \
    JSON_RAW(struct item_body, attributes, ITEM_ATTRIBUTES_SIZE_MAX, JSON_OPTIONAL, \
             .about = "Your own data about this item: an object of at most 1 KiB."), \
    FIELD_CODE(struct item_body, code, JSON_OPTIONAL, "A code for this item, instead of the code of the whole request."), \
    FIELD_ID(struct item_body, allotment, JSON_OPTIONAL, ABOUT_ITEM_ALLOTMENT)
#define ABOUT_ITEM_ALLOTMENT \
    "The allotment to claim from. Only for app and admin keys; `blocked`, for admin keys: blocked seats."

/* The forms of an item: name, description, the fields that it needs and may have, an example. */
#define ITEM_FORMS(X, seat_) \
    X(seat, "A seat.", "event seat", "category attributes code allotment", JSON_EXAMPLE({"event": "arena", "seat": seat_})) \
    X(pool, "Units of a pool.", "event pool", "quantity category attributes code allotment", \
      JSON_EXAMPLE({"event": "arena", "pool": "floor", "quantity": 2})) \
    X(best, "The best free seats.", "event best", "category attributes code allotment", \
      JSON_EXAMPLE({"event": "arena", "best": {"quantity": 2, "adjacent": true}})) \
    X(slot, "A slot of a calendar, from start to end.", "calendar start end", "attributes", \
      JSON_EXAMPLE({"calendar": "dr_smith", "start": "2030-06-03T09:00:00Z", "end": "2030-06-03T09:30:00Z"})) \
    X(service, "A service of a calendar, which sets the end and the price.", "calendar start service", "attributes", \
      JSON_EXAMPLE({"calendar": "dr_smith", "start": "2030-06-03T09:00:00Z", "service": "check_up"})) \
    X(group, "A slot of any calendar of a group, from start to end.", "group start end", "party attributes", \
      JSON_EXAMPLE({"group": "tables", "start": "2030-06-03T18:00:00Z", "end": "2030-06-03T20:00:00Z", "party": 4})) \
    X(group_service, "A service of any calendar of a group.", "group start service", "party attributes", \
      JSON_EXAMPLE({"group": "doctors", "start": "2030-06-03T09:00:00Z", "service": "check_up"}))

/* The kind, whether `body` requests it, and the request. Exactly one of the keys is given. */
#define ITEM_KEYS "seat pool best calendar group"
#define ITEM_KEYS_LISTED "seat, pool, best, calendar and group"
#define ITEM_REQUESTS(K) \
    K(ITEM_SEAT, body->seat.text, \
      .resource = text_given(body->event), .part = text_given(body->seat), .quantity = 1) \
    K(ITEM_POOL, body->pool.text, \
      .resource = text_given(body->event), .part = text_given(body->pool), \
      .quantity = body->quantity.given ? (uint32_t)body->quantity.value : 1) \
    K(ITEM_BEST, body->best.object.given, \
      .resource = text_given(body->event), .quantity = (uint32_t)body->best.quantity.value, \
      .section = text_given(body->best.section), .tier = text_given(body->best.tier), \
      .accessible = (uint32_t)body->best.accessible.value, .adjacent = body->best.adjacent.value) \
    K(ITEM_SLOT, body->calendar.text, \
      .resource = text_given(body->calendar), .part = text_given(body->service), .quantity = 1, \
      .start_ms = body->start.value, .end_ms = body->end.value) \
    K(ITEM_GROUP, body->group.text, \
      .resource = text_given(body->group), .part = text_given(body->service), .quantity = 1, \
      .party = body->party.given ? (uint32_t)body->party.value : 1, \
      .start_ms = body->start.value, .end_ms = body->end.value)

/* The refusals if it does not exist. */
#define ITEM_MISSING(NO) \
    (NO(NO_SUCH_EVENT) | NO(NO_SUCH_SEAT) | NO(NO_SUCH_POOL) | NO(NO_SUCH_CALENDAR) | NO(NO_SUCH_GROUP))

#define ITEM_BY_RESOURCE_ID ITEM_SEAT /* the kind that the resource_id of a hold names */

/* ---- Answers: rows of record.h, where `item` is a struct item_image; `staff`: for an app or admin key ---- */

#define SEAT_MEMBERS(F) \
    F(TEXT, event, "arena", "The event.", item->resource_id) \
    F(TEXT, seat, "A15", "The seat.", item->part_id)
#define POOL_MEMBERS(F) \
    F(TEXT, event, "arena", "The event.", item->resource_id) \
    F(TEXT, pool, "floor", "The pool.", item->part_id)
#define PRICED(F) F(MAYBE_TEXT, category, , "Its price category, if the event has categories.", item->category) \
    ITEM_CODE(F)
#define POOL_UNITS(F) F(UINT, quantity, 2, "How many units.", item->quantity) PRICED(F)
#define SLOT_MEMBERS(F) \
    F(TEXT, calendar, "dr_smith", "The calendar.", item->resource_id) \
    F(INSTANT, start, "2030-06-03T08:00:00.000Z", "The start of the slot.", item->start_ms) \
    F(INSTANT, end, "2030-06-03T08:30:00.000Z", "The end of the slot.", item->end_ms) \
    F(MAYBE_TEXT, service, , "The service, if one was booked.", item->part_id) \
    F(MAYBE_TEXT, group, , "The group that was requested, if any.", item->group_id)
/* For items of events. */
#define ITEM_CODE(F) \
    F(MAYBE_TEXT, code, , "The code that it was claimed with, if any. Only for app and admin keys.", \
      STAFF_ONLY(item->code)) \
    F(MAYBE_TEXT, allotment, , "The allotment that it was claimed from, or `blocked`; if any. Only for app and admin keys.", \
      STAFF_ONLY(item->allotment))
#define STAFF_ONLY(text_) (staff ? (text_) : (struct text){0})
#define NO_MORE(F)

/* The kind, its name in schemas, its members, extra members of its item, an example of a price, and descriptions of its
 * item and its ticket. */
#define ITEM_CLAIMS(K) \
    K(ITEM_SEAT, seat, SEAT_MEMBERS, PRICED, 4500, "A seat.", "For a seat.") \
    K(ITEM_POOL, pool, POOL_MEMBERS, POOL_UNITS, 5000, "Units of a pool.", "For a unit of a pool.") \
    K(ITEM_SLOT, slot, SLOT_MEMBERS, NO_MORE, 4000, "A slot of a calendar.", "For a slot of a calendar.")

/* The claim of a ticket at the door: `ticket` is a struct check_in_image. */
#define TICKET_OF(kind_, text_) (ticket->kind == (kind_) ? ticket->text_ : (struct text){0})
#define TICKET_MEMBERS(F) \
    F(MAYBE_TEXT, event, , "The event, if it is for one.", \
      ticket->kind == ITEM_SLOT ? (struct text){0} : ticket->resource_id) \
    F(MAYBE_TEXT, seat, , "The seat.", TICKET_OF(ITEM_SEAT, part_id)) \
    F(MAYBE_TEXT, pool, , "The pool.", TICKET_OF(ITEM_POOL, part_id)) \
    F(MAYBE_TEXT, calendar, , "The calendar, if it is for a slot.", TICKET_OF(ITEM_SLOT, resource_id)) \
    F(MAYBE_TEXT, service, , "The service, if one was booked.", TICKET_OF(ITEM_SLOT, part_id))

/* The last columns of the CSV of reservations, all texts: name, value, example. Add new ones only at the end, because
 * spreadsheets refer to columns by position. */
#define ITEM_CSV(X) \
    X(category, item->category, "adult") \
    X(group, item->group_id, "") \
    X(allotment, item->allotment, "") \
    X(code, item->code, "") \
    X(item_attributes, item->attributes, "\"{\"\"name\"\":\"\"Ann\"\"}\"")

/* ---- Items that are not available: `asked` is a struct item_request ---- */

#define ASKED_TIMED(asked_) ((asked_)->kind == ITEM_SLOT || (asked_)->kind == ITEM_GROUP)
#define OF_KIND(kind_, text_) (asked->kind == (kind_) ? asked->text_ : (struct text){0})
#define OBSTACLE(F) \
    F(MAYBE_UINT, item, , "The index of the item in the request, from 0.", index != NULL, *index) \
    F(MAYBE_TEXT, event, , "The event.", ASKED_TIMED(asked) ? (struct text){0} : asked->resource) \
    F(MAYBE_TEXT, seat, , "The seat.", OF_KIND(ITEM_SEAT, part)) \
    F(MAYBE_TEXT, pool, , "The pool.", OF_KIND(ITEM_POOL, part)) \
    F(MAYBE_UINT, quantity, , "How many units were requested.", asked->kind == ITEM_POOL, asked->quantity) \
    F(MAYBE_ONE, best, , "The requested best seats.", best_seats, asked->kind == ITEM_BEST, \
      write_best(w, asked)) \
    F(MAYBE_TEXT, category, , "The requested category.", asked->category) \
    F(MAYBE_TEXT, calendar, , "The calendar.", OF_KIND(ITEM_SLOT, resource)) \
    F(MAYBE_TEXT, group, , "The group.", OF_KIND(ITEM_GROUP, resource)) \
    F(MAYBE_UINT, party, , "The number of people.", asked->kind == ITEM_GROUP, asked->party) \
    F(MAYBE_INSTANT, start, , "The requested start.", ASKED_TIMED(asked), asked->start_ms) \
    F(MAYBE_INSTANT, end, , "The requested end.", has_end, asked->end_ms) \
    F(MAYBE_TEXT, service, , "The service.", ASKED_TIMED(asked) ? asked->part : (struct text){0}) \
    F(MAYBE_WORD, status, , "The status of the seat or slot.", unit_statuses, status, unit_status_name(status)) \
    F(MAYBE_UINT, available, , "How many are left.", !status, available)
/* clang-format on */

#endif
