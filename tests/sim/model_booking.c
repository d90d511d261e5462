/* SPDX-License-Identifier: Apache-2.0 */
/* model_booking.c — the refusals of calendars, in their order. A group refuses as those of its calendars that got
 * furthest. */
#include "model.h"

enum outcome_code model_wanted_each(struct model *m, const struct ask *a, struct model_wanted *w, int owner,
                                    struct model_answer *out, model_judge_one *judge)
{
    enum outcome_code code = OUTCOME_OK;
    for (uint32_t i = 0; code == OUTCOME_OK && i < w->count; i++) {
        struct ask_item asked = w->items[i];
        struct model_answer first = {.code = OUTCOME_OK};
        if (asked.kind != ITEM_GROUP) {
            code = judge(m, a, w, i, owner, out);
            continue;
        }
        for (int k = 0; k < ASK_CALENDARS; k++) {
            struct model_answer one = {.code = OUTCOME_OK};
            if (!(w->members[i] >> k & 1))
                continue;
            model_stand_on(m, w, i, k);
            one.code = judge(m, a, w, i, owner, &one);
            w->items[i] = asked;
            if (one.code == OUTCOME_OK)
                continue;
            w->members[i] &= (uint8_t) ~(1u << k);
            if (first.code == OUTCOME_OK)
                first = one;
        }
        if (w->members[i])
            continue;
        code = first.code;
        out->limit = first.limit;
        out->have = first.have;
        out->have_any = first.have_any;
        out->closed_item = first.closed_item;
        out->rule = first.rule;
    }
    return code;
}

enum outcome_code model_judge_ttl(struct model *m, const struct ask *a, struct model_wanted *w,
                                  uint32_t index, int owner, struct model_answer *out)
{
    (void)owner;
    (void)out;
    if (w->items[index].kind != ITEM_SLOT)
        return OUTCOME_OK;
    const struct ask_settings *s = &m->calendars[w->items[index].event].settings;
    return a->ttl_s > (a->role == ROLE_USER ? s->hold_ttl_s : s->max_hold_s) ? OUTCOME_INVALID : OUTCOME_OK;
}

enum outcome_code model_judge_guest(struct model *m, const struct ask *a, struct model_wanted *w,
                                    uint32_t index, int owner, struct model_answer *out)
{
    (void)owner;
    (void)out;
    const struct ask_settings *s = w->items[index].kind == ITEM_SLOT
                                       ? &m->calendars[w->items[index].event].settings
                                       : &m->events[w->items[index].event].settings;
    bool guest = a->role == ROLE_USER && ask_guest(a->actor);
    return s->no_guests && guest ? OUTCOME_GUESTS_REFUSED : OUTCOME_OK;
}

/* ---- Limits ---- */

bool model_group_has(const struct model *m, int group, int calendar)
{
    const struct model_group *g = &m->groups[group];
    for (uint32_t i = 0; g->exists && i < g->count; i++)
        if (g->members[i] == calendar)
            return true;
    return false;
}

int model_group_of(const struct model *m, int calendar, int after)
{
    for (int i = after; i < ASK_GROUPS; i++)
        if (model_group_has(m, i, calendar))
            return i;
    return -1;
}

uint32_t model_booked_with(struct model *m, int user, int calendar, int group)
{
    uint32_t booked = 0;
    for (int i = 0; i < ASK_CALENDARS; i++)
        if (i == calendar || (group >= 0 && model_group_has(m, group, i)))
            booked += model_booked(m, user, i);
    return booked;
}

/* The part of the request that counts together with the item: on its calendar or on others of the group; and of the
 * items requested of the group all that are given before it. */
static uint32_t wanted_with(const struct model *m, const struct model_wanted *w, uint32_t index, int group)
{
    uint32_t wanted = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        const struct ask_item *item = &w->items[i];
        if (item->kind == ITEM_SLOT)
            wanted += item->event == w->items[index].event ||
                      (group >= 0 && model_group_has(m, group, item->event));
        else if (item->kind == ITEM_GROUP)
            wanted += w->groups[index] && item->event == group && i < index;
    }
    return wanted;
}

/* Alone, or with the others of each group that has it. Only for users. */
static enum outcome_code judge_bookings(struct model *m, const struct ask *a, const struct model_wanted *w,
                                        uint32_t index, int owner, struct model_answer *out)
{
    int calendar = w->items[index].event, group = model_group_of(m, calendar, 0);
    uint32_t limit = a->role == ROLE_USER ? m->calendars[calendar].rules.limit : 0;
    bool several = group >= 0 && model_group_of(m, calendar, group + 1) >= 0;
    do {
        uint32_t have = limit ? model_booked_with(m, owner, calendar, group) : 0;
        if (limit && have + wanted_with(m, w, index, group) > limit) {
            out->limit = limit;
            out->have = have;
            out->have_any = several;
            return OUTCOME_LIMIT_EXCEEDED;
        }
        group = group < 0 ? -1 : model_group_of(m, calendar, group + 1);
    } while (group >= 0);
    return OUTCOME_OK;
}

enum outcome_code model_judge_limit(struct model *m, const struct ask *a, struct model_wanted *w,
                                    uint32_t index, int owner, struct model_answer *out)
{
    int event = w->items[index].event;
    if (w->items[index].kind == ITEM_SLOT)
        return judge_bookings(m, a, w, index, owner, out);
    uint32_t limit = m->events[event].settings.limit, have = limit ? model_have(m, owner, event) : 0;
    uint32_t wanted = 0;
    for (uint32_t i = 0; i < w->count; i++)
        if (!ask_timed(w->items[i].kind) && w->items[i].event == event)
            wanted += w->items[i].quantity;
    if (!limit || have + wanted <= limit)
        return OUTCOME_OK;
    out->limit = limit;
    out->have = have;
    return OUTCOME_LIMIT_EXCEEDED;
}

/* ---- Hours and rules ---- */

enum outcome_code model_judge_open(struct model *m, const struct ask *a, struct model_wanted *w,
                                   uint32_t index, int owner, struct model_answer *out)
{
    (void)a;
    (void)owner;
    const struct ask_item *item = &w->items[index];
    if (item->kind != ITEM_SLOT || model_open(m, item->event, item->start_ms, model_slot_end(m, item)))
        return OUTCOME_OK;
    out->closed_item = w->index[index];
    return OUTCOME_CLOSED;
}

enum outcome_code model_judge_rules(struct model *m, const struct ask *a, struct model_wanted *w,
                                    uint32_t index, int owner, struct model_answer *out)
{
    (void)owner;
    const struct ask_item *item = &w->items[index];
    if (a->role != ROLE_USER || item->kind != ITEM_SLOT ||
        model_bookable(m, item->event, item->unit, item->start_ms, model_slot_end(m, item), NULL, out) ==
            OUTCOME_OK)
        return OUTCOME_OK;
    out->closed_item = w->index[index];
    return OUTCOME_NOT_BOOKABLE;
}
