/* SPDX-License-Identifier: Apache-2.0 */
#include "core/state_check_parts.h"

#include <stdio.h>

/* Each claim of a reservation in memory was found from its side; equal numbers mean that there are no
 * others. */
static void check_seats(struct check *c, struct event *e, const struct event_sum *sum)
{
    struct event_counts n = {0};
    uint64_t claimed = 0, stubs = 0;
    if (e->image.removed) {
        check_expect(c, !e->seats && !e->live_units, "is removed but still has seats.");
        return;
    }
    for (uint32_t i = 0; e->layout && i < e->layout->count; i++) {
        const struct seat *seat = seat_at(e, i);
        uint32_t stub = seat->claim & ~CLAIM_STUB;
        n.seats++;
        check_expect(c, bitset_has(&e->claimed, i) == (seat->claim != CLAIM_NONE),
                     "has a seat that is marked claimed and is not, or the reverse.");
        check_expect(c, seat->version <= c->st->seq, "has a seat with a version that was never issued.");
        check_expect(c, seat->claim != CLAIM_PLANNED, "has a seat that is still planned.");
        if (seat->claim == CLAIM_NONE) {
            *(seat_blocked(e, i) ? &n.blocked : &n.available) += 1;
            continue;
        }
        check_expect(c, !seat_blocked(e, i), "has a seat that is both claimed and blocked.");
        if (!(seat->claim & CLAIM_STUB)) {
            claimed++;
            continue;
        }
        stubs++;
        check_expect(c, stub < c->st->stubs.used, "has a seat with an unknown stub.");
        if (stub < c->st->stubs.used)
            c->stub_seats[stub]++;
    }
    n.held = sum->seats_held;
    n.sold = sum->seats_sold + stubs;
    check_expect(c, claimed == sum->seats_held + sum->seats_sold, "has %llu seats claimed by %llu items.",
                 (unsigned long long)claimed, (unsigned long long)(sum->seats_held + sum->seats_sold));
    check_expect(c, memcmp(&n, &e->counts, sizeof(n)) == 0, "counts its seats wrong.");
    check_expect(c, n.seats == n.available + n.held + n.sold + n.blocked, "has counts that do not add up.");
}

static void check_rows(struct check *c, struct event *e)
{
    const struct layout *l = e->image.removed ? NULL : e->layout;
    uint32_t next = 0;
    for (uint32_t row = 0; l && row < l->row_count; row++) {
        const struct layout_row *r = &l->rows[row];
        uint32_t taken = 0;
        for (uint32_t i = 0; i < r->count; i++) {
            uint32_t position = r->seats[i] & ~LAYOUT_BESIDE;
            const struct seat *seat = seat_at(e, position);
            check_expect(c, layout_row_of(l, position) == row, "has a seat in two rows.");
            taken += position < e->rows_counted && (seat->claim != CLAIM_NONE || seat_blocked(e, position));
        }
        next += r->count;
        check_expect(c, !e->row_taken || e->row_taken[row] == taken, "has %u taken seats in row %u, not %u.",
                     taken, row, e->row_taken ? e->row_taken[row] : 0);
    }
    check_expect(c, !l || next == l->count, "has seats that are in no row.");
    for (uint32_t i = 0; l && i < l->count; i++)
        check_expect(c, layout_find(l, layout_id(l, i)) == i, "has a seat that cannot be found by its id.");
}

static uint64_t check_pool(struct check *c, struct event *e, uint32_t position, const struct pool_sum *sum)
{
    const struct pool *p = &e->pools[position];
    struct text id = p->image.id;
    snprintf(c->subject, sizeof(c->subject), "Pool %.*s ", TEXT_ARGS(id));
    check_expect(c,
                 p->image.event == e->image.number && p->image.position == position && pool_find(e, id) == p,
                 "of %.*s is out of place.", TEXT_ARGS(e->image.id));
    check_expect(c, (uint64_t)p->held + p->sold <= p->image.capacity, "is over its capacity.");
    check_expect(c, p->held == sum->held, "counts %u held units, its reservations have %llu.", p->held,
                 (unsigned long long)sum->held);
    check_expect(c, p->sold >= sum->sold, "counts %u sold units, its reservations have %llu.", p->sold,
                 (unsigned long long)sum->sold);
    check_expect(c, p->lapses.count == sum->lapses, "has lapses that do not match its held items.");
    c->subject[0] = '\0';
    check_heap_order(c, &p->lapses, "a pool's lapses");
    return (uint64_t)p->held + p->sold;
}

static void check_event(struct check *c, uint32_t index)
{
    struct state *st = c->st;
    struct event *e = st->events[index];
    const struct event_sum *sum = &c->events[index];
    c->subject[0] = '\0';
    if (e->gone) {
        check_expect(c,
                     e->index == index && e->image.removed && !sum->items && !e->layout && !e->seats &&
                         !e->pools && event_find_number(st, e->image.number) != e,
                     "Event index %u is free but still in use.", index);
        return;
    }
    const struct event *same_id = event_find(st, e->image.id);
    uint64_t units = e->counts.held + e->counts.sold;
    for (uint32_t i = 0; i < e->pool_count; i++)
        units += check_pool(c, e, i, &sum->pools[i]);
    snprintf(c->subject, sizeof(c->subject), "Event %.*s ", TEXT_ARGS(e->image.id));
    check_expect(c, e->index == index && event_find_number(st, e->image.number) == e,
                 "cannot be found by number.");
    check_expect(c, e->image.removed ? same_id != e : same_id == e,
                 "is removed but found by its id, or the reverse.");
    check_expect(c, e->image.number >= 1 && e->image.number <= st->seq && e->seq <= st->seq,
                 "has a number or seq that was never issued.");
    check_seats(c, e, sum);
    check_rows(c, e);
    check_expect(c, units == e->live_units, "has %llu live units, not %llu.", (unsigned long long)units,
                 (unsigned long long)e->live_units);
    check_expect(c, units == sum->counted, "has %llu units, its users %llu.", (unsigned long long)units,
                 (unsigned long long)sum->counted);
    check_expect(c, e->items == sum->items, "has %llu items in memory, not %llu.",
                 (unsigned long long)sum->items, (unsigned long long)e->items);
    check_expect(c, !e->image.removed || e->items, "is removed and empty but keeps its index.");
    check_expect(c, !e->image.removed || units == 0, "was removed with live claims.");
}

static void check_stubs(struct check *c)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->st->stubs.used; i++) {
        const struct stub *s = slab_at(&c->st->stubs, i);
        check_expect(c, s->seats == c->stub_seats[i], "A stub counts %u seats, %u point to it.", s->seats,
                     c->stub_seats[i]);
        count += s->seats > 0;
        check_expect(c, !s->seats || reservation_find(c->st, s->reservation) == TABLE_NONE,
                     "%s has a stub although it is in memory.",
                     s->seats ? check_id_text(c, s->reservation) : "");
    }
    check_expect(c, count == c->st->stubs.count, "Some stubs have no seats.");
}

/* Those that exist, in the order of their numbers; and the free indexes, each once. */
static void check_indexes(struct check *c)
{
    struct state *st = c->st;
    uint32_t listed = 0, gone = 0, chained = 0;
    for (const struct event *e = event_after(st, 0); e; e = event_after(st, e->image.number), listed++)
        check_expect(c, !e->image.removed, "Event %.*s is removed but listed.", TEXT_ARGS(e->image.id));
    for (uint32_t i = 0; i < st->event_count; i++) {
        listed -= !st->events[i]->image.removed;
        gone += st->events[i]->gone;
    }
    for (uint32_t at = st->event_free; at && chained <= gone; at = st->events[at - 1]->next_free)
        chained++;
    check_expect(c, listed == 0, "The list of events does not match the events that exist.");
    check_expect(c, chained == gone, "Some free event indexes cannot be reached.");
}

void check_events(struct check *c)
{
    for (uint32_t i = 0; i < c->st->event_count; i++)
        check_event(c, i);
    c->subject[0] = '\0';
    check_indexes(c);
    check_stubs(c);
}
