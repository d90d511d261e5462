/* SPDX-License-Identifier: Apache-2.0 */
/* plan.h — the claims that a command would get, all of them or none.
 *
 * Judged in the order the contract names: what does not exist, what is not on sale, what has moved on, what is over a
 * limit, what is taken. Lapsed holds in the way are settled on the way; that stands even when the command is refused.
 * Planned seats are marked until plan_grant or plan_drop.
 */
#ifndef CORE_PLAN_H
#define CORE_PLAN_H

#include "core/state.h"

/* What the settings of all events touched amount to: the least of each. */
struct plan_terms {
    uint32_t hold_ttl_s, max_hold_s, payment_ttl_s;
    bool payment_required;
    char currency[3];
};

/* Refuses a seat asked for twice. */
enum outcome_code plan_distinct(const struct item_request *items, uint32_t count, struct outcome *out);
/* Refuses more items or units than a reservation may have, with those it has already. */
enum outcome_code plan_size(const struct item_request *items, uint32_t count, uint64_t has_items, uint64_t has_units,
                            struct outcome *out);
/* Finds events, seats and pools (st->targets). Nothing is marked. The other steps work on what this one found. */
enum outcome_code plan_resolve(struct state *st, const struct item_request *items, uint32_t count,
                               struct plan_terms *terms, struct outcome *out);
enum outcome_code plan_on_sale(struct state *st, uint32_t count);
/* Whether the user may have that much more of each event. */
enum outcome_code plan_limits(struct state *st, const struct item_request *items, uint32_t count, struct text user,
                              struct outcome *out);
/* Picks and marks everything, or fills the obstacles and leaves nothing marked. */
enum outcome_code plan_claim(struct state *st, const struct item_request *items, uint32_t count, struct outcome *out);
/* Gives what is planned to the reservation, under this fence. */
void plan_grant(struct state *st, uint32_t handle, uint64_t fence);
void plan_drop(struct state *st);

#endif
