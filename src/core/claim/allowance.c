/* SPDX-License-Identifier: Apache-2.0 */
#include "core/claim/allowance.h"

#include "base/assertion.h"
#include "core/calendar/booked.h"
#include "core/calendar/group.h"
#include "core/catalogue/event.h"
#include "core/claim/expiry.h"
#include "core/claim/user.h"

/* Needed for each member of a group and for each item of a request, so the last result is cached. */
static uint32_t group_count(struct state *st, struct group *g, uint32_t user)
{
    struct group_count now = {
        .step = st->step_number, .seq = st->seq, .expired = st->totals.expired, .user = user};
    const struct group_count *last = &g->counted;
    if (last->step == now.step && last->seq == now.seq && last->expired == now.expired && last->user == user)
        return last->have;
    for (uint32_t i = 0; i < g->image.member_count; i++)
        now.have += booked_count(st, user, g->calendars[i]->index);
    g->counted = now;
    return now.have;
}

static uint32_t user_has(struct state *st, const struct allowance *of, uint32_t user)
{
    if (user == TABLE_NONE)
        return 0;
    if (of->event)
        return user_count_get(st, user, of->event->index);
    if (!of->group)
        return booked_count(st, user, of->calendar->index);
    return group_count(st, st->groups[of->group->index], user);
}

enum outcome_code allowance_judge_limit(struct state *st, const struct allowance *of, struct text user,
                                        uint64_t more, struct outcome *out)
{
    const struct event *e = of->event;
    const struct calendar *c = of->calendar;
    ASSERT(!e != !c && user.at); /* a limit is always for a user */
    uint32_t limit = e ? e->image.per_user_limit : c->image.rules.per_user_limit;
    if (!limit)
        return OUTCOME_OK;
    uint32_t handle = user_find(st, user), have = user_has(st, of, handle);
    if (have + more > limit && handle != TABLE_NONE) {
        settle_user(st, handle); /* lapsed holds no longer count; the user can be gone with them */
        have = user_has(st, of, user_find(st, user));
    }
    if (have + more <= limit)
        return OUTCOME_OK;
    out->limit = limit;
    out->have = have;
    if (c)
        out->limited_calendar = c->image.id;
    state_saw(out, e ? e->seq : c->seq);
    for (uint32_t i = 0; of->group && i < of->group->image.member_count; i++)
        state_saw(out, of->group->calendars[i]->seq); /* their claims count too */
    return OUTCOME_LIMIT_EXCEEDED;
}

enum outcome_code allowance_judge_guest(const struct event *e, const struct calendar *c, struct actor who,
                                        struct outcome *out)
{
    ASSERT(!e != !c);
    bool refuses = e ? e->image.no_guests : !c->image.removed && !c->image.rules.guests;
    if (!refuses || !actor_is_guest(who))
        return OUTCOME_OK;
    state_saw(out, e ? e->seq : c->seq);
    return OUTCOME_GUESTS_REFUSED;
}
