/* SPDX-License-Identifier: Apache-2.0 */
/* hold.h — claiming: a new reservation, or more items for one that is held. */
#ifndef CORE_HOLD_H
#define CORE_HOLD_H

#include "core/step.h"

/* All or nothing. Judged in the order of the contract; see plan.h. */
enum outcome_code hold_new(struct step *step, struct outcome *out);
/* Seats that it has already are passed over, and slots where only one may have the time; the deadline does
 * not move. */
enum outcome_code hold_more(struct step *step, struct outcome *out);

#endif
