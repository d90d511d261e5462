/* SPDX-License-Identifier: Apache-2.0 */
/* sim_group.c — the slots of groups of calendars, and their members. */
#include "core/calendar/group.h"
#include "sim.h"

#define PAGES_MOST 20000

void sim_check_groups(struct sim *s)
{
    for (int i = 0; i < ASK_GROUPS; i++) {
        const struct model_group *m = &s->model.groups[i];
        struct group *g = group_find(s->state, translate_group(i + 1));
        if ((g != NULL) != m->exists || (g && g->image.member_count != m->count))
            sim_fail(s, "Group %d is there or not, or has other calendars.", i);
        for (uint32_t k = 0; g && k < m->count; k++)
            if (!text_equal(group_view(g)->members[k].id, translate_calendar(m->members[k])))
                sim_fail(s, "Group %d has another calendar.", i);
    }
}

/* ---- Slots ---- */

/* All pages, one after the other. */
static uint32_t read_pages(struct sim *s, struct group *g, struct slots_query q, uint32_t party,
                           struct text service, struct slot *out)
{
    static struct slot room[3][GROUP_SLOTS_ROOM(SIM_SLOTS)];
    uint32_t count = 0;
    for (int pages = 0; pages < PAGES_MOST && count + GROUP_SLOTS_ROOM(q.limit) <= SIM_SLOTS; pages++) {
        struct group_slots of = {.query = q, .out = room[0], .spare = room[1], .page = room[2]};
        for (uint32_t i = 0; i < g->image.member_count; i++)
            if (g->calendars[i]->image.rules.size >= party)
                group_slots_add(&of, g->calendars[i], service);
        struct slots_page page = group_slots_end(&of);
        memcpy(out + count, of.out, page.count * sizeof(*out));
        count += page.count;
        if (!page.more)
            return count;
        if (page.next_ms <= q.from_ms)
            sim_fail(s, "A page of a group's slots leads back.");
        q.from_ms = page.next_ms;
    }
    sim_fail(s, "There is no end of pages of a group.");
}

static bool is_later(const struct slot *a, const struct slot *b)
{
    return a->start_ms != b->start_ms ? a->start_ms > b->start_ms : a->end_ms > b->end_ms;
}

/* Adds those of one more calendar: each counts once. */
static uint32_t merge(struct slot *all, uint32_t count, const struct slot *more, uint32_t added)
{
    for (uint32_t i = 0; i < added; i++) {
        uint32_t at = count;
        while (at > 0 && is_later(&all[at - 1], &more[i]))
            at--;
        if (at > 0 && !is_later(&more[i], &all[at - 1])) {
            all[at - 1].available++;
            continue;
        }
        memmove(all + at + 1, all + at, (count - at) * sizeof(*all));
        all[at] = more[i];
        all[at].available = 1;
        count++;
    }
    return count;
}

void sim_read_group(struct sim *s)
{
    static struct slot found[SIM_SLOTS], one[SIM_SLOTS], expected[ASK_CALENDARS * SIM_SLOTS];
    int group = (int)dice_roll(&s->dice, ASK_GROUPS);
    const struct model_group *m = &s->model.groups[group];
    struct slots_query q;
    if (!m->exists)
        return;
    int first = m->members[dice_roll(&s->dice, m->count)], service = -1;
    const struct ask_calendar *rules = &s->model.calendars[first].rules;
    generate_slots_query(&s->generator, first, &q);
    uint32_t party = 1 + dice_roll(&s->dice, 3), count = 0;
    if (rules->service_count && dice_percent(&s->dice, 40))
        service = rules->services[dice_roll(&s->dice, rules->service_count)].service;
    if (q.to_ms - q.from_ms > 3600000LL * 24) /* the model is slow */
        q.to_ms = q.from_ms + 3600000LL * 24;
    bool exact = state_next_deadline(s->state) > s->model.now;
    uint32_t read = read_pages(s, group_find(s->state, translate_group(group + 1)), q, party,
                               translate_service(service), found);
    for (uint32_t i = 0; i < m->count; i++) {
        const struct ask_service *offered = model_service(&s->model, m->members[i], service);
        struct slots_query of = q;
        if (s->model.calendars[m->members[i]].rules.size < party || (service >= 0 && !offered))
            continue;
        if (offered)
            of.length_ms = offered->minutes * 60000LL;
        count = merge(expected, count, one, model_slots(&s->model, m->members[i], &of, one, SIM_SLOTS));
    }
    sim_compare_slots(s, found, read, expected, count, exact);
    s->tally->calendars.group_slots += read;
}
