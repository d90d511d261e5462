/* SPDX-License-Identifier: Apache-2.0 */
/* model_group.c — groups of calendars: which of them gives the requested slot. */
#include <stdio.h>

#include "model.h"

#define DAY_MS (24LL * 3600 * 1000)
#define AHEAD_MAX_MS (3660 * DAY_MS)

void model_stand_on(const struct model *m, struct model_wanted *w, uint32_t index, int member)
{
    struct ask_item *item = &w->items[index];
    item->kind = ITEM_SLOT;
    item->event = m->groups[item->event].members[member];
}

static enum outcome_code invalid(const struct model_wanted *w, uint32_t index, const char *field,
                                 struct model_answer *out)
{
    snprintf(out->pointer, sizeof(out->pointer), "/items/%u/%s", w->index[index], field);
    return OUTCOME_INVALID;
}

/* Large enough, and offering the service. */
enum outcome_code model_group_exists(const struct model *m, struct model_wanted *w, uint32_t index,
                                     struct model_answer *out)
{
    struct ask_item asked = w->items[index];
    bool large = false;
    if (asked.event >= ASK_GROUPS || !m->groups[asked.event].exists)
        return OUTCOME_NO_SUCH_GROUP;
    const struct model_group *g = &m->groups[asked.event];
    w->members[index] = 0;
    for (uint32_t i = 0; i < g->count; i++) {
        const struct model_calendar *c = &m->calendars[g->members[i]];
        if (c->rules.size < asked.party)
            continue;
        large = true;
        model_stand_on(m, w, index, (int)i);
        bool offered = asked.unit < 0 || model_service(m, g->members[i], asked.unit);
        if (offered && model_slot_end(m, &w->items[index]) <= m->now + AHEAD_MAX_MS)
            w->members[index] |= (uint8_t)(1u << i);
        w->items[index] = asked;
    }
    if (!large)
        return invalid(w, index, "party", out);
    return w->members[index] ? OUTCOME_OK : invalid(w, index, "service", out);
}

static uint32_t more(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

struct ask_settings model_group_terms(const struct model *m, const struct model_wanted *w, uint32_t index)
{
    const struct model_group *g = &m->groups[w->items[index].event];
    struct ask_settings widest = {.currency = m->calendars[g->members[0]].settings.currency};
    for (uint32_t i = 0; i < g->count; i++) {
        const struct ask_settings *s = &m->calendars[g->members[i]].settings;
        if (!(w->members[index] >> i & 1))
            continue;
        widest.hold_ttl_s = more(widest.hold_ttl_s, s->hold_ttl_s);
        widest.max_hold_s = more(widest.max_hold_s, s->max_hold_s);
        widest.payment_ttl_s = more(widest.payment_ttl_s, s->payment_ttl_s);
    }
    return widest;
}

/* ---- Which one ---- */

/* How many live claims begin there that day, including those of this request. */
static uint32_t busy(struct model *m, const struct model_wanted *w, uint32_t index, int calendar)
{
    int64_t day = w->items[index].start_ms / DAY_MS;
    uint32_t count = m->calendars[calendar].began_day == day ? m->calendars[calendar].began : 0;
    for (int i = 0; i < MODEL_RESERVATIONS; i++) {
        const struct model_reservation *r = &m->reservations[i];
        for (int k = 0; k < r->item_count; k++)
            count += r->items[k].kind == ITEM_SLOT && r->items[k].event == calendar &&
                     r->items[k].start_ms / DAY_MS == day && model_live(m, r);
    }
    for (uint32_t i = 0; i < w->count; i++)
        count += w->items[i].kind == ITEM_SLOT && w->items[i].event == calendar &&
                 w->items[i].start_ms / DAY_MS == day;
    return count;
}

uint32_t model_group_order(struct model *m, const struct model_wanted *w, uint32_t index,
                           int order[ASK_CALENDARS])
{
    const struct model_group *g = &m->groups[w->items[index].event];
    uint32_t count = 0, rank[ASK_CALENDARS];
    for (uint32_t i = 0; i < g->count; i++)
        if (w->members[index] >> i & 1) {
            uint32_t at = count++;
            uint32_t own = m->calendars[g->members[i]].rules.size << 16 |
                           (g->in_order ? 0 : busy(m, w, index, g->members[i]));
            for (; at > 0 && rank[at - 1] > own; at--) {
                rank[at] = rank[at - 1];
                order[at] = order[at - 1];
            }
            rank[at] = own;
            order[at] = (int)i;
        }
    return count;
}

void model_group_lose(struct model *m, const struct model_reservation *r)
{
    for (int i = 0; i < r->item_count; i++) {
        const struct model_item *item = &r->items[i];
        if (item->kind != ITEM_SLOT || item->event >= ASK_CALENDARS)
            continue;
        struct model_calendar *c = &m->calendars[item->event];
        int64_t day = item->start_ms / DAY_MS;
        if (day > c->began_day) {
            c->began_day = day;
            c->began = 0;
        }
        c->began += day == c->began_day;
    }
}

/* ---- Commands ---- */

bool model_shares_group(const struct model *m, int calendar)
{
    for (int i = 0; i < ASK_GROUPS; i++)
        if (model_group_has(m, i, calendar) && m->groups[i].count > 1)
            return true;
    return false;
}

void model_group_put(struct model *m, const struct ask *a, struct model_answer *out)
{
    struct model_group *g = &m->groups[a->event];
    char currency = 0;
    for (uint32_t i = 0; i < a->member_count; i++) {
        int member = a->members[i];
        bool known = member < ASK_CALENDARS && m->calendars[member].exists;
        if (!known || (currency && m->calendars[member].settings.currency != currency)) {
            out->code = OUTCOME_INVALID;
            return;
        }
        currency = m->calendars[member].settings.currency;
        for (uint32_t k = 0; k < i; k++)
            if (a->members[k] == member)
                out->code = OUTCOME_INVALID;
    }
    if (out->code != OUTCOME_OK)
        return;
    out->created = !g->exists;
    *g = (struct model_group){.exists = true, .in_order = a->in_order, .count = a->member_count};
    for (uint32_t i = 0; i < a->member_count; i++)
        g->members[i] = (int8_t)a->members[i];
}

void model_group_remove(struct model *m, const struct ask *a, struct model_answer *out)
{
    if (a->event < ASK_GROUPS && m->groups[a->event].exists)
        m->groups[a->event] = (struct model_group){0};
    else
        out->code = OUTCOME_NO_SUCH_GROUP;
}
