/* SPDX-License-Identifier: Apache-2.0 */
/* score.h — the score of a driver, in milliseconds: the lower one is asked first.
 *
 *   weights.eta · eta − weights.rating · 60,000 · rating − weights.waiting · idle − weights.surge · 60,000 · wish
 *
 * where wish is 1 for a driver who wants surge on a ride that has it. Integers in and out, and no other input: to use
 * real roads, replace these functions.
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
/* The inverse: the longest ETA with which a driver with these facts (eta_ms is ignored) scores no more than this; -1:
 * none does. With it a search skips drivers who cannot be among the best without computing their ETA. */
int64_t score_eta_most_ms(const struct fleet_weights *weights, const struct score_facts *facts,
                          int64_t score);

#endif
