/* SPDX-License-Identifier: Apache-2.0 */
/* slots.c — reads calendars and groups of calendars from memory: the records, and their free slots. */
#include "view/answers.h"

static void calendar_view_make(const struct calendar *c, struct calendar_view *out)
{
    *out = (struct calendar_view){.image = c->image, .seq = c->seq};
}

bool view_calendar_find(struct view *v, struct text id, struct calendar_view *out)
{
    const struct calendar *c = calendar_find(v->state, id);
    if (c)
        calendar_view_make(c, out);
    return c != NULL;
}

bool view_calendar_after(struct view *v, uint64_t number, struct calendar_view *out)
{
    const struct calendar *c = calendar_after(v->state, number);
    if (c)
        calendar_view_make(c, out);
    return c != NULL;
}

enum outcome_code view_slots(struct view *v, struct text calendar, struct text service,
                             struct slots_query *query, struct slot *out, struct slots_page *page)
{
    const struct calendar *c = calendar_find(v->state, calendar);
    if (!c)
        return OUTCOME_NO_SUCH_CALENDAR;
    if (service.at) {
        uint32_t position = calendar_service_find(c, service);
        if (position == SERVICE_NONE)
            return OUTCOME_INVALID;
        query->length_ms = calendar_service_ms(c, position);
    }
    query->now_ms = store_now(v->store);
    *page = calendar_slots(c, query, out);
    return OUTCOME_OK;
}

/* ---- Groups ---- */

static void group_view_make(struct group *g, struct group_view *out)
{
    *out = (struct group_view){.image = *group_view(g), .seq = g->seq};
    for (uint32_t i = 0; i < g->image.member_count;
         i++) /* the answer shows their names, so it waits for them */
        if (g->calendars[i]->seq > out->seq)
            out->seq = g->calendars[i]->seq;
}

bool view_group_find(struct view *v, struct text id, struct group_view *out)
{
    struct group *g = group_find(v->state, id);
    if (g)
        group_view_make(g, out);
    return g != NULL;
}

/* Indexes are in the order of numbers. */
bool view_group_after(struct view *v, uint64_t number, struct group_view *out)
{
    const struct state *st = v->state;
    uint32_t low = 0, high = st->group_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (st->groups[middle]->image.number <= number)
            low = middle + 1;
        else
            high = middle;
    }
    while (low < st->group_count && st->groups[low]->image.removed)
        low++;
    if (low == st->group_count)
        return false;
    group_view_make(st->groups[low], out);
    return true;
}

/* Each member costs up to a quarter of a millisecond. */
#define MEMBERS_PER_SLICE 4

static bool slots_begin(struct view *v, struct text group, struct group_slots_view *s)
{
    const struct group *g = group_find(v->state, group);
    if (!g)
        return false;
    s->begun = true;
    s->seq = g->seq;
    s->slots.query.now_ms = store_now(v->store);
    for (uint32_t i = 0; i < g->image.member_count; i++)
        if (g->calendars[i]->image.rules.size >= s->party)
            s->calendars[s->count++] = g->calendars[i]->image.number;
    s->offered = s->count == 0; /* no member is large enough: an empty page, not an unknown service */
    return true;
}

enum outcome_code view_group_slots(struct view *v, struct text group, struct group_slots_view *s, bool *more)
{
    if (!s->begun && !slots_begin(v, group, s))
        return OUTCOME_NO_SUCH_GROUP;
    for (uint32_t i = 0; i < MEMBERS_PER_SLICE && s->done < s->count; i++) {
        /* By number: the calendar may have left the group and been removed since the last slice. */
        const struct calendar *c = calendar_find_number(v->state, s->calendars[s->done++]);
        if (!c || c->image.removed)
            continue;
        s->offered = group_slots_add(&s->slots, c, s->service) || s->offered;
        if (c->seq > s->seq)
            s->seq = c->seq;
    }
    *more = s->done < s->count;
    return *more || s->offered ? OUTCOME_OK : OUTCOME_INVALID;
}
