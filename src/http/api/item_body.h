/* SPDX-License-Identifier: Apache-2.0 */
/* item_body.h — one item of a request, from JSON to what core is asked.
 *
 * An item names an event and exactly one of `seat`, `pool` and `best`; or a calendar, the start, and either
 * the end or a service. Whether these exist and are free is core's business.
 */
#ifndef HTTP_ITEM_BODY_H
#define HTTP_ITEM_BODY_H

#include "core/command.h"
#include "http/wire/request.h"
#include "http/api/text_check.h"

struct best_body {
    struct json_object_value object;
    struct json_int_value quantity;
    struct json_text_value section, tier;
    struct json_bool_value adjacent;
};

struct item_body {
    struct json_text_value event, seat, pool, calendar, service;
    struct json_int_value quantity, start, end;
    struct best_body best;
};

extern const struct json_field best_body_fields[];
extern const struct json_field item_body_fields[];
extern const struct json_form item_body_forms[];
/* The forms in which an item comes: name, what it is, the fields that it has and may have, an example. */
/* clang-format off */
#define ITEM_FORMS(X, seat_) \
    X(seat, "A seat.", "event seat", "", JSON_EXAMPLE({"event": "arena", "seat": seat_})) \
    X(pool, "Units of a pool.", "event pool", "quantity", \
      JSON_EXAMPLE({"event": "arena", "pool": "floor", "quantity": 2})) \
    X(best, "The best free seats.", "event best", "", \
      JSON_EXAMPLE({"event": "arena", "best": {"quantity": 2, "adjacent": true}})) \
    X(time, "A slot of a calendar, from start to end.", "calendar start end", "", \
      JSON_EXAMPLE({"calendar": "dr_smith", "start": "2030-06-03T09:00:00Z", "end": "2030-06-03T09:30:00Z"})) \
    X(service, "A service of a calendar, which sets the end and the price.", "calendar start service", "", \
      JSON_EXAMPLE({"calendar": "dr_smith", "start": "2030-06-03T09:00:00Z", "service": "check_up"}))
/* clang-format on */

/* The rows of an item's own fields, for a table whose struct begins with a struct item_body. */
/* clang-format off */
#define ITEM_BODY_ROWS \
    FIELD_ID(struct item_body, event, JSON_OPTIONAL, "The event."), \
    FIELD_ID(struct item_body, seat, JSON_OPTIONAL, "The seat."), \
    FIELD_ID(struct item_body, pool, JSON_OPTIONAL, "The pool."), \
    JSON_INT(struct item_body, quantity, 1, QUANTITY_MAX, JSON_OPTIONAL, \
             .about = "How many units. Defaults to 1."), \
    JSON_OBJECT(struct item_body, best, best_body_fields, JSON_OPTIONAL, \
                .about = "Which seats to choose from."), \
    FIELD_ID(struct item_body, calendar, JSON_OPTIONAL, "The calendar."), \
    JSON_TIME(struct item_body, start, JSON_OPTIONAL, .about = "The start of the slot."), \
    JSON_TIME(struct item_body, end, JSON_OPTIONAL, .about = "The end of the slot."), \
    FIELD_ID(struct item_body, service, JSON_OPTIONAL, "The service, which sets the end and the price.")
/* clang-format on */

/* Whether any field of an item was given. */
bool item_body_given(const struct item_body *body);

/* The short form, "event/seat" or a seat of the event `default`. False: it is neither. */
bool item_body_resource_id(struct text text, struct item_request *item);

/* Turns `count` items into requests in the arena. `at` is where they stand in the body: "/items", or "" for a
 * single item that is the body itself. On a fault 400 is replied and NULL returned. */
const struct item_request *item_body_requests(struct request *r, const struct item_body *bodies, size_t count,
                                              const char *at);

#endif
