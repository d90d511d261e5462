/* SPDX-License-Identifier: Apache-2.0 */
#include "core/step.h"

#include "base/assertion.h"

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
    ASSERT(r->item_count >= 1 && r->item_count <= ITEMS_MAX); /* what `view` has room for */
    out->has_reservation = true;
    state_saw(out, r->seq);
    reservation_image_make(step->state, r, &out->reservation, step->view);
    return OUTCOME_OK;
}
