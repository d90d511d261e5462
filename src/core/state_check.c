/* SPDX-License-Identifier: Apache-2.0 */
#include "core/state_check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

/* What the reservations say of one pool and one event. */
struct pool_sum {
    uint64_t held, sold, lapses;
};

struct event_sum {
    uint64_t seats_held, seats_sold; /* by reservations in memory */
    uint64_t counted;                /* units in the users' counts */
    uint64_t items;                  /* of reservations in memory */
    struct pool_sum *pools;
};

/* Numbers by a 64-bit name, for what is not small and dense: open addressing, sized once. */
struct sums {
    struct sum {
        uint64_t name; /* 0: empty */
        uint64_t value;
    } * slots;
    uint64_t mask;
};

struct check {
    struct state *st;
    void (*report)(void *ctx, const char *sentence);
    void *ctx;
    bool ok;
    struct event_sum *events;
    uint64_t held;        /* reservations */
    uint64_t *references; /* to users, by handle */
    uint64_t *listed;     /* held reservations of users, by handle */
    uint32_t *stub_seats; /* by handle */
    uint8_t *forgettable; /* by reservation handle */
    struct sums have;     /* user and event to units of reservations in memory */
    struct sums fences;   /* fence to reservation handle + 1 */
    char name[4 + ID_TEXT_SIZE + 1];
};

__attribute__((format(printf, 3, 4))) static void expect(struct check *c, bool holds, const char *format, ...)
{
    if (holds)
        return;
    c->ok = false;
    char sentence[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof(sentence), format, arguments);
    va_end(arguments);
    if (c->report)
        c->report(c->ctx, sentence);
}

static struct sums sums_make(uint64_t most)
{
    uint64_t size = 16;
    while (size < most * 2)
        size *= 2;
    return (struct sums){.slots = memory_zeroed(size, sizeof(struct sum)), .mask = size - 1};
}

static uint64_t *sums_at(struct sums *s, uint64_t name)
{
    uint64_t hash = name * 0x9e3779b97f4a7c15ULL;
    uint64_t at = (hash ^ hash >> 32) & s->mask;
    while (s->slots[at].name && s->slots[at].name != name)
        at = (at + 1) & s->mask;
    s->slots[at].name = name;
    return &s->slots[at].value;
}

/* Never 0. */
static uint64_t pair_name(uint32_t user, uint32_t event)
{
    return (uint64_t)event << 32 | (user + 1u);
}

/* An id for people; good until the next one. */
static const char *id_text(struct check *c, struct id id)
{
    memcpy(c->name, "res_", 4);
    id_write(id, c->name + 4);
    return c->name;
}

#define TEXT_ARGS(t) (int)(t).size, (t).at ? (t).at : ""

/* ---- Reservations ---- */

static void check_times(struct check *c, const struct reservation *r)
{
    const struct reservation_extra none = {0}, *x = r->extra ? r->extra : &none;
    const char *name = id_text(c, r->id);
    expect(c, r->created_at_ms <= r->expires_at_ms, "%s ends before it begins.", name);
    expect(c, r->expires_at_ms <= r->max_expires_at_ms, "%s ends after its last possible instant.", name);
    expect(c, !x->payment_started_at_ms || x->payment_started_at_ms < r->expires_at_ms,
           "The payment of %s began after its deadline.", name);
    bool confirmed = r->status == RESERVATION_CONFIRMED;
    bool ended = !confirmed && r->status != RESERVATION_HELD;
    expect(c, confirmed == (x->confirmed_at_ms != 0), "%s has the wrong instant of confirmation.", name);
    expect(c, x->confirmed_at_ms < r->expires_at_ms, "%s was confirmed after its deadline.", name);
    expect(c, ended == (x->ended_at_ms != 0), "%s has the wrong instant of ending.", name);
    expect(c, r->status != RESERVATION_RELEASED || x->ended_at_ms < r->expires_at_ms,
           "%s was released after its deadline.", name);
    expect(c, r->status != RESERVATION_EXPIRED || x->ended_at_ms >= r->expires_at_ms,
           "%s expired before its deadline.", name);
    expect(c, confirmed || (!x->ticket_key[0] && !x->ticket_key[1]), "%s has tickets and is not confirmed.",
           name);
}

static void check_numbers(struct check *c, const struct reservation *r, uint32_t handle)
{
    const char *name = id_text(c, r->id);
    expect(c, r->number >= 1 && r->number <= r->fence && r->fence <= c->st->seq && r->seq <= c->st->seq,
           "%s has a number, fence or seq that was never given.", name);
    expect(c, r->version >= 1, "%s has no version.", name);
    uint64_t *other = sums_at(&c->fences, r->fence);
    expect(c, *other == 0, "Fence %llu was given to two reservations, %s and another.",
           (unsigned long long)r->fence, name);
    *other = handle + 1u;
    for (int i = 0; i < 3; i++)
        expect(c, r->currency[i] >= 'A' && r->currency[i] <= 'Z', "%s has no currency.", name);
}

static void check_item(struct check *c, struct reservation *r, uint32_t index)
{
    const struct item *item = &reservation_items(r)[index];
    expect(c, item->item_id >= 1 && item->item_id < r->next_item_id, "An item id of %s was never given.",
           id_text(c, r->id));
    for (uint32_t i = 0; i < index; i++)
        expect(c, reservation_items(r)[i].item_id != item->item_id, "%s has two items %u.", id_text(c, r->id),
               item->item_id);
    expect(c, item->fence >= 1 && item->fence <= r->fence,
           "An item of %s has a fence above the reservation's.", id_text(c, r->id));
    expect(c, item->quantity >= 1 && (item->kind == ITEM_POOL || item->quantity == 1) && item->price >= 0,
           "An item of %s has a wrong quantity or price.", id_text(c, r->id));
}

/* The item's place exists; true when sums may be made of it. */
static bool check_item_place(struct check *c, struct reservation *r, const struct item *item)
{
    bool known = item->event < c->st->event_count && (item->kind == ITEM_SEAT || item->kind == ITEM_POOL);
    const struct event *e = known ? c->st->events[item->event] : NULL;
    if (e && item->kind == ITEM_SEAT && !e->layout)
        known = e->image.removed && r->extra && r->extra->names;
    else if (e && item->kind == ITEM_SEAT)
        known = item->position < e->layout->count;
    else if (e)
        known = item->position < e->pool_count;
    expect(c, known, "%s has an item on nothing.", id_text(c, r->id));
    if (known)
        c->events[item->event].items++;
    return known;
}

static void check_claim(struct check *c, struct reservation *r, uint32_t handle, uint32_t index)
{
    const struct item *item = &reservation_items(r)[index];
    struct event *e = c->st->events[item->event];
    struct event_sum *sum = &c->events[item->event];
    bool held = r->status == RESERVATION_HELD;
    *sums_at(&c->have, pair_name(r->user, item->event)) += item->quantity;
    if (item->kind == ITEM_SEAT) {
        const struct seat *seat = seat_at(e, item->position);
        expect(c, seat->claim == handle + 1,
               "%s has a seat at position %u of %.*s that is not claimed by it.", id_text(c, r->id),
               item->position, TEXT_ARGS(e->image.id));
        expect(c, seat->version == item->fence, "A seat of %s has not the version of its grant.",
               id_text(c, r->id));
        *(held ? &sum->seats_held : &sum->seats_sold) += 1;
        return;
    }
    struct pool_sum *pool = &sum->pools[item->position];
    *(held ? &pool->held : &pool->sold) += item->quantity;
    expect(c, held == (item->place != HEAP_NONE), "A pool item of %s is wrongly in or out of the lapses.",
           id_text(c, r->id));
    if (!held || item->place == HEAP_NONE)
        return;
    pool->lapses++;
    const struct heap *lapses = &e->pools[item->position].lapses;
    expect(c,
           item->place < lapses->count &&
               lapses->entries[item->place].handle == ((uint64_t)handle << 8 | index) &&
               lapses->entries[item->place].at_ms == r->expires_at_ms,
           "A pool item of %s is not at its place in the lapses.", id_text(c, r->id));
}

static void check_deadline(struct check *c, const struct reservation *r, uint32_t handle)
{
    const struct heap *h = &c->st->deadlines;
    if (r->status != RESERVATION_HELD) {
        expect(c, r->place == HEAP_NONE, "%s is not held and has a deadline.", id_text(c, r->id));
        expect(c, !r->next && !r->previous, "%s is not held and in its user's list.", id_text(c, r->id));
        return;
    }
    c->held++;
    expect(c,
           r->place < h->count && h->entries[r->place].handle == handle &&
               h->entries[r->place].at_ms == r->expires_at_ms,
           "%s is not at its place among the deadlines.", id_text(c, r->id));
}

static void check_reservation(struct check *c, uint32_t handle, uint64_t by_status[RESERVATION_REFUNDED + 1])
{
    struct reservation *r = reservation_at(c->st, handle);
    expect(c, r->status <= RESERVATION_REFUNDED, "%s has no status.", id_text(c, r->id));
    if (r->status > RESERVATION_REFUNDED)
        return;
    by_status[r->status]++;
    expect(c, reservation_find(c->st, r->id) == handle, "%s cannot be found by its id.", id_text(c, r->id));
    expect(c, r->item_count >= 1 && r->item_count <= ITEMS_MAX, "%s has %u items.", id_text(c, r->id),
           r->item_count);
    check_times(c, r);
    check_numbers(c, r, handle);
    check_deadline(c, r, handle);
    for (uint32_t i = 0; i < r->item_count; i++) {
        check_item(c, r, i);
        if (check_item_place(c, r, &reservation_items(r)[i]) && reservation_live(r))
            check_claim(c, r, handle, i);
    }
    bool user_known = r->user < c->st->users.used;
    expect(c, user_known, "%s has no user.", id_text(c, r->id));
    if (!user_known)
        return;
    c->references[r->user]++;
    if (r->status == RESERVATION_HELD)
        c->listed[r->user]++;
    else
        expect(c, c->forgettable[handle], "%s would never be forgotten.", id_text(c, r->id));
}

static void check_reservations(struct check *c)
{
    struct state *st = c->st;
    uint64_t by_status[RESERVATION_REFUNDED + 1] = {0}, count = 0;
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
    expect(c, count == st->reservations.count && count == st->reservations_by_id.count,
           "The index of reservations has another size than their number.");
    for (int i = RESERVATION_HELD; i <= RESERVATION_REFUNDED; i++)
        expect(c, by_status[i] == st->by_status[i], "%llu reservations are %s, not %llu.",
               (unsigned long long)by_status[i], reservation_status_name((enum reservation_status)i),
               (unsigned long long)st->by_status[i]);
    expect(c, c->held == st->deadlines.count, "There are other deadlines than held reservations.");
}

static void check_heap_order(struct check *c, const struct heap *h, const char *what)
{
    for (uint32_t i = 1; i < h->count; i++) {
        struct heap_entry parent = h->entries[(i - 1) / 4], child = h->entries[i];
        expect(c, parent.at_ms < child.at_ms || (parent.at_ms == child.at_ms && parent.handle < child.handle),
               "The heap of %s is out of order.", what);
    }
}

/* ---- Events ---- */

/* Each claim of a reservation in memory was found from its side; equal numbers mean that there are no others.
 */
static void check_seats(struct check *c, struct event *e, const struct event_sum *sum)
{
    struct event_counts n = {0};
    uint64_t claimed = 0, stubs = 0;
    if (e->image.removed) {
        expect(c, !e->seats && !e->live_units, "%.*s is removed and still has seats.", TEXT_ARGS(e->image.id));
        return;
    }
    for (uint32_t i = 0; e->layout && i < e->layout->count; i++) {
        const struct seat *seat = seat_at(e, i);
        uint32_t stub = seat->claim & ~CLAIM_STUB;
        n.seats++;
        expect(c, bitset_has(&e->claimed, i) == (seat->claim != CLAIM_NONE),
               "A seat of %.*s is wrongly in or out of the claimed ones.", TEXT_ARGS(e->image.id));
        expect(c, seat->version <= c->st->seq, "A seat of %.*s has a version that was never given.",
               TEXT_ARGS(e->image.id));
        expect(c, seat->claim != CLAIM_PLANNED, "A seat of %.*s is still planned.", TEXT_ARGS(e->image.id));
        if (seat->claim == CLAIM_NONE) {
            *(seat_blocked(e, i) ? &n.blocked : &n.available) += 1;
            continue;
        }
        expect(c, !seat_blocked(e, i), "A seat of %.*s is claimed and blocked.", TEXT_ARGS(e->image.id));
        if (!(seat->claim & CLAIM_STUB)) {
            claimed++;
            continue;
        }
        stubs++;
        expect(c, stub < c->st->stubs.used, "A seat of %.*s has an unknown stub.", TEXT_ARGS(e->image.id));
        if (stub < c->st->stubs.used)
            c->stub_seats[stub]++;
    }
    n.held = sum->seats_held;
    n.sold = sum->seats_sold + stubs;
    expect(c, claimed == sum->seats_held + sum->seats_sold, "%llu seats of %.*s are claimed by %llu items.",
           (unsigned long long)claimed, TEXT_ARGS(e->image.id),
           (unsigned long long)(sum->seats_held + sum->seats_sold));
    expect(c, memcmp(&n, &e->counts, sizeof(n)) == 0, "The counts of the seats of %.*s are wrong.",
           TEXT_ARGS(e->image.id));
    expect(c, n.seats == n.available + n.held + n.sold + n.blocked, "The counts of %.*s do not add up.",
           TEXT_ARGS(e->image.id));
}

static void check_rows(struct check *c, struct event *e)
{
    const struct layout *l = e->image.removed ? NULL : e->layout;
    uint32_t next = 0;
    for (uint32_t row = 0; l && row < l->row_count; row++) {
        const struct layout_row *r = &l->rows[row];
        uint32_t taken = 0;
        expect(c, r->first == next, "The rows of %.*s leave a gap.", TEXT_ARGS(e->image.id));
        for (uint32_t i = 0; i < r->count; i++) {
            uint32_t position = l->order[next + i] & ~LAYOUT_BESIDE;
            const struct seat *seat = seat_at(e, position);
            expect(c, l->row_of[position] == row, "A seat of %.*s stands in two rows.",
                   TEXT_ARGS(e->image.id));
            taken += position < e->rows_counted && (seat->claim != CLAIM_NONE || seat_blocked(e, position));
        }
        next += r->count;
        expect(c, !e->row_taken || e->row_taken[row] == taken, "Row %u of %.*s has %u taken seats, not %u.", row,
               TEXT_ARGS(e->image.id), taken, e->row_taken ? e->row_taken[row] : 0);
    }
    expect(c, !l || next == l->count, "Some seats of %.*s stand in no row.", TEXT_ARGS(e->image.id));
    for (uint32_t i = 0; l && i < l->count; i++)
        expect(c, layout_find(l, layout_id(l, i)) == i, "A seat of %.*s cannot be found by its id.",
               TEXT_ARGS(e->image.id));
}

static uint64_t check_pool(struct check *c, struct event *e, uint32_t position, const struct pool_sum *sum)
{
    const struct pool *p = &e->pools[position];
    struct text id = p->image.id;
    expect(c, p->image.event == e->image.number && p->image.position == position && pool_find(e, id) == p,
           "Pool %.*s of %.*s is out of place.", TEXT_ARGS(id), TEXT_ARGS(e->image.id));
    expect(c, (uint64_t)p->held + p->sold <= p->image.capacity, "Pool %.*s is over its capacity.",
           TEXT_ARGS(id));
    expect(c, p->held == sum->held, "Pool %.*s counts %u held units, its reservations have %llu.",
           TEXT_ARGS(id), p->held, (unsigned long long)sum->held);
    expect(c, p->sold >= sum->sold, "Pool %.*s counts %u sold units, its reservations have %llu.",
           TEXT_ARGS(id), p->sold, (unsigned long long)sum->sold);
    expect(c, p->lapses.count == sum->lapses, "Pool %.*s has other lapses than held items.", TEXT_ARGS(id));
    check_heap_order(c, &p->lapses, "a pool's lapses");
    return (uint64_t)p->held + p->sold;
}

static void check_event(struct check *c, uint32_t slot)
{
    struct state *st = c->st;
    struct event *e = st->events[slot];
    const struct event *same_id = event_find(st, e->image.id);
    expect(c, e->slot == slot && event_find_number(st, e->image.number) == e,
           "Event %.*s cannot be found by number.", TEXT_ARGS(e->image.id));
    expect(c, e->image.removed ? same_id != e : same_id == e, "Event %.*s is wrongly found by its id.",
           TEXT_ARGS(e->image.id));
    expect(c, e->image.number >= 1 && e->image.number <= st->seq && e->seq <= st->seq,
           "Event %.*s has a number or seq that was never given.", TEXT_ARGS(e->image.id));
    check_seats(c, e, &c->events[slot]);
    check_rows(c, e);
    uint64_t units = e->counts.held + e->counts.sold;
    for (uint32_t i = 0; i < e->pool_count; i++)
        units += check_pool(c, e, i, &c->events[slot].pools[i]);
    expect(c, units == e->live_units, "Event %.*s has %llu live units, not %llu.", TEXT_ARGS(e->image.id),
           (unsigned long long)units, (unsigned long long)e->live_units);
    expect(c, units == c->events[slot].counted, "The users of %.*s have %llu units, not %llu.",
           TEXT_ARGS(e->image.id), (unsigned long long)c->events[slot].counted, (unsigned long long)units);
    expect(c, e->items == c->events[slot].items, "Event %.*s has %llu items in memory, not %llu.", TEXT_ARGS(e->image.id),
           (unsigned long long)c->events[slot].items, (unsigned long long)e->items);
    expect(c, !e->image.removed || e->items || !e->layout, "Event %.*s is gone and keeps its layout.",
           TEXT_ARGS(e->image.id));
    expect(c, !e->image.removed || units == 0, "Event %.*s was removed with live claims.",
           TEXT_ARGS(e->image.id));
}

static void check_stubs(struct check *c)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->st->stubs.used; i++) {
        const struct stub *s = slab_at(&c->st->stubs, i);
        expect(c, s->seats == c->stub_seats[i], "A stub counts %u seats, %u point to it.", s->seats,
               c->stub_seats[i]);
        count += s->seats > 0;
        expect(c, !s->seats || reservation_find(c->st, s->reservation) == TABLE_NONE,
               "%s is in memory and has a stub as well.", s->seats ? id_text(c, s->reservation) : "");
    }
    expect(c, count == c->st->stubs.count, "Some stubs have no seats.");
}

/* ---- Users ---- */

static void check_counts(struct check *c)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->st->user_counts.used; i++) {
        const struct user_count *n = slab_at(&c->st->user_counts, i);
        if (n->count == 0) /* not in use */
            continue;
        count++;
        bool known = n->user < c->st->users.used && n->event < c->st->event_count;
        expect(c, known, "A count belongs to nobody.");
        if (!known)
            continue;
        c->references[n->user]++;
        c->events[n->event].counted += n->count;
        uint64_t *have = sums_at(&c->have, pair_name(n->user, n->event));
        expect(c, n->count >= *have, "A user has %llu units of an event and is said to have %u.",
               (unsigned long long)*have, n->count);
        *have = 0; /* accounted for */
        expect(c, user_count_get(c->st, n->user, n->event) == n->count, "A user's count cannot be found.");
    }
    expect(c, count == c->st->user_counts.count && count == c->st->user_counts_by_pair.count,
           "The index of counts has another size than their number.");
    for (uint64_t i = 0; i <= c->have.mask; i++)
        expect(c, c->have.slots[i].value == 0, "A user has units of an event without a count.");
}

static void check_user_list(struct check *c, uint32_t user)
{
    uint32_t before = 0, next = ((const struct user *)slab_at(&c->st->users, user))->first;
    uint64_t listed = 0;
    while (next && listed <= c->listed[user]) {
        const struct reservation *r = reservation_at(c->st, next - 1);
        expect(c, r->user == user && r->status == RESERVATION_HELD && r->previous == before,
               "A user's list of held reservations is broken at %s.", id_text(c, r->id));
        before = next;
        next = r->next;
        listed++;
    }
    expect(c, listed == c->listed[user], "A user has %llu held reservations, not the %llu of the list.",
           (unsigned long long)c->listed[user], (unsigned long long)listed);
}

static void check_users(struct check *c)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->st->users.used; i++) {
        const struct user *u = slab_at(&c->st->users, i);
        expect(c, u->references == c->references[i], "A user is referred to %llu times, not %u.",
               (unsigned long long)c->references[i], u->references);
        if (!u->references)
            continue;
        count++;
        expect(c, user_find(c->st, user_id(c->st, i)) == i, "User %.*s cannot be found.",
               TEXT_ARGS(user_id(c->st, i)));
        check_user_list(c, i);
    }
    expect(c, count == c->st->users.count && count == c->st->users_by_id.count,
           "The index of users has another size than their number.");
}

/* ---- The rest ---- */

static void check_rest(struct check *c)
{
    const struct idempotency *i = &c->st->idempotency;
    expect(c, i->queue_count == i->entries.count && i->queue_count == i->by_key.count,
           "The idempotency keys do not agree with their queue.");
    for (uint32_t k = 0; k < c->st->key_count; k++) {
        const struct key *next = state_key_after(c->st, c->st->keys[k].image.name);
        expect(c, next == (k + 1 < c->st->key_count ? &c->st->keys[k + 1] : NULL),
               "The keys are out of order.");
    }
}

bool state_check(struct state *st, void (*report)(void *ctx, const char *sentence), void *ctx)
{
    struct check c = {.st = st, .report = report, .ctx = ctx, .ok = true};
    uint64_t claims = 0;
    for (uint32_t i = 0; i < st->reservations.used; i++)
        claims += reservation_at(st, i)->item_count;
    c.events = memory_zeroed(st->event_count + 1u, sizeof(*c.events));
    for (uint32_t i = 0; i < st->event_count; i++)
        c.events[i].pools = memory_zeroed(st->events[i]->pool_count + 1u, sizeof(struct pool_sum));
    c.references = memory_zeroed(st->users.used + 1u, sizeof(*c.references));
    c.listed = memory_zeroed(st->users.used + 1u, sizeof(*c.listed));
    c.stub_seats = memory_zeroed(st->stubs.used + 1u, sizeof(*c.stub_seats));
    c.forgettable = memory_zeroed(st->reservations.used + 1u, 1);
    c.have = sums_make(claims + st->user_counts.used);
    c.fences = sums_make(st->reservations.used);

    check_reservations(&c);
    check_heap_order(&c, &st->deadlines, "deadlines");
    check_counts(&c);
    for (uint32_t i = 0; i < st->event_count; i++)
        check_event(&c, i);
    check_stubs(&c);
    check_users(&c);
    check_rest(&c);

    for (uint32_t i = 0; i < st->event_count; i++)
        free(c.events[i].pools);
    free(c.events);
    free(c.references);
    free(c.listed);
    free(c.stub_seats);
    free(c.forgettable);
    free(c.have.slots);
    free(c.fences.slots);
    return c.ok;
}
