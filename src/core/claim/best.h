/* SPDX-License-Identifier: Apache-2.0 */
/* best.h — picks the best seats that are left.
 *
 * Preferred, in this order: side by side in one row; no single seat left beside them; nearest to the front; nearest to
 * the middle of the row. Seats whose hold has lapsed count as free. Accessible places are given only to requests for
 * them, and exactly as many as requested.
 */
#ifndef CORE_BEST_H
#define CORE_BEST_H

#include "core/state.h"

/* What a search found among the seats that fit the wish. */
struct best_stats {
    uint32_t usable;     /* not accessible places */
    uint32_t accessible; /* places */
    uint32_t longest;    /* run of neighbours, with no more of either than wanted */
    uint64_t looked;     /* seats looked at, whether they fit or not: the cost */
};

/* What may be picked: seats of these tiers, from the pass; none: of any tier. */
struct best_bound {
    const struct text *tiers;
    uint32_t tier_count;
    struct text allotment; /* only seats of this one; none: only seats outside allotments */
    bool house;            /* only blocked seats */
    bool planned;          /* some seats are already planned, and must not be picked again */
    /* Lapsed holds do not count as free: the caller has settled what it wants settled. */
    bool settled;
};

/* Picks item->quantity seats of the event into `picked`. Marks and settles nothing. On refusal (SOLD_OUT,
 * NO_ADJACENT_SEATS) *seen covers all seats; but while the rows of a large event are being counted for the
 * first time st->count_short is set, and the refusal means nothing. */
enum outcome_code best_pick(struct state *st, struct event *e, const struct item_request *item,
                            const struct best_bound *bound, uint32_t picked[ITEMS_MAX],
                            struct best_stats *seen);

#endif
