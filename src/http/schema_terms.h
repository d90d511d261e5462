/* SPDX-License-Identifier: Apache-2.0 */
/* schema_terms.h — of schema.h: the terms of a sale, which events and calendars have alike. */
#ifndef HTTP_SCHEMA_TERMS_H
#define HTTP_SCHEMA_TERMS_H

#include "core/types.h"
#include "http/schema_table.h"

/* clang-format off */
WORDS_OF_ENUM(schema_payment_rules, enum payment_rule, PAYMENT_REQUIRED, PAYMENT_NONE, payment_rule_name)
WORDS_OF_ENUM(schema_late_payment_rules, enum late_payment_rule, LATE_PAYMENT_ACCEPT_IF_FREE,
              LATE_PAYMENT_REFUND, late_payment_rule_name)

/* Rows of a table. */
#define SCHEMA_TERMS \
    MEMBER(currency, TEXT), \
    MEMBER(hold_ttl_seconds, INT), \
    MEMBER(max_hold_seconds, INT), \
    MEMBER(payment_ttl_seconds, INT), \
    WORD(payment, schema_payment_rules), \
    WORD(late_payment, schema_late_payment_rules)
/* clang-format on */

#endif
