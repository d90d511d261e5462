/* SPDX-License-Identifier: Apache-2.0 */
/* slot.h — what a group, which becomes a slot of one of its calendars, shares with slot.c. */
#ifndef CORE_SLOT_H
#define CORE_SLOT_H

#include "core/step.h"

/* PHASE_INSTANTS: whether the times can be asked for at all. */
enum outcome_code slot_judge_instants(struct step *step, struct target *t, struct outcome *out);
/* PHASE_HOURS. */
enum outcome_code slot_judge_hours(struct step *step, struct target *t, struct outcome *out);
/* Plans the target's interval on its calendar, or says TAKEN, and how it is; adds no obstacle. */
enum outcome_code slot_plan(struct step *step, struct target *t, enum unit_status *status,
                            struct outcome *out);
/* The target has come to this calendar, or has left it again: what is planned there keeps other time free around it. */
void slots_replan(struct step *step, const struct calendar *c);

#endif
