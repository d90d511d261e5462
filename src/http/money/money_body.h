/* SPDX-License-Identifier: Apache-2.0 */
/* money_body.h — an amount in a request: {"amount": 4500, "currency": "EUR"}. */
#ifndef HTTP_MONEY_BODY_H
#define HTTP_MONEY_BODY_H

#include "core/money/payment.h"
#include "http/api/text_check.h"

struct money_body {
    struct json_object_value object;
    struct json_int_value amount;
    struct json_text_value currency;
};

extern const struct json_field money_body_fields[];
#define FIELD_MONEY(type, member, about_)                                                                    \
    JSON_OBJECT(type, member, money_body_fields, JSON_NULLABLE, .about = about_)

struct money money_body_read(const struct money_body *body); /* not given if the request has none */

#endif
