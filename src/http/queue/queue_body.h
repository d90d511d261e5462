/* SPDX-License-Identifier: Apache-2.0 */
/* queue_body.h — the settings of a waiting room, from JSON to core's record: `waiting_room` in the body of an
 * event.
 */
#ifndef HTTP_QUEUE_BODY_H
#define HTTP_QUEUE_BODY_H

#include "core/image.h"
#include "http/api/text_check.h"
#include "http/describe/about.h"
#include "http/wire/request.h"

struct queue_body {
    struct json_object_value object; /* first: see JSON_KIND_OBJECT */
    struct json_int_value open_at, rate_per_second, max_active, pass_ttl_seconds;
    struct json_bool_value shuffle_before_open, by_inventory;
    struct json_list_value tiers;
};
extern const struct json_field queue_body_fields[];

/* A row of a json_field table: `tiers`, 1 to 16 labels. */
bool queue_body_tier_valid(const char *text, size_t size);
/* clang-format off */
#define QUEUE_BODY_TIERS(type, member, about_) \
    JSON_TEXTS(type, member, 1, TIERS_MAX, JSON_NULLABLE, .check = queue_body_tier_valid, \
               .form = FIELD_LABEL_FORM(1), .about = about_)
/* clang-format on */

/* Both: texts are in the request's arena; `pointer` is the place in the body. False: invalid, and 400 was
 * replied. */
bool queue_body_read(struct request *r, const struct queue_body *body, const char *pointer,
                     struct queue_settings *out);
bool queue_body_tiers(struct request *r, const struct json_list_value *list, const char *pointer,
                      const struct text **tiers, uint32_t *count);

#endif
