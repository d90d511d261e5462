/* SPDX-License-Identifier: Apache-2.0 */
#include "core/dispatch/score.h"

#include "base/assertion.h"

#define MINUTE_MS 60000

int64_t score_ms(const struct fleet_weights *weights, const struct score_facts *facts)
{
    ASSERT(facts->eta_ms >= 0 && facts->idle_ms >= 0 && facts->idle_ms <= IDLE_MAX_MS);
    ASSERT(facts->rating_milli <= RATING_MILLI_MAX);
    /* In thousandths of a millisecond: the furthest drive at the least speed with the greatest weight is less than
     * 2^57 of them. */
    int64_t sum = weights->eta_milli * facts->eta_ms;
    sum -= (int64_t)weights->rating_milli * facts->rating_milli * (MINUTE_MS / 1000);
    sum -= weights->waiting_milli * facts->idle_ms;
    sum -= facts->surge ? (int64_t)weights->surge_milli * MINUTE_MS : 0;
    int64_t whole = sum / 1000;
    return sum < 0 && sum % 1000 ? whole - 1 : whole; /* down, below zero as well */
}
