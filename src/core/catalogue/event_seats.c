/* SPDX-License-Identifier: Apache-2.0 */
#include "core/catalogue/event_seats.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/claim/expiry.h"
#include "core/queue/queue_time.h"
#include "core/step.h"

struct event_counts event_counts_shown(const struct event *e)
{
    struct event_counts counts = e->counts;
    /* Spoken for: those on the list come first, and who saw it free would ask in vain. */
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

/* UINT64_MAX is -1: event_counts_add_up sees if a count goes below zero. */
static void tally(struct event *e, uint32_t position, uint64_t by)
{
    bool claimed = bitset_has(&e->claimed, position), off = seat_off_sale(e, position);
    bool open = off && !claimed && !seat_blocked(e, position); /* for those who may have it */
    ASSERT(position < e->layout->count && (!open || e->allotments));
    if (!claimed)
        *(off ? &e->counts.blocked : &e->counts.available) += by;
    if (open)
        e->allotments->open += (uint32_t)by;
    /* Not counted yet: event_count_rows will find it as it is then. */
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

/* Those of `taken` that are in neither of the other two, which may be NULL. */
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
    /* In slices: a million seats at once would hold up everybody else's commands. */
    if (!e->row_taken)
        e->row_taken = memory_zeroed(e->layout->row_count, sizeof(*e->row_taken));
    uint32_t below = count - from > EVENT_COUNT_MAX ? from + EVENT_COUNT_MAX : count;
    e->rows_counted = below;
    /* A seat may be in several sets, and counts once. */
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
    if (layout->count == 0) { /* an import of no seats into an event without any */
        layout_release(layout);
        return;
    }
    /* Seats keep their positions from layout to layout, so claims, versions and blocks stay as they are. */
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
    e->counts.available += (uint64_t)layout_seats(layout) - before; /* may be fewer: those were free */
    ASSERT(event_counts_add_up(e));
    forget_rows(e); /* they may be others now */
    state_touch(st, TOUCH_EVENT, e->index, 0, NULL);
    queue_stock_grew(st, e);
    waiting_list_freed(st, e);
}

/* A mark of the seat was set or taken away. `was`: what it showed before. */
static void seat_marked(struct state *st, struct event *e, uint32_t position, enum unit_status was)
{
    ASSERT(event_counts_add_up(e) && e->counts.blocked <= e->counts.seats);
    ASSERT(seat_at(e, position)->claim != CLAIM_PLANNED);
    ASSERT(e->held_off <= e->counts.held);
    if (bitset_has(&e->claimed, position)) { /* nobody sees it before it is free again */
        if (was == UNIT_HELD && !seat_off_sale(e, position))
            queue_stock_grew(st, e); /* held, it may come free for those in line */
        return;
    }
    if (seat_status(st, e, position) != was)
        seat_touch(st, e, position);
    if (seat_blocked(e, position))
        return;
    /* More stock: for the waiting room if it is on sale now, for those on the list who may have it in any case. */
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

/* Counts what is free and off sale anew, 64 seats at a time. */
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
    /* Of those that are claimed no more than the block changes: event_blocks_claimed. */
    for (uint32_t at = 0;
         (at = bitset_next_common(&blocks->back, &e->claimed, at, UINT32_MAX)) != BITSET_NONE; at++)
        e->held_off -= seat_held_off(st, e, at) && !allotment_of(e, at).at;
    /* 64 seats at a time, and no touches: with the layout the whole event was touched. */
    for (uint32_t i = 0; i < blocks->off.size && i < e->blocked.size; i++) {
        ASSERT((blocks->off.words[i] & blocks->back.words[i]) == 0);
        e->blocked.words[i] = (e->blocked.words[i] & ~blocks->back.words[i]) | blocks->off.words[i];
    }
    uint16_t *known = memory_zeroed(blocks->name_count + 1, sizeof(*known)); /* by name; the first: none */
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
    return off < allots ? off : allots; /* BITSET_NONE is the greatest */
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
    /* The large pieces are released elsewhere: freeing a million seats takes longer than a turn may. */
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

/* The event an import is for; an event made later under the same name is another one. */
static struct event *import_event(struct state *st, struct text id, uint64_t import)
{
    struct event *e = event_find(st, id);
    return e && e->image.number < import ? e : NULL;
}

enum outcome_code event_seats_stage(struct state *st, const struct command *c, struct outcome *out)
{
    struct event *e = import_event(st, c->seats_stage.event, c->seats_stage.import);
    if (!e)
        return OUTCOME_NO_SUCH_EVENT;
    st->change.kind = CHANGE_SEATS_STAGED;
    st->change.staged.event = e->image.number;
    st->change.staged.import = c->seats_stage.import;
    st->change.staged.count = c->seats_stage.count;
    st->change.staged.rows = bytes_reader_make(c->seats_stage.rows, c->seats_stage.size);
    out->seq = state_emit(st);
    return OUTCOME_OK;
}

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

enum outcome_code event_seats_publish(struct step *step, struct outcome *out)
{
    struct state *st = step->state;
    const struct command *c = step->command;
    struct event *e = import_event(st, c->seats_publish.event, c->seats_publish.import);
    if (!e)
        return OUTCOME_NO_SUCH_EVENT;
    /* One import of an event at a time: what it was made from is still what the event has. */
    ASSERT(e->layout == c->seats_publish.base);
    const struct layout_blocks *blocks = c->seats_publish.blocks;
    enum outcome_code code = OUTCOME_OK;
    uint32_t at = 0;
    /* Judged against the claims of now: the rows were read while sales went on. */
    while (out->obstacle_count < ITEMS_MAX && (at = event_blocks_claimed(e, blocks, at)) != BITSET_NONE) {
        if (event_seat_unclaimed(step, e, at, at, out) != OUTCOME_OK)
            code = OUTCOME_TAKEN;
        at++;
    }
    if (code != OUTCOME_OK)
        return code;
    if (!event_blocks_fit(e, blocks))
        return state_invalid(out, "Too many allotments: at most 1000 per event.", "%s", "");
    st->change.kind = CHANGE_SEATS_PUBLISHED;
    st->change.published.event = e->image.number;
    st->change.published.import = c->seats_publish.import;
    e->seq = state_emit(st);
    event_set_layout(st, e, c->seats_publish.layout);
    event_set_blocks(st, e, blocks);
    out->seq = st->seq;
    return OUTCOME_OK;
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
        e->seq = out->seq = state_emit(st);
        event_remove_seats(st, e, c->seats_remove.layout, c->seats_remove.positions, c->seats_remove.count);
    }
    buf_release(&positions);
    return code;
}
