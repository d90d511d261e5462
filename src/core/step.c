/* SPDX-License-Identifier: Apache-2.0 */
#include "core/step.h"

#include "base/assertion.h"
#include "core/catalogue/event.h"
#include "core/claim/kind.h"
#include "core/claim/reservation.h"
#include "core/claim/single_seats.h"
#include "core/money/ledger.h"

void step_begin(struct step *step, struct state *st, const struct command *c)
{
    step->state = st;
    step->command = c;
    step->reservation = TABLE_NONE;
    step->target_count = step->plan_count = step->left_count = 0;
    step->left_decided = step->all_free = false;
}

/* When the last of its items begins; 0: none has a start. */
static int64_t last_start(struct state *st, struct reservation *r)
{
    int64_t last_ms = 0;
    for (uint32_t i = 0; i < r->item_count; i++) {
        const struct item *item = &reservation_items(r)[i];
        const struct event *e = item_event(st, item);
        int64_t start_ms = e ? e->image.starts_at_ms : item->start_ms;
        last_ms = start_ms > last_ms ? start_ms : last_ms;
    }
    return last_ms;
}

enum outcome_code step_answer(struct step *step, uint32_t handle, struct outcome *out)
{
    struct reservation *r = reservation_at(step->state, handle);
    ASSERT(r->item_count >= 1 && r->item_count <= ITEMS_MAX); /* what `view` has room for */
    out->has_reservation = true;
    state_saw(out, r->seq);
    reservation_image_make(step->state, r, &out->reservation, step->view);
    single_seats_show(step, handle, out);
    ledger_show(step->state, handle, &out->reservation);
    if (r->status == RESERVATION_CONFIRMED)
        out->last_start_ms = last_start(step->state, r);
    return OUTCOME_OK;
}
