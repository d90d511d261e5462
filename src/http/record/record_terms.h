/* SPDX-License-Identifier: Apache-2.0 */
/* record_terms.h — the terms of a sale, shared by events and calendars: rows of record.h. */
#ifndef HTTP_RECORD_TERMS_H
#define HTTP_RECORD_TERMS_H

#include "http/describe/about.h"
#include "http/record/record.h"

/* clang-format off */
#define TERMS(F, terms_, hold_ttl_) \
    F(STRING, currency, "EUR", ABOUT_CURRENCY, (terms_).currency) \
    F(UINT, hold_ttl_seconds, hold_ttl_, ABOUT_HOLD_TTL, (terms_).hold_ttl_s) \
    F(UINT, max_hold_seconds, 900, ABOUT_MAX_HOLD, (terms_).max_hold_s) \
    F(UINT, payment_ttl_seconds, 300, ABOUT_PAYMENT_TTL, (terms_).payment_ttl_s) \
    F(WORD, payment, "required", ABOUT_PAYMENT, payment_rule_word, payment_rule_name((terms_).payment)) \
    F(WORD, late_payment, "accept_if_free", ABOUT_LATE_PAYMENT, late_payment_rule_word, \
      late_payment_rule_name((terms_).late_payment))
/* clang-format on */

#endif
