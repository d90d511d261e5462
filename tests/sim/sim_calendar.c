/* SPDX-License-Identifier: Apache-2.0 */
/* sim_calendar.c — calendars in a run: creates them, reads their slots, checks their counts, and tallies the
 * requests. */
#include "sim.h"

#define PAGES_MOST 20000

void sim_set_zones(struct sim *s)
{
    for (uint32_t i = 0; i < s->state->calendar_listed; i++)
        calendar_set_zone(calendar_listed(s->state, i), translate_zone());
}

/* ---- Slots ---- */

/* All pages, one after the other. */
static uint32_t read_pages(struct sim *s, const struct calendar *c, struct slots_query q, struct slot *out)
{
    uint32_t count = 0;
    for (int pages = 0; pages < PAGES_MOST && count + q.limit <= SIM_SLOTS; pages++) {
        struct slots_page page = calendar_slots(c, &q, out + count);
        count += page.count;
        s->tally->calendars.pages++;
        if (page.count > q.limit || page.seq > s->state->seq)
            sim_fail(s, "A page of slots is too long, or waits for a change that is none.");
        if (!page.more)
            return count;
        if (page.next_ms <= q.from_ms && page.count)
            sim_fail(s, "A page of slots leads back.");
        q.from_ms = page.next_ms;
    }
    sim_fail(s, "There is no end of pages.");
}

static bool same_slot(const struct slot *a, const struct slot *b)
{
    return a->start_ms == b->start_ms && a->end_ms == b->end_ms;
}

/* Lapsed holds can count until they are settled, but nothing else may be missing. */
void sim_compare_slots(struct sim *s, const struct slot *found, uint32_t count, const struct slot *expected,
                       uint32_t expected_count, bool exact)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < expected_count; i++) {
        bool same = at < count && same_slot(&found[at], &expected[i]);
        uint32_t available = same ? found[at].available : 0;
        if (exact ? available != expected[i].available : available > expected[i].available)
            sim_fail(s, "The slot at %lld has %u available, expected %u.", (long long)expected[i].start_ms,
                     available, expected[i].available);
        at += same;
    }
    if (at < count)
        sim_fail(s, "A slot at %lld is shown that cannot be had.", (long long)found[at].start_ms);
}

void sim_read_slots(struct sim *s)
{
    static struct slot found[SIM_SLOTS], expected[SIM_SLOTS];
    struct slots_query q;
    int calendar = (int)dice_roll(&s->dice, ASK_CALENDARS);
    const struct calendar *c = calendar_find(s->state, translate_calendar(calendar));
    if (!c)
        return;
    generate_slots_query(&s->generator, calendar, &q);
    bool exact = state_next_deadline(s->state) > s->model.now;
    uint32_t count = read_pages(s, c, q, found);
    uint32_t expected_count = model_slots(&s->model, calendar, &q, expected, SIM_SLOTS);
    sim_compare_slots(s, found, count, expected, expected_count, exact);
    s->tally->calendars.operations++;
    s->tally->calendars.slots += count;
    s->tally->calendars.reads_exact += exact && count;
}

/* ---- Everything ---- */

/* The counts at one instant. */
static void check_instant(struct sim *s, int calendar, const struct calendar *c,
                          const struct model_claims *claims, int64_t at_ms)
{
    if (at_ms < s->model.now)
        return;
    uint32_t most = model_claims_most(claims, at_ms, at_ms + 1, false);
    uint32_t sold = model_claims_most(claims, at_ms, at_ms + 1, true);
    if (timeline_most(&c->timeline, at_ms, at_ms + 1) != most ||
        timeline_most_sold(&c->timeline, at_ms, at_ms + 1) != sold)
        sim_fail(s, "Calendar %d counts %u claims, %u of them sold, at %lld; expected %u and %u.", calendar,
                 timeline_most(&c->timeline, at_ms, at_ms + 1),
                 timeline_most_sold(&c->timeline, at_ms, at_ms + 1), (long long)at_ms, most, sold);
    if (most > s->model.calendars[calendar].rules.capacity)
        sim_fail(s, "Calendar %d is over its capacity at %lld.", calendar, (long long)at_ms);
}

void sim_check_calendar(struct sim *s, int calendar)
{
    static struct model_claims claims;
    const struct model_calendar *m = &s->model.calendars[calendar];
    const struct calendar *c = calendar_find(s->state, translate_calendar(calendar));
    if ((c != NULL) != m->exists)
        sim_fail(s, "Calendar %d is there or not.", calendar);
    if (!c)
        return;
    const struct calendar_rules *rules = &c->image.rules;
    if (rules->size != m->rules.size || rules->per_user_limit != m->rules.limit ||
        rules->buffer_before_minutes != m->rules.before_minutes || rules->guests == m->settings.no_guests ||
        c->image.terms.hold_ttl_s != m->settings.hold_ttl_s ||
        c->image.terms.max_hold_s != m->settings.max_hold_s ||
        c->image.terms.currency[0] != m->settings.currency ||
        c->image.closed_count != m->rules.closed_count || (c->image.hours_count == 0) != m->rules.always)
        sim_fail(s, "Calendar %d has other rules.", calendar);
    if (c->image.capacity != m->rules.capacity || c->image.buffer_minutes != m->rules.buffer_minutes ||
        c->image.slot_minutes != m->rules.slot_minutes || c->image.price != m->rules.price)
        sim_fail(s, "Calendar %d has other settings.", calendar);
    model_claims_gather(&s->model, calendar, NULL, NULL, NULL, &claims);
    check_instant(s, calendar, c, &claims, s->model.now);
    for (uint32_t i = 0; i < claims.count; i++)
        for (int64_t off = -1; off <= 0; off++) {
            check_instant(s, calendar, c, &claims, claims.list[i].start_ms + off);
            check_instant(s, calendar, c, &claims, claims.list[i].until_ms + off);
        }
}

/* ---- What happened ---- */

static bool has_kind(const struct model_reservation *r, bool slots)
{
    for (int i = 0; r && i < r->item_count; i++)
        if ((r->items[i].kind == ITEM_SLOT) == slots)
            return true;
    return false;
}

bool sim_concerns_calendar(struct sim *s, const struct ask *a)
{
    for (uint32_t i = 0; i < a->count; i++)
        if (ask_timed(a->items[i].kind))
            return true;
    return a->kind == COMMAND_CALENDAR_PUT || a->kind == COMMAND_GROUP_PUT ||
           a->kind == COMMAND_GROUP_REMOVE || a->kind == COMMAND_CALENDAR_REMOVE ||
           a->kind == COMMAND_CALENDAR_PATCH || has_kind(model_find(&s->model, a->id), true);
}

static void tally_move(struct sim *s, const struct ask *a, const struct model_reservation *r,
                       const struct model_item *old)
{
    struct tally_calendars *t = &s->tally->calendars;
    for (int i = 0; i < r->item_count; i++) {
        const struct model_item *item = &r->items[i];
        if (item->id != a->item_id || (item->start_ms == old->start_ms && item->end_ms == old->end_ms))
            continue;
        t->moved_held += r->status == RESERVATION_HELD;
        t->moved_confirmed += r->status == RESERVATION_CONFIRMED;
        t->moved_across_itself += item->start_ms < old->until_ms && old->start_ms < item->until_ms;
        t->moved_begun += item->start_ms < s->model.now;
    }
}

struct model_item sim_item_before(struct sim *s, const struct ask *a)
{
    bool grows = a->kind == COMMAND_ITEM_QUANTITY;
    const struct model_reservation *r =
        a->kind == COMMAND_ITEM_MOVE || grows ? model_find(&s->model, a->id) : NULL;
    for (int i = 0; r && i < r->item_count; i++)
        if (r->items[i].id == a->item_id && (r->items[i].kind == ITEM_POOL) == grows)
            return r->items[i];
    return (struct model_item){0};
}

static void tally_given(struct sim *s, const struct ask *a, const struct model_reservation *r)
{
    struct tally_calendars *t = &s->tally->calendars;
    uint32_t given = 0;
    for (int i = 0; a->kind == COMMAND_HOLD && i < r->item_count; i++)
        if (r->items[i].group) {
            given++;
            t->given_other += s->model.groups[r->items[i].group - 1].members[0] != r->items[i].event;
        }
    t->given += given;
    t->given_beside += given > 1;
}

void sim_tally_calendar(struct sim *s, const struct ask *a, const struct model_item *before,
                        const struct outcome *out)
{
    struct tally_calendars *t = &s->tally->calendars;
    const struct model_reservation *r = model_find(&s->model, a->id);
    t->operations++;
    if (out->code == OUTCOME_NOT_BOOKABLE)
        t->rules[out->rule]++;
    t->limited += out->code == OUTCOME_LIMIT_EXCEEDED && out->limited_calendar.at;
    for (uint32_t i = 0; out->code == OUTCOME_TAKEN && i < out->obstacle_count; i++)
        t->taken_group += out->obstacles[i].kind == ITEM_GROUP;
    for (uint32_t i = 0; out->code == OUTCOME_TAKEN && i < out->obstacle_count; i++)
        if (ask_timed(out->obstacles[i].kind))
            *(out->obstacles[i].status == UNIT_SOLD ? &t->taken_sold : &t->taken_held) += 1;
    if (out->code != OUTCOME_OK || !r)
        return;
    tally_given(s, a, r);
    t->mixed += a->kind == COMMAND_HOLD && has_kind(r, true) && has_kind(r, false);
    if (a->kind == COMMAND_ITEM_MOVE && before->kind == ITEM_SLOT)
        tally_move(s, a, r, before);
}
