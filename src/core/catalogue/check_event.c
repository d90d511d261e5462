/* SPDX-License-Identifier: Apache-2.0 */
#include "core/state_check_parts.h"

/* Each claim of a reservation in memory was found from its side; equal numbers mean that there are no
 * others. */
static void check_seats(struct check *c, struct event *e, const struct event_sum *sum)
{
    struct event_counts n = {0};
    uint64_t claimed = 0, stubs = 0;
    if (e->image.removed) {
        check_expect(c, !e->seats && !e->live_units, "Event %.*s is removed but still has seats.",
                     TEXT_ARGS(e->image.id));
        return;
    }
    for (uint32_t i = 0; e->layout && i < e->layout->count; i++) {
        const struct seat *seat = seat_at(e, i);
        uint32_t stub = seat->claim & ~CLAIM_STUB;
        n.seats++;
        check_expect(c, bitset_has(&e->claimed, i) == (seat->claim != CLAIM_NONE),
                     "A seat of %.*s is marked claimed and is not, or the reverse.", TEXT_ARGS(e->image.id));
        check_expect(c, seat->version <= c->st->seq, "A seat of %.*s has a version that was never issued.",
                     TEXT_ARGS(e->image.id));
        check_expect(c, seat->claim != CLAIM_PLANNED, "A seat of %.*s is still planned.",
                     TEXT_ARGS(e->image.id));
        if (seat->claim == CLAIM_NONE) {
            *(seat_blocked(e, i) ? &n.blocked : &n.available) += 1;
            continue;
        }
        check_expect(c, !seat_blocked(e, i), "A seat of %.*s is both claimed and blocked.",
                     TEXT_ARGS(e->image.id));
        if (!(seat->claim & CLAIM_STUB)) {
            claimed++;
            continue;
        }
        stubs++;
        check_expect(c, stub < c->st->stubs.used, "A seat of %.*s has an unknown stub.",
                     TEXT_ARGS(e->image.id));
        if (stub < c->st->stubs.used)
            c->stub_seats[stub]++;
    }
    n.held = sum->seats_held;
    n.sold = sum->seats_sold + stubs;
    check_expect(c, claimed == sum->seats_held + sum->seats_sold,
                 "%llu seats of %.*s are claimed by %llu items.", (unsigned long long)claimed,
                 TEXT_ARGS(e->image.id), (unsigned long long)(sum->seats_held + sum->seats_sold));
    check_expect(c, memcmp(&n, &e->counts, sizeof(n)) == 0, "The counts of the seats of %.*s are wrong.",
                 TEXT_ARGS(e->image.id));
    check_expect(c, n.seats == n.available + n.held + n.sold + n.blocked, "The counts of %.*s do not add up.",
                 TEXT_ARGS(e->image.id));
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
            check_expect(c, layout_row_of(l, position) == row, "A seat of %.*s is in two rows.",
                         TEXT_ARGS(e->image.id));
            taken += position < e->rows_counted && (seat->claim != CLAIM_NONE || seat_blocked(e, position));
        }
        next += r->count;
        check_expect(c, !e->row_taken || e->row_taken[row] == taken,
                     "Row %u of %.*s has %u taken seats, not %u.", row, TEXT_ARGS(e->image.id), taken,
                     e->row_taken ? e->row_taken[row] : 0);
    }
    check_expect(c, !l || next == l->count, "Some seats of %.*s are in no row.", TEXT_ARGS(e->image.id));
    for (uint32_t i = 0; l && i < l->count; i++)
        check_expect(c, layout_find(l, layout_id(l, i)) == i, "A seat of %.*s cannot be found by its id.",
                     TEXT_ARGS(e->image.id));
}

static uint64_t check_pool(struct check *c, struct event *e, uint32_t position, const struct pool_sum *sum)
{
    const struct pool *p = &e->pools[position];
    struct text id = p->image.id;
    check_expect(c,
                 p->image.event == e->image.number && p->image.position == position && pool_find(e, id) == p,
                 "Pool %.*s of %.*s is out of place.", TEXT_ARGS(id), TEXT_ARGS(e->image.id));
    check_expect(c, (uint64_t)p->held + p->sold <= p->image.capacity, "Pool %.*s is over its capacity.",
                 TEXT_ARGS(id));
    check_expect(c, p->held == sum->held, "Pool %.*s counts %u held units, its reservations have %llu.",
                 TEXT_ARGS(id), p->held, (unsigned long long)sum->held);
    check_expect(c, p->sold >= sum->sold, "Pool %.*s counts %u sold units, its reservations have %llu.",
                 TEXT_ARGS(id), p->sold, (unsigned long long)sum->sold);
    check_expect(c, p->lapses.count == sum->lapses, "The lapses of pool %.*s do not match its held items.",
                 TEXT_ARGS(id));
    check_heap_order(c, &p->lapses, "a pool's lapses");
    return (uint64_t)p->held + p->sold;
}

static void check_event(struct check *c, uint32_t index)
{
    struct state *st = c->st;
    struct event *e = st->events[index];
    if (e->gone) {
        check_expect(c,
                     e->index == index && e->image.removed && !c->events[index].items && !e->layout &&
                         !e->seats && !e->pools && event_find_number(st, e->image.number) != e,
                     "Event index %u is free but still in use.", index);
        return;
    }
    const struct event *same_id = event_find(st, e->image.id);
    check_expect(c, e->index == index && event_find_number(st, e->image.number) == e,
                 "Event %.*s cannot be found by number.", TEXT_ARGS(e->image.id));
    check_expect(c, e->image.removed ? same_id != e : same_id == e,
                 "Event %.*s is removed but found by its id, or the reverse.", TEXT_ARGS(e->image.id));
    check_expect(c, e->image.number >= 1 && e->image.number <= st->seq && e->seq <= st->seq,
                 "Event %.*s has a number or seq that was never issued.", TEXT_ARGS(e->image.id));
    check_seats(c, e, &c->events[index]);
    check_rows(c, e);
    uint64_t units = e->counts.held + e->counts.sold;
    for (uint32_t i = 0; i < e->pool_count; i++)
        units += check_pool(c, e, i, &c->events[index].pools[i]);
    check_expect(c, units == e->live_units, "Event %.*s has %llu live units, not %llu.",
                 TEXT_ARGS(e->image.id), (unsigned long long)units, (unsigned long long)e->live_units);
    check_expect(c, units == c->events[index].counted, "The users of %.*s have %llu units, not %llu.",
                 TEXT_ARGS(e->image.id), (unsigned long long)c->events[index].counted,
                 (unsigned long long)units);
    check_expect(c, e->items == c->events[index].items, "Event %.*s has %llu items in memory, not %llu.",
                 TEXT_ARGS(e->image.id), (unsigned long long)c->events[index].items,
                 (unsigned long long)e->items);
    check_expect(c, !e->image.removed || e->items, "Event %.*s is removed and empty but keeps its index.",
                 TEXT_ARGS(e->image.id));
    check_expect(c, !e->image.removed || units == 0, "Event %.*s was removed with live claims.",
                 TEXT_ARGS(e->image.id));
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
static void check_slots(struct check *c)
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
    check_slots(c);
    check_stubs(c);
}
