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

/* The request, resolved. */
struct wish {
    uint32_t section, tier; /* places in the layout's texts; 0: any */
    bool bound;             /* only these tiers: */
    const uint32_t *tiers;  /* places in the layout's texts */
    uint32_t tier_count;
    bool by_price; /* only tiers with a price in the category: */
    /* Whether tiers that are not in `exceptions` have a price; those in `exceptions` are the opposite. */
    bool others;
    const uint32_t *exceptions; /* places in the layout's texts */
    uint32_t exception_count;
    bool lapsed_too;            /* count lapsed holds as free */
    bool planned;               /* see best_bound */
    bool house;                 /* see best_bound */
    uint32_t allotment;         /* index + 1 among the event's; 0: none */
    uint32_t accessible, plain; /* how many of each are left to pick */
    const uint32_t *taken;      /* already picked, for a group in parts */
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
    for (uint32_t i = 0; i < w->exception_count; i++)
        if (w->exceptions[i] == tier)
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
    /* The sets first: they stay in the cache, the seats do not. */
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
    /* Planned seats are in no set: a command that has planned some must look at the seats themselves. */
    if (!claimed)
        return !w->planned || seat_at(e, position)->claim != CLAIM_PLANNED;
    uint32_t claim = seat_at(e, position)->claim;
    return !(claim & CLAIM_STUB) && reservation_lapsed(reservation_at(st, claim - 1), st->now_ms);
}

/* Free in any tier: used to judge orphans. */
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
        /* The mark of a seat joins it to its left neighbour; the mark of the right one joins the two. */
        int64_t next = at + step;
        if (next < 0 || next > last)
            break;
        uint32_t joint = step > 0 ? order[next] : order[at];
        if (!(joint & LAYOUT_BESIDE) || !seat_open(st, e, w, order[next] & ~LAYOUT_BESIDE))
            break;
        /* Two or more are not an orphan: they can still be sold as a pair. */
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

/* Usable neighbours, with no more accessible places and no more other seats than are left to pick. */
struct window {
    uint32_t size, accessible;
};

/* Adds the seat at this place of the row; drops seats from the start while there are too many. */
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

/* Checks every run of `size` usable neighbours in the row. */
static void search_row(struct state *st, struct event *e, const struct wish *w, uint32_t row, uint32_t size,
                       struct run *best, bool *found, struct best_stats *stats)
{
    const struct layout_row *r = best_row(e->layout, row);
    struct window window = {0};
    stats->looked += r->count;
    for (uint32_t at = 0; at < r->count; at++) {
        uint32_t position = r->seats[at] & ~LAYOUT_BESIDE;
        if (!seat_usable(st, e, w, position)) {
            window = (struct window){0};
            continue;
        }
        bool accessible = r->accessible && layout_accessible(e->layout, position);
        ++*(accessible ? &stats->accessible : &stats->usable);
        window_add(&window, e, w, r, at, accessible);
        if (window.size > stats->longest)
            stats->longest = window.size;
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

/* Whether the counts say that the row has nothing to pick. Blocked seats are not counted separately. */
static bool row_is_full(const struct event *e, const struct wish *w, uint32_t row)
{
    if (w->house)
        return false;
    ASSERT(!w->allotment || e->allotments->row_open[row] <= e->row_taken[row]);
    return w->allotment ? e->allotments->row_open[row] == 0 : e->row_taken[row] == e->layout->rows[row].count;
}

/* The best run of `size` neighbours. Rows are in order from the front, so the first run without an orphan ends
 * the search; only if there is none, *stats covers everything. */
static bool find_run(struct state *st, struct event *e, const struct wish *w, uint32_t size, struct run *best,
                     struct best_stats *stats)
{
    bool found = false;
    *stats = (struct best_stats){.looked = stats->looked};
    for (uint32_t row = 0; row < e->layout->row_count; row++) {
        const struct layout_row *r = best_row(e->layout, row);
        /* Most rows are ruled out as a whole, without looking at their seats. */
        if (w->section && r->section != w->section)
            continue;
        if (r->tier != LAYOUT_MIXED && !tier_usable(w, r->tier))
            continue;
        if (!w->lapsed_too && row_is_full(e, w, e->layout->front[row]))
            continue;
        search_row(st, e, w, row, size, best, &found, stats);
        ASSERT(stats->longest <= stats->usable + stats->accessible && found == (stats->longest >= size));
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

/* Apart: the largest possible groups, one after the other. */
static void pick_apart(struct state *st, struct event *e, struct wish *w, uint32_t quantity, uint32_t *picked,
                       struct best_stats *seen)
{
    uint32_t size = seen->longest;
    ASSERT(size >= 1 && size < quantity); /* some are free, but not together */
    struct best_stats stats = {.looked = seen->looked};
    w->taken = picked;
    w->taken_count = 0;
    while (w->taken_count < quantity) {
        struct run offer = {0};
        /* The last search found the largest run left, so sizes only fall and this ends. */
        if (size > quantity - w->taken_count)
            size = quantity - w->taken_count;
        if (!find_run(st, e, w, size, &offer, &stats)) {
            ASSERT(stats.longest >= 1 && stats.longest < size);
            size = stats.longest;
            continue;
        }
        take_run(e, &offer, size, picked + w->taken_count);
        for (uint32_t i = 0; i < size; i++, w->taken_count++)
            --*(layout_accessible(e->layout, picked[w->taken_count]) ? &w->accessible : &w->plain);
    }
    ASSERT(w->taken_count == quantity && !w->accessible && !w->plain);
    seen->looked = stats.looked;
}

/* All together; false: not possible. */
static bool pick_together(struct state *st, struct event *e, const struct wish *w, uint32_t quantity,
                          uint32_t picked[ITEMS_MAX], struct best_stats *seen)
{
    struct run offer = {0};
    if (!find_run(st, e, w, quantity, &offer, seen))
        return false;
    take_run(e, &offer, quantity, picked);
    return true;
}

/* Ignores tiers that no seat has. */
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
    uint32_t count = event_tier_exceptions(e, category, tiers, &w->others);
    w->exceptions = places;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = layout_label(e->layout, tiers[i]);
        if (place) /* at least one seat has it */
            places[w->exception_count++] = place;
    }
    w->by_price = w->exception_count || !w->others;
}

enum outcome_code best_pick(struct state *st, struct event *e, const struct item_request *item,
                            const struct best_bound *bound, uint32_t picked[ITEMS_MAX],
                            struct best_stats *seen)
{
    uint32_t tiers[TIERS_MAX], exceptions[PRICED_TIERS_MAX];
    ASSERT(item->quantity >= 1 && item->quantity <= ITEMS_MAX && item->accessible <= item->quantity);
    *seen = (struct best_stats){0};
    if (!e->layout)
        return OUTCOME_SOLD_OUT;
    struct wish wish = {.section = item->section.at ? layout_label(e->layout, item->section) : 0,
                        .tier = item->tier.at ? layout_label(e->layout, item->tier) : 0,
                        .planned = bound->planned,
                        .accessible = item->accessible,
                        .plain = item->quantity - item->accessible};
    /* No seat has this label: nothing can match, and 0 would mean any. */
    if ((item->section.at && !wish.section) || (item->tier.at && !wish.tier))
        return OUTCOME_SOLD_OUT;
    wish.house = bound->house;
    wish.allotment = bound->allotment.at ? allotment_find(e, bound->allotment) : 0;
    if (bound->allotment.at && !wish.allotment) /* nor this allotment */
        return OUTCOME_SOLD_OUT;
    wish_bind(&wish, e->layout, bound, tiers);
    wish_price(&wish, e, item->category, exceptions);
    if (!event_count_rows(e)) {
        st->count_short = true;
        return OUTCOME_SOLD_OUT; /* not known yet: RETRY */
    }
    /* Free seats first: that skips full rows. Lapsed holds are checked, one by one, only if there are not enough free
     * seats together. */
    if (pick_together(st, e, &wish, item->quantity, picked, seen))
        return OUTCOME_OK;
    /* If no deadline has passed anywhere, there are none, and `seen` is complete. */
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

/* ---- The kind of request ---- */

static enum outcome_code judge_accessible(struct step *step, struct target *t, struct outcome *out)
{
    (void)step;
    if (t->request->accessible > t->request->quantity)
        return state_invalid(out, "Invalid accessible: more than quantity.", "/items/%u/best/accessible",
                             t->index);
    return OUTCOME_OK;
}

/* Without a tier it is picked from the tiers of the pass. */
static enum outcome_code judge_tier(struct step *step, struct target *t, struct outcome *out)
{
    (void)step;
    (void)out;
    struct text tier = t->request->tier;
    return !tier.at || queue_tier_named(t, tier) ? OUTCOME_OK : OUTCOME_PASS_TIER;
}

/* How many of the requested seats are left. A surplus of one sort does not make up for a lack of the other. */
static uint32_t left_of(const struct item_request *asked, const struct best_stats *seen)
{
    uint32_t plain = asked->quantity - asked->accessible;
    if (!asked->accessible)
        return seen->usable;
    return (seen->usable < plain ? seen->usable : plain) +
           (seen->accessible < asked->accessible ? seen->accessible : asked->accessible);
}

/* Without a tier it is picked from the tiers that have a price. */
static enum outcome_code judge_category(struct step *step, struct target *t, struct outcome *out)
{
    struct text tiers[PRICED_TIERS_MAX], tier = t->request->tier;
    bool others;
    enum outcome_code code = plan_category(step, t, out);
    if (code != OUTCOME_OK)
        return code;
    bool priced = tier.at ? event_tier_priced(t->event, tier, t->category)
                          : event_tier_exceptions(t->event, t->category, tiers, &others) || others;
    return priced ? OUTCOME_OK : plan_unpriced(t, out);
}

/* The tiers that both pass and code allow. False: none in common. */
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
    struct best_stats seen;
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

/* The requested tier, if any seat has it. */
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
