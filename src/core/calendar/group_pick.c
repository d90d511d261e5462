/* SPDX-License-Identifier: Apache-2.0 */
/* group_pick.c — a request for an interval of any calendar of a group.
 *
 * Each phase excludes the members that would refuse this caller (`open` of the target), and refuses when none is
 * left: so the refusal is that of the members that got furthest in the order of refusals, the first of them in the
 * group's order. Of those left, the smallest that is large enough and has room is picked; the group's rule breaks ties.
 * From then on the target has that calendar, and becomes a slot of it.
 */
#include <stdlib.h>

#include "base/assertion.h"
#include "core/calendar/booking.h"
#include "core/calendar/group.h"
#include "core/calendar/slot.h"
#include "core/claim/expiry.h"
#include "core/claim/kind.h"
#include "core/claim/plan.h"

#define DAY_S 86400

_Static_assert(GROUP_ITEMS_MAX == 20, "the sentence below has this number");
_Static_assert(GROUP_CALENDARS_MAX <= 128, "each member has one bit");

static bool is_open(const struct target *t, uint32_t member)
{
    return t->open[member / 64] >> member % 64 & 1;
}

static void exclude(struct target *t, uint32_t member)
{
    t->open[member / 64] &= ~(1ULL << member % 64);
}

static bool any_open(const struct target *t)
{
    return t->open[0] || t->open[1];
}

/* Sets the target as if it had named this calendar. False: the calendar does not offer the service, or it would end too
 * far ahead. */
static bool set_calendar(const struct step *step, struct target *t, struct calendar *c)
{
    ASSERT(!t->calendar);
    t->calendar = c;
    t->terms = &c->image.terms;
    if (!t->request->part.at)
        return true;
    uint32_t service = calendar_service_find(c, t->request->part);
    if (service == SERVICE_NONE)
        return false;
    t->part = service + 1;
    t->end_ms = t->start_ms + calendar_service_ms(c, service);
    return t->end_ms <= step->state->now_ms + SLOT_AHEAD_MAX_MS;
}

static void clear_calendar(struct target *t)
{
    t->calendar = NULL;
    t->terms = &t->widest;
    t->part = 0;
    t->end_ms = t->request->end_ms;
}

/* Excludes the members that refuse it in this phase. Returns the first refusal when none is left. */
static enum outcome_code filter(struct step *step, struct target *t, struct outcome *out,
                                enum outcome_code (*judge)(struct step *, struct target *, struct outcome *))
{
    struct outcome *refusal = &step->trials[0], *first = &step->trials[1];
    bool refused = false;
    uint64_t seen = t->group->seq;
    for (uint32_t i = 0; i < t->group->image.member_count; i++) {
        if (!is_open(t, i))
            continue;
        *refusal = (struct outcome){0};
        set_calendar(step, t, t->group->calendars[i]);
        enum outcome_code code = judge(step, t, refusal);
        clear_calendar(t);
        if (code == OUTCOME_OK)
            continue;
        if (step->state->settle_short)
            return code; /* it can be different once all is settled: RETRY */
        if (refusal->seq > seen)
            seen = refusal->seq;
        refusal->code = code;
        if (!refused)
            *first = *refusal;
        refused = true;
        exclude(t, i);
    }
    if (any_open(t))
        return OUTCOME_OK;
    ASSERT(refused && out->obstacle_count == 0);
    *out = *first;
    state_saw(out, seen);
    return out->code;
}

/* ---- The phases ---- */

/* The members that are large enough and offer the service. */
static enum outcome_code find_members(struct step *step, struct target *t, struct outcome *out)
{
    const struct group *g = t->group;
    for (uint32_t i = 0; i < g->image.member_count; i++)
        if (g->calendars[i]->image.rules.size >= t->request->party)
            t->open[i / 64] |= 1ULL << i % 64;
    if (!any_open(t))
        return state_invalid(out, "Invalid party: no calendar of this group is large enough.",
                             "/items/%u/party", t->index);
    for (uint32_t i = 0; i < g->image.member_count; i++) {
        if (is_open(t, i) && !set_calendar(step, t, g->calendars[i]))
            exclude(t, i);
        clear_calendar(t);
    }
    if (!any_open(t))
        return state_invalid(out, "Invalid service: not offered by a calendar of this group.",
                             "/items/%u/service", t->index);
    return OUTCOME_OK;
}

/* The longest of each time that a member allows, so that no member is refused because of another. */
static struct terms widest_of(const struct target *t)
{
    const struct group *g = t->group;
    struct terms widest = g->calendars[0]->image.terms;
    widest.payment = PAYMENT_NONE; /* set when a member is picked that requires it */
    for (uint32_t i = 0; i < g->image.member_count; i++) {
        const struct terms *terms = &g->calendars[i]->image.terms;
        ASSERT(memcmp(terms->currency, widest.currency, sizeof(widest.currency)) == 0);
        if (!is_open(t, i))
            continue;
        if (terms->hold_ttl_s > widest.hold_ttl_s)
            widest.hold_ttl_s = terms->hold_ttl_s;
        if (terms->max_hold_s > widest.max_hold_s)
            widest.max_hold_s = terms->max_hold_s;
        if (terms->payment_ttl_s > widest.payment_ttl_s)
            widest.payment_ttl_s = terms->payment_ttl_s;
        if (terms_staff_hold_s(terms) > terms_staff_hold_s(&widest))
            widest.staff_hold_s = terms_staff_hold_s(terms);
    }
    return widest;
}

static enum outcome_code resolve(struct step *step, struct target *t, struct outcome *out)
{
    ASSERT(!t->from && t->request->party >= 1); /* a moved item stays on its calendar */
    t->group = group_find(step->state, t->request->resource);
    if (!t->group)
        return OUTCOME_NO_SUCH_GROUP;
    state_saw(out, t->group->seq);
    enum outcome_code code = find_members(step, t, out);
    if (code != OUTCOME_OK)
        return code;
    t->widest = widest_of(t);
    t->terms = &t->widest;
    return OUTCOME_OK;
}

/* Whether this calendar allows the requested ttl. */
static enum outcome_code judge_ttl(struct step *step, struct target *t, struct outcome *out)
{
    const struct terms *terms = t->terms;
    uint32_t most_s = step->state->actor.role == ROLE_USER ? terms->hold_ttl_s : terms_staff_hold_s(terms);
    if (step->reservation != TABLE_NONE || step->command->hold.ttl_s <= most_s)
        return OUTCOME_OK;
    out->ttl_most_s = most_s;
    return state_invalid(out, "Invalid ttl_seconds: longer than a hold may last here.", "/ttl_seconds");
}

static enum outcome_code judge_terms(struct step *step, struct target *t, struct outcome *out)
{
    return filter(step, t, out, judge_ttl);
}

static enum outcome_code judge_guest(struct step *step, struct target *t, struct outcome *out)
{
    return filter(step, t, out, booking_judge_guest);
}

static enum outcome_code judge_limit(struct step *step, struct target *t, struct outcome *out)
{
    return filter(step, t, out, booking_judge_limit);
}

static enum outcome_code judge_hours(struct step *step, struct target *t, struct outcome *out)
{
    return filter(step, t, out, slot_judge_hours);
}

static enum outcome_code judge_rules(struct step *step, struct target *t, struct outcome *out)
{
    return filter(step, t, out, booking_judge_rules);
}

/* ---- Picking ---- */

/* Smaller is better, field by field. */
struct candidate {
    uint32_t size, busy, member;
};

static int compare(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    if (x->busy != y->busy)
        return x->busy < y->busy ? -1 : 1;
    return x->member < y->member ? -1 : x->member > y->member;
}

/* How many claims begin on the same local day as the target, including those of this request, and those that have
 * already begun. */
static uint32_t busy_on(const struct step *step, const struct target *t, const struct calendar *c)
{
    int64_t now_ms = step->state->now_ms, at_s = t->start_ms / 1000; /* not in the past */
    int64_t local_s = at_s + zone_offset_s(c->zone, at_s), day_s = local_s - local_s % DAY_S;
    int64_t from_ms = zone_to_utc_s(c->zone, day_s) * 1000,
            to_ms = zone_to_utc_s(c->zone, day_s + DAY_S) * 1000;
    ASSERT(at_s >= 0 && from_ms <= t->start_ms && t->start_ms < to_ms);
    int64_t known_ms = now_ms - STARTS_KEPT_MS, after_ms = from_ms - 1 > known_ms ? from_ms - 1 : known_ms;
    uint32_t busy = calendar_starts(c, after_ms, to_ms);
    for (const struct target *o = step->targets; o < step->targets + step->target_count; o++)
        busy += o->calendar == c && o->start_ms > after_ms && o->start_ms < to_ms;
    return busy;
}

static uint32_t candidates(struct step *step, const struct target *t, struct candidate *out)
{
    const struct group *g = t->group;
    uint32_t count = 0;
    for (uint32_t i = 0; i < g->image.member_count; i++) {
        struct calendar *c = g->calendars[i];
        if (!is_open(t, i))
            continue;
        bool by_busy = g->image.pick == PICK_LEAST_BUSY;
        if (by_busy)
            settle_calendar(step->state, c); /* lapsed holds do not count, in the way or not */
        out[count++] = (struct candidate){
            .size = c->image.rules.size, .busy = by_busy ? busy_on(step, t, c) : 0, .member = i};
    }
    qsort(out, count, sizeof(*out), compare);
    return count;
}

/* Plans it on this calendar, if there is room, and if earlier picks of the request leave enough of the user's limit. */
static enum outcome_code try(struct step *step, struct target *t, struct calendar *c,
                             enum unit_status *status, struct outcome *out)
{
    set_calendar(step, t, c);
    enum outcome_code code = booking_judge_limit(step, t, out);
    bool within = code == OUTCOME_OK;
    if (within) {
        slots_replan(step, c); /* trims the buffers of its neighbours in this request */
        code = slot_plan(step, t, status, out);
    }
    if (code == OUTCOME_OK)
        return OUTCOME_OK;
    clear_calendar(t);
    if (within)
        slots_replan(step, c); /* and undoes that */
    return code;
}

static enum outcome_code group_pick_pick(struct step *step, struct target *t, struct outcome *out)
{
    struct candidate order[GROUP_CALENDARS_MAX];
    uint32_t count = candidates(step, t, order);
    enum outcome_code code = OUTCOME_TAKEN, failed = OUTCOME_LIMIT_EXCEEDED;
    enum unit_status is = UNIT_SOLD; /* held if any member can still come free */
    ASSERT(count > 0);
    for (uint32_t i = 0; !step->state->settle_short && i < count; i++) {
        enum unit_status status = UNIT_SOLD;
        code = try(step, t, t->group->calendars[order[i].member], &status, out);
        if (code == OUTCOME_OK)
            return OUTCOME_OK;
        if (code == OUTCOME_TAKEN)
            failed = OUTCOME_TAKEN;
        if (status == UNIT_HELD)
            is = UNIT_HELD;
    }
    plan_obstacle(step, t, is, 0, out);
    state_saw(out, t->group->seq);
    return failed;
}

/* clang-format off */
const struct request_kind group_request = {
    .choice = true, .terms_by_pick = true, .pick = group_pick_pick,
    .most = GROUP_ITEMS_MAX, .too_many = "Too many items: at most 20 items from groups per request.",
    .taken = "This slot was just taken. Please choose another time.",
    .judge = {[PHASE_INSTANTS] = slot_judge_instants, [PHASE_RESOLVE] = resolve, [PHASE_TERMS] = judge_terms,
              [PHASE_GUESTS] = judge_guest, [PHASE_LIMIT] = judge_limit,
              [PHASE_HOURS] = judge_hours, [PHASE_BOOKABLE] = judge_rules},
};
/* clang-format on */

const struct claim_kind group_claims = {0}; /* it becomes a slot */
