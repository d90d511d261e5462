/* SPDX-License-Identifier: Apache-2.0 */
/* plan.h — the claims that a command would get, all of them or none.
 *
 * Judged in the order the contract names: what cannot be meant, what does not exist, what is not on sale,
 * what has moved on, what is over a limit, what is closed, what is taken. Lapsed holds in the way are settled
 * on the way; that stands even when the command is refused. Planned seats are marked, and slots that others
 * of the request must see counted, until plan_grant or plan_drop.
 */
#ifndef CORE_PLAN_H
#define CORE_PLAN_H

#include "core/step.h"

/* Said wherever something would bring a second currency into a reservation. */
#define PLAN_ONE_CURRENCY "All items of a reservation must have the same currency."

/* Refuses a seat asked for twice, and more items than a reservation may have. */
enum outcome_code plan_distinct(const struct item_request *items, uint32_t count, struct outcome *out);

/* What is wanted (step->targets): plan_begin, then each item with its index in the request. */
void plan_begin(struct step *step);
void plan_want(struct step *step, const struct item_request *item, uint32_t index);

/* Refuses more items or units than a reservation may have, with those it has already. */
enum outcome_code plan_size(struct step *step, uint64_t has_items, uint64_t has_units, struct outcome *out);
/* Finds events, calendars, seats, pools and services. Nothing is marked. The other steps work on what this
 * one found. The terms are what those of all events and calendars touched amount to: the least of each time,
 * and paid for if any asks for it. What comes of a late payment stays a matter of each. */
enum outcome_code plan_resolve(struct step *step, struct terms *terms, struct outcome *out);
enum outcome_code plan_on_sale(struct step *step);
/* Those on the waiting lists of the events come first. */
enum outcome_code plan_list(struct step *step);
/* Whether the user may have that much more of each event. */
enum outcome_code plan_limits(struct step *step, struct text user, struct outcome *out);
/* Whether the calendars are open then. */
enum outcome_code plan_hours(struct step *step, struct outcome *out);
/* Picks and marks everything, or fills the obstacles and leaves nothing marked. */
enum outcome_code plan_claim(struct step *step, struct outcome *out);
/* Gives what is planned to the reservation, under this fence. */
void plan_grant(struct step *step, uint32_t handle, uint64_t fence);
void plan_drop(struct step *step);

#endif
