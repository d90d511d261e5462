/* SPDX-License-Identifier: Apache-2.0 */
#include "http/api/terms_body.h"

void terms_body_read(const struct terms_body *body, struct terms *out)
{
    memcpy(out->currency, body->currency.text ? body->currency.text : TERMS_CURRENCY_DEFAULT, 4);
    out->hold_ttl_s = (uint32_t)body->hold_ttl_seconds.value;
    out->max_hold_s = (uint32_t)body->max_hold_seconds.value;
    out->payment_ttl_s = body->payment_ttl_seconds.given ? (uint32_t)body->payment_ttl_seconds.value
                                                         : TERMS_PAYMENT_TTL_SECONDS;
    if (!payment_rule_read(text_given(body->payment), &out->payment))
        out->payment = PAYMENT_REQUIRED;
    if (!late_payment_rule_read(text_given(body->late_payment), &out->late_payment))
        out->late_payment = LATE_PAYMENT_ACCEPT_IF_FREE;
}
