/* SPDX-License-Identifier: Apache-2.0 */
/* booking.h — the rules by which user tokens claim time, and what it costs.
 *
 * App and admin may take any interval inside the hours; for them only the price is said here. The settings are
 * calendar_rules (calendar_image.h), the words that refusals carry are enum booking_rule (types.h). slot.c asks, each
 * in its phase.
 */
#ifndef CORE_BOOKING_H
#define CORE_BOOKING_H

#include "core/step.h"

/* OK, or GUESTS_REFUSED: a guest's new claim. */
enum outcome_code booking_judge_guest(struct step *step, struct target *t, struct outcome *out);
/* OK, or LIMIT_EXCEEDED: more claims that are not over than one user may have. A move leaves as many. */
enum outcome_code booking_judge_limit(struct step *step, struct target *t, struct outcome *out);
/* OK, or NOT_BOOKABLE with the first rule that forbids it, in the order of the enum; a move that comes too late before
 * all others. */
enum outcome_code booking_judge_rules(struct step *step, struct target *t, struct outcome *out);
/* What the target costs today. A service that is no longer offered has no price: an item that moves keeps its own. */
int64_t booking_price(const struct target *t);
/* What a sold item costs where the target moves it: the price per unit that it had. False: a user token would have to pay
 * for that (plan_moved_price). */
bool booking_moved_price(const struct step *step, const struct target *t, int64_t *price);

#endif
