/* SPDX-License-Identifier: Apache-2.0 */
/* model_allotment.c — allotted seats and pools: who can claim them, and how seats are marked. */
#include "model.h"

enum outcome_code model_allotments_named(const struct ask *a)
{
    for (uint32_t i = 0; i < a->count; i++) {
        int named = ask_timed(a->items[i].kind) ? 0 : a->items[i].allotment;
        if (named && a->role != ROLE_ADMIN && (a->role != ROLE_APP || named == ASK_HOUSE))
            return OUTCOME_FORBIDDEN;
    }
    return OUTCOME_OK;
}

int model_allotment_of(const struct model_event *e, const struct ask_item *item)
{
    return item->kind == ITEM_SEAT   ? e->seats[item->unit].allotment
           : item->kind == ITEM_POOL ? e->pools[item->unit].allotment
                                     : 0;
}

uint8_t model_opened_by(int named, int carried)
{
    return (uint8_t)(named ? named : carried);
}

bool model_opens(uint8_t opened, bool blocked, int allotment)
{
    return blocked ? opened == ASK_HOUSE : !allotment || opened == allotment;
}

bool model_off_sale(const struct model_seat *s)
{
    return s->blocked || s->allotment;
}

int8_t model_claimed_from(const struct model_event *e, int kind, int unit)
{
    if (kind == ITEM_POOL)
        return (int8_t)e->pools[unit].allotment;
    return e->seats[unit].blocked ? ASK_HOUSE : (int8_t)e->seats[unit].allotment;
}

/* ---- Marks ---- */

static void mark(struct model_seat *seat, const struct ask *a)
{
    if (!a->keeps_blocked)
        seat->blocked = a->blocked;
    if (a->allots)
        seat->allotment = (uint8_t)a->allotment;
}

/* All of one allotment: those that are claimed follow. */
static void mark_allotted(struct model *m, const struct ask *a, struct model_answer *out)
{
    struct model_event *e = &m->events[a->event];
    for (int i = 0; i < ASK_SEATS; i++) {
        if (!e->seats[i].exists || e->seats[i].allotment != a->in)
            continue;
        ++*(model_holder(m, a->event, i) ? &out->seats_skipped : &out->seats_changed);
        mark(&e->seats[i], a);
    }
}

void model_seats_mark(struct model *m, const struct ask *a, struct model_answer *out)
{
    struct model_event *e = &m->events[a->event];
    bool takes = a->allots || (!a->keeps_blocked && a->blocked);
    if (a->in) {
        mark_allotted(m, a, out);
        return;
    }
    for (uint32_t i = 0; i < a->seat_count; i++) {
        int seat = a->seats[i].seat;
        if (seat >= ASK_SEATS || !e->seats[seat].exists) {
            out->code = OUTCOME_NO_SUCH_SEAT;
            return;
        }
        if (takes && model_holder(m, a->event, seat))
            out->code = OUTCOME_TAKEN;
    }
    for (uint32_t i = 0; out->code == OUTCOME_OK && i < a->seat_count; i++)
        mark(&e->seats[a->seats[i].seat], a);
    out->seats_changed = a->seat_count;
}
