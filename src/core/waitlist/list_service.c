/* SPDX-License-Identifier: Apache-2.0 */
/* list_service.c — when the waiting lists are served, and how much one step does.
 *
 * Happy path: a claim ends (waiting_list_claim_ended) → the event is due → the step ends (waiting_list_serve) → all
 * that has lapsed is settled → entries whose offers have ended move on → for each event that is due, the groups that
 * could fit are collected, and the first of them gets an offer, until none fits → the event is no longer due.
 *
 * When a step's budget is used up the event stays due, and its free stock looks held until a later step finishes it.
 * Both are announced: the whole event is touched, with a change of its own if the step has none, so that readers who
 * follow the event by version see it.
 */
#include "core/waitlist/list_service.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/catalogue/event.h"
#include "core/claim/expiry.h"
#include "core/claim/kind.h"
#include "core/claim/reservation.h"
#include "core/claim/user.h"
#include "core/state.h"
#include "core/waitlist/list_offer.h"
#include "core/waitlist/wish_group.h"

/* In the heap of services: before any instant. */
enum { SERVICE_FRESH = 0, SERVICE_LEFT = 1 };

static void service_placed(void *owner, uint64_t index, uint32_t place)
{
    ((struct state *)owner)->events[index]->list->place = place;
}

void waiting_lists_init(struct state *st)
{
    heap_init(&st->lists.services, service_placed, st);
    list_offers_init(st);
}

void waiting_lists_release(struct state *st)
{
    heap_release(&st->lists.services);
    list_offers_release(st);
    free(st->lists.notes);
    free(st->lists.turned);
}

void waiting_lists_begin(struct state *st)
{
    struct waiting_lists *w = &st->lists;
    ASSERT(w->note_count == 0);
    w->freed = w->turned_count = 0;
    w->offers_left = OFFERS_MAX;
    w->work_left = LIST_WORK_MAX;
    w->no_offers = false;
}

/* ---- What is due ---- */

bool waiting_list_busy(const struct event *e)
{
    return e->list && e->list->due;
}

bool list_service_offering(const struct event *e, int64_t now_ms)
{
    return e->image.has_list && event_on_sale(e, ROLE_SERVER, now_ms);
}

/* When offers can be made; INT64_MAX: never with the current settings. */
static int64_t offering_from(const struct event *e, int64_t now_ms)
{
    if (list_service_offering(e, now_ms))
        return now_ms;
    int64_t on_sale_ms = e->image.on_sale_at_ms;
    return on_sale_ms > now_ms && list_service_offering(e, on_sale_ms) ? on_sale_ms : INT64_MAX;
}

static void become_due(struct state *st, struct event *e)
{
    struct waiting_lists *w = &st->lists;
    ASSERT(e->list->place != HEAP_NONE); /* only events in the heap of services are served */
    if (e->list->due)
        return;
    e->list->due = true;
    w->turned = memory_room(w->turned, w->turned_count, &w->turned_capacity, 16, sizeof(*w->turned));
    w->turned[w->turned_count++] = e->index;
}

static void mark(struct state *st, struct event *e)
{
    ASSERT(list_waiting(e->list) > 0); /* a list without waiting entries is never due */
    st->lists.freed++;
    if (e->list->place == HEAP_NONE)
        heap_push(&st->lists.services, SERVICE_FRESH, e->index);
    else if (!e->list->due)
        heap_change(&st->lists.services, e->list->place, SERVICE_FRESH);
    become_due(st, e);
}

static bool nobody_waits(const struct event *e)
{
    return !e->list || list_waiting(e->list) == 0;
}

void waiting_list_freed(struct state *st, struct event *e)
{
    if (nobody_waits(e))
        return;
    /* The freed seats are not known one by one, and limits could have changed: check every group again. */
    list_sweep(e->list);
    e->list->unbar = e->list->barred.count > 0;
    mark(st, e);
}

void waiting_list_seat_freed(struct state *st, struct event *e, uint32_t position)
{
    if (nobody_waits(e))
        return;
    list_freed_seat(e->list, e, position);
    mark(st, e);
}

/* The user has less now: an entry barred for the limit could be next. False: this user's entry was not barred. */
static bool unbar(struct state *st, struct event *e, uint32_t user)
{
    uint32_t number = e->list->barred.count ? list_live(e->list, user_id(st, user)) : 0;
    if (!number || !list_entry_at(e->list, number)->barred)
        return false;
    list_entry_unbar(e->list, e, number);
    return true;
}

void waiting_list_claim_ended(struct state *st, struct event *e, const struct item *item, uint32_t user)
{
    if (nobody_waits(e))
        return;
    if (claim_kind(item->kind)->freed)
        claim_kind(item->kind)->freed(e, item);
    unbar(st, e, user);
    /* So could every entry that was barred because of the code that gets units back. */
    if (item->extra && item->extra->code.at && e->list->barred.count)
        e->list->unbar = true;
    /* Nothing is barred because of a code for an allotment, and its units could have been what any wish was missing,
     * wherever they were claimed. */
    const struct code *code = item->extra && item->extra->code.at ? code_find(e, item->extra->code) : NULL;
    if (code && code_carries(code, (struct text){0}))
        list_sweep(e->list);
    mark(st, e);
}

void waiting_list_user_has_less(struct state *st, struct event *e, uint32_t user)
{
    if (nobody_waits(e))
        return;
    if (unbar(st, e, user))
        mark(st, e);
}

void waiting_list_ended(struct state *st, uint32_t handle)
{
    const struct reservation *r = reservation_at(st, handle);
    ASSERT(r->status != RESERVATION_HELD);
    if (r->from_list)
        list_offer_note_end(st, r->id, r->status == RESERVATION_CONFIRMED ? LIST_FINISHED : LIST_LEFT);
}

void list_service_joined(struct state *st, struct event *e, uint32_t number)
{
    struct waiting_list *l = e->list;
    uint32_t group = list_entry_at(l, number)->group;
    ASSERT(list_entry_at(l, number)->status == LIST_WAITING && number == l->entries.used);
    if (list_waiting(l) == 1)
        list_sweep(l); /* while nobody waited the bounds were not updated */
    else if (l->groups[group].entries.count == 1)
        wish_group_try(l, e, group);
    mark(st, e); /* what has lapsed is free too */
}

struct waiting_list *waiting_list_take(struct state *st, struct event *e)
{
    struct waiting_list *l = e->list;
    list_offers_drop(st, e);
    if (l->place != HEAP_NONE)
        heap_remove(&st->lists.services, l->place);
    ASSERT(e->image.removed && l->place == HEAP_NONE && !l->offers);
    list_count_out(l);
    e->list = NULL;
    return l;
}

/* ---- Visibility ---- */

/* Readers know an event by the seq of its last change. */
static void touch_all(struct state *st, struct event *e)
{
    state_touch(st, TOUCH_EVENT, e->index, 0, NULL);
    /* A change of this step will be seen anyway; otherwise the event is recorded again, as it is. It is not applied: that
     * would replace texts of the event, which the outcome of the step's command may point to. */
    if (e->seq > st->seq - st->change_count)
        return;
    st->change.kind = CHANGE_EVENT;
    st->change.event = e->image;
    event_set_seq(e, state_emit(st));
}

/* Nothing fits any more, or offers are not allowed before at_ms (INT64_MAX: ever). */
static void finish(struct state *st, struct event *e, int64_t at_ms)
{
    struct waiting_list *l = e->list;
    ASSERT(l->due && l->place != HEAP_NONE);
    ASSERT(at_ms > st->now_ms); /* otherwise it would be due again at once, endlessly */
    if (at_ms == INT64_MAX)
        heap_remove(&st->lists.services, l->place);
    else
        heap_change(&st->lists.services, l->place, at_ms);
    if (l->shown_busy)
        touch_all(st, e);
    l->due = l->shown_busy = false;
}

/* Announces the events that became due in this step and still are. */
static void announce_due(struct state *st)
{
    for (uint32_t i = 0; i < st->lists.turned_count; i++) {
        struct event *e = st->events[st->lists.turned[i]];
        if (!e->list || !e->list->due || e->list->shown_busy)
            continue;
        ASSERT(e->list->place != HEAP_NONE); /* a later step will show it again */
        e->list->shown_busy = true;
        touch_all(st, e);
    }
}

/* What recovery left to do and the first service did not finish is visible to readers before the next one. Nothing was
 * shown before recovery, so it is not announced; a state that followed was shown, as if nothing were due. */
static void announce_left(struct state *st)
{
    const struct heap *services = &st->lists.services;
    for (uint32_t i = 0; i < services->count; i++) {
        struct event *e = st->events[services->entries[i].handle];
        if (e->list->due && !e->list->shown_busy && st->lists.followed)
            touch_all(st, e);
        e->list->shown_busy = e->list->due;
    }
    st->lists.served = true;
}

/* ---- Following ---- */

void waiting_lists_followed(struct state *st)
{
    const struct heap_entry *first;
    while ((first = heap_first(&st->lists.services))) {
        struct event *e = st->events[first->handle];
        ASSERT(!e->list->shown_busy); /* only a state that decides shows it */
        e->list->due = false;
        heap_remove(&st->lists.services, 0);
    }
    st->lists.freed = st->lists.turned_count = 0;
    st->lists.followed = true;
}

void waiting_lists_take_over(struct state *st)
{
    for (uint32_t i = 0; i < st->event_count; i++)
        waiting_list_freed(st, st->events[i]);
    st->lists.served = false;
}

/* ---- Service ---- */

static bool over_limit(struct state *st, const struct event *e, uint32_t quantity, struct text user)
{
    uint32_t limit = e->image.per_user_limit;
    uint32_t handle = limit ? user_find(st, user) : TABLE_NONE;
    uint64_t have = handle == TABLE_NONE ? 0 : user_count_get(st, handle, e->index);
    return limit && have + quantity > limit;
}

bool list_service_pay(struct state *st, uint64_t price)
{
    struct waiting_lists *w = &st->lists;
    bool enough = w->work_left >= price;
    w->work_left = enough ? w->work_left - (uint32_t)price : 0;
    return enough;
}

/* The cost of a seat search: at most a quarter of a step's budget, so that one is always possible. */
static uint32_t search_price(const struct event *e)
{
    uint32_t rows = e->layout ? e->layout->row_count / LIST_WORK_ROWS : 0;
    return rows < LIST_WORK_MAX / 4 ? 1 + rows : LIST_WORK_MAX / 4;
}

/* Takes the group to try whose first entry joined first: makes that entry an offer, or passes the group over. False:
 * the step's budget is used up. */
static bool ask_next(struct state *st, struct event *e)
{
    struct waiting_lists *w = &st->lists;
    struct waiting_list *l = e->list;
    uint32_t index = (uint32_t)heap_first(&l->tries)->handle;
    struct wish_group *group = &l->groups[index];
    uint32_t number = (uint32_t)heap_first(&group->entries)->handle;
    ASSERT(heap_first(&l->tries)->at_ms == number && list_entry_at(l, number)->status == LIST_WAITING);
    /* Each check is paid for first, so that a step ends however long the lists are. */
    if (!list_service_pay(st, 1))
        return false;
    if (!wish_group_may_fit(l, e, group)) {
        wish_group_pass(l, index);
        return true;
    }
    if (over_limit(st, e, group->quantity, list_entry_user(list_entry_at(l, number))) ||
        !list_offer_allowed(e, number)) {
        list_entry_bar(l, number);
        list_service_pay(st, LIST_WORK_ASIDE);
        return true;
    }
    if (!w->offers_left || !list_service_pay(st, search_price(e)))
        return false;
    enum list_offer_result result = list_offer_make(st, e, number);
    if (result == OFFER_MADE)
        w->offers_left--;
    /* The search made the bounds exact: the group is not tried again before something comes free. */
    if (result == OFFER_NONE)
        wish_group_pass(l, index);
    return result != OFFER_LATER;
}

/* True: nothing fits any more. */
static bool serve_event(struct state *st, struct event *e)
{
    while (!list_idle(e->list)) {
        if (!list_gather(e->list, e, &st->lists.work_left))
            return false;
        while (e->list->tries.count)
            if (!ask_next(st, e))
                return false;
    }
    return true;
}

static bool due_now(const struct state *st, const struct event *e)
{
    const struct waiting_list *l = e->list;
    return l && l->place != HEAP_NONE && st->lists.services.entries[l->place].at_ms <= st->now_ms;
}

/* Serves an event whose time has come. */
static void serve_one(struct state *st, struct event *e)
{
    ASSERT(due_now(st, e));
    become_due(st, e);
    int64_t from_ms = offering_from(e, st->now_ms);
    if (from_ms > st->now_ms)
        finish(st, e, from_ms);
    else if (!st->lists.no_offers && serve_event(st, e))
        finish(st, e, INT64_MAX);
}

static bool any_due(const struct state *st)
{
    const struct heap_entry *first = heap_first(&st->lists.services);
    return first && first->at_ms <= st->now_ms;
}

/* Events in the order of their indexes. One that is not finished waits for the next step, and then comes after those
 * that have become due since, so that a long list does not hold up others. */
static void serve_all(struct state *st)
{
    /* At most this many stay unfinished in one step; the rest come with the next one. */
    uint32_t left[16], count = 0;
    while (any_due(st) && count < 16) {
        uint32_t index = (uint32_t)heap_first(&st->lists.services)->handle;
        struct event *e = st->events[index];
        serve_one(st, e);
        if (!due_now(st, e))
            continue;
        ASSERT(e->list->due);
        /* Out of the way while the others are served, otherwise it would come first again. */
        heap_change(&st->lists.services, e->list->place, INT64_MAX);
        left[count++] = index;
        if (!st->lists.offers_left || !st->lists.work_left)
            break;
    }
    while (count)
        heap_change(&st->lists.services, st->events[left[--count]]->list->place, SERVICE_LEFT);
}

bool waiting_list_serve(struct state *st)
{
    struct waiting_lists *w = &st->lists;
    struct actor caller = st->actor;
    st->actor = (struct actor){.role = ROLE_SERVER};
    /* Only if something came free in this step: a restart must not end a hold. */
    if (w->freed && any_due(st))
        settle_lapsed(st);
    list_offers_move_on(st);
    if (any_due(st))
        serve_all(st);
    announce_due(st);
    if (!w->served)
        announce_left(st);
    ASSERT(w->note_count == 0); /* no offer ends while others are made, so nothing is left to record */
    st->actor = caller;
    return any_due(st);
}

bool waiting_list_comes_first(const struct state *st, const struct event *e)
{
    return !nobody_waits(e) && list_service_offering(e, st->now_ms);
}

enum outcome_code waiting_list_before_claim(struct state *st, struct event *const *events, uint32_t count)
{
    struct actor caller = st->actor;
    st->actor = (struct actor){.role = ROLE_SERVER};
    settle_lapsed(st);
    list_offers_move_on(st);
    /* A lapsed hold that could not be settled could be what the first entry of a list waits for. */
    bool left = state_next_deadline(st) <= st->now_ms;
    for (uint32_t i = 0; i < count; i++) {
        if (!due_now(st, events[i]))
            continue;
        serve_one(st, events[i]);
        left = left || due_now(st, events[i]);
    }
    st->actor = caller;
    return left ? OUTCOME_RETRY : OUTCOME_OK;
}

bool state_serve(struct state *st, int64_t now_ms, struct buf *changes)
{
    state_begin(st, now_ms, (struct actor){.role = ROLE_SERVER}, changes);
    st->settle_left = SETTLE_MAX;
    return waiting_list_serve(st);
}

int64_t state_next_service(const struct state *st)
{
    const struct heap_entry *first = heap_first(&st->lists.services);
    return !first ? INT64_MAX : first->at_ms > SERVICE_LEFT ? first->at_ms : 0;
}
