/* SPDX-License-Identifier: Apache-2.0 */
#include "core/dispatch/score.h"

#include "base/assertion.h"

#define MINUTE_MS 60000

/* In thousandths of a millisecond. The longest drive at the lowest speed with the highest weight is less than 2^57 of
 * them. */
static int64_t deductions(const struct fleet_weights *weights, const struct score_facts *facts)
{
    ASSERT(facts->idle_ms >= 0 && facts->idle_ms <= IDLE_MAX_MS);
    ASSERT(facts->rating_milli <= RATING_MILLI_MAX);
    return (int64_t)weights->rating_milli * facts->rating_milli * (MINUTE_MS / 1000) +
           weights->waiting_milli * facts->idle_ms +
           (facts->surge ? (int64_t)weights->surge_milli * MINUTE_MS : 0);
}

int64_t score_ms(const struct fleet_weights *weights, const struct score_facts *facts)
{
    ASSERT(facts->eta_ms >= 0);
    int64_t sum = weights->eta_milli * facts->eta_ms - deductions(weights, facts);
    int64_t whole = sum / 1000;
    return sum < 0 && sum % 1000 ? whole - 1 : whole; /* down, below zero as well */
}

int64_t score_eta_most_ms(const struct fleet_weights *weights, const struct score_facts *facts, int64_t score)
{
    /* All thousandths that round down to this score. */
    int64_t below = (score + 1) * 1000 + deductions(weights, facts);
    if (!weights->eta_milli)
        return INT64_MAX;
    return below > 0 ? (below - 1) / weights->eta_milli : -1;
}
