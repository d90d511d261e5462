/* SPDX-License-Identifier: Apache-2.0 */
#include "core/claim/plan.h"

#include "base/assertion.h"
#include "core/calendar/group.h"
#include "core/catalogue/event_price.h"
#include "core/claim/allowance.h"
#include "core/claim/gate.h"
#include "core/claim/kind.h"
#include "core/claim/reservation.h"
#include "core/claim/single_seats.h"
#include "core/money/pay.h"

/* ---- Judging all targets together ---- */

static bool owned(struct step *step, const struct target *t)
{
    const struct item *from = t->from;
    if (from)
        return t->part == from->part && t->start_ms == from->start_ms && t->end_ms == from->end_ms;
    return t->kind->owned && t->kind->owned(step, t);
}

static enum outcome_code skip_owned(struct step *step, struct outcome *out)
{
    (void)out;
    uint32_t count = 0;
    if (step->reservation == TABLE_NONE)
        return OUTCOME_OK;
    for (uint32_t i = 0; i < step->target_count; i++)
        if (!owned(step, &step->targets[i]))
            step->targets[count++] = step->targets[i];
    step->target_count = count;
    return OUTCOME_OK; /* if none is left, there is nothing to do or to refuse */
}

/* The first target above the maximum of its kind; or NULL. */
static const struct target *too_many(const struct step *step)
{
    const struct target *end = step->targets + step->target_count;
    for (const struct target *t = step->targets; t < end; t++) {
        uint32_t before = 0;
        for (const struct target *other = step->targets; t->kind->most && other < t; other++)
            before += other->kind == t->kind;
        if (t->kind->most && before == t->kind->most)
            return t;
    }
    return NULL;
}

static enum outcome_code judge_size(struct step *step, struct outcome *out)
{
    uint64_t items = 0, units = 0;
    if (step->reservation != TABLE_NONE) {
        struct reservation *r = reservation_at(step->state, step->reservation);
        items = r->item_count;
        for (uint32_t i = 0; i < r->item_count; i++)
            units += reservation_items(r)[i].quantity;
    }
    for (uint32_t i = 0; i < step->target_count; i++) {
        const struct target *t = &step->targets[i];
        if (t->from)
            return OUTCOME_OK; /* a move adds no item */
        items += t->kind->choice ? t->request->quantity : !t->grows;
        units += t->request->quantity;
    }
    if (items > ITEMS_MAX)
        return state_invalid(out, "Too many items: at most 100 per reservation.", "/items");
    if (units > UNITS_MAX)
        return state_invalid(out, "Too many items: at most 1000 seats and units per reservation.", "/items");
    const struct target *extra = too_many(step);
    if (extra)
        return state_invalid(out, extra->kind->too_many, "/items/%u", extra->index);
    return OUTCOME_OK;
}

bool plan_join_terms(struct terms *terms, const struct terms *more)
{
    if (more->hold_ttl_s < terms->hold_ttl_s)
        terms->hold_ttl_s = more->hold_ttl_s;
    uint32_t staff_s = terms_staff_hold_s(terms), more_staff_s = terms_staff_hold_s(more);
    if (more->max_hold_s < terms->max_hold_s)
        terms->max_hold_s = more->max_hold_s;
    terms->staff_hold_s = more_staff_s < staff_s ? more_staff_s : staff_s;
    if (more->payment_ttl_s < terms->payment_ttl_s)
        terms->payment_ttl_s = more->payment_ttl_s;
    if (more->payment == PAYMENT_REQUIRED)
        terms->payment = PAYMENT_REQUIRED;
    return memcmp(terms->currency, more->currency, sizeof(terms->currency)) == 0;
}

static enum outcome_code judge_ttl(struct step *step, struct outcome *out)
{
    const struct terms *terms = &step->terms;
    uint32_t asked_s = step->command->hold.ttl_s;
    uint32_t most_s = step->state->actor.role == ROLE_USER ? terms->hold_ttl_s : terms_staff_hold_s(terms);
    step->ttl_s = asked_s ? asked_s : terms->hold_ttl_s;
    out->ttl_most_s = most_s;
    if (step->ttl_s > most_s)
        return state_invalid(out, "Invalid ttl_seconds: longer than a hold may last here.", "/ttl_seconds");
    return OUTCOME_OK;
}

/* Combines the terms of all targets. Returns the first target with another currency, or NULL. */
static const struct target *join_terms(struct step *step)
{
    const struct target *first = &step->targets[0], *other = NULL;
    ASSERT(first->terms); /* PHASE_RESOLVE found what it names */
    step->terms = *first->terms;
    for (uint32_t i = 1; !other && i < step->target_count; i++)
        if (!plan_join_terms(&step->terms, step->targets[i].terms))
            other = &step->targets[i];
    step->added = step->terms;
    if (!other && step->reservation != TABLE_NONE) {
        struct terms own = reservation_terms(reservation_at(step->state, step->reservation));
        other = plan_join_terms(&step->terms, &own) ? NULL : first;
    }
    return other;
}

static enum outcome_code judge_terms(struct step *step, struct outcome *out)
{
    /* Nothing is new, or the item keeps its terms. */
    if (step->target_count == 0 || step->targets[0].from || step->targets[0].grows)
        return OUTCOME_OK;
    const struct target *other = join_terms(step);
    if (other)
        return state_invalid(out, PLAN_ONE_CURRENCY, "/items/%u", other->index);
    return step->reservation == TABLE_NONE ? judge_ttl(step, out) : OUTCOME_OK;
}

/* Picked targets now know their terms. */
static void join_picked(struct step *step)
{
    bool picked = false;
    for (uint32_t i = 0; i < step->target_count; i++)
        picked = picked || step->targets[i].kind->terms_by_pick;
    if (!picked)
        return;
    const struct target *other = join_terms(step);
    ASSERT(!other); /* all have one currency; a calendar that does not allow the ttl was not picked */
    if (step->reservation == TABLE_NONE)
        step->ttl_s = step->command->hold.ttl_s ? step->command->hold.ttl_s : step->terms.hold_ttl_s;
}

static enum outcome_code serve_lists(struct step *step)
{
    struct event *events[ITEMS_MAX];
    uint32_t count = 0;
    for (uint32_t i = 0; i < step->target_count; i++)
        if (step->targets[i].event)
            events[count++] = step->targets[i].event;
    return waiting_list_before_claim(step->state, events, count);
}

static enum outcome_code list_first(struct step *step, struct outcome *out)
{
    (void)out;
    for (uint32_t i = 0; i < step->target_count; i++) {
        const struct event *e = step->targets[i].event;
        if (e && step->state->judges_only && !gate_passes_list(step->state, e, step->owner))
            return OUTCOME_RETRY;
        if (e && !step->state->judges_only && waiting_list_comes_first(step->state, e))
            return serve_lists(step);
    }
    return OUTCOME_OK;
}

/* ---- Judging a target in an event ---- */

bool plan_moves_sold(const struct step *step, const struct target *t)
{
    ASSERT(!t->from || step->reservation != TABLE_NONE);
    return t->from && reservation_at(step->state, step->reservation)->status == RESERVATION_CONFIRMED;
}

bool plan_moved_price(const struct step *step, const struct target *t, int64_t *price)
{
    const struct state *st = step->state;
    if (st->actor.role != ROLE_USER)
        return true; /* the ledger computes the difference */
    const struct reservation *r = reservation_at(st, step->reservation);
    bool higher = *price > t->from->price;
    if (!higher)
        *price = t->from->price; /* no refund of the difference */
    return !higher || (!r->payment_required && !pay_received_any(st, step->reservation));
}

static uint64_t wanted_of(const struct step *step, const struct event *e)
{
    uint64_t wanted = 0;
    for (uint32_t i = 0; i < step->target_count; i++)
        if (step->targets[i].event == e)
            wanted += step->targets[i].request->quantity;
    return wanted;
}

enum outcome_code plan_limit(struct step *step, struct target *t, struct outcome *out)
{
    if (t->from) /* a move does not change the number */
        return OUTCOME_OK;
    return allowance_judge_limit(step->state, &(struct allowance){.event = t->event}, step->owner,
                                 wanted_of(step, t->event), out);
}

enum outcome_code plan_guests(struct step *step, struct target *t, struct outcome *out)
{
    /* A guest keeps existing items and can move them. */
    return t->from ? OUTCOME_OK : allowance_judge_guest(t->event, NULL, step->state->actor, out);
}

enum outcome_code plan_find_event(struct step *step, struct target *t, struct outcome *out)
{
    (void)out;
    if (!t->from)
        t->event = event_find(step->state, t->request->resource);
    t->terms = t->event ? &t->event->image.terms : NULL;
    return t->event ? OUTCOME_OK : OUTCOME_NO_SUCH_EVENT;
}

enum outcome_code plan_unpriced(const struct target *t, struct outcome *out)
{
    state_saw(out, t->event->seq);
    if (t->from)
        return state_invalid(out, "Invalid seat: it has no price in the category of this item.", "/seat");
    return state_invalid(out, "Invalid category: there is no price for it.", "/items/%u/category", t->index);
}

enum outcome_code plan_category(struct step *step, struct target *t, struct outcome *out)
{
    (void)step;
    const struct item_extra *own = t->from ? t->from->extra : NULL;
    struct text asked = own ? own->category : t->request->category;
    if (event_category(t->event, asked, &t->category))
        return OUTCOME_OK;
    if (t->from)
        return plan_unpriced(t, out);
    state_saw(out, t->event->seq);
    return state_invalid(out, event_category_fault(t->event), "/items/%u/category", t->index);
}

enum outcome_code plan_on_sale(struct step *step, struct target *t, struct outcome *out)
{
    bool on_sale = event_on_sale(t->event, step->state->actor.role, step->state->now_ms);
    bool moves = plan_moves_sold(step, t) && !t->event->image.cancelled.at_ms;
    return on_sale || moves ? OUTCOME_OK : event_off_sale(t->event, out);
}

/* ---- Claiming ---- */

struct planned *plan_add(struct step *step, const struct target *t, const struct item *item)
{
    ASSERT(step->plan_count < ITEMS_MAX && item->quantity >= 1 && item->price >= 0);
    uint32_t at = step->plan_count++;
    for (; at > 0 && step->plan[at - 1].index > t->index; at--)
        step->plan[at] = step->plan[at - 1];
    step->plan[at] =
        (struct planned){.index = t->index,
                         .item = *item,
                         .extra = {.attributes = t->request->attributes,
                                   .category = t->category,
                                   .group = t->group ? t->group->image.number : 0,
                                   .code = t->code ? code_view(t->code)->code : (struct text){0}}};
    if (!t->from && t->terms->payment == PAYMENT_NONE)
        step->plan[at].item.flags |= ITEM_UNPAID;
    return &step->plan[at];
}

void plan_obstacle(struct step *step, const struct target *t, enum unit_status status, uint32_t available,
                   struct outcome *out)
{
    ASSERT(out->obstacle_count < ITEMS_MAX);
    uint32_t at = out->obstacle_count++;
    out->obstacles = step->obstacles;
    for (; at > 0 && step->obstacles[at - 1].item > t->index; at--)
        step->obstacles[at] = step->obstacles[at - 1];
    step->obstacles[at] = (struct obstacle){
        .item = t->index, .kind = t->request->kind, .status = status, .available = available};
}

static void unplan(struct step *step, const struct planned *p)
{
    const struct claim_kind *kind = claim_kind(p->item.kind);
    if (kind->unplan)
        kind->unplan(step->state, p);
}

void plan_drop(struct step *step)
{
    for (uint32_t i = 0; i < step->plan_count; i++)
        unplan(step, &step->plan[i]);
    step->plan_count = 0;
}

/* The sentence for a target that is TAKEN; NULL: the default of the code. */
static const char *taken_detail(const struct target *t, const struct outcome *out)
{
    for (uint32_t i = 0; t->kind->blocked && i < out->obstacle_count; i++)
        if (out->obstacles[i].item == t->index && out->obstacles[i].status == UNIT_BLOCKED)
            return t->kind->blocked; /* not taken by another user: it is not for sale */
    return t->kind->taken;
}

static enum outcome_code claim_all(struct step *step, struct outcome *out)
{
    enum outcome_code failed = OUTCOME_OK;
    uint32_t first = step->target_count; /* the first one refused */
    ASSERT(step->plan_count == 0 && out->obstacle_count == 0);
    /* Named targets come first, so that our choices do not take them. */
    for (int choice = 0; choice < 2; choice++)
        for (uint32_t i = 0; i < step->target_count; i++) {
            struct target *t = &step->targets[i];
            enum outcome_code code = t->kind->choice == choice ? t->kind->pick(step, t, out) : OUTCOME_OK;
            if (code != OUTCOME_OK && i < first) {
                first = i;
                failed = code;
            }
        }
    if (failed == OUTCOME_OK) {
        join_picked(step);
        return OUTCOME_OK;
    }
    /* A refusal names the obstacles, unless there was more to settle than fits in one step. */
    ASSERT(out->obstacle_count || step->state->settle_short);
    out->refused_item = step->targets[first].index;
    if (failed == OUTCOME_TAKEN)
        out->detail = taken_detail(&step->targets[first], out);
    plan_drop(step);
    return failed;
}

static const struct target *target_of(const struct step *step, const struct planned *p)
{
    const struct target *t = step->targets;
    while (t->index != p->index)
        t++;
    ASSERT(t < step->targets + step->target_count);
    return t;
}

/* After picking, because only then a group knows its calendar and so its price. */
static enum outcome_code judge_total(struct step *step, struct outcome *out)
{
    const struct target *first = step->target_count ? step->targets : NULL;
    bool exists = step->reservation != TABLE_NONE;
    if (!first || first->grows) /* the caller judges the price of the whole item */
        return OUTCOME_OK;
    struct reservation *r = exists ? reservation_at(step->state, step->reservation) : NULL;
    int64_t total = r ? reservation_total(r, first->from) : 0;
    for (uint32_t i = 0; i < step->plan_count; i++) {
        const struct planned *p = &step->plan[i];
        if (p->item.price > TOTAL_MAX - total) {
            const struct target *t = target_of(step, p);
            plan_drop(step);
            if (t->from)
                return state_invalid(out, PLAN_TOTAL, step->command->item.seat.at ? "/seat" : "/start");
            return state_invalid(out, PLAN_TOTAL, "/items/%u", t->index);
        }
        total += p->item.price;
    }
    ASSERT(total >= 0 && total <= TOTAL_MAX);
    return OUTCOME_OK;
}

static enum outcome_code judge_singles(struct step *step, struct outcome *out)
{
    enum outcome_code code = single_seats_choose(step, out);
    if (code != OUTCOME_OK)
        plan_drop(step);
    return code;
}

void plan_grant(struct step *step, uint32_t handle, uint64_t fence)
{
    struct state *st = step->state;
    struct reservation *r = reservation_at(st, handle);
    ASSERT(step->plan_count > 0 && fence == state_next_seq(st));
    for (uint32_t i = 0; i < step->plan_count; i++) {
        struct item *item = &step->plan[i].item;
        unplan(step, &step->plan[i]);
        item->fence = fence;
        item->extra = &step->plan[i].extra;
        item->item_id = r->next_item_id++;
        if (claim_kind(item->kind)->buffers_trim)
            claim_kind(item->kind)->buffers_trim(st, handle, item);
        reservation_item_add(st, handle, item);
    }
    step->plan_count = 0;
}

struct item plan_take(struct step *step)
{
    ASSERT(step->plan_count == 1);
    plan_drop(step);
    return step->plan[0].item;
}

/* ---- The order of phases ---- */

/* Called once per phase, before the targets. */
static enum outcome_code (*const whole[PHASE_COUNT])(struct step *step, struct outcome *out) = {
    [PHASE_OWNED] = skip_owned,     [PHASE_SIZE] = judge_size, [PHASE_TERMS] = judge_terms,
    [PHASE_LIST] = list_first,      [PHASE_CLAIM] = claim_all, [PHASE_TOTAL] = judge_total,
    [PHASE_SINGLE] = judge_singles,
};

/* A copy has judged all that can be TAKEN: the rest is left to the process that decides. */
static enum outcome_code leave_rest(struct step *step)
{
    plan_drop(step);
    step->all_free = true;
    return OUTCOME_RETRY;
}

static enum outcome_code plan_judge(struct step *step, struct outcome *out)
{
    enum outcome_code code;
    for (enum phase phase = 0; phase < PHASE_COUNT; phase++) {
        if (phase > PHASE_CLAIM && step->state->judges_only)
            return leave_rest(step);
        if (whole[phase] && (code = whole[phase](step, out)) != OUTCOME_OK)
            return code;
        const struct target *end = step->targets + step->target_count;
        for (struct target *t = step->targets; t < end; t++)
            if (t->kind->judge[phase] && (code = t->kind->judge[phase](step, t, out)) != OUTCOME_OK) {
                out->refused_item = t->index;
                return code;
            }
    }
    ASSERT(step->plan_count >= step->target_count); /* each target has at least one item */
    return OUTCOME_OK;
}

enum outcome_code plan_items(struct step *step, struct outcome *out)
{
    const struct command *c = step->command;
    if (c->hold.count > ITEMS_MAX)
        return state_invalid(out, "Too many items: at most 100 per reservation.", "/items");
    for (uint32_t i = 0; i < c->hold.count; i++) {
        const struct item_request *request = &c->hold.items[i];
        step->targets[step->target_count++] = (struct target){.request = request,
                                                              .kind = request_kind(request->kind),
                                                              .index = i,
                                                              .start_ms = request->start_ms,
                                                              .end_ms = request->end_ms};
    }
    return plan_judge(step, out);
}

enum outcome_code plan_unmovable(struct step *step, struct target *t, struct outcome *out)
{
    (void)t;
    if (step->command->item.seat.at)
        return state_invalid(out, "Invalid seat: this item is not a seat.", "/seat");
    return state_invalid(out, "Invalid start: this item is not a slot.", "/start");
}

enum outcome_code plan_move(struct step *step, const struct item *item, struct outcome *out)
{
    ASSERT(step->reservation != TABLE_NONE && step->target_count == 0);
    struct target *t = &step->targets[step->target_count++];
    step->moving = (struct item_request){.kind = item->kind, .quantity = item->quantity};
    *t = (struct target){.request = &step->moving, .kind = request_kind(item->kind), .from = item};
    enum outcome_code code = claim_kind(item->kind)->retarget(step, t, out);
    return code == OUTCOME_OK ? plan_judge(step, out) : code;
}

enum outcome_code plan_more(struct step *step, const struct item *item, uint32_t more, struct outcome *out)
{
    struct item_image named;
    const struct claim_kind *kind = claim_kind(item->kind);
    ASSERT(step->reservation != TABLE_NONE && step->target_count == 0 && kind->many && more >= 1);
    kind->name(step->state, item, &named);
    struct target *t = &step->targets[step->target_count++];
    step->moving = (struct item_request){.kind = (enum item_kind)item->kind,
                                         .resource = named.resource_id,
                                         .part = named.part_id,
                                         .quantity = more};
    if (item->extra) {
        step->moving.category = item->extra->category;
        step->moving.code = item->extra->code;
        /* Staff must name the allotment to get more of it. */
        if (step->state->actor.role == ROLE_APP || step->state->actor.role == ROLE_ADMIN)
            step->moving.allotment = item->extra->allotment;
    }
    *t = (struct target){.request = &step->moving, .kind = request_kind(item->kind), .grows = true};
    return plan_judge(step, out);
}
