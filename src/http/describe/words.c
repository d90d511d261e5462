/* SPDX-License-Identifier: Apache-2.0 */
#include "http/describe/words.h"

#include <stddef.h>

#include "core/types.h"
#include "http/api/calendar_body.h"

/* clang-format off */
WORDS_OF_ENUM(words_reservation_status, enum reservation_status, RESERVATION_HELD, RESERVATION_REFUNDED,
              reservation_status_name)
WORDS_OF_ENUM(words_list_status, enum list_status, LIST_WAITING, LIST_LEFT, list_status_name)
WORDS_OF_ENUM(words_payment, enum payment_rule, PAYMENT_REQUIRED, PAYMENT_NONE, payment_rule_name)
WORDS_OF_ENUM(words_late_payment, enum late_payment_rule, LATE_PAYMENT_ACCEPT_IF_FREE, LATE_PAYMENT_REFUND,
              late_payment_rule_name)
WORDS_OF_ENUM(words_day, unsigned, 0u, 6u, calendar_body_day)
WORDS_OF_OURS(words_availability_format, "json", "map")
/* clang-format on */
