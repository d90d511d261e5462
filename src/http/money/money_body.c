/* SPDX-License-Identifier: Apache-2.0 */
#include "http/money/money_body.h"

const struct json_field money_body_fields[] = {
    JSON_INT(struct money_body, amount, 0, AMOUNT_MAX, JSON_REQUIRED,
             .about = "In minor units, such as cents."),
    JSON_TEXT(struct money_body, currency, 3, 3, JSON_REQUIRED, .check = text_check_currency,
              .form = "a currency such as EUR", .about = "The currency (ISO 4217)."),
    JSON_END,
};

struct money money_body_read(const struct money_body *body)
{
    struct money money = {0};
    if (!body->object.given || body->object.is_null)
        return money;
    money.given = true;
    money.amount = body->amount.value;
    memcpy(money.currency, body->currency.text, 3);
    return money;
}
