/* SPDX-License-Identifier: Apache-2.0 */
/* terms_body.h — the terms of an event or a calendar, from JSON to core's record.
 *
 * Their fields are among those of the event or calendar, whose body has a `struct terms_body terms`.
 */
#ifndef HTTP_TERMS_BODY_H
#define HTTP_TERMS_BODY_H

#include "core/image.h"
#include "http/api/text_check.h"
#include "http/describe/about.h"
#include "http/wire/request.h"

#define TERMS_CURRENCY_DEFAULT "EUR"
#define TERMS_PAYMENT_TTL_SECONDS 300

struct terms_body {
    struct json_text_value currency, payment, late_payment;
    struct json_int_value hold_ttl_seconds, max_hold_seconds, payment_ttl_seconds;
};

/* Rows of a json_field table; `type` is the enclosing body. An event's preset comes between the two groups. */
/* clang-format off */
#define TERMS_FIELD(kind_, type, member, ...) \
    {.kind = kind_, .name = #member, .offset = offsetof(type, terms.member), .need = JSON_OPTIONAL, __VA_ARGS__}
#define TERMS_SECONDS(type, member, least_, ...) \
    TERMS_FIELD(JSON_KIND_INT, type, member, .least = least_, .most = TTL_SECONDS_MAX, __VA_ARGS__)
#define TERMS_CURRENCY(type) \
    TERMS_FIELD(JSON_KIND_TEXT, type, currency, .least = 3, .most = 3, .check = text_check_currency, \
                .form = "three capital letters such as " TERMS_CURRENCY_DEFAULT, \
                .default_json = "\"" TERMS_CURRENCY_DEFAULT "\"", \
                .about = ABOUT_CURRENCY)
/* `hold_ttl_default` as JSON, or NULL where the default depends on other fields. */
#define TERMS_RULES(type, hold_ttl_default) \
    TERMS_SECONDS(type, hold_ttl_seconds, 1, .default_json = hold_ttl_default, .about = ABOUT_HOLD_TTL), \
    TERMS_SECONDS(type, max_hold_seconds, 1, \
                  .about = ABOUT_MAX_HOLD " Defaults to one and a half times the TTL, at least 900."), \
    TERMS_SECONDS(type, payment_ttl_seconds, 0, .default_json = JSON_STRINGIFY(TERMS_PAYMENT_TTL_SECONDS), \
                  .about = ABOUT_PAYMENT_TTL), \
    TERMS_FIELD(JSON_KIND_TEXT, type, payment, .word = payment_rule_word, .default_json = "\"required\"", \
                .about = ABOUT_PAYMENT), \
    TERMS_FIELD(JSON_KIND_TEXT, type, late_payment, .word = late_payment_rule_word, \
                .default_json = "\"accept_if_free\"", .about = ABOUT_LATE_PAYMENT)
/* clang-format on */

/* Durations of holds that the body does not give stay 0: core fills them in (core/terms.h). */
void terms_body_read(const struct terms_body *body, struct terms *out);

#endif
