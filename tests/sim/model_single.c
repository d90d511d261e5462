/* SPDX-License-Identifier: Apache-2.0 */
/* model_single.c — seats that somebody's choice leaves alone, where that is refused. */
#include "model.h"

/* The seats of one event that were chosen, into out->singles those that they leave alone. */
static void look(struct model *m, int event, const bool chosen[ASK_SEATS], struct model_answer *out)
{
    const struct model_event *e = &m->events[event];
    bool open[ASK_SEATS];
    for (int i = 0; i < ASK_SEATS; i++)
        open[i] =
            e->seats[i].exists && !model_off_sale(&e->seats[i]) && !chosen[i] && !model_holder(m, event, i);
    out->singles[event] = model_alone(e, open, chosen);
}

static enum outcome_code verdict(const struct model_answer *out)
{
    for (int i = 0; i < ASK_EVENTS; i++)
        if (out->singles[i])
            return OUTCOME_LEAVES_SINGLE;
    return OUTCOME_OK;
}

enum outcome_code model_wanted_singles(struct model *m, const struct ask *a, const struct model_wanted *w,
                                       struct model_answer *out)
{
    for (int event = 0; event < ASK_EVENTS; event++) {
        bool chosen[ASK_SEATS] = {0};
        int count = 0;
        for (uint32_t i = 0; i < w->count; i++)
            if (w->items[i].kind == ITEM_SEAT && w->items[i].event == event) {
                chosen[w->items[i].unit] = true;
                count++;
            }
        /* One after the other may be clicked. */
        if (a->role == ROLE_USER && count > 1 && m->events[event].settings.refuse_singles)
            look(m, event, chosen, out);
    }
    return verdict(out);
}

enum outcome_code model_singles(struct model *m, const struct ask *a, const struct model_reservation *r,
                                struct model_answer *out)
{
    for (int event = 0; event < ASK_EVENTS; event++) {
        bool chosen[ASK_SEATS] = {0}, any = false;
        for (int i = 0; i < r->item_count; i++)
            if (r->items[i].kind == ITEM_SEAT && r->items[i].event == event && !r->items[i].picked)
                any = chosen[r->items[i].unit] = true;
        if (a->role == ROLE_USER && any && m->events[event].settings.refuse_singles)
            look(m, event, chosen, out);
    }
    return verdict(out);
}
