/* SPDX-License-Identifier: Apache-2.0 */
#include "core/catalogue/event_price.h"
#include "core/claim/reservation.h"
#include "core/claim/user.h"
#include "core/state_check_parts.h"
#include "core/waitlist/list_offer.h"
#include "core/waitlist/list_service.h"
#include "core/waitlist/wish_group.h"

#define SEATS_WALKED_MAX 5000u /* in a larger event this check is skipped */

/* ---- Entries ---- */

static void check_offered(struct check *c, const struct event *e, uint32_t number)
{
    const struct list_entry *entry = list_entry_at(e->list, number);
    const struct list_offer *offer = list_offer_find(c->st, entry->reservation);
    check_expect(c, offer && offer->event == e->index && offer->number == number,
                 "The offer to list entry %u of %.*s cannot be found.", number, TEXT_ARGS(e->image.id));
    uint32_t handle = reservation_find(c->st, entry->reservation);
    const struct reservation *r = handle == TABLE_NONE ? NULL : reservation_at(c->st, handle);
    check_expect(c,
                 r && r->status == RESERVATION_HELD && r->from_list &&
                     text_equal(user_id(c->st, r->user), list_entry_user(entry)),
                 "List entry %u of %.*s is offered a hold that is not its own.", number,
                 TEXT_ARGS(e->image.id));
}

static void check_entry(struct check *c, const struct event *e, uint32_t number, uint32_t waiting_before)
{
    struct waiting_list *l = e->list;
    const struct list_entry *entry = list_entry_at(l, number);
    enum list_status status = (enum list_status)entry->status;
    check_expect(c, entry->group < l->group_count && entry->joined_at_ms <= entry->changed_at_ms,
                 "List entry %u of %.*s has an unknown wish or times out of order.", number,
                 TEXT_ARGS(e->image.id));
    check_expect(c, (list_live(l, list_entry_user(entry)) == number) == list_status_live(status),
                 "List entry %u of %.*s is live but not indexed as live, or the reverse.", number,
                 TEXT_ARGS(e->image.id));
    check_expect(c, list_position(l, number) == waiting_before + 1,
                 "List entry %u of %.*s has %u ahead of it, not %u.", number, TEXT_ARGS(e->image.id),
                 waiting_before, list_position(l, number) - 1);
    const struct heap *at = entry->barred ? &l->barred : &l->groups[entry->group].entries;
    check_expect(c,
                 status == LIST_WAITING ? check_in_heap(at, entry->place, number)
                                        : entry->place == HEAP_NONE && !entry->barred,
                 "List entry %u of %.*s is not at its place in the heap.", number, TEXT_ARGS(e->image.id));
    check_expect(c, (status == LIST_WAITING) <= id_none(entry->reservation),
                 "List entry %u of %.*s is waiting but has an offer.", number, TEXT_ARGS(e->image.id));
    if (status == LIST_OFFERED)
        check_offered(c, e, number);
}

static uint32_t check_entries(struct check *c, const struct event *e,
                              uint64_t all_by_status[LIST_STATUS_LAST + 1])
{
    const struct waiting_list *l = e->list;
    uint32_t by_status[LIST_STATUS_LAST + 1] = {0};
    for (uint32_t number = 1; number <= l->entries.used; number++) {
        check_entry(c, e, number, by_status[LIST_WAITING]);
        by_status[list_entry_at(l, number)->status]++;
    }
    check_expect(c, memcmp(by_status, l->by_status, sizeof(by_status)) == 0,
                 "The waiting list of %.*s has wrong counts by status.", TEXT_ARGS(e->image.id));
    check_expect(c, list_offers_of(c->st, e) == by_status[LIST_OFFERED],
                 "The offers of %.*s do not match its offered list entries.", TEXT_ARGS(e->image.id));
    check_expect(c,
                 l->live.count == by_status[LIST_WAITING] + by_status[LIST_OFFERED] &&
                     l->places.count == l->entries.used,
                 "The indexes of the waiting list of %.*s have the wrong size.", TEXT_ARGS(e->image.id));
    for (int status = LIST_STATUS_FIRST; status <= LIST_STATUS_LAST; status++)
        all_by_status[status] += by_status[status];
    return by_status[LIST_OFFERED];
}

/* ---- Groups ---- */

static void check_groups(struct check *c, const struct event *e)
{
    const struct waiting_list *l = e->list;
    uint32_t waiting = l->barred.count, tries = 0;
    check_heap_order(c, &l->barred, "barred list entries");
    check_heap_order(c, &l->tries, "groups of wishes");
    for (uint32_t i = 0; i < l->group_count; i++) {
        const struct wish_group *group = &l->groups[i];
        const struct heap_entry *first = heap_first(&group->entries);
        waiting += group->entries.count;
        check_heap_order(c, &group->entries, "a group of wishes");
        if (group->place == HEAP_NONE)
            continue;
        tries++;
        check_expect(c,
                     check_in_heap(&l->tries, group->place, i) && first &&
                         l->tries.entries[group->place].at_ms == first->at_ms,
                     "A group of wishes of %.*s is at the wrong place among the tries.",
                     TEXT_ARGS(e->image.id));
    }
    check_expect(c, waiting == list_waiting(l) && tries == l->tries.count,
                 "The waiting list of %.*s has %u waiting, not %u.", TEXT_ARGS(e->image.id), waiting,
                 list_waiting(l));
    const struct heap *services = &c->st->lists.services;
    check_expect(c, l->place == HEAP_NONE ? !l->due : check_in_heap(services, l->place, e->index),
                 "The waiting list of %.*s is not at its place among the lists to serve.",
                 TEXT_ARGS(e->image.id));
}

/* ---- The rule itself: nothing is left that an entry could be offered ---- */

static bool seat_fits(const struct event *e, const struct wish_stock *stock, const struct code *code,
                      struct text allotment, uint32_t position)
{
    const struct layout_seat *seat = layout_seat(e->layout, position);
    struct text first; /* offers are made in the first category */
    int64_t price;
    event_category(e, (struct text){0}, &first);
    return seat_at(e, position)->claim == CLAIM_NONE && !seat_blocked(e, position) &&
           event_seat_price(e, position, first, &price) && text_equal(allotment_of(e, position), allotment) &&
           !layout_accessible(e->layout, position) &&
           (!stock->section.at || text_equal(stock->section, layout_text(e->layout, seat->section))) &&
           (!stock->tier.at || text_equal(stock->tier, layout_text(e->layout, seat->tier))) &&
           (!code || code_has_tier(code, layout_text(e->layout, seat->tier)));
}

/* From this allotment, or from none. */
static bool fits_from(const struct event *e, const struct wish_group *group, struct text allotment)
{
    const struct wish_stock *stock = &e->list->stocks[group->stock];
    const struct layout *l = e->layout;
    const struct code *code =
        group->code && (e->image.access == ACCESS_CODE || allotment.at) ? code_at(e, group->code - 1) : NULL;
    if (allotment.at && !code_allows(code, group->quantity))
        return false;
    uint32_t usable = 0, run = 0, longest = 0;
    for (uint32_t row = 0; l && l->count <= SEATS_WALKED_MAX && row < l->row_count; row++)
        for (uint32_t i = 0; i < l->rows[row].count; i++) {
            uint32_t seat = l->rows[row].seats[i];
            bool fit = seat_fits(e, stock, code, allotment, seat & ~LAYOUT_BESIDE);
            run = !fit ? 0 : seat & LAYOUT_BESIDE ? run + 1 : 1;
            usable += fit;
            longest = run > longest ? run : longest;
        }
    return group->quantity <= (group->adjacent ? longest : usable);
}

static bool wish_group_fits(const struct event *e, const struct wish_group *group)
{
    const struct wish_stock *stock = &e->list->stocks[group->stock];
    struct text allotment = wish_group_allotment(e, group);
    if (stock->pool)
        return group->quantity <= wish_group_units(e, group, stock->pool - 1);
    return fits_from(e, group, (struct text){0}) || (allotment.at && fits_from(e, group, allotment));
}

static void check_served(struct check *c, const struct event *e)
{
    const struct waiting_list *l = e->list;
    /* A due event is still being served, by this process or by the one it follows, and nothing is offered outside of the
     * sale. */
    if (l->place != HEAP_NONE || c->st->follows || !list_service_offering(e, c->st->now_ms))
        return;
    for (uint32_t i = 0; i < l->group_count; i++)
        check_expect(c, !l->groups[i].entries.count || !wish_group_fits(e, &l->groups[i]),
                     "An entry of the waiting list of %.*s waits for what is free.", TEXT_ARGS(e->image.id));
    for (uint32_t i = 0; i < l->barred.count; i++) {
        const struct list_entry *entry = list_entry_at(l, (uint32_t)l->barred.entries[i].handle);
        uint32_t user = user_find(c->st, list_entry_user(entry));
        uint64_t have = user == TABLE_NONE ? 0 : user_count_get(c->st, user, e->index);
        const struct wish_group *group = &l->groups[entry->group];
        bool limited = e->image.per_user_limit && have + group->quantity > e->image.per_user_limit;
        check_expect(c, limited || !list_offer_allowed(e, (uint32_t)l->barred.entries[i].handle),
                     "An entry of the waiting list of %.*s is barred without reason.",
                     TEXT_ARGS(e->image.id));
    }
}

void check_lists(struct check *c)
{
    struct state *st = c->st;
    uint32_t offered = 0, services = 0, from_list = 0;
    uint64_t by_status[LIST_STATUS_LAST + 1] = {0};
    for (uint32_t i = 0; i < st->event_count; i++) {
        const struct event *e = st->events[i];
        check_expect(c, !e->list || !e->image.removed, "Event %.*s is removed but still has a waiting list.",
                     TEXT_ARGS(e->image.id));
        if (!e->list)
            continue;
        offered += check_entries(c, e, by_status);
        services += e->list->place != HEAP_NONE;
        check_groups(c, e);
        check_served(c, e);
    }
    check_expect(c, memcmp(by_status, st->list_by_status, sizeof(by_status)) == 0,
                 "The counts of list entries by status are wrong.");
    check_heap_order(c, &st->lists.services, "lists to serve");
    check_expect(c, services == st->lists.services.count,
                 "The waiting lists to serve do not match those marked due.");
    for (uint32_t i = 0; i < st->reservations.used; i++) {
        const struct reservation *r = reservation_at(st, i);
        if (r->status != RESERVATION_HELD || !r->from_list)
            continue;
        bool offered_to = list_offer_find(st, r->id) != NULL;
        from_list += offered_to;
        check_expect(c, offered_to || list_offer_outlived(st, r),
                     "%s comes from a waiting list but has no entry.", check_id_text(c, r->id));
    }
    check_expect(c,
                 offered == st->lists.offers.count && st->lists.offers.count == st->lists.offers_by_id.count,
                 "The index of offers has the wrong size.");
    check_expect(c, st->lists.note_count == 0, "A list entry whose offer has ended was not updated.");
    check_expect(c, from_list == st->lists.offers.count, "There are %u offers but %u holds for them.",
                 st->lists.offers.count, from_list);
}
