/* SPDX-License-Identifier: Apache-2.0 */
/* schema_terms.h — of schema.h: the terms of a sale, which events and calendars have alike. */
#ifndef HTTP_SCHEMA_TERMS_H
#define HTTP_SCHEMA_TERMS_H

#include "http/schema_table.h"

/* clang-format off */
/* Rows of a table. */
#define SCHEMA_TERMS \
    MEMBER(currency, TEXT), \
    MEMBER(hold_ttl_seconds, INT), \
    MEMBER(max_hold_seconds, INT), \
    MEMBER(payment_ttl_seconds, INT), \
    WORD(payment, words_payment), \
    WORD(late_payment, words_late_payment)
/* clang-format on */

#endif
