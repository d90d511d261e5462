/* SPDX-License-Identifier: Apache-2.0 */
/* best.h — the best seats that are left.
 *
 * Side by side in one row first; then leaving no single seat orphaned where that can be avoided; then nearest
 * the front; then nearest the middle of the row. Seats whose hold has lapsed count as free. Accessible places are
 * given to who asks for them, as many as asked for.
 */
#ifndef CORE_BEST_H
#define CORE_BEST_H

#include "core/state.h"

/* What a search saw of the seats that fit the wish. */
struct best_sight {
    uint32_t usable;     /* that are no accessible places */
    uint32_t accessible; /* places */
    uint32_t longest;    /* run of neighbours with no more of either than is wanted */
    uint64_t looked;     /* at so many seats, whether they fit or not: what it has cost */
};

/* What may be picked: seats of these tiers, as the pass says; none: of any tier. */
struct best_bound {
    const struct text *tiers;
    uint32_t tier_count;
    struct text allotment; /* of this one only; at == NULL: of none, */
    bool house;            /* but those that are blocked */
    bool planned;          /* some seats are planned already, and not to be picked again */
    bool settled; /* lapsed holds do not count as free: whoever asks has settled what is to be settled */
};

/* Picks item->quantity seats of the event into `picked`. Nothing is marked or settled. On refusal (SOLD_OUT,
 * NO_ADJACENT_SEATS) *seen is all there is; but while the rows of a large event are being counted for the
 * first time the refusal means nothing, and st->count_short says so. */
enum outcome_code best_pick(struct state *st, struct event *e, const struct item_request *item,
                            const struct best_bound *bound, uint32_t picked[ITEMS_MAX],
                            struct best_sight *seen);

#endif
