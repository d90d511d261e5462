/* SPDX-License-Identifier: Apache-2.0 */
#include "http/api/terms_body.h"

#include "http/wire/reply.h"

static uint32_t seconds_or(struct json_int_value value, uint32_t otherwise)
{
    return value.given ? (uint32_t)value.value : otherwise;
}

static uint32_t max_hold_of(uint32_t ttl_s, uint32_t least_s)
{
    uint32_t max_s = ttl_s + ttl_s / 2 > least_s ? ttl_s + ttl_s / 2 : least_s;
    return max_s < TTL_SECONDS_MAX ? max_s : TTL_SECONDS_MAX;
}

bool terms_body_read(struct request *r, const struct terms_body *body, const struct terms_defaults *defaults,
                     struct terms *out)
{
    bool own = body->hold_ttl_seconds.given;
    memcpy(out->currency, body->currency.text ? body->currency.text : TERMS_CURRENCY_OTHERWISE, 4);
    out->hold_ttl_s = seconds_or(body->hold_ttl_seconds, defaults->hold_ttl_s);
    out->max_hold_s =
        seconds_or(body->max_hold_seconds,
                   own ? max_hold_of(out->hold_ttl_s, defaults->max_hold_least_s) : defaults->max_hold_s);
    out->payment_ttl_s = seconds_or(body->payment_ttl_seconds, TERMS_PAYMENT_TTL_SECONDS);
    if (!payment_rule_read(text_given(body->payment), &out->payment))
        out->payment = PAYMENT_REQUIRED;
    if (!late_payment_rule_read(text_given(body->late_payment), &out->late_payment))
        out->late_payment = LATE_PAYMENT_ACCEPT_IF_FREE;
    if (out->hold_ttl_s <= out->max_hold_s)
        return true;
    return reply_invalid(r, own ? "/hold_ttl_seconds" : "/max_hold_seconds",
                         own ? "Invalid hold_ttl_seconds: more than max_hold_seconds."
                             : "Invalid max_hold_seconds: less than hold_ttl_seconds.");
}
