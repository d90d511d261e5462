/* SPDX-License-Identifier: Apache-2.0 */
#include "core/claim/best.h"

#include "base/assertion.h"
#include "core/catalogue/event_price.h"
#include "core/catalogue/event_seats.h"
#include "core/claim/expiry.h"
#include "core/claim/kind.h"
#include "core/claim/plan.h"
#include "core/claim/reservation.h"
#include "core/queue/queue.h"

/* The wish, resolved. */
struct wish {
    uint32_t section, tier; /* places in the layout's texts; 0: any */
    bool bound;             /* to the tiers below */
    const uint32_t *tiers;  /* places, too */
    uint32_t tier_count;
    bool by_price;          /* not all tiers have a price in the category: */
    bool others;            /* whether those have that are not listed below, which are the other way round */
    const uint32_t *unlike; /* places, too */
    uint32_t unlike_count;
    bool lapsed_too;            /* count lapsed holds as free */
    bool planned;               /* see best_bound */
    bool house;                 /* the same */
    uint32_t allotment;         /* index + 1 among the event's; 0: of none */
    uint32_t accessible, plain; /* how many of each are still to be picked */
    const uint32_t *taken;      /* picked already, for a group in parts */
    uint32_t taken_count;
};

/* A run of seats in one row: its places first .. first + size - 1. Smaller is better, field by field. */
struct run {
    uint32_t orphans;
    uint32_t row;        /* from the front */
    uint32_t off_middle; /* twice the distance between the run's middle and the row's */
    uint32_t first;
};

static const struct layout_row *best_row(const struct layout *l, uint32_t from_front)
{
    return &l->rows[l->front[from_front]];
}

static bool tier_priced(const struct wish *w, uint32_t tier)
{
    for (uint32_t i = 0; i < w->unlike_count; i++)
        if (w->unlike[i] == tier)
            return !w->others;
    return w->others;
}

static bool tier_usable(const struct wish *w, uint32_t tier)
{
    if ((w->tier && tier != w->tier) || (w->by_price && !tier_priced(w, tier)))
        return false;
    for (uint32_t i = 0; w->bound && i < w->tier_count; i++)
        if (w->tiers[i] == tier)
            return true;
    return !w->bound;
}

static bool seat_usable(struct state *st, struct event *e, const struct wish *w, uint32_t position)
{
    /* The sets first: they stay in the cache where the seats themselves do not. */
    bool claimed = bitset_has(&e->claimed, position);
    if ((claimed && !w->lapsed_too) || bitset_has(&e->blocked, position) != w->house)
        return false;
    if (e->allotments && !w->house && e->allotments->of[position] != w->allotment)
        return false;
    if ((w->tier || w->bound || w->by_price) && !tier_usable(w, layout_seat(e->layout, position)->tier))
        return false;
    for (uint32_t i = 0; i < w->taken_count; i++)
        if (w->taken[i] == position)
            return false;
    /* Planned seats are in no set: only a command that has planned any need look at the seats themselves. */
    if (!claimed)
        return !w->planned || seat_at(e, position)->claim != CLAIM_PLANNED;
    uint32_t claim = seat_at(e, position)->claim;
    return !(claim & CLAIM_STUB) && reservation_lapsed(reservation_at(st, claim - 1), st->now_ms);
}

/* Free for anybody, whatever the tier: what an orphan is judged by. */
static bool seat_open(struct state *st, struct event *e, const struct wish *w, uint32_t position)
{
    struct wish any = *w;
    any.tier = 0;
    any.bound = any.by_price = false;
    return seat_usable(st, e, &any, position);
}

/* Whether taking the run would leave exactly one free seat between it and the next obstacle on that side. */
static bool orphan_beside(struct state *st, struct event *e, const struct wish *w,
                          const struct layout_row *row, uint32_t edge, int step)
{
    const uint32_t *order = row->seats;
    int64_t last = (int64_t)row->count - 1;
    ASSERT(edge <= last);
    uint32_t free_seats = 0;
    int64_t at = edge;
    for (;;) {
        /* A seat is joined to its left neighbour by its own mark, to its right one by that one's. */
        int64_t next = at + step;
        if (next < 0 || next > last)
            break;
        uint32_t joint = step > 0 ? order[next] : order[at];
        if (!(joint & LAYOUT_BESIDE) || !seat_open(st, e, w, order[next] & ~LAYOUT_BESIDE))
            break;
        /* Two or more are no orphan: somebody may still want a pair. */
        if (++free_seats > 1)
            return false;
        at = next;
    }
    return free_seats == 1;
}

static bool run_better(const struct run *a, const struct run *b)
{
    if (a->orphans != b->orphans)
        return a->orphans < b->orphans;
    if (a->row != b->row)
        return a->row < b->row;
    if (a->off_middle != b->off_middle)
        return a->off_middle < b->off_middle;
    return a->first < b->first;
}

/* Usable neighbours, with no more of accessible places and of others than are to be picked. */
struct window {
    uint32_t size, accessible;
};

/* Goes on with the seat at this place of the row; the first ones are left out as far as there are too many. */
static void window_add(struct window *window, const struct event *e, const struct wish *w,
                       const struct layout_row *r, uint32_t at, bool accessible)
{
    if (!(r->seats[at] & LAYOUT_BESIDE))
        *window = (struct window){0};
    window->size++;
    window->accessible += accessible;
    while (window->accessible > w->accessible || window->size - window->accessible > w->plain) {
        uint32_t first = r->seats[at + 1 - window->size] & ~LAYOUT_BESIDE;
        window->accessible -= r->accessible && layout_accessible(e->layout, first);
        window->size--;
    }
    ASSERT(window->accessible <= window->size && window->size <= at + 1);
}

/* Looks at every run of `size` usable neighbours in the row. */
static void row_offers(struct state *st, struct event *e, const struct wish *w, uint32_t row, uint32_t size,
                       struct run *best, bool *found, struct best_sight *sight)
{
    const struct layout_row *r = best_row(e->layout, row);
    struct window window = {0};
    sight->looked += r->count;
    for (uint32_t at = 0; at < r->count; at++) {
        uint32_t position = r->seats[at] & ~LAYOUT_BESIDE;
        if (!seat_usable(st, e, w, position)) {
            window = (struct window){0};
            continue;
        }
        bool accessible = r->accessible && layout_accessible(e->layout, position);
        ++*(accessible ? &sight->accessible : &sight->usable);
        window_add(&window, e, w, r, at, accessible);
        if (window.size > sight->longest)
            sight->longest = window.size;
        if (window.size < size)
            continue;
        uint32_t first = at - size + 1;
        /* Twice the distance, so that rows of odd and even length compare without halves. */
        int64_t off = (int64_t)first * 2 + size - r->count;
        struct run offer = {.row = row, .off_middle = (uint32_t)(off < 0 ? -off : off), .first = first};
        offer.orphans =
            (uint32_t)orphan_beside(st, e, w, r, first, -1) + (uint32_t)orphan_beside(st, e, w, r, at, 1);
        if (!*found || run_better(&offer, best)) {
            *best = offer;
            *found = true;
        }
    }
}

/* Whether the counts say that nothing in the row can be had. What is blocked is not counted apart. */
static bool row_is_full(const struct event *e, const struct wish *w, uint32_t row)
{
    if (w->house)
        return false;
    ASSERT(!w->allotment || e->allotments->row_open[row] <= e->row_taken[row]);
    return w->allotment ? e->allotments->row_open[row] == 0 : e->row_taken[row] == e->layout->rows[row].count;
}

/* The best run of `size` neighbours. Rows are in order from the front, so the first without an orphan ends
 * it; only when there is none has *sight seen everything. */
static bool find_run(struct state *st, struct event *e, const struct wish *w, uint32_t size, struct run *best,
                     struct best_sight *sight)
{
    bool found = false;
    *sight = (struct best_sight){.looked = sight->looked};
    for (uint32_t row = 0; row < e->layout->row_count; row++) {
        const struct layout_row *r = best_row(e->layout, row);
        /* What is known of a whole row leaves most of them out: seats are looked at where one may fit. */
        if (w->section && r->section != w->section)
            continue;
        if (r->tier != LAYOUT_MIXED && !tier_usable(w, r->tier))
            continue;
        if (!w->lapsed_too && row_is_full(e, w, e->layout->front[row]))
            continue;
        row_offers(st, e, w, row, size, best, &found, sight);
        ASSERT(sight->longest <= sight->usable + sight->accessible && found == (sight->longest >= size));
        if (found && best->orphans == 0)
            return true;
    }
    return found;
}

static void take_run(const struct event *e, const struct run *run, uint32_t size, uint32_t *picked)
{
    const struct layout_row *row = best_row(e->layout, run->row);
    ASSERT(size >= 1 && run->first + size <= row->count);
    for (uint32_t i = 0; i < size; i++)
        picked[i] = row->seats[run->first + i] & ~LAYOUT_BESIDE;
}

/* Apart: the largest groups that can be had, one after the other. */
static void pick_apart(struct state *st, struct event *e, struct wish *w, uint32_t quantity, uint32_t *picked,
                       struct best_sight *seen)
{
    uint32_t size = seen->longest;
    ASSERT(size >= 1 && size < quantity); /* some are free; together was in vain */
    struct best_sight sight = {.looked = seen->looked};
    w->taken = picked;
    w->taken_count = 0;
    while (w->taken_count < quantity) {
        struct run offer = {0};
        /* Nothing larger is left than what the last search found, so sizes only fall and this ends. */
        if (size > quantity - w->taken_count)
            size = quantity - w->taken_count;
        if (!find_run(st, e, w, size, &offer, &sight)) {
            ASSERT(sight.longest >= 1 && sight.longest < size);
            size = sight.longest;
            continue;
        }
        take_run(e, &offer, size, picked + w->taken_count);
        for (uint32_t i = 0; i < size; i++, w->taken_count++)
            --*(layout_accessible(e->layout, picked[w->taken_count]) ? &w->accessible : &w->plain);
    }
    ASSERT(w->taken_count == quantity && !w->accessible && !w->plain);
    seen->looked = sight.looked;
}

/* Together, or false. */
static bool pick_together(struct state *st, struct event *e, const struct wish *w, uint32_t quantity,
                          uint32_t picked[ITEMS_MAX], struct best_sight *seen)
{
    struct run offer = {0};
    if (!find_run(st, e, w, quantity, &offer, seen))
        return false;
    take_run(e, &offer, quantity, picked);
    return true;
}

/* A tier that no seat has is nobody's. */
static void wish_bind(struct wish *w, const struct layout *l, const struct best_bound *bound,
                      uint32_t places[TIERS_MAX])
{
    ASSERT(bound->tier_count <= TIERS_MAX);
    w->bound = bound->tier_count > 0;
    w->tiers = places;
    for (uint32_t i = 0; i < bound->tier_count; i++) {
        uint32_t place = layout_label(l, bound->tiers[i]);
        if (place)
            places[w->tier_count++] = place;
    }
}

/* Only seats that have a price in the category. */
static void wish_price(struct wish *w, const struct event *e, struct text asked,
                       uint32_t places[PRICED_TIERS_MAX])
{
    struct text tiers[PRICED_TIERS_MAX], category;
    bool named = event_category(e, asked, &category);
    ASSERT(named); /* judged before */
    uint32_t count = event_tiers_unlike(e, category, tiers, &w->others);
    w->unlike = places;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = layout_label(e->layout, tiers[i]);
        if (place) /* some seat has it */
            places[w->unlike_count++] = place;
    }
    w->by_price = w->unlike_count || !w->others;
}

enum outcome_code best_pick(struct state *st, struct event *e, const struct item_request *item,
                            const struct best_bound *bound, uint32_t picked[ITEMS_MAX],
                            struct best_sight *seen)
{
    uint32_t tiers[TIERS_MAX], unlike[PRICED_TIERS_MAX];
    ASSERT(item->quantity >= 1 && item->quantity <= ITEMS_MAX && item->accessible <= item->quantity);
    *seen = (struct best_sight){0};
    if (!e->layout)
        return OUTCOME_SOLD_OUT;
    struct wish wish = {.section = item->section.at ? layout_label(e->layout, item->section) : 0,
                        .tier = item->tier.at ? layout_label(e->layout, item->tier) : 0,
                        .planned = bound->planned,
                        .accessible = item->accessible,
                        .plain = item->quantity - item->accessible};
    /* A label that no seat has: nothing can match, and 0 would mean any. */
    if ((item->section.at && !wish.section) || (item->tier.at && !wish.tier))
        return OUTCOME_SOLD_OUT;
    wish.house = bound->house;
    wish.allotment = bound->allotment.at ? allotment_find(e, bound->allotment) : 0;
    if (bound->allotment.at && !wish.allotment) /* the same */
        return OUTCOME_SOLD_OUT;
    wish_bind(&wish, e->layout, bound, tiers);
    wish_price(&wish, e, item->category, unlike);
    if (!event_count_rows(e)) {
        st->count_short = true;
        return OUTCOME_SOLD_OUT; /* not known yet: RETRY */
    }
    /* Free seats first: that skips full rows. Only when these are nowhere together are lapsed holds looked
     * at, one by one. */
    if (pick_together(st, e, &wish, item->quantity, picked, seen))
        return OUTCOME_OK;
    /* With no deadline passed anywhere there are none, and what was seen is all there is. */
    wish.lapsed_too = !bound->settled && state_next_deadline(st) <= st->now_ms;
    if (wish.lapsed_too && pick_together(st, e, &wish, item->quantity, picked, seen))
        return OUTCOME_OK;
    if (seen->usable < wish.plain || seen->accessible < wish.accessible)
        return OUTCOME_SOLD_OUT;
    if (item->adjacent)
        return OUTCOME_NO_ADJACENT_SEATS;
    pick_apart(st, e, &wish, item->quantity, picked, seen);
    return OUTCOME_OK;
}

/* ---- What is asked for ---- */

static enum outcome_code judge_accessible(struct step *step, struct target *t, struct outcome *out)
{
    (void)step;
    if (t->request->accessible > t->request->quantity)
        return state_invalid(out, "Invalid accessible: more than quantity.", "/items/%u/best/accessible",
                             t->index);
    return OUTCOME_OK;
}

/* Without a tier of its own it is picked from those of the pass. */
static enum outcome_code judge_tier(struct step *step, struct target *t, struct outcome *out)
{
    (void)step;
    (void)out;
    struct text tier = t->request->tier;
    return !tier.at || queue_tier_named(t, tier) ? OUTCOME_OK : OUTCOME_PASS_TIER;
}

/* How many there are of what is asked for. Where both sorts are, plenty of one does not make up for the other. */
static uint32_t left_of(const struct item_request *asked, const struct best_sight *seen)
{
    uint32_t plain = asked->quantity - asked->accessible;
    if (!asked->accessible)
        return seen->usable;
    return (seen->usable < plain ? seen->usable : plain) +
           (seen->accessible < asked->accessible ? seen->accessible : asked->accessible);
}

/* Without a tier of its own it is picked from those that have a price. */
static enum outcome_code judge_category(struct step *step, struct target *t, struct outcome *out)
{
    struct text tiers[PRICED_TIERS_MAX], tier = t->request->tier;
    bool others;
    enum outcome_code code = plan_category(step, t, out);
    if (code != OUTCOME_OK)
        return code;
    bool priced = tier.at ? event_tier_priced(t->event, tier, t->category)
                          : event_tiers_unlike(t->event, t->category, tiers, &others) || others;
    return priced ? OUTCOME_OK : plan_unpriced(t, out);
}

/* The tiers of both pass and code, where both have some. False: they have none in common. */
static bool bound_of(const struct target *t, struct text tiers[TIERS_MAX], struct best_bound *bound)
{
    const struct code_image *code = t->code ? code_view(t->code) : NULL;
    *bound = (struct best_bound){
        .tiers = t->tiers, .tier_count = t->tier_count, .allotment = t->allotment, .house = t->house};
    if (!code || !code->tier_count)
        return true;
    bound->tiers = tiers;
    bound->tier_count = 0;
    for (uint32_t i = 0; i < code->tier_count; i++)
        if (queue_tier_named(t, code->tiers[i]))
            tiers[bound->tier_count++] = code->tiers[i];
    return bound->tier_count > 0;
}

static enum outcome_code judge_code(struct step *step, struct target *t, struct outcome *out)
{
    struct text tiers[TIERS_MAX], tier = t->request->tier;
    struct best_bound bound;
    enum outcome_code code = code_judge(step, t, (struct text){0}, out);
    if (code != OUTCOME_OK || !t->code)
        return code;
    bool good = tier.at ? code_has_tier(t->code, tier) : bound_of(t, tiers, &bound);
    return good ? OUTCOME_OK : OUTCOME_CODE_INVALID;
}

static enum outcome_code best_choose(struct step *step, struct target *t, struct outcome *out)
{
    struct event *e = t->event;
    struct text tiers[TIERS_MAX];
    struct best_bound bound;
    bound_of(t, tiers, &bound);
    bound.planned = step->plan_count > 0;
    uint32_t picked[ITEMS_MAX];
    struct best_sight seen;
    enum outcome_code code = best_pick(step->state, e, t->request, &bound, picked, &seen);
    if (code != OUTCOME_OK) {
        state_saw(out, e->seq);
        plan_obstacle(step, t, 0, left_of(t->request, &seen), out);
        return code;
    }
    ASSERT(seen.usable + seen.accessible >= 1 && step->plan_count + t->request->quantity <= ITEMS_MAX);
    for (uint32_t i = 0; i < t->request->quantity; i++) {
        settle_seat(step->state, e, picked[i]);
        if (seat_at(e, picked[i])->claim != CLAIM_NONE)
            return OUTCOME_SOLD_OUT; /* could not be settled in this step: RETRY */
        struct item item = seat_item(e, picked[i], t->category);
        seat_plan(seat_at(e, picked[i]));
        plan_add(step, t, &item)->extra.allotment = allotment_of_item(e, picked[i]);
    }
    return OUTCOME_OK;
}

/* The one that is asked for, if there is any seat of it. */
static struct text tier_of(const struct target *t)
{
    const struct text tier = t->request->tier;
    bool there = tier.at && t->event->layout && layout_part(t->event->layout, (struct text){0}, tier);
    return there ? tier : (struct text){0};
}

/* clang-format off */
const struct request_kind best_request = {
    .choice = true, .pick = best_choose, .tier = tier_of,
    .judge = {[PHASE_SIZE] = judge_accessible, [PHASE_NAMED] = allotment_judge_named, [PHASE_RESOLVE] = plan_find_event,
              [PHASE_CATEGORY] = judge_category, [PHASE_ON_SALE] = plan_on_sale,
              [PHASE_PASS] = queue_judge_pass, [PHASE_TIER] = judge_tier,
              [PHASE_GUESTS] = plan_guests, [PHASE_CODE] = judge_code,
              [PHASE_CODE_USED] = code_judge_used, [PHASE_LIMIT] = plan_limit},
};
/* clang-format on */

const struct claim_kind best_claims = {0}; /* it becomes seats */
