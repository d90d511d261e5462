/* SPDX-License-Identifier: Apache-2.0 */
/* schema_terms.h — of schema.h: the terms of a sale, which events and calendars have alike. */
#ifndef HTTP_SCHEMA_TERMS_H
#define HTTP_SCHEMA_TERMS_H

#include "http/describe/about.h"
#include "http/describe/schema_table.h"

/* clang-format off */
/* Rows of a table. */
#define SCHEMA_TERMS(hold_ttl_) \
    MEMBER(currency, TEXT, "EUR", ABOUT_CURRENCY), \
    MEMBER(hold_ttl_seconds, INT, hold_ttl_, ABOUT_HOLD_TTL), \
    MEMBER(max_hold_seconds, INT, 900, ABOUT_MAX_HOLD), \
    MEMBER(payment_ttl_seconds, INT, 300, ABOUT_PAYMENT_TTL), \
    WORD(payment, payment_rule_word, "required", ABOUT_PAYMENT), \
    WORD(late_payment, late_payment_rule_word, "accept_if_free", ABOUT_LATE_PAYMENT)
/* clang-format on */

#endif
