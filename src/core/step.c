/* SPDX-License-Identifier: Apache-2.0 */
#include "core/step.h"

void step_begin(struct step *step, struct state *st, const struct command *c)
{
    step->state = st;
    step->command = c;
    step->reservation = TABLE_NONE;
    step->target_count = step->plan_count = 0;
}

enum outcome_code step_answer(struct step *step, uint32_t handle, struct outcome *out)
{
    struct reservation *r = reservation_at(step->state, handle);
    out->has_reservation = true;
    state_saw(out, r->seq);
    reservation_image_make(step->state, r, &out->reservation, step->view);
    return OUTCOME_OK;
}
