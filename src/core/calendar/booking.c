/* SPDX-License-Identifier: Apache-2.0 */
#include "core/calendar/booking.h"

#include "base/assertion.h"
#include "core/calendar/group.h"
#include "core/claim/allowance.h"
#include "core/claim/plan.h"

#define MINUTE_MS 60000LL
#define DAY_MS (24LL * 3600 * 1000)

static bool by_user(const struct step *step)
{
    return step->state->actor.role == ROLE_USER;
}

enum outcome_code booking_judge_guest(struct step *step, struct target *t, struct outcome *out)
{
    return t->from ? OUTCOME_OK : allowance_judge_guest(NULL, t->calendar, step->state->actor, out);
}

/* How many targets of the request count together with this one: those on its calendar or on other members of the group,
 * and those of the same group that are picked before this one. */
static uint32_t wanted_with(const struct step *step, const struct target *t, const struct group *g)
{
    uint32_t wanted = 0;
    for (const struct target *o = step->targets; o < step->targets + step->target_count; o++) {
        bool here = o->calendar && (o->calendar == t->calendar || (g && group_has(g, o->calendar)));
        bool coming = t->group && o->group && !o->calendar && o->group == g && o->index < t->index;
        wanted += here || coming;
    }
    return wanted;
}

enum outcome_code booking_judge_limit(struct step *step, struct target *t, struct outcome *out)
{
    struct state *st = step->state;
    enum outcome_code code = OUTCOME_OK;
    uint32_t i = 0;
    if (t->from || !by_user(step) || !t->calendar->image.rules.per_user_limit)
        return OUTCOME_OK;
    do { /* alone, or with the other members of each of its groups */
        const struct group *g = calendar_group(st, t->calendar, i);
        uint32_t wanted = wanted_with(step, t, g);
        ASSERT(wanted >= 1);
        code = allowance_judge_limit(st, &(struct allowance){.calendar = t->calendar, .group = g},
                                     step->owner, wanted, out);
    } while (code == OUTCOME_OK && ++i < t->calendar->group_count);
    return code;
}

/* ---- Service, time and length ---- */

static bool has_services(const struct calendar *c)
{
    for (uint32_t i = 0; i < c->image.service_count; i++)
        if (!c->image.services[i].removed)
            return true;
    return false;
}

static bool length_fits(const struct calendar *c, const struct target *t)
{
    int64_t length_ms = t->end_ms - t->start_ms, least_ms, most_ms;
    ASSERT(length_ms > 0 && t->part <= c->image.service_count);
    if (t->part) {
        /* A move can keep a service that is no longer offered, with its old duration. */
        bool offered = !c->image.services[t->part - 1].removed;
        ASSERT(offered || t->from);
        return length_ms ==
               (offered ? calendar_service_ms(c, t->part - 1) : t->from->end_ms - t->from->start_ms);
    }
    calendar_length_bounds(&c->image, &least_ms, &most_ms);
    return length_ms % (c->image.slot_minutes * MINUTE_MS) == 0 && length_ms >= least_ms &&
           length_ms <= most_ms;
}

static bool rule_holds(const struct calendar *c, const struct target *t, int64_t now_ms,
                       enum booking_rule rule)
{
    const struct calendar_rules *rules = &c->image.rules;
    switch (rule) {
    case BOOKING_CHANGE:
        return !t->from || now_ms < t->from->start_ms - rules->change_until_minutes * MINUTE_MS;
    case BOOKING_SERVICE:
        return t->part || !has_services(c);
    case BOOKING_GRID:
        return hours_on_grid(&c->hours, t->start_ms, c->image.slot_minutes);
    case BOOKING_LENGTH:
        return length_fits(c, t);
    case BOOKING_NOTICE:
        return t->start_ms >= now_ms + rules->notice_minutes * MINUTE_MS;
    case BOOKING_HORIZON:
        return t->start_ms <= now_ms + rules->horizon_days * DAY_MS;
    }
    ASSERT(false);
    return false;
}

enum outcome_code booking_judge_rules(struct step *step, struct target *t, struct outcome *out)
{
    static const char *const sentences[] = {
        [BOOKING_CHANGE] = "It is too late to move this booking.",
        [BOOKING_SERVICE] = "Please choose a service.",
        [BOOKING_GRID] = "Bookings do not start at this time. Please choose one of the slots.",
        [BOOKING_LENGTH] = "This length cannot be booked.",
        [BOOKING_NOTICE] = "This is too soon to be booked. Please choose a later time.",
        [BOOKING_HORIZON] = "This is too far ahead to be booked. Please choose an earlier time.",
    };
    const struct calendar *c = t->calendar;
    if (!by_user(step))
        return OUTCOME_OK;
    for (enum booking_rule rule = BOOKING_RULE_FIRST; rule <= BOOKING_RULE_LAST; rule++)
        if (!rule_holds(c, t, step->state->now_ms, rule)) {
            out->rule = rule;
            out->closed_item = t->index;
            out->detail = sentences[rule];
            state_saw(out, c->seq);
            return OUTCOME_NOT_BOOKABLE;
        }
    return OUTCOME_OK;
}

/* ---- Prices ---- */

_Static_assert(SLOT_AHEAD_MAX_MS / MINUTE_MS <= INT64_MAX / PRICE_MAX, "the total of one-minute slots fits");

static int64_t slots_begun(const struct calendar *c, int64_t length_ms)
{
    int64_t slot_ms = c->image.slot_minutes * MINUTE_MS;
    return (length_ms + slot_ms - 1) / slot_ms;
}

int64_t booking_price(const struct target *t)
{
    const struct calendar_image *c = &t->calendar->image;
    ASSERT(t->start_ms < t->end_ms && t->part <= c->service_count);
    if (t->part)
        return c->services[t->part - 1].removed ? t->from->price : c->services[t->part - 1].price;
    int64_t slots = slots_begun(t->calendar, t->end_ms - t->start_ms);
    return c->rules.price_per == PRICE_PER_SLOT ? c->price * slots : c->price;
}

bool booking_moved_price(const struct step *step, const struct target *t, int64_t *price)
{
    const struct item *from = t->from;
    *price = from->price;
    if (!t->part && t->calendar->image.rules.price_per == PRICE_PER_SLOT)
        *price = (int64_t)((__int128)from->price * slots_begun(t->calendar, t->end_ms - t->start_ms) /
                           slots_begun(t->calendar, from->end_ms - from->start_ms));
    return plan_moved_price(step, t, price);
}
