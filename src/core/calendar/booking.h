/* SPDX-License-Identifier: Apache-2.0 */
/* booking.h — the rules for claims of time with user tokens, and the price.
 *
 * App and admin can claim any interval inside the hours; for them only the price is computed here. The settings are
 * calendar_rules (calendar_image.h), the rules named in refusals are enum booking_rule (types.h). slot.c calls each of
 * these in its phase.
 */
#ifndef CORE_BOOKING_H
#define CORE_BOOKING_H

#include "core/step.h"

/* OK, or GUESTS_REFUSED for a new claim by a guest. */
enum outcome_code booking_judge_guest(struct step *step, struct target *t, struct outcome *out);
/* OK, or LIMIT_EXCEEDED: more claims that are not over than one user may have. A move does not change the number. */
enum outcome_code booking_judge_limit(struct step *step, struct target *t, struct outcome *out);
/* OK, or NOT_BOOKABLE with the first rule that forbids it, in the order of the enum. */
enum outcome_code booking_judge_rules(struct step *step, struct target *t, struct outcome *out);
/* The current price of the target. A service that is no longer offered has no price: a moved item keeps its own. */
int64_t booking_price(const struct target *t);
/* The price of a sold item after the move, by its old price per slot. False: the user would have to pay the difference
 * (plan_moved_price). */
bool booking_moved_price(const struct step *step, const struct target *t, int64_t *price);

#endif
