/* SPDX-License-Identifier: Apache-2.0 */
#include "core/catalogue/event_seats.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/claim/expiry.h"
#include "core/codec.h"
#include "core/queue/queue_time.h"
#include "core/step.h"

struct event_counts event_counts_shown(const struct event *e)
{
    struct event_counts counts = e->counts;
    /* The waiting list comes first: a client who saw these seats as free could not get them. */
    if (waiting_list_busy(e)) {
        counts.held += counts.available;
        counts.available = 0;
    }
    for (uint32_t i = 0; i < e->pool_count; i++) {
        counts.pool_capacity += e->pools[i].image.capacity;
        counts.pool_available += pool_shown(e, &e->pools[i]);
    }
    ASSERT(counts.pool_available <= counts.pool_capacity);
    return counts;
}

/* ---- Rows ---- */

static void forget_rows(struct event *e)
{
    free(e->row_taken);
    e->row_taken = NULL;
    if (e->allotments) {
        free(e->allotments->row_open);
        e->allotments->row_open = NULL;
    }
    e->rows_counted = 0;
}

/* UINT64_MAX is -1: event_counts_add_up notices if a count goes below zero. */
static void tally(struct event *e, uint32_t position, uint64_t by)
{
    bool claimed = bitset_has(&e->claimed, position), off = seat_off_sale(e, position);
    bool open = off && !claimed && !seat_blocked(e, position); /* in an allotment, free */
    ASSERT(position < e->layout->count && (!open || e->allotments));
    if (!claimed)
        *(off ? &e->counts.blocked : &e->counts.available) += by;
    if (open)
        e->allotments->open += (uint32_t)by;
    /* Not counted yet: event_count_rows will do that. */
    if (position >= e->rows_counted || (!claimed && !off))
        return;
    uint32_t row = layout_row_of(e->layout, position);
    e->row_taken[row] += (uint32_t)by;
    if (open)
        e->allotments->row_open[row] += (uint32_t)by;
    ASSERT(e->row_taken[row] <= e->layout->rows[row].count);
}

void event_uncount_seat(struct event *e, uint32_t position)
{
    tally(e, position, UINT64_MAX);
}

void event_count_seat(struct event *e, uint32_t position)
{
    tally(e, position, 1);
}

/* Counts the seats of `taken` that are in neither of the other two, which can be NULL. */
static void count_rows_of(struct event *e, uint32_t *rows, const struct bitset *taken,
                          const struct bitset *but, const struct bitset *nor, uint32_t from, uint32_t below)
{
    for (; (from = bitset_next(taken, from, below)) != BITSET_NONE; from++)
        if (!(but && bitset_has(but, from)) && !(nor && bitset_has(nor, from)))
            rows[layout_row_of(e->layout, from)]++;
}

bool event_count_rows(struct event *e)
{
    uint32_t count = e->layout->count, from = e->rows_counted;
    ASSERT(from <= count);
    if (from == count)
        return true;
    /* In slices: counting a million seats at once would delay other commands. */
    if (!e->row_taken)
        e->row_taken = memory_zeroed(e->layout->row_count, sizeof(*e->row_taken));
    uint32_t below = count - from > EVENT_COUNT_MAX ? from + EVENT_COUNT_MAX : count;
    e->rows_counted = below;
    /* A seat can be in several sets, but counts once. */
    count_rows_of(e, e->row_taken, &e->claimed, NULL, NULL, from, below);
    count_rows_of(e, e->row_taken, &e->blocked, &e->claimed, NULL, from, below);
    struct allotments *a = e->allotments;
    if (a) {
        if (!a->row_open)
            a->row_open = memory_zeroed(e->layout->row_count, sizeof(*a->row_open));
        count_rows_of(e, e->row_taken, &a->in, &e->claimed, &e->blocked, from, below);
        count_rows_of(e, a->row_open, &a->in, &e->claimed, &e->blocked, from, below);
    }
    return e->rows_counted == count;
}

/* ---- Layout and blocks ---- */

void event_set_layout(struct state *st, struct event *e, struct layout *layout)
{
    uint32_t before = e->layout ? layout_seats(e->layout) : 0;
    ASSERT(layout->count >= (e->layout ? e->layout->count : 0) && layout->count <= SEATS_MAX);
    if (layout->count == 0) { /* an empty import into an event without seats */
        layout_release(layout);
        return;
    }
    /* Seats keep their positions in every layout, so claims, versions and blocks stay. */
    layout_release(e->layout);
    e->layout = layout;
    uint32_t chunks = (layout->count + SEAT_CHUNK - 1) / SEAT_CHUNK;
    ASSERT(!e->image.removed);
    if (chunks > e->seat_chunks) {
        e->seats = memory_grow(e->seats, chunks, sizeof(*e->seats));
        while (e->seat_chunks < chunks)
            e->seats[e->seat_chunks++] = memory_zeroed(SEAT_CHUNK, sizeof(struct seat));
    }
    bitset_grow(&e->claimed, layout->count);
    bitset_grow(&e->blocked, layout->count);
    allotments_grow(e);
    e->counts.seats = layout_seats(layout);
    /* Can be fewer: removed seats were free. */
    e->counts.available += (uint64_t)layout_seats(layout) - before;
    ASSERT(event_counts_add_up(e));
    forget_rows(e); /* the rows can have changed */
    state_touch(st, TOUCH_EVENT, e->index, 0, NULL);
    queue_stock_grew(st, e);
    waiting_list_freed(st, e);
}

/* A mark of the seat was set or removed. `was`: its status before. */
static void seat_marked(struct state *st, struct event *e, uint32_t position, enum unit_status was)
{
    ASSERT(event_counts_add_up(e) && e->counts.blocked <= e->counts.seats);
    ASSERT(seat_at(e, position)->claim != CLAIM_PLANNED);
    ASSERT(e->held_off <= e->counts.held);
    if (bitset_has(&e->claimed, position)) { /* takes effect when it is free again */
        if (was == UNIT_HELD && !seat_off_sale(e, position))
            queue_stock_grew(st, e); /* it can come free for people in line */
        return;
    }
    if (seat_status(st, e, position) != was)
        seat_touch(st, e, position);
    if (seat_blocked(e, position))
        return;
    /* More stock: for the waiting room if it is on sale now; in any case for entries of the list that may have it. */
    if (!seat_off_sale(e, position))
        queue_stock_grew(st, e);
    waiting_list_seat_freed(st, e, position);
}

void event_set_blocked(struct state *st, struct event *e, uint32_t position, bool blocked)
{
    enum unit_status was = seat_status(st, e, position);
    if (seat_blocked(e, position) == blocked)
        return;
    event_uncount_seat(e, position);
    e->held_off -= seat_held_off(st, e, position);
    bitset_put(&e->blocked, position, blocked);
    e->held_off += seat_held_off(st, e, position);
    event_count_seat(e, position);
    seat_marked(st, e, position, was);
}

bool event_set_allotment(struct state *st, struct event *e, uint32_t position, struct text name)
{
    enum unit_status was = seat_status(st, e, position);
    struct text old = allotment_of(e, position);
    if (!old.at == !name.at && text_equal(old, name))
        return true;
    event_uncount_seat(e, position);
    e->held_off -= seat_held_off(st, e, position);
    bool fits = allotment_put(e, position, name);
    e->held_off += seat_held_off(st, e, position);
    event_count_seat(e, position);
    if (fits)
        seat_marked(st, e, position, was);
    return fits;
}

/* Recounts free seats and seats off sale, 64 at a time. */
static void recount(struct event *e)
{
    struct allotments *a = e->allotments;
    uint64_t off = 0, open = 0;
    ASSERT(e->rows_counted == 0 && (!a || a->in.size <= e->blocked.size));
    for (uint32_t i = 0; i < e->blocked.size; i++) {
        uint64_t free_words = ~e->claimed.words[i], in = a && i < a->in.size ? a->in.words[i] : 0;
        off += (uint64_t)__builtin_popcountll((e->blocked.words[i] | in) & free_words);
        open += (uint64_t)__builtin_popcountll(in & ~e->blocked.words[i] & free_words);
    }
    if (a)
        a->open = (uint32_t)open;
    e->counts.available += e->counts.blocked - off;
    e->counts.blocked = off;
    ASSERT(event_counts_add_up(e) && e->counts.blocked <= e->counts.seats);
}

void event_remove_seats(struct state *st, struct event *e, struct layout *layout, const uint32_t *positions,
                        uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        ASSERT(seat_at(e, positions[i])->claim == CLAIM_NONE && !layout_is_gone(e->layout, positions[i]));
        if (!seat_off_sale(e, positions[i]))
            continue;
        event_uncount_seat(e, positions[i]);
        bitset_put(&e->blocked, positions[i], false);
        allotment_put(e, positions[i], (struct text){0});
        event_count_seat(e, positions[i]);
    }
    ASSERT(layout_seats(e->layout) == layout_seats(layout) + count);
    event_set_layout(st, e, layout);
}

bool event_blocks_fit(const struct event *e, const struct layout_blocks *blocks)
{
    uint32_t fresh = 0;
    for (uint32_t i = 0; i < blocks->name_count; i++)
        fresh += !allotment_find(e, blocks->names[i]);
    return allotments_have_room(e, fresh);
}

void event_set_blocks(const struct state *st, struct event *e, const struct layout_blocks *blocks)
{
    ASSERT(e->rows_counted == 0 && blocks->off.size == blocks->back.size);
    /* For claimed seats only unblocking is possible: see event_blocks_claimed. */
    for (uint32_t at = 0;
         (at = bitset_next_common(&blocks->back, &e->claimed, at, UINT32_MAX)) != BITSET_NONE; at++)
        e->held_off -= seat_held_off(st, e, at) && !allotment_of(e, at).at;
    /* 64 seats at a time, without touches: the new layout touched the whole event. */
    for (uint32_t i = 0; i < blocks->off.size && i < e->blocked.size; i++) {
        ASSERT((blocks->off.words[i] & blocks->back.words[i]) == 0);
        e->blocked.words[i] = (e->blocked.words[i] & ~blocks->back.words[i]) | blocks->off.words[i];
    }
    /* By name; the first is for none. */
    uint16_t *known = memory_zeroed(blocks->name_count + 1, sizeof(*known));
    for (uint32_t at = 0; (at = bitset_next(&blocks->allots, at, UINT32_MAX)) != BITSET_NONE; at++) {
        bool fits =
            allotment_put_known(e, at, layout_blocks_name(blocks, at), &known[blocks->allotments[at]]);
        ASSERT(fits); /* event_blocks_fit */
    }
    free(known);
    recount(e);
}

uint32_t event_blocks_claimed(const struct event *e, const struct layout_blocks *blocks, uint32_t from)
{
    uint32_t off = from, allots = from;
    while ((off = bitset_next_common(&blocks->off, &e->claimed, off, UINT32_MAX)) != BITSET_NONE &&
           seat_blocked(e, off))
        off++;
    while ((allots = bitset_next_common(&blocks->allots, &e->claimed, allots, UINT32_MAX)) != BITSET_NONE &&
           text_equal(allotment_of(e, allots), layout_blocks_name(blocks, allots)))
        allots++;
    return off < allots ? off : allots; /* BITSET_NONE is the greatest value */
}

bool event_marked(const struct event *e)
{
    return bitset_next(&e->blocked, 0, UINT32_MAX) != BITSET_NONE ||
           (e->allotments && bitset_next(&e->allotments->in, 0, UINT32_MAX) != BITSET_NONE);
}

void event_copy_blocks(struct event *e, const struct event *from)
{
    ASSERT(e->rows_counted == 0 && e->layout == from->layout && e->counts.blocked == 0);
    ASSERT(e->blocked.size >= from->blocked.size && e->counts.available == e->counts.seats);
    for (uint32_t i = 0; i < from->blocked.size; i++)
        e->blocked.words[i] = from->blocked.words[i];
    allotments_copy(e, from);
    recount(e);
}

void event_seats_release(struct event *e)
{
    seats_release(e->seats, e->seat_chunks);
    e->seats = NULL;
    e->seat_chunks = 0;
    e->counts = (struct event_counts){0};
    e->held_off = 0;
    bitset_release(&e->claimed);
    bitset_release(&e->blocked);
    forget_rows(e);
    allotments_release(e->allotments);
    e->allotments = NULL;
}

void event_seats_detach(struct state *st, struct event *e)
{
    ASSERT(e->image.removed && !e->counts.held && !e->counts.sold);
    /* Another thread frees the large parts: freeing a million seats takes too long for a turn of the loop. */
    if (e->seats) {
        struct detached *d = detached_add(st);
        d->seats = e->seats;
        d->seat_chunks = e->seat_chunks;
        e->seats = NULL;
        e->seat_chunks = 0;
    }
    event_seats_release(e);
}

/* ---- Commands ---- */

enum outcome_code event_seat_unclaimed(struct step *step, struct event *e, uint32_t position, uint32_t index,
                                       struct outcome *out)
{
    struct state *st = step->state;
    settle_seat(st, e, position);
    ASSERT(seat_at(e, position)->claim != CLAIM_PLANNED);
    if (seat_at(e, position)->claim == CLAIM_NONE)
        return OUTCOME_OK;
    if (out->obstacle_count < ITEMS_MAX)
        step->obstacles[out->obstacle_count++] = seat_obstacle(st, e, position, index);
    out->obstacles = step->obstacles;
    out->detail = "This seat is held or sold.";
    out->seq = e->seq;
    return OUTCOME_TAKEN;
}

enum outcome_code event_seats_remove(struct step *step, struct outcome *out)
{
    struct state *st = step->state;
    const struct command *c = step->command;
    struct event *e = event_find(st, c->seats_remove.event);
    if (!e)
        return OUTCOME_NO_SUCH_EVENT;
    ASSERT(e->layout == c->seats_remove.base); /* as for an import */
    enum outcome_code code = OUTCOME_OK;
    struct buf positions;
    buf_init(&positions, (size_t)c->seats_remove.count * 5 + 16);
    for (uint32_t i = 0; i < c->seats_remove.count; i++) {
        uint32_t position = c->seats_remove.positions[i];
        bytes_put_varint(&positions, position);
        if (event_seat_unclaimed(step, e, position, position, out) != OUTCOME_OK)
            code = OUTCOME_TAKEN;
    }
    if (code == OUTCOME_OK) {
        st->change.kind = CHANGE_SEATS_REMOVED;
        st->change.removed.event = e->image.number;
        st->change.removed.count = c->seats_remove.count;
        st->change.removed.positions = bytes_reader_make(positions.data, positions.size);
        st->change.made.layout = c->seats_remove.layout;
        out->seq = state_commit(st);
    }
    buf_release(&positions);
    return code;
}

/* ---- The change ---- */

bool seats_removed_change_restore(struct state *st, const struct change *c)
{
    struct event *e = event_find_number(st, c->removed.event);
    struct bytes_reader in = c->removed.positions;
    /* Each takes at least one byte, so a damaged count cannot allocate more than there are bytes. */
    if (!e || e->image.removed || !e->layout || c->removed.count > bytes_left(&in))
        return false;
    uint32_t *positions = memory_get((c->removed.count + 1u) * sizeof(*positions));
    bool fits = true;
    for (uint32_t i = 0; i < c->removed.count && fits; i++) {
        uint64_t position = bytes_get_varint(&in);
        fits = !in.bad && position < e->layout->count && (i == 0 || position > positions[i - 1]) &&
               !layout_is_gone(e->layout, (uint32_t)position) &&
               seat_at(e, (uint32_t)position)->claim == CLAIM_NONE;
        positions[i] = (uint32_t)position;
    }
    if (fits) {
        struct layout *layout =
            c->made.layout ? c->made.layout : layout_without(e->layout, positions, c->removed.count);
        event_remove_seats(st, e, layout, positions, c->removed.count);
        e->seq = c->seq;
    }
    free(positions);
    return fits;
}
