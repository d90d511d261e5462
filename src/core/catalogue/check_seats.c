/* SPDX-License-Identifier: Apache-2.0 */
#include "core/catalogue/event.h"
#include "core/claim/reservation.h"
#include "core/state_check_parts.h"

void check_seat(struct check *c, struct reservation *r, uint32_t handle, uint32_t index)
{
    const struct item *item = &reservation_items(r)[index];
    const struct event *e = c->st->events[item->resource];
    const struct seat *seat = seat_at(e, item->part);
    check_expect(c, seat->claim == handle + 1, "has the seat at position %u of %.*s without a claim on it.",
                 item->part, TEXT_ARGS(e->image.id));
    check_expect(c, seat->version == item->fence, "has a seat without the version of its grant.");
}

/* The claims of all reservations in memory were checked before; equal counts mean that there are no others. */
static void check_claims(struct check *c, struct event *e)
{
    struct event_counts n = {0};
    uint64_t claimed = 0, stubs = 0, held_off = 0;
    /* Its layout can still exist, for the names; its claims must not. */
    if (e->image.removed) {
        check_expect(c, !e->seats && !e->live_units, "is removed but still has seats.");
        return;
    }
    for (uint32_t i = 0; e->layout && i < e->layout->count; i++) {
        const struct seat *seat = seat_at(e, i);
        uint32_t stub = seat->claim & ~CLAIM_STUB;
        if (layout_is_gone(e->layout, i)) {
            check_expect(c, seat->claim == CLAIM_NONE && !seat_off_sale(e, i), "has a removed seat in use.");
            continue;
        }
        n.seats++;
        check_expect(c, bitset_has(&e->claimed, i) == (seat->claim != CLAIM_NONE),
                     "has a seat that is marked claimed and is not, or the reverse.");
        check_expect(c, seat->version <= c->st->seq, "has a seat with a version that was never issued.");
        check_expect(c, seat->claim != CLAIM_PLANNED, "has a seat that is still planned.");
        if (seat->claim == CLAIM_NONE) {
            *(seat_off_sale(e, i) ? &n.blocked : &n.available) += 1;
            continue;
        }
        if (!(seat->claim & CLAIM_STUB)) {
            claimed++;
            held_off += seat_off_sale(e, i) && check_claimed(c, ITEM_SEAT, e->index, i, true);
            n.held += check_claimed(c, ITEM_SEAT, e->index, i, true);
            n.sold += check_claimed(c, ITEM_SEAT, e->index, i, false);
            continue;
        }
        stubs++;
        check_expect(c, stub < c->st->stubs.used, "has a seat with an unknown stub.");
        if (stub < c->st->stubs.used)
            c->stub_seats[stub]++;
    }
    check_expect(c, claimed == n.held + n.sold, "has %llu seats claimed by %llu items.",
                 (unsigned long long)claimed, (unsigned long long)(n.held + n.sold));
    n.sold += stubs;
    check_expect(c, e->held_off == held_off, "counts %llu held seats that are off sale, not %llu.",
                 (unsigned long long)e->held_off, (unsigned long long)held_off);
    check_expect(c, memcmp(&n, &e->counts, sizeof(n)) == 0, "has wrong seat counts.");
    check_expect(c, n.seats == n.available + n.held + n.sold + n.blocked, "has counts that do not add up.");
}

static void check_rows(struct check *c, struct event *e)
{
    const struct layout *l = e->image.removed ? NULL : e->layout;
    uint32_t next = 0;
    for (uint32_t row = 0; l && row < l->row_count; row++) {
        const struct layout_row *r = &l->rows[row];
        uint32_t taken = 0, open = 0;
        for (uint32_t i = 0; i < r->count; i++) {
            uint32_t position = r->seats[i] & ~LAYOUT_BESIDE;
            const struct seat *seat = seat_at(e, position);
            check_expect(c, layout_row_of(l, position) == row, "has a seat in two rows.");
            bool counted = position < e->rows_counted, claimed = seat->claim != CLAIM_NONE;
            taken += counted && (claimed || seat_off_sale(e, position));
            open += counted && !claimed && !seat_blocked(e, position) && seat_off_sale(e, position);
        }
        const uint32_t *row_open = e->allotments ? e->allotments->row_open : NULL;
        check_expect(c, !row_open || row_open[row] == open,
                     "has %u open seats of allotments in row %u, not %u.", open, row,
                     row_open ? row_open[row] : 0);
        next += r->count;
        check_expect(c, !e->row_taken || e->row_taken[row] == taken, "has %u taken seats in row %u, not %u.",
                     taken, row, e->row_taken ? e->row_taken[row] : 0);
    }
    check_expect(c, !l || next == layout_seats(l), "has seats that are in no row.");
    for (uint32_t i = 0; l && i < l->count; i++)
        check_expect(c, (layout_find(l, layout_id(l, i)) == i) == !layout_is_gone(l, i),
                     "has a seat that cannot be found by its id, or a removed one that can.");
}

uint64_t check_seats(struct check *c, struct event *e)
{
    check_claims(c, e);
    check_rows(c, e);
    check_allotments(c, e);
    return e->counts.held + e->counts.sold;
}
