/* SPDX-License-Identifier: Apache-2.0 */
/* terms.h — the terms of sale in a request: defaults for what it leaves out, and checks that they are consistent.
 *
 * Shared by PUT and PATCH of events and calendars. The image of terms is in image.h.
 */
#ifndef CORE_TERMS_H
#define CORE_TERMS_H

#include "core/image.h"
#include "core/outcome.h"

#define EVENT_HOLD_TTL_S 600
#define EVENT_MAX_HOLD_S 900
#define CALENDAR_HOLD_TTL_S 300
#define CALENDAR_MAX_HOLD_S 900

/* Default durations of holds. A TTL without a maximum gets one and a half times the TTL as its maximum. */
struct terms_defaults {
    uint32_t hold_ttl_s, max_hold_s;
    uint32_t max_hold_least_s; /* lower bound of a maximum computed from a TTL */
};

/* Fills in hold_ttl_s and max_hold_s where they are 0 (left out), and checks them and staff_hold_s: OK or INVALID. A
 * staff_hold_s equal to max_hold_s becomes 0. */
enum outcome_code terms_complete(struct terms *terms, const struct terms_defaults *defaults,
                                 struct outcome *out);

#endif
