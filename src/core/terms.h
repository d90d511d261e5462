/* SPDX-License-Identifier: Apache-2.0 */
/* terms.h — on what terms something is sold, as a request says it: what it leaves open, and what fits together.
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

/* What holds last where nothing is said. A TTL without a maximum brings its own, half as long again. */
struct terms_defaults {
    uint32_t hold_ttl_s, max_hold_s;
    uint32_t max_hold_least_s; /* that a TTL brings */
};

/* Fills in hold_ttl_s, max_hold_s and staff_hold_s where they are 0, left open, and judges all three: OK or INVALID.
 * staff_hold_s is kept only where it says more than max_hold_s. */
enum outcome_code terms_complete(struct terms *terms, const struct terms_defaults *defaults,
                                 struct outcome *out);

#endif
