/* SPDX-License-Identifier: Apache-2.0 */
/* item_body.h — one item of a request, from JSON to a request to core.
 *
 * An item names an event and exactly one kind of unit in it; or a calendar, the start, and either the end or a
 * service: item_kinds.h has the fields. Whether they exist and are free is core's business.
 */
#ifndef HTTP_ITEM_BODY_H
#define HTTP_ITEM_BODY_H

#include "http/claim/item_kinds.h"

extern const struct json_field item_body_fields[];
extern const struct json_form item_body_forms[];

/* The id of an item of a reservation. 0, which no item has, if the text is not a valid id: the check of the owner comes
 * first, so this is not an error yet. */
uint32_t item_body_id(struct text text);
/* Whether any field of an item was given. */
bool item_body_given(const struct item_body *body);

/* The short form: "event/seat", or a seat of the event `default`. False: neither. */
bool item_body_resource_id(struct text text, struct item_request *item);

/* Turns `count` items into requests in the arena. `at` is their place in the body: "/items", or "" for a
 * single item that is the body itself. NULL: one is invalid, and `fault` is set. */
const struct item_request *item_body_requests(const struct item_body *bodies, size_t count, const char *at,
                                              struct arena *arena, struct json_fault *fault);

#endif
