/* SPDX-License-Identifier: Apache-2.0 */
/* wish_stock.c — how much of an event's stock a wish on the waiting list could have. */
#include "base/assertion.h"
#include "core/catalogue/event_price.h"
#include "core/waitlist/waiting_list.h"
#include "core/waitlist/wish_group.h"

#define ROW_WALK_MAX 4096u /* seats of a row: in a longer one the run around a seat is not measured */

/* ---- What could fit ---- */

struct text wish_group_allotment(const struct event *e, const struct wish_group *group)
{
    const struct code *code = group->code ? code_at(e, group->code - 1) : NULL;
    return code && code_carries(code, (struct text){0}) ? code_view(code)->allotment : (struct text){0};
}

uint32_t wish_group_units(const struct event *e, const struct wish_group *group, uint32_t pool)
{
    ASSERT(pool < e->pool_count);
    struct text of = e->pools[pool].image.allotment, may = wish_group_allotment(e, group);
    if (of.at && (!may.at || !text_equal(of, may)))
        return 0;
    if (of.at) { /* with its code, which could have got tiers since: a pool is outside of any */
        const struct code *with = code_at(e, group->code - 1);
        if (code_view(with)->tier_count || !code_allows(with, group->quantity))
            return 0;
    }
    return event_pool_offerable(e, pool);
}

bool wish_group_may_fit(const struct waiting_list *l, const struct event *e, const struct wish_group *group)
{
    const struct wish_stock *s = &l->stocks[group->stock];
    ASSERT(s->pool <= e->pool_count);
    /* For a pool the free units are known exactly; for seats there are only bounds. */
    if (s->pool)
        return wish_group_units(e, group, s->pool - 1) >= group->quantity;
    if (group->quantity <= allotments_open(e) && wish_group_allotment(e, group).at)
        return true;
    return group->quantity <= e->counts.available && group->quantity <= s->most &&
           (!group->adjacent || group->quantity <= s->run);
}

void list_sweep(struct waiting_list *l)
{
    l->sweep = 0;
}

static void stock_freshen(struct waiting_list *l, uint32_t stock)
{
    ASSERT(stock < l->stock_count);
    struct wish_stock *s = &l->stocks[stock];
    if (s->fresh)
        return;
    s->fresh = true;
    s->next_fresh = l->fresh;
    l->fresh = stock + 1;
}

/* Accessible seats are only for those who ask for them, which a wish cannot. */
static bool seat_free_of(const struct event *e, uint32_t position, uint32_t tier)
{
    return !bitset_has(&e->claimed, position) && !seat_off_sale(e, position) &&
           !layout_accessible(e->layout, position) &&
           (!tier || layout_seat(e->layout, position)->tier == tier);
}

/* An upper bound on the free seats side by side around this one, all of the tier if there is one. */
static uint32_t run_around(const struct event *e, uint32_t position, uint32_t tier)
{
    const struct layout *l = e->layout;
    const struct layout_row *row = &l->rows[layout_row_of(l, position)];
    uint32_t at = 0, last = row->count - 1, run = 1;
    if (row->count > ROW_WALK_MAX)
        return LIST_UNKNOWN;
    while ((row->seats[at] & ~LAYOUT_BESIDE) != position) {
        ASSERT(at < last); /* a seat is in its row */
        at++;
    }
    /* No wish is for more than ITEMS_MAX seats: no need to measure a longer run. */
    for (uint32_t i = at; i < last && run < ITEMS_MAX; i++, run++)
        if (!(row->seats[i + 1] & LAYOUT_BESIDE) ||
            !seat_free_of(e, row->seats[i + 1] & ~LAYOUT_BESIDE, tier))
            break;
    for (uint32_t i = at; i > 0 && run < ITEMS_MAX; i--, run++)
        if (!(row->seats[i] & LAYOUT_BESIDE) || !seat_free_of(e, row->seats[i - 1] & ~LAYOUT_BESIDE, tier))
            break;
    ASSERT(run <= row->count);
    return run;
}

static void stock_freed(struct waiting_list *l, uint32_t stock, uint32_t run)
{
    struct wish_stock *s = &l->stocks[stock];
    /* Upper bound: too much costs an unsuccessful search, too little would skip an entry. */
    if (s->most != LIST_UNKNOWN)
        s->most++;
    if (run > s->run)
        s->run = run;
    stock_freshen(l, stock);
}

void list_freed_seat(struct waiting_list *l, const struct event *e, uint32_t position)
{
    ASSERT(position < e->layout->count && !bitset_has(&e->claimed, position));
    const struct layout_seat *seat = layout_seat(e->layout, position);
    bool on_sale = !seat_off_sale(e, position);
    if (seat->flags & LAYOUT_ACCESSIBLE || seat_blocked(e, position))
        return;
    ASSERT(!on_sale || seat_free_of(e, position, 0));
    struct text none = {0}, section = layout_text(e->layout, seat->section),
                tier = layout_text(e->layout, seat->tier);
    for (int tiered = 0; tiered < (tier.at ? 2 : 1); tiered++) {
        uint32_t run = 0; /* the same for all sections: a row is in one */
        for (int named = 0; named < (section.at ? 2 : 1); named++) {
            uint32_t stock = wish_stock_find(l, 0, named ? section : none, tiered ? tier : none);
            if (stock == TABLE_NONE)
                continue;
            if (!on_sale) { /* the bounds do not cover it */
                stock_freshen(l, stock);
                continue;
            }
            run = run ? run : run_around(e, position, tiered ? seat->tier : 0);
            stock_freed(l, stock, run);
        }
    }
}

void list_freed_pool(struct waiting_list *l, uint32_t position)
{
    struct text none = {0};
    uint32_t stock = wish_stock_find(l, position + 1, none, none);
    if (stock != TABLE_NONE)
        stock_freshen(l, stock);
}

void wish_stock_searched(struct wish_stock *s, uint32_t usable, uint32_t longest)
{
    ASSERT(longest <= usable);
    s->most = usable;
    s->run = longest;
}

/* ---- Collecting groups ---- */

static bool collect_swept(struct waiting_list *l, const struct event *e, uint32_t *work)
{
    for (; l->sweep < l->group_count; l->sweep++) {
        if (*work == 0)
            return false;
        --*work;
        struct wish_stock *s = &l->stocks[l->groups[l->sweep].stock];
        s->most = s->run = LIST_UNKNOWN;
        wish_group_try(l, e, l->sweep);
    }
    l->sweep = LIST_UNKNOWN;
    return true;
}

static bool collect_fresh(struct waiting_list *l, const struct event *e, uint32_t *work)
{
    while (l->fresh) {
        struct wish_stock *s = &l->stocks[l->fresh - 1];
        ASSERT(s->fresh);
        if (*work == 0)
            return false;
        /* All its groups, even beyond the work: otherwise half a stock would have to be remembered. */
        for (uint32_t group = s->first_group; group; group = l->groups[group - 1].next) {
            wish_group_try(l, e, group - 1);
            *work -= *work > 0;
        }
        l->fresh = s->next_fresh;
        s->fresh = false;
    }
    return true;
}

bool list_gather(struct waiting_list *l, const struct event *e, uint32_t *work)
{
    while (l->unbar && l->barred.count) {
        if (*work < LIST_WORK_ASIDE)
            return false;
        *work -= LIST_WORK_ASIDE;
        list_entry_unbar(l, e, (uint32_t)heap_first(&l->barred)->handle);
    }
    l->unbar = false;
    ASSERT(l->barred.count <= list_waiting(l));
    return (l->sweep == LIST_UNKNOWN || collect_swept(l, e, work)) && collect_fresh(l, e, work);
}
