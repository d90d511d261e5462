/* SPDX-License-Identifier: Apache-2.0 */
#include "core/catalogue/seat.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "core/state.h"

struct seat *seat_at(const struct event *e, uint32_t position)
{
    ASSERT(e->layout && position < e->layout->count);
    return &e->seats[position / SEAT_CHUNK][position % SEAT_CHUNK];
}

void seats_release(struct seat **seats, uint32_t chunks)
{
    for (uint32_t i = 0; i < chunks; i++)
        free(seats[i]);
    free(seats);
}

bool seat_blocked(const struct event *e, uint32_t position)
{
    return bitset_has(&e->blocked, position);
}

enum seat_status seat_status(const struct state *st, const struct event *e, uint32_t position)
{
    const struct seat *seat = seat_at(e, position);
    if (seat->claim == CLAIM_NONE || seat->claim == CLAIM_PLANNED)
        return seat_blocked(e, position) ? SEAT_BLOCKED : waiting_list_busy(e) ? SEAT_HELD : SEAT_AVAILABLE;
    if (seat->claim & CLAIM_STUB)
        return SEAT_SOLD;
    return reservation_at(st, seat->claim - 1)->status == RESERVATION_CONFIRMED ? SEAT_SOLD : SEAT_HELD;
}

void seat_plan(struct seat *seat)
{
    ASSERT(seat->claim == CLAIM_NONE);
    seat->claim = CLAIM_PLANNED;
}

void seat_unplan(struct seat *seat)
{
    ASSERT(seat->claim == CLAIM_PLANNED);
    seat->claim = CLAIM_NONE;
}

/* Marks the seat as claimed, or as free again. */
static void set_claimed(struct event *e, uint32_t position, bool claimed)
{
    ASSERT(!seat_blocked(e, position)); /* a claimed seat cannot be blocked */
    bitset_put(&e->claimed, position, claimed);
    e->counts.available += claimed ? UINT64_MAX : 1;
    event_count_seat(e, position, claimed);
}

void seat_claim(struct state *st, struct event *e, uint32_t position, uint32_t claim, uint64_t fence,
                bool sold)
{
    struct seat *seat = seat_at(e, position);
    ASSERT(seat->claim == CLAIM_NONE || seat->claim == CLAIM_PLANNED);
    ASSERT(claim != CLAIM_NONE && claim != CLAIM_PLANNED);
    seat->claim = claim;
    seat->version = fence;
    set_claimed(e, position, true);
    if (sold)
        e->counts.sold++;
    else
        e->counts.held++;
    ASSERT(event_counts_add_up(e));
    state_touch(st, e->index, ITEM_SEAT, position);
}

void seat_sell(struct state *st, struct event *e, uint32_t position)
{
    ASSERT(e->counts.held > 0 && bitset_has(&e->claimed, position));
    e->counts.held--;
    e->counts.sold++;
    state_touch(st, e->index, ITEM_SEAT, position);
}

void seat_free(struct state *st, struct event *e, uint32_t position, uint64_t seq, bool sold)
{
    struct seat *seat = seat_at(e, position);
    ASSERT(seat->claim != CLAIM_NONE && seat->claim != CLAIM_PLANNED);
    seat->claim = CLAIM_NONE;
    seat->version = seq;
    if (sold) {
        ASSERT(e->counts.sold > 0);
        e->counts.sold--;
    } else {
        ASSERT(e->counts.held > 0);
        e->counts.held--;
    }
    set_claimed(e, position, false);
    ASSERT(event_counts_add_up(e));
    state_touch(st, e->index, ITEM_SEAT, position);
}
