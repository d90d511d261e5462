/* SPDX-License-Identifier: Apache-2.0 */
/* plan.h — the claims that a command would get, all of them or none.
 *
 * Judged in the order of enum phase (kind.h), whatever asks: a new hold, more items, a move. Lapsed holds in
 * the way are settled; that stands even when the command is refused. Planned seats are marked, and slots that
 * others of the request must see counted, until plan_grant, plan_take or a refusal.
 */
#ifndef CORE_PLAN_H
#define CORE_PLAN_H

#include "core/claim/kind.h"
#include "core/step.h"

#define PLAN_ONE_CURRENCY "All items of a reservation must have the same currency."
#define PLAN_TOTAL "Too expensive: a reservation costs at most 9007199254740991 minor units."

/* Judges the items of the command (HOLD, ITEMS_ADD) for step->owner, and for step->reservation if there is
 * one. OK: they are planned, but for those that the reservation has already; step->target_count is of the
 * others. step->terms are then those of all events and calendars touched, and of that reservation, joined. */
enum outcome_code plan_items(struct step *step, struct outcome *out);
/* Judges the move of one item of step->reservation in the same way. */
enum outcome_code plan_move(struct step *step, const struct item *item, struct outcome *out);
/* Judges so many more units for an item of step->reservation, as a claim of their own. */
enum outcome_code plan_more(struct step *step, const struct item *item, uint32_t more, struct outcome *out);
/* Gives what is planned to the reservation, under this fence. */
void plan_grant(struct step *step, uint32_t handle, uint64_t fence);
void plan_drop(struct step *step); /* nothing is claimed after all */
/* The one item that is planned, for the caller to claim. */
struct item plan_take(struct step *step);

/* ---- For kinds of requests ---- */

/* What is sold on both terms: the shorter of each time, and paid for if either asks for it. What comes of a
 * late payment is not joined. False: they have two currencies. */
bool plan_join_terms(struct terms *terms, const struct terms *more);

/* What every target in an event is judged by, in the phases RESOLVE, ON_SALE, GUESTS and LIMIT. */
enum outcome_code plan_find_event(struct step *step, struct target *t, struct outcome *out);
enum outcome_code plan_on_sale(struct step *step, struct target *t, struct outcome *out);
enum outcome_code plan_guests(struct step *step, struct target *t, struct outcome *out);
enum outcome_code plan_limit(struct step *step, struct target *t, struct outcome *out);
/* Of targets in an event, in the phase CATEGORY: which category it has, a move that of its item; 400 if the event does
 * not name it. And that there is no price in it. */
enum outcome_code plan_category(struct step *step, struct target *t, struct outcome *out);
enum outcome_code plan_unpriced(const struct target *t, struct outcome *out);
/* Whether the step moves what is bought already. */
bool plan_moves_sold(const struct step *step, const struct target *t);
/* The price of a sold item where it moves, from the one asked there: of a user token never less than it was. False: it is
 * dearer, and a user token would have to pay for that. */
bool plan_moved_price(const struct step *step, const struct target *t, int64_t *price);
/* Plans this item for the target. The plan is in the order of the request, whatever the order of picking. */
struct planned *plan_add(struct step *step, const struct target *t, const struct item *item);
/* Adds an obstacle: this is in the target's way. */
void plan_obstacle(struct step *step, const struct target *t, enum unit_status status, uint32_t available,
                   struct outcome *out);
/* The item cannot be moved to what the command names. */
enum outcome_code plan_unmovable(struct step *step, struct target *t, struct outcome *out);

#endif
