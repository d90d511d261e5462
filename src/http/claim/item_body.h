/* SPDX-License-Identifier: Apache-2.0 */
/* item_body.h — one item of a request, from JSON to what core is asked.
 *
 * An item names an event and exactly one of the kinds that events have; or a calendar, the start, and either
 * the end or a service: item_kinds.h has the fields. Whether these exist and are free is core's business.
 */
#ifndef HTTP_ITEM_BODY_H
#define HTTP_ITEM_BODY_H

#include "http/claim/item_kinds.h"

extern const struct json_field item_body_fields[];
extern const struct json_form item_body_forms[];

/* The id of an item of a reservation; 0, which no item has, when the text cannot be one: whose reservation it is comes
 * first. */
uint32_t item_body_id(struct text text);
/* Whether any field of an item was given. */
bool item_body_given(const struct item_body *body);

/* The short form, "event/seat" or a seat of the event `default`. False: it is neither. */
bool item_body_resource_id(struct text text, struct item_request *item);

/* Turns `count` items into requests in the arena. `at` is where they stand in the body: "/items", or "" for a
 * single item that is the body itself. NULL: `fault` says which is wrong. */
const struct item_request *item_body_requests(const struct item_body *bodies, size_t count, const char *at,
                                              struct arena *arena, struct json_fault *fault);

#endif
