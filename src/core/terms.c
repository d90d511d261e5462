/* SPDX-License-Identifier: Apache-2.0 */
#include "core/terms.h"

#include "base/assertion.h"
#include "core/state.h"

static uint32_t max_hold_of(uint32_t ttl_s, uint32_t least_s)
{
    ASSERT(ttl_s <= TTL_SECONDS_MAX);
    uint32_t max_s = ttl_s + ttl_s / 2 > least_s ? ttl_s + ttl_s / 2 : least_s;
    return max_s < TTL_SECONDS_MAX ? max_s : TTL_SECONDS_MAX;
}

enum outcome_code terms_complete(struct terms *terms, const struct terms_defaults *defaults,
                                 struct outcome *out)
{
    bool own = terms->hold_ttl_s;
    ASSERT(defaults->hold_ttl_s && defaults->hold_ttl_s <= defaults->max_hold_s);
    if (!own)
        terms->hold_ttl_s = defaults->hold_ttl_s;
    if (!terms->max_hold_s)
        terms->max_hold_s =
            own ? max_hold_of(terms->hold_ttl_s, defaults->max_hold_least_s) : defaults->max_hold_s;
    if (terms->hold_ttl_s > terms->max_hold_s && own)
        return state_invalid(out, "Invalid hold_ttl_seconds: more than max_hold_seconds.",
                             "/hold_ttl_seconds");
    if (terms->hold_ttl_s > terms->max_hold_s)
        return state_invalid(out, "Invalid max_hold_seconds: less than hold_ttl_seconds.",
                             "/max_hold_seconds");
    if (terms->staff_hold_s && terms->staff_hold_s < terms->max_hold_s)
        return state_invalid(out, "Invalid staff_hold_seconds: less than max_hold_seconds.",
                             "/staff_hold_seconds");
    if (terms->staff_hold_s == terms->max_hold_s)
        terms->staff_hold_s = 0;
    ASSERT(terms_staff_hold_s(terms) >= terms->max_hold_s && terms->hold_ttl_s >= 1);
    return OUTCOME_OK;
}
