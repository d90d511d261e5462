/* SPDX-License-Identifier: Apache-2.0 */
/* slot.h — the part of slot.c that groups use, too: their items become slots. */
#ifndef CORE_SLOT_H
#define CORE_SLOT_H

#include "core/step.h"

/* PHASE_INSTANTS: whether the times are possible at all. */
enum outcome_code slot_judge_instants(struct step *step, struct target *t, struct outcome *out);
/* PHASE_HOURS. */
enum outcome_code slot_judge_hours(struct step *step, struct target *t, struct outcome *out);
/* Plans the target's interval on its calendar, or returns TAKEN and the status; adds no obstacle. */
enum outcome_code slot_plan(struct step *step, struct target *t, enum unit_status *status,
                            struct outcome *out);
/* Recomputes the buffers of planned slots on this calendar, after a target was added or removed there. */
void slots_replan(struct step *step, const struct calendar *c);

#endif
