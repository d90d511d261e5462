/* SPDX-License-Identifier: Apache-2.0 */
#include "core/state_check_parts.h"

#include <stdio.h>

#include "core/catalogue/event.h"
#include "core/claim/kind.h"
#include "core/claim/reservation.h"

static void check_times(struct check *c, const struct reservation *r)
{
    const struct reservation_extra none = {0}, *x = r->extra ? r->extra : &none;
    bool back = r->status == RESERVATION_REFUNDED || r->status == RESERVATION_CANCELLED;
    bool confirmed = r->status == RESERVATION_CONFIRMED || back;
    bool ended = back || (!confirmed && r->status != RESERVATION_HELD);
    check_expect(c, r->created_at_ms <= r->expires_at_ms, "expires before it was created.");
    check_expect(c, r->expires_at_ms <= r->max_expires_at_ms, "expires after its latest possible deadline.");
    check_expect(c, !x->user_max_at_ms == !x->staff_max_at_ms, "has a cap for only one of user and staff.");
    check_expect(c,
                 !x->user_max_at_ms || (x->user_max_at_ms <= r->max_expires_at_ms &&
                                        r->max_expires_at_ms <= x->staff_max_at_ms),
                 "has a latest deadline outside its caps.");
    check_expect(c, !x->payment_started_at_ms || x->payment_started_at_ms < r->expires_at_ms,
                 "started its payment after its deadline.");
    check_expect(c, confirmed == (x->confirmed_at_ms != 0),
                 "has a confirmation time and is not confirmed, or the reverse.");
    check_expect(c, ended == (x->ended_at_ms != 0), "has an end time and has not ended, or the reverse.");
    check_expect(c, r->status != RESERVATION_RELEASED || x->ended_at_ms < r->expires_at_ms,
                 "was released after its deadline.");
    check_expect(c, r->status != RESERVATION_EXPIRED || x->ended_at_ms == r->expires_at_ms,
                 "did not expire at its deadline.");
    check_expect(c, r->status != RESERVATION_HELD || (!x->manage_gen && !x->transferred),
                 "was transferred, or had its manage tokens revoked, and is not confirmed.");
    check_expect(c, !x->payment_ref.at || x->confirmed_at_ms, "has a payment_ref but was never confirmed.");
    check_expect(c, x->transferred <= r->fence && (!x->transferred || x->manage_gen),
                 "was transferred without a new fence, or without revoking its manage tokens.");
    check_expect(c, !x->payment_recorded_at_ms || x->payment_method.at || x->payment_ref.at,
                 "has a payment time but no payment.");
    check_expect(c, confirmed || (!x->ticket_key[0] && !x->ticket_key[1]),
                 "has tickets but is not confirmed.");
}

static void check_numbers(struct check *c, const struct reservation *r, uint32_t handle)
{
    check_expect(c, r->number >= 1 && r->number <= r->fence && r->fence <= c->st->seq && r->seq <= c->st->seq,
                 "has a number, fence or seq that was never issued.");
    check_expect(c, r->version >= 1, "has no version.");
    uint64_t *other = check_sums_at(&c->fences, r->fence);
    check_expect(c, *other == 0, "has fence %llu, which was issued to another reservation.",
                 (unsigned long long)r->fence);
    *other = handle + 1u;
    for (int i = 0; i < 3; i++)
        check_expect(c, r->currency[i] >= 'A' && r->currency[i] <= 'Z', "has no currency.");
}

static void check_item(struct check *c, struct reservation *r, uint32_t index)
{
    const struct item *item = &reservation_items(r)[index];
    check_expect(c, item->item_id >= 1 && item->item_id < r->next_item_id, "has an item id never issued.");
    for (uint32_t i = 0; i < index; i++)
        check_expect(c, reservation_items(r)[i].item_id != item->item_id, "has two items %u.", item->item_id);
    check_expect(c, item->fence >= 1 && item->fence <= r->fence, "has an item with a fence above its own.");
    check_expect(
        c, item->quantity >= 1 && (claim_kind(item->kind)->many || item->quantity == 1) && item->price >= 0,
        "has an item with a wrong quantity or price.");
    check_expect(c,
                 !item->extra || (item_extra_used(item->extra) &&
                                  item->extra->attributes.size <= ITEM_ATTRIBUTES_SIZE_MAX),
                 "has an item with an empty or oversized extra.");
    check_expect(c, r->payment_required || !(item->flags & ITEM_UNPAID),
                 "has an item marked as unpaid although no item requires payment.");
}

/* Whether the seat, pool or calendar of the item exists; only then can it be counted. */
static bool check_item_place(struct check *c, struct reservation *r, const struct item *item)
{
    const struct state *st = c->st;
    const struct claim_kind *kind = claim_kind(item->kind);
    const struct event *e =
        kind->in_event && item->resource < st->event_count ? st->events[item->resource] : NULL;
    bool known = kind->exists(st, item) || (e && e->image.removed && !e->gone && r->extra && r->extra->names);
    check_expect(c, known, "has an item whose seat, pool or calendar does not exist.");
    if (known && e)
        c->events[item->resource].items++;
    else if (known)
        c->calendar_items[item->resource]++;
    return known;
}

/* A held item must be at its place in the heap of lapses. */
static void check_lapse(struct check *c, struct reservation *r, uint32_t handle, uint32_t index,
                        const struct heap *lapses)
{
    const struct item *item = &reservation_items(r)[index];
    bool held = r->status == RESERVATION_HELD;
    check_expect(c, held == (item->place != HEAP_NONE),
                 "has an item in the heap of lapses that is not held, or the reverse.");
    if (!held || item->place == HEAP_NONE)
        return;
    ++*check_sums_at(&c->lapses, (uintptr_t)lapses);
    check_expect(c,
                 check_in_heap(lapses, item->place, (uint64_t)handle << 8 | index) &&
                     lapses->entries[item->place].at_ms == r->expires_at_ms,
                 "has an item that is not at its place in the heap of lapses.");
}

bool check_lapses(const struct check *c, const struct heap *lapses)
{
    return lapses->count == check_sum(&c->lapses, (uintptr_t)lapses)->value;
}

static uint64_t claim_name(enum item_kind kind, uint32_t resource, uint32_t part, bool held)
{
    _Static_assert(SEATS_MAX < 1 << 26 && ITEM_KIND_LAST < 1 << 5, "each has its bits");
    return (uint64_t)resource << 32 | part << 6 | (unsigned)kind << 1 | held;
}

uint64_t check_claimed(const struct check *c, enum item_kind kind, uint32_t resource, uint32_t part,
                       bool held)
{
    return check_sum(&c->claims, claim_name(kind, resource, part, held))->value;
}

static void check_claim(struct check *c, struct reservation *r, uint32_t handle, uint32_t index)
{
    const struct item *item = &reservation_items(r)[index];
    const struct claim_kind *kind = claim_kind(item->kind);
    uint64_t name = claim_name(item->kind, item->resource, item->part, r->status == RESERVATION_HELD);
    *check_sums_at(&c->claims, name) += item->quantity;
    const struct event *e = item->extra && item->extra->code.at ? item_event(c->st, item) : NULL;
    const struct code *code = e ? code_find(e, item->extra->code) : NULL;
    check_expect(c, !e || code, "has an item with a code that its event does not have.");
    if (code)
        *check_sums_at(&c->codes, check_pair_name(code_view(code)->position, e->index)) += item->quantity;
    if (kind->in_event) /* units of the user */
        *check_sums_at(&c->have, check_pair_name(r->user, item->resource)) += item->quantity;
    if (kind->lapses)
        check_lapse(c, r, handle, index, kind->lapses(c->st, item));
    if (kind->check)
        kind->check(c, r, handle, index);
}

static void check_deadline(struct check *c, const struct reservation *r, uint32_t handle)
{
    const struct heap *h = &c->st->deadlines;
    if (r->status != RESERVATION_HELD) {
        check_expect(c, r->place == HEAP_NONE, "is not held but has a deadline.");
        check_expect(c, !r->next && !r->previous, "is not held but is on its user's list.");
        return;
    }
    c->held++;
    check_expect(c, check_in_heap(h, r->place, handle) && h->entries[r->place].at_ms == r->expires_at_ms,
                 "is not at its place among the deadlines.");
}

static void check_reservation(struct check *c, uint32_t handle,
                              uint64_t by_status[RESERVATION_STATUS_LAST + 1])
{
    struct reservation *r = reservation_at(c->st, handle);
    snprintf(c->subject, sizeof(c->subject), "%s ", check_id_text(c, r->id));
    check_expect(c, r->status <= RESERVATION_STATUS_LAST, "has no status.");
    if (r->status > RESERVATION_STATUS_LAST)
        return;
    by_status[r->status]++;
    check_expect(c, reservation_find(c->st, r->id) == handle, "cannot be found by its id.");
    check_expect(c, r->item_count >= 1 && r->item_count <= ITEMS_MAX, "has %u items.", r->item_count);
    check_times(c, r);
    check_numbers(c, r, handle);
    check_deadline(c, r, handle);
    for (uint32_t i = 0; i < r->item_count; i++) {
        check_item(c, r, i);
        if (check_item_place(c, r, &reservation_items(r)[i]) && reservation_live(r))
            check_claim(c, r, handle, i);
    }
    if (r->status == RESERVATION_CONFIRMED && r->extra)
        check_reservation_tickets(c, r);
    bool user_known = r->user < c->st->users.used;
    check_expect(c, user_known, "has no user.");
    if (!user_known)
        return;
    c->references[r->user]++;
    if (r->status == RESERVATION_HELD)
        c->listed[r->user]++;
    else
        check_expect(c, c->forgettable[handle], "would never be forgotten.");
}

void check_reservations(struct check *c)
{
    struct state *st = c->st;
    uint64_t by_status[RESERVATION_STATUS_LAST + 1] = {0}, count = 0;
    for (uint64_t i = st->forgettable_first; i < st->forgettable_end; i++) {
        struct forgettable f = st->forgettable[i & (st->forgettable_capacity - 1)];
        if (f.reservation < st->reservations.used && reservation_at(st, f.reservation)->seq == f.seq)
            c->forgettable[f.reservation] = 1;
    }
    for (uint32_t i = 0; i < st->reservations.used; i++)
        if (reservation_at(st, i)->status) {
            check_reservation(c, i, by_status);
            count++;
        }
    c->subject[0] = '\0';
    check_expect(c, count == st->reservations.count && count == st->reservations_by_id.count,
                 "The index of reservations has the wrong size.");
    for (int i = RESERVATION_STATUS_FIRST; i <= RESERVATION_STATUS_LAST; i++)
        check_expect(c, by_status[i] == st->by_status[i], "%llu reservations are %s, not %llu.",
                     (unsigned long long)by_status[i], reservation_status_name((enum reservation_status)i),
                     (unsigned long long)st->by_status[i]);
    check_expect(c, c->held == st->deadlines.count, "The deadlines do not match the held reservations.");
}
