/* SPDX-License-Identifier: Apache-2.0 */
#include "core/waitlist/list_offer.h"

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/catalogue/event_price.h"
#include "core/claim/best.h"
#include "core/claim/reservation.h"
#include "core/entry_id.h"
#include "core/waitlist/list_service.h"
#include "core/waitlist/wish_group.h"

/* ---- The index ---- */

static uint64_t id_hash(struct id id)
{
    return id.low * 0x9e3779b97f4a7c15ULL ^ id.high;
}

static struct list_offer *list_offer_at(struct state *st, uint32_t handle)
{
    return slab_at(&st->lists.offers, handle);
}

static uint64_t list_offer_hash(void *owner, uint32_t handle)
{
    return id_hash(list_offer_at(owner, handle)->reservation);
}

static bool list_offer_same(void *owner, uint32_t handle, const void *key)
{
    return id_equal(list_offer_at(owner, handle)->reservation, *(const struct id *)key);
}

void list_offers_init(struct state *st)
{
    slab_init(&st->lists.offers, sizeof(struct list_offer));
    table_init(&st->lists.offers_by_id, list_offer_hash, st);
}

void list_offers_release(struct state *st)
{
    slab_release(&st->lists.offers);
    table_release(&st->lists.offers_by_id);
}

static uint32_t handle_of(struct state *st, struct id reservation)
{
    return table_find(&st->lists.offers_by_id, id_hash(reservation), list_offer_same, &reservation);
}

const struct list_offer *list_offer_find(struct state *st, struct id reservation)
{
    uint32_t handle = handle_of(st, reservation);
    return handle == TABLE_NONE ? NULL : list_offer_at(st, handle);
}

void list_offer_add(struct state *st, struct id reservation, uint32_t event, uint32_t number)
{
    ASSERT(!id_none(reservation) && handle_of(st, reservation) == TABLE_NONE);
    uint32_t handle = slab_take(&st->lists.offers);
    uint32_t *last = &st->events[event]->list->offers;
    ASSERT(list_entry_at(st->events[event]->list, number)->status == LIST_OFFERED);
    *list_offer_at(st, handle) =
        (struct list_offer){.reservation = reservation, .event = event, .number = number, .before = *last};
    /* A chain through the offers of one event, so that removing the event finds them all. */
    if (*last)
        list_offer_at(st, *last - 1)->after = handle + 1;
    *last = handle + 1;
    table_insert(&st->lists.offers_by_id, id_hash(reservation), handle);
}

void list_offer_forget(struct state *st, struct id reservation)
{
    uint32_t handle = handle_of(st, reservation);
    ASSERT(handle != TABLE_NONE);
    const struct list_offer *offer = list_offer_at(st, handle);
    ASSERT(!offer->after == (st->events[offer->event]->list->offers == handle + 1));
    if (offer->before)
        list_offer_at(st, offer->before - 1)->after = offer->after;
    if (offer->after)
        list_offer_at(st, offer->after - 1)->before = offer->before;
    else
        st->events[offer->event]->list->offers = offer->before;
    table_remove(&st->lists.offers_by_id, id_hash(reservation), handle);
    slab_give(&st->lists.offers, handle);
}

void list_offers_drop(struct state *st, const struct event *e)
{
    struct waiting_lists *w = &st->lists;
    uint32_t kept = 0, dropped = 0;
    /* Its entries will never be shown again: nothing needs to be recorded about them. */
    for (uint32_t i = 0; i < w->note_count; i++)
        if (w->notes[i].event != e->index)
            w->notes[kept++] = w->notes[i];
    w->note_count = kept;
    for (; e->list->offers; dropped++)
        list_offer_forget(st, list_offer_at(st, e->list->offers - 1)->reservation);
    ASSERT(dropped == e->list->by_status[LIST_OFFERED]);
}

uint32_t list_offers_of(struct state *st, const struct event *e)
{
    uint32_t count = 0;
    for (uint32_t at = e->list->offers, after = 0; at; count++) {
        const struct list_offer *offer = list_offer_at(st, at - 1);
        if (offer->event != e->index || offer->after != after)
            return UINT32_MAX;
        after = at;
        at = offer->before;
    }
    return count;
}

/* ---- Making an offer ---- */

static struct id list_offer_id(const struct event *e, int64_t now_ms, uint64_t fence)
{
    /* No randomness in core: a fence is used once, and the key makes the id unguessable. */
    struct id key = entry_id(e->image.entry_key, ENTRY_OFFER, fence);
    return id_make(now_ms, key.high, key.low);
}

/* A removed event is not always loaded from the book, so search among those that exist. */
bool list_offer_outlived(const struct state *st, const struct reservation *r)
{
    for (uint32_t i = 0; i < st->event_count; i++) {
        const struct event *e = st->events[i];
        if (!e->image.removed && !e->image.cancelled.at_ms && e->image.number < r->number &&
            id_equal(r->id, list_offer_id(e, r->created_at_ms, r->number)))
            return false;
    }
    return true;
}

bool list_offers_held(struct state *st)
{
    uint32_t held = 0;
    for (uint32_t i = 0; i < st->reservations.used; i++) {
        const struct reservation *r = reservation_at(st, i);
        if (r->status != RESERVATION_HELD || !r->from_list)
            continue;
        if (list_offer_find(st, r->id))
            held++;
        else if (!list_offer_outlived(st, r))
            return false;
    }
    return held == st->lists.offers.count;
}

void list_offer_emit_entry(struct state *st, struct event *e, uint32_t number)
{
    list_entry_at(e->list, number)->changed_at_ms = st->now_ms;
    st->change.kind = CHANGE_LIST_ENTRY;
    waiting_list_image(e, number, &st->change.list_entry);
    e->list->seq = state_emit(st);
}

/* Offers are made in the first category. */
static struct text list_category(const struct event *e)
{
    struct text category;
    event_category(e, (struct text){0}, &category);
    return category;
}

/* The code for an offer to this group from this allotment (none: from what is on sale); NULL: no code is needed now. */
static const struct code *code_of(const struct event *e, const struct wish_group *group,
                                  struct text allotment)
{
    bool needed = e->image.access == ACCESS_CODE || allotment.at;
    return group->code && needed ? code_at(e, group->code - 1) : NULL;
}

bool list_offer_allowed(const struct event *e, uint32_t number)
{
    const struct list_entry *entry = list_entry_at(e->list, number);
    const struct wish_group *group = &e->list->groups[entry->group];
    struct actor owner = {.role = ROLE_USER, .name = list_entry_user(entry)};
    /* It could have joined before these rules. */
    if ((e->image.no_guests && actor_is_guest(owner)) || (e->image.access == ACCESS_CODE && !group->code))
        return false;
    const struct code *with = code_of(e, group, (struct text){0});
    /* Tiers could have been added to its code since; seats are picked within them, a pool is outside of any. */
    bool outside = with && e->list->stocks[group->stock].pool && code_view(with)->tier_count;
    return !with || (!outside && code_allows(with, group->quantity));
}

/* Seats of this allotment, or of none. */
static enum list_offer_result pick_seats(struct state *st, struct event *e, const struct wish_group *group,
                                         struct text allotment, uint32_t picked[ITEMS_MAX])
{
    struct wish_stock *stock = &e->list->stocks[group->stock];
    struct item_request wish = {.kind = ITEM_BEST,
                                .quantity = group->quantity,
                                .section = stock->section,
                                .tier = stock->tier,
                                .adjacent = group->adjacent};
    struct best_stats seen;
    /* Whether this search ran short concerns only the offer, not the command under way. */
    bool short_before = st->count_short;
    st->count_short = false;
    const struct code *with = code_of(e, group, allotment);
    struct best_bound bound = {.settled = true,
                               .allotment = allotment,
                               .tiers = with ? code_view(with)->tiers : NULL,
                               .tier_count = with ? code_view(with)->tier_count : 0};
    enum outcome_code code = best_pick(st, e, &wish, &bound, picked, &seen);
    bool counting = st->count_short;
    st->count_short = short_before;
    list_service_pay(st, seen.looked / LIST_WORK_SEATS);
    if (counting)
        return OFFER_LATER;
    if (code != OUTCOME_OK) {
        /* Seats outside the tiers of a code were not checked: the bounds of the stock stay as they are. */
        if (!bound.tier_count && !allotment.at)
            wish_stock_searched(stock, seen.usable, seen.longest);
        return OFFER_NONE;
    }
    /* Still an upper bound: others could have taken of it too. */
    if (stock->most != LIST_UNKNOWN && !allotment.at)
        stock->most -= group->quantity < stock->most ? group->quantity : stock->most;
    return OFFER_MADE;
}

/* Picks what the wish would get, into `picked`: seats, or the position of the pool. *from: their allotment. With a code
 * for an allotment that comes first, then what is on sale. */
static enum list_offer_result list_offer_pick(struct state *st, struct event *e,
                                              const struct wish_group *group, uint32_t picked[ITEMS_MAX],
                                              struct text *from)
{
    struct wish_stock *stock = &e->list->stocks[group->stock];
    struct text carried = wish_group_allotment(e, group);
    *from = (struct text){0};
    if (stock->pool) {
        picked[0] = stock->pool - 1;
        *from = e->pools[picked[0]].image.allotment;
        return wish_group_units(e, group, picked[0]) >= group->quantity ? OFFER_MADE : OFFER_NONE;
    }
    if (carried.at && code_allows(code_at(e, group->code - 1), group->quantity)) {
        enum list_offer_result result = pick_seats(st, e, group, carried, picked);
        *from = carried;
        if (result != OFFER_NONE)
            return result;
    }
    *from = (struct text){0};
    return pick_seats(st, e, group, *from, picked);
}

static void items_add(struct state *st, struct event *e, const struct wish_group *group, uint32_t handle,
                      const uint32_t *picked, struct text from)
{
    struct reservation *r = reservation_at(st, handle);
    bool pool = e->list->stocks[group->stock].pool;
    const struct code *with = code_of(e, group, from);
    ASSERT(!from.at || (with && code_carries(with, from))); /* only offered with its code */
    struct item_extra extra = {.category = list_category(e),
                               .code = with ? code_view(with)->code : (struct text){0},
                               .allotment = from};
    for (uint32_t i = 0; i < (pool ? 1 : group->quantity); i++) {
        struct item item = pool ? pool_item(e, picked[i], group->quantity, extra.category)
                                : seat_item(e, picked[i], extra.category);
        item.fence = r->fence;
        item.item_id = r->next_item_id++;
        item.extra = &extra;
        reservation_item_add(st, handle, &item);
    }
    ASSERT(r->item_count == (pool ? 1 : group->quantity)); /* the whole wish */
}

static uint32_t hold(struct state *st, struct event *e, const struct wish_group *group, struct text user,
                     const uint32_t *picked, struct text from)
{
    const struct terms *terms = &e->image.terms;
    struct id id = list_offer_id(e, st->now_ms, state_next_seq(st));
    uint32_t handle = reservation_begin(st, id, user, terms, terms->hold_ttl_s);
    reservation_at(st, handle)->from_list = true;
    items_add(st, e, group, handle, picked, from);
    st->totals.offered++;
    return handle;
}

enum list_offer_result list_offer_make(struct state *st, struct event *e, uint32_t number)
{
    struct list_entry *entry = list_entry_at(e->list, number);
    const struct wish_group *group = &e->list->groups[entry->group];
    ASSERT(entry->status == LIST_WAITING && !entry->barred);
    uint32_t picked[ITEMS_MAX];
    struct text from;
    enum list_offer_result result = list_offer_pick(st, e, group, picked, &from);
    if (result != OFFER_MADE)
        return result;
    uint32_t handle = hold(st, e, group, list_entry_user(entry), picked, from);
    /* First the hold, then the entry that names it: recovery relies on this order. */
    state_emit_reservation(st, handle, ACTION_HELD);
    list_entry_set_status(e->list, number, LIST_OFFERED);
    entry->reservation = reservation_at(st, handle)->id;
    list_offer_add(st, entry->reservation, e->index, number);
    list_offer_emit_entry(st, e, number);
    return OFFER_MADE;
}

/* ---- Ending an offer ---- */

void list_offer_note_end(struct state *st, struct id reservation, enum list_status status)
{
    struct waiting_lists *w = &st->lists;
    const struct list_offer *offer = list_offer_find(st, reservation);
    ASSERT(status == LIST_FINISHED || status == LIST_LEFT);
    if (!offer)
        return; /* its event was removed or cancelled: see list_offer_outlived */
    w->notes = memory_room(w->notes, w->note_count, &w->note_capacity, 64, sizeof(*w->notes));
    w->notes[w->note_count++] = (struct list_note){offer->event, offer->number, status};
}

void list_offers_move_on(struct state *st)
{
    struct waiting_lists *w = &st->lists;
    for (uint32_t i = 0; i < w->note_count; i++) {
        struct list_note note = w->notes[i];
        struct event *e = st->events[note.event];
        ASSERT(e->list && note.number >= 1 && note.number <= e->list->entries.used);
        const struct list_entry *entry = list_entry_at(e->list, note.number);
        ASSERT(entry->status == LIST_OFFERED);
        list_offer_forget(st, entry->reservation); /* the entry keeps the id of its last offer */
        list_entry_set_status(e->list, note.number, note.status);
        list_offer_emit_entry(st, e, note.number);
    }
    w->note_count = 0;
}
