/* SPDX-License-Identifier: Apache-2.0 */
/* terms_body.h — the terms of an event or a calendar, from JSON to the record that core keeps.
 *
 * Their fields stand among those of the event or calendar, whose body has a `struct terms_body terms`.
 */
#ifndef HTTP_TERMS_BODY_H
#define HTTP_TERMS_BODY_H

#include "core/image.h"
#include "http/request.h"
#include "http/shape.h"

struct terms_body {
    struct json_text_value currency, payment, late_payment;
    struct json_int_value hold_ttl_seconds, max_hold_seconds, payment_ttl_seconds;
};

/* Rows of a json_field table; `type` is the body around. The presets of events stand between the two. */
/* clang-format off */
#define TERMS_FIELD(kind_, type, member, least_, most_, check_) \
    {.kind = kind_, .name = #member, .offset = offsetof(type, terms.member), .need = JSON_OPTIONAL, \
     .least = least_, .most = most_, .check = check_}
#define TERMS_CURRENCY(type) TERMS_FIELD(JSON_KIND_TEXT, type, currency, 3, 3, shape_currency)
#define TERMS_RULES(type) \
    TERMS_FIELD(JSON_KIND_INT, type, hold_ttl_seconds, 1, TTL_SECONDS_MAX, NULL), \
    TERMS_FIELD(JSON_KIND_INT, type, max_hold_seconds, 1, TTL_SECONDS_MAX, NULL), \
    TERMS_FIELD(JSON_KIND_INT, type, payment_ttl_seconds, 0, TTL_SECONDS_MAX, NULL), \
    TERMS_FIELD(JSON_KIND_TEXT, type, payment, 1, 32, shape_payment_rule), \
    TERMS_FIELD(JSON_KIND_TEXT, type, late_payment, 1, 32, shape_late_payment_rule)
/* clang-format on */

/* What differs between those who have terms. A TTL without a maximum brings its own, half as long again. */
struct terms_defaults {
    uint32_t hold_ttl_s, max_hold_s;
    uint32_t max_hold_least_s; /* that a TTL brings */
};

/* On a fault 400 is replied and false returned. */
bool terms_body_read(struct request *r, const struct terms_body *body, const struct terms_defaults *defaults,
                     struct terms *out);

#endif
