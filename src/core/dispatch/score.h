/* SPDX-License-Identifier: Apache-2.0 */
/* score.h — which of two drivers is asked first: the one with the lesser score, in milliseconds.
 *
 *   weights.eta · eta − weights.rating · 60,000 · rating − weights.waiting · idle − weights.surge · 60,000 · wish
 *
 * where wish is 1 for a driver who wants surge on a ride that has it. Integers in and out, and nothing else is
 * looked at: whoever knows the roads better replaces these functions.
 */
#ifndef CORE_SCORE_H
#define CORE_SCORE_H

#include "core/dispatch/dispatch_image.h"

struct score_facts {
    int64_t eta_ms;
    int64_t idle_ms; /* at most IDLE_MAX_MS */
    uint32_t rating_milli;
    bool surge; /* the driver wants it and the ride has it */
};

/* Rounded down to whole milliseconds: weights have three decimals. */
int64_t score_ms(const struct fleet_weights *weights, const struct score_facts *facts);
/* The reverse: the longest ETA with which somebody of these facts (eta_ms is not looked at) scores no more than this; -1:
 * none does. A search reads on without the ETA of those who cannot be among the best. */
int64_t score_eta_most_ms(const struct fleet_weights *weights, const struct score_facts *facts,
                          int64_t score);

#endif
