/* SPDX-License-Identifier: Apache-2.0 */
#include "core/claim/reservation.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/calendar/booked.h"
#include "core/catalogue/event.h"
#include "core/claim/kind.h"
#include "core/claim/user.h"
#include "core/queue/queue.h"
#include "core/queue/queue_time.h"

struct reservation *reservation_at(const struct state *st, uint32_t handle)
{
    return slab_at(&st->reservations, handle);
}

static uint64_t id_hash(struct id id)
{
    return id.low * 0x9e3779b97f4a7c15ULL ^ id.high;
}

static uint64_t reservation_hash(void *owner, uint32_t handle)
{
    return id_hash(reservation_at(owner, handle)->id);
}

static bool reservation_same(void *owner, uint32_t handle, const void *key)
{
    return id_equal(reservation_at(owner, handle)->id, *(const struct id *)key);
}

static void deadline_placed(void *owner, uint64_t handle, uint32_t place)
{
    reservation_at(owner, (uint32_t)handle)->place = place;
}

void reservations_init(struct state *st)
{
    slab_init(&st->reservations, sizeof(struct reservation));
    slab_init(&st->stubs, sizeof(struct stub));
    table_init(&st->reservations_by_id, reservation_hash, st);
    heap_init(&st->deadlines, deadline_placed, st);
}

static void extra_release(struct reservation *r)
{
    if (!r->extra)
        return;
    text_free(r->extra->attributes);
    text_free(r->extra->payment_method);
    text_free(r->extra->payment_ref);
    text_free(r->extra->singles);
    free(r->extra->names);
    free(r->extra);
    r->extra = NULL;
}

static void items_free(struct reservation *r)
{
    for (uint32_t i = 0; i < r->item_count; i++)
        item_extra_free(reservation_items(r)[i].extra);
    if (r->item_count > 1)
        free(r->many);
    r->item_count = 0;
}

void reservations_release(struct state *st)
{
    for (uint32_t i = 0; i < st->reservations.used; i++) {
        struct reservation *r = reservation_at(st, i);
        if (!r->status)
            continue;
        extra_release(r);
        items_free(r);
    }
    slab_release(&st->reservations);
    slab_release(&st->stubs);
    table_release(&st->reservations_by_id);
    heap_release(&st->deadlines);
}

uint32_t reservation_find(struct state *st, struct id id)
{
    return table_find(&st->reservations_by_id, id_hash(id), reservation_same, &id);
}

void reservation_prefetch(const struct state *st, struct id id)
{
    table_prefetch(&st->reservations_by_id, id_hash(id));
}

/* ---- The user's list of held reservations ---- */

static void list_add(struct state *st, uint32_t handle)
{
    struct reservation *r = reservation_at(st, handle);
    struct user *u = slab_at(&st->users, r->user);
    ASSERT(r->status == RESERVATION_HELD && !r->next && !r->previous);
    r->next = u->first;
    if (u->first)
        reservation_at(st, u->first - 1)->previous = handle + 1;
    u->first = handle + 1;
}

static void list_remove(struct state *st, uint32_t handle)
{
    struct reservation *r = reservation_at(st, handle);
    struct user *u = slab_at(&st->users, r->user);
    ASSERT(r->previous ? u->first != handle + 1 : u->first == handle + 1);
    if (r->previous)
        reservation_at(st, r->previous - 1)->next = r->next;
    else
        u->first = r->next;
    if (r->next)
        reservation_at(st, r->next - 1)->previous = r->previous;
    r->next = r->previous = 0;
}

/* ---- Life ---- */

uint32_t reservation_add(struct state *st, struct id id, struct text user)
{
    ASSERT(reservation_find(st, id) == TABLE_NONE);
    uint32_t handle = slab_take(&st->reservations);
    struct reservation *r = reservation_at(st, handle);
    r->id = id;
    r->user = user_take(st, user);
    r->status = RESERVATION_HELD;
    r->place = r->warning_place = HEAP_NONE;
    r->next_item_id = 1;
    st->by_status[RESERVATION_HELD]++;
    table_insert(&st->reservations_by_id, id_hash(id), handle);
    list_add(st, handle);
    return handle;
}

void reservation_items_drop(struct state *st, struct reservation *r)
{
    for (uint32_t i = 0; i < r->item_count; i++)
        item_gone(st, &reservation_items(r)[i]);
    items_free(r);
}

void reservation_forget(struct state *st, uint32_t handle)
{
    struct reservation *r = reservation_at(st, handle);
    ASSERT(r->status != RESERVATION_HELD && r->place == HEAP_NONE);
    /* Sold units stay sold: pools and calendars count them, and seats point to a stub that they share. */
    uint32_t stub = TABLE_NONE;
    for (uint32_t i = 0; r->status == RESERVATION_CONFIRMED && i < r->item_count; i++) {
        const struct item *item = &reservation_items(r)[i];
        if (claim_kind(item->kind)->forget)
            claim_kind(item->kind)->forget(st, handle, item, &stub);
    }
    st->by_status[r->status]--;
    table_remove(&st->reservations_by_id, id_hash(r->id), handle);
    payments_drop(st, handle);
    extra_release(r);
    /* This can free a removed event with its last item, and a user with their last reservation. */
    reservation_items_drop(st, r);
    user_give(st, r->user);
    r->status = 0;
    slab_give(&st->reservations, handle);
}

/* ---- Claims ---- */

static void mark(struct state *st, const struct item *item, uint64_t seq)
{
    uint64_t *last = claim_kind(item->kind)->seq(st, item);
    /* Recovery repeats claims with their old fences: for readers the seq of an event never goes back. */
    if (seq > *last)
        *last = seq;
}

void reservation_mark(struct state *st, uint32_t handle, uint64_t seq)
{
    struct reservation *r = reservation_at(st, handle);
    for (uint32_t i = 0; i < r->item_count; i++)
        mark(st, &reservation_items(r)[i], seq);
}

static struct heap *lapses_of(struct state *st, const struct item *item)
{
    const struct claim_kind *kind = claim_kind(item->kind);
    return kind->lapses ? kind->lapses(st, item) : NULL;
}

void reservation_item_placed(void *owner, uint64_t handle, uint32_t place)
{
    struct reservation *r = reservation_at(owner, (uint32_t)(handle >> 8));
    /* Looked up on every call: items move when their array grows or an earlier one is dropped. */
    reservation_items(r)[handle & 0xff].place = place;
}

static void lapse_add(struct state *st, uint32_t handle, uint32_t index)
{
    struct reservation *r = reservation_at(st, handle);
    struct heap *lapses = lapses_of(st, &reservation_items(r)[index]);
    if (lapses && r->status == RESERVATION_HELD)
        heap_push(lapses, r->expires_at_ms, (uint64_t)handle << 8 | index);
}

static void lapse_remove(struct state *st, struct item *item)
{
    if (item->place != HEAP_NONE)
        heap_remove(lapses_of(st, item), item->place);
    ASSERT(item->place == HEAP_NONE);
}

/* Counts the user's units of an event, or claims on a calendar, which stop counting when they end. */
static void units_add(struct state *st, const struct reservation *r, const struct item *item, int64_t sign)
{
    struct event *e = item_event(st, item);
    if (!e) {
        ASSERT(claim_kind(item->kind)->timed);
        (sign > 0 ? booked_add : booked_remove)(st, r->user, item->resource, item->end_ms);
        return;
    }
    ASSERT(sign > 0 || e->live_units >= item->quantity);
    e->live_units += (uint64_t)(sign * (int64_t)item->quantity);
    user_count_add(st, r->user, item->resource, sign * (int64_t)item->quantity);
    if (item->extra && item->extra->code.at)
        code_count(e, item->extra->code, sign * (int64_t)item->quantity);
}

void reservation_set_owner(struct state *st, uint32_t handle, struct text user)
{
    struct reservation *r = reservation_at(st, handle);
    uint32_t from = r->user, to = user_take(st, user);
    ASSERT(r->status == RESERVATION_CONFIRMED && from != to && !r->next && !r->previous);
    /* Everything that is counted per user in claim_begin and reservation_end_claim must move here, too. */
    for (uint32_t i = 0; i < r->item_count; i++) {
        const struct item *item = &reservation_items(r)[i];
        struct event *e = item_event(st, item);
        if (!e) {
            booked_add(st, to, item->resource, item->end_ms);
            booked_remove(st, from, item->resource, item->end_ms);
            continue;
        }
        user_count_add(st, to, item->resource, item->quantity);
        user_count_add(st, from, item->resource, -(int64_t)item->quantity);
        waiting_list_user_has_less(st, e, from);
    }
    r->user = to;
    user_give(st, from);
}

static void claim_begin(struct state *st, uint32_t handle, uint32_t index)
{
    struct reservation *r = reservation_at(st, handle);
    struct item *item = &reservation_items(r)[index];
    bool sold = r->status == RESERVATION_CONFIRMED;
    item->place = HEAP_NONE;
    claim_kind(item->kind)->claim(st, handle, item, sold);
    lapse_add(st, handle, index);
    /* Limits are counted here and in reservation_end_claim, and nowhere else. */
    units_add(st, r, item, 1);
    if (sold)
        tickets_begin(st, r, item);
    mark(st, item, item->fence);
}

static void claim_sell(struct state *st, struct item *item)
{
    lapse_remove(st, item);
    ASSERT(item->fence); /* it was granted */
    claim_kind(item->kind)->sell(st, item);
}

void reservation_end_claim(struct state *st, uint32_t handle, uint32_t index, uint64_t seq)
{
    struct reservation *r = reservation_at(st, handle);
    struct item *item = &reservation_items(r)[index];
    bool sold = r->status == RESERVATION_CONFIRMED;
    lapse_remove(st, item);
    /* Count it as free before notifying queue and list: both look at the free stock. */
    claim_kind(item->kind)->free(st, handle, item, seq, sold);
    units_add(st, r, item, -1);
    if (sold)
        tickets_end(st, r, item, seq);
    mark(st, item, seq);
    struct event *e = item_event(st, item);
    if (!e)
        return;
    if (sold)
        queue_stock_grew(st, e);
    waiting_list_claim_ended(st, e, item, r->user);
}

void reservation_item_add(struct state *st, uint32_t handle, const struct item *item)
{
    struct reservation *r = reservation_at(st, handle);
    ASSERT(reservation_live(r) && r->item_count < ITEMS_MAX);
    if (r->item_count == 0) {
        r->one = *item;
    } else {
        /* A single item is inside the record, as most reservations have only one; `many` shares its memory. */
        struct item *many = r->item_count > 1 ? r->many : NULL;
        struct item first = r->one;
        many = memory_grow(many, r->item_count + 1u, sizeof(*many));
        if (r->item_count == 1)
            many[0] = first;
        many[r->item_count] = *item;
        r->many = many;
    }
    r->item_count++;
    struct item *own = &reservation_items(r)[r->item_count - 1u];
    own->extra = item_extra_own(own->extra); /* the caller owns the original */
    item_added(st, item);
    claim_begin(st, handle, r->item_count - 1u);
}

void reservation_item_remove(struct state *st, uint32_t handle, uint32_t index, uint64_t seq)
{
    struct reservation *r = reservation_at(st, handle);
    ASSERT(reservation_live(r) && index < r->item_count && r->item_count > 1);
    reservation_end_claim(st, handle, index, seq);
    item_gone(st, &r->many[index]);
    item_extra_free(r->many[index].extra);
    /* The heaps of lapses refer to items by index, so the items after the gap are removed and added again. */
    for (uint32_t i = index + 1; i < r->item_count; i++)
        lapse_remove(st, &r->many[i]);
    memmove(&r->many[index], &r->many[index + 1], (r->item_count - index - 1) * sizeof(*r->many));
    r->item_count--;
    if (r->item_count == 1) {
        struct item *many = r->many;
        r->one = many[0];
        free(many);
    }
    for (uint32_t i = index; i < r->item_count; i++)
        lapse_add(st, handle, i);
}

void reservation_item_shift(struct state *st, uint32_t handle, uint32_t index, const struct item *moved)
{
    struct item *item = &reservation_items(reservation_at(st, handle))[index];
    ASSERT(moved->kind == item->kind && moved->resource == item->resource);
    ASSERT(moved->item_id == item->item_id && moved->fence <= state_next_seq(st));
    ASSERT(moved->quantity == item->quantity || claim_kind(item->kind)->many);
    /* End the old claim first, in the same change: the new slot can overlap the old one. */
    reservation_end_claim(st, handle, index, state_next_seq(st));
    struct item_extra *extra = item->extra;
    uint8_t flags = item->flags;
    *item = *moved;
    item->extra = extra;
    item->flags = flags;
    claim_begin(st, handle, index);
}

void reservation_end_claims(struct state *st, uint32_t handle, uint64_t seq)
{
    for (uint32_t i = 0; i < reservation_at(st, handle)->item_count; i++)
        reservation_end_claim(st, handle, i, seq);
}

/* ---- Status and deadline: the only writers ---- */

static bool pair_legal(enum reservation_status from, enum reservation_status to)
{
    if (from == RESERVATION_HELD)
        return to == RESERVATION_CONFIRMED || to == RESERVATION_RELEASED || to == RESERVATION_EXPIRED;
    if (from == RESERVATION_EXPIRED)
        return to == RESERVATION_CONFIRMED;
    return from == RESERVATION_CONFIRMED && (to == RESERVATION_REFUNDED || to == RESERVATION_CANCELLED);
}

void reservation_set_status(struct state *st, uint32_t handle, enum reservation_status status)
{
    struct reservation *r = reservation_at(st, handle);
    ASSERT(pair_legal((enum reservation_status)r->status, status));
    bool held = r->status == RESERVATION_HELD;
    /* Only held reservations can lapse, and only they are in their user's list. */
    if (r->place != HEAP_NONE)
        heap_remove(&st->deadlines, r->place);
    hook_deadline_end(st, handle);
    if (held)
        list_remove(st, handle);
    for (uint32_t i = 0; held && status == RESERVATION_CONFIRMED && i < r->item_count; i++)
        claim_sell(st, &reservation_items(r)[i]);
    st->by_status[r->status]--;
    st->by_status[status]++;
    r->status = (uint8_t)status;
    if (!reservation_live(r)) /* no longer judged, even if a late payment confirms it */
        reservation_set_singles(r, (struct text){0});
}

void reservation_set_deadline(struct state *st, uint32_t handle, int64_t expires_at_ms)
{
    struct reservation *r = reservation_at(st, handle);
    ASSERT(r->status == RESERVATION_HELD);
    r->expires_at_ms = expires_at_ms;
    if (r->place == HEAP_NONE)
        heap_push(&st->deadlines, expires_at_ms, handle);
    else
        heap_change(&st->deadlines, r->place, expires_at_ms);
    if (st->hooks.wanted)
        hook_deadline_set(st, handle);
    /* Its items are in other heaps, with the same deadline. */
    for (uint32_t i = 0; i < r->item_count; i++) {
        struct item *item = &reservation_items(r)[i];
        if (item->place != HEAP_NONE)
            heap_change(lapses_of(st, item), item->place, expires_at_ms);
    }
}

/* ---- How a hold ends; for deadlines see expiry.c ---- */

void reservation_confirm(struct state *st, uint32_t handle, const uint64_t ticket_key[2])
{
    struct reservation *r = reservation_at(st, handle);
    reservation_set_status(st, handle, RESERVATION_CONFIRMED);
    /* Only noted here: the entry's change is emitted after the reservation's, when the lists are served. */
    waiting_list_ended(st, handle);
    struct reservation_extra *x = reservation_extra(r);
    ASSERT(st->now_ms < r->expires_at_ms && !x->confirmed_at_ms && !x->ended_at_ms);
    x->confirmed_at_ms = st->now_ms;
    x->ticket_key[0] = ticket_key[0];
    x->ticket_key[1] = ticket_key[1];
    for (uint32_t i = 0; i < r->item_count; i++)
        tickets_begin(st, r, &reservation_items(r)[i]);
    /* No claim begins or ends here, so this must be marked for readers: held has become sold. */
    reservation_mark(st, handle, state_next_seq(st));
    st->totals.confirmed++;
}

void reservation_confirm_late(struct state *st, uint32_t handle, const uint64_t ticket_key[2])
{
    struct reservation *r = reservation_at(st, handle);
    uint32_t count = r->item_count;
    struct item *items = memory_get(count * sizeof(*items));
    ASSERT(r->status == RESERVATION_EXPIRED && !r->extra->confirmed_at_ms && !r->extra->names);
    for (uint32_t i = 0; i < count; i++) {
        /* The item gets a new fence: without this, the history would lose the hold. */
        reservation_note_before(st, r, i);
        items[i] = reservation_items(r)[i];
        items[i].extra = item_extra_own(items[i].extra);
        items[i].fence = state_next_seq(st);
    }
    reservation_items_drop(st, r);
    r->extra->ticket_key[0] = ticket_key[0];
    r->extra->ticket_key[1] = ticket_key[1];
    /* Set the status before adding items: they are claimed as sold, with tickets. */
    reservation_set_status(st, handle, RESERVATION_CONFIRMED);
    r->fence = state_next_seq(st);
    for (uint32_t i = 0; i < count; i++) {
        reservation_item_add(st, handle, &items[i]);
        item_extra_free(items[i].extra);
    }
    free(items);
    r->extra->ended_at_ms = 0;
    r->extra->confirmed_at_ms = st->now_ms;
    st->totals.confirmed++;
}

void reservation_finish_entries(struct state *st, uint32_t handle)
{
    struct reservation *r = reservation_at(st, handle);
    ASSERT(r->status == RESERVATION_CONFIRMED && r->seq);
    /* Once for each item: the first item of an event finishes the entry, the others find none. */
    for (uint32_t i = 0; i < r->item_count; i++) {
        struct event *e = item_event(st, &reservation_items(r)[i]);
        if (e)
            queue_bought(st, e, user_id(st, r->user));
    }
}

void reservation_release(struct state *st, uint32_t handle)
{
    struct reservation *r = reservation_at(st, handle);
    ASSERT(r->status == RESERVATION_HELD && st->now_ms < r->expires_at_ms);
    reservation_end_claims(st, handle, state_next_seq(st));
    reservation_set_status(st, handle, RESERVATION_RELEASED);
    waiting_list_ended(st, handle);
    reservation_extra(r)->ended_at_ms = st->now_ms;
    st->totals.released++;
    r->version++;
    state_emit_reservation(st, handle, ACTION_RELEASED);
}
