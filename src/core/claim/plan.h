/* SPDX-License-Identifier: Apache-2.0 */
/* plan.h — the claims of a command, planned before any is made: all of them or none.
 *
 * New holds, more items and moves are all judged in the order of enum phase (kind.h). Lapsed holds in the way are
 * settled, and stay settled even if the command is refused. Until plan_grant, plan_take or a refusal, planned seats are
 * marked, and planned slots that other items of the request must see are counted.
 */
#ifndef CORE_PLAN_H
#define CORE_PLAN_H

#include "core/claim/kind.h"
#include "core/step.h"

#define PLAN_ONE_CURRENCY "All items of a reservation must have the same currency."
#define PLAN_TOTAL "Too expensive: a reservation costs at most 9007199254740991 minor units."

/* Judges the items of the command (HOLD, ITEMS_ADD) for step->owner, and for step->reservation if there is
 * one. OK: they are planned, except for those that the reservation already has; step->target_count counts only the
 * others. step->terms then combines the terms of all their events and calendars, and of that reservation. */
enum outcome_code plan_items(struct step *step, struct outcome *out);
/* Judges the move of one item of step->reservation in the same way. */
enum outcome_code plan_move(struct step *step, const struct item *item, struct outcome *out);
/* Judges `more` units for an item of step->reservation, as a separate claim. */
enum outcome_code plan_more(struct step *step, const struct item *item, uint32_t more, struct outcome *out);
/* Adds the planned items to the reservation, with this fence. */
void plan_grant(struct step *step, uint32_t handle, uint64_t fence);
void plan_drop(struct step *step); /* discards the plan */
/* Removes the only planned item from the plan and returns it, for the caller to claim. */
struct item plan_take(struct step *step);

/* ---- For kinds of requests ---- */

/* Combines terms: the shorter of each time, and payment if either requires it. The rule for late payments is not
 * combined. False: the currencies differ. */
bool plan_join_terms(struct terms *terms, const struct terms *more);

/* For all targets in an event: the phases RESOLVE, ON_SALE, GUESTS and LIMIT. */
enum outcome_code plan_find_event(struct step *step, struct target *t, struct outcome *out);
enum outcome_code plan_on_sale(struct step *step, struct target *t, struct outcome *out);
enum outcome_code plan_guests(struct step *step, struct target *t, struct outcome *out);
enum outcome_code plan_limit(struct step *step, struct target *t, struct outcome *out);
/* For targets in an event, the phase CATEGORY: finds the category (a move keeps that of its item); INVALID if the event
 * does not have it. plan_unpriced is the refusal when there is no price in it. */
enum outcome_code plan_category(struct step *step, struct target *t, struct outcome *out);
enum outcome_code plan_unpriced(const struct target *t, struct outcome *out);
/* Whether the step moves a sold item. */
bool plan_moves_sold(const struct step *step, const struct target *t);
/* The price of a sold item after a move, given the price at the new place: with a user token never less than before.
 * False: it is more expensive, and the user would have to pay the difference. */
bool plan_moved_price(const struct step *step, const struct target *t, int64_t *price);
/* Plans this item for the target. The plan is in the order of the request, not of picking. */
struct planned *plan_add(struct step *step, const struct target *t, const struct item *item);
/* Adds an obstacle for this target. */
void plan_obstacle(struct step *step, const struct target *t, enum unit_status status, uint32_t available,
                   struct outcome *out);
/* The item cannot be moved to what the command names. */
enum outcome_code plan_unmovable(struct step *step, struct target *t, struct outcome *out);

#endif
