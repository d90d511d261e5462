/* SPDX-License-Identifier: Apache-2.0 */
#include "core/catalogue/event_seats.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory.h"
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
    e->rows_counted = 0;
}

void event_count_seat(struct event *e, uint32_t position, bool taken)
{
    /* Not counted yet: event_count_rows will find it as it is then. */
    if (position >= e->rows_counted)
        return;
    uint32_t row = layout_row_of(e->layout, position);
    e->row_taken[row] += taken ? 1 : UINT32_MAX;
    ASSERT(e->row_taken[row] <= e->layout->rows[row].count);
}

static void count_rows_of(struct event *e, const struct bitset *taken, uint32_t from, uint32_t below)
{
    while ((from = bitset_next(taken, from, below)) != BITSET_NONE)
        e->row_taken[layout_row_of(e->layout, from++)]++;
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
    e->rows_counted = count - from > EVENT_COUNT_MAX ? from + EVENT_COUNT_MAX : count;
    /* No seat is in both sets: the sums are right. */
    count_rows_of(e, &e->claimed, from, e->rows_counted);
    count_rows_of(e, &e->blocked, from, e->rows_counted);
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
    e->counts.seats = layout_seats(layout);
    e->counts.available += (uint64_t)layout_seats(layout) - before; /* may be fewer: those were free */
    ASSERT(event_counts_add_up(e));
    forget_rows(e); /* they may be others now */
    state_touch(st, TOUCH_EVENT, e->index, 0, NULL);
    queue_stock_grew(st, e);
    waiting_list_freed(st, e);
}

void event_set_blocked(struct state *st, struct event *e, uint32_t position, bool blocked)
{
    if (seat_blocked(e, position) == blocked)
        return;
    ASSERT(seat_at(e, position)->claim == CLAIM_NONE);
    bitset_put(&e->blocked, position, blocked);
    e->counts.available += blocked ? UINT64_MAX : 1;
    e->counts.blocked += blocked ? 1 : UINT64_MAX;
    ASSERT(event_counts_add_up(e) && e->counts.blocked <= e->counts.seats);
    event_count_seat(e, position, blocked);
    seat_touch(st, e, position);
    /* Put back on sale: more stock, for the waiting room and for the list. */
    if (blocked)
        return;
    queue_stock_grew(st, e);
    waiting_list_seat_freed(st, e, position);
}

void event_remove_seats(struct state *st, struct event *e, struct layout *layout, const uint32_t *positions,
                        uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        ASSERT(seat_at(e, positions[i])->claim == CLAIM_NONE && !layout_is_gone(e->layout, positions[i]));
        if (!seat_blocked(e, positions[i]))
            continue;
        bitset_put(&e->blocked, positions[i], false);
        e->counts.blocked--;
        e->counts.available++;
    }
    ASSERT(layout_seats(e->layout) == layout_seats(layout) + count);
    event_set_layout(st, e, layout);
}

void event_set_blocks(struct event *e, const struct layout_blocks *blocks)
{
    ASSERT(e->rows_counted == 0 && blocks->off.size == blocks->back.size);
    /* 64 seats at a time, and no touches: with the layout the whole event was touched. */
    for (uint32_t i = 0; i < blocks->off.size && i < e->blocked.size; i++) {
        uint64_t was = e->blocked.words[i], is = (was & ~blocks->back.words[i]) | blocks->off.words[i];
        ASSERT((is & e->claimed.words[i]) == 0);
        ASSERT((blocks->off.words[i] & blocks->back.words[i]) == 0);
        if (is == was)
            continue;
        uint64_t more = (uint64_t)__builtin_popcountll(is) - (uint64_t)__builtin_popcountll(was);
        e->counts.blocked += more;
        e->counts.available -= more;
        e->blocked.words[i] = is;
    }
    ASSERT(event_counts_add_up(e) && e->counts.blocked <= e->counts.seats);
}

void event_copy_blocks(struct event *e, const struct event *from)
{
    ASSERT(e->rows_counted == 0 && e->layout == from->layout && e->counts.blocked == 0);
    ASSERT(e->blocked.size >= from->blocked.size && e->counts.available == e->counts.seats);
    for (uint32_t i = 0; i < from->blocked.size; i++)
        e->blocked.words[i] = from->blocked.words[i];
    e->counts.blocked = from->counts.blocked;
    e->counts.available -= e->counts.blocked;
    ASSERT(event_counts_add_up(e));
}

void event_seats_release(struct event *e)
{
    seats_release(e->seats, e->seat_chunks);
    e->seats = NULL;
    e->seat_chunks = 0;
    e->counts = (struct event_counts){0};
    bitset_release(&e->claimed);
    bitset_release(&e->blocked);
    forget_rows(e);
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

/* A claimed seat cannot be blocked: every one asked for is named. */
static enum outcome_code block_judge(struct step *step, struct event *e, uint32_t position, uint32_t index,
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
    while (out->obstacle_count < ITEMS_MAX &&
           (at = bitset_next_common(&blocks->off, &e->claimed, at, UINT32_MAX)) != BITSET_NONE) {
        if (block_judge(step, e, at, at, out) != OUTCOME_OK)
            code = OUTCOME_TAKEN;
        at++;
    }
    if (code != OUTCOME_OK)
        return code;
    st->change.kind = CHANGE_SEATS_PUBLISHED;
    st->change.published.event = e->image.number;
    st->change.published.import = c->seats_publish.import;
    e->seq = state_emit(st);
    event_set_layout(st, e, c->seats_publish.layout);
    event_set_blocks(e, blocks);
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
        if (block_judge(step, e, position, position, out) != OUTCOME_OK)
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

enum outcome_code event_seats_block(struct step *step, struct outcome *out)
{
    struct state *st = step->state;
    const struct command *c = step->command;
    struct event *e = event_find(st, c->seats_block.event);
    if (!e)
        return OUTCOME_NO_SUCH_EVENT;
    enum outcome_code code = OUTCOME_OK;
    struct buf positions;
    buf_init(&positions, (size_t)c->seats_block.count * 5 + 16);
    for (uint32_t i = 0; i < c->seats_block.count; i++) {
        uint32_t position = layout_find(e->layout, c->seats_block.ids[i]);
        if (position == LAYOUT_NONE) {
            code = OUTCOME_NO_SUCH_SEAT;
            break;
        }
        bytes_put_varint(&positions, position);
        if (c->seats_block.blocked && block_judge(step, e, position, i, out) != OUTCOME_OK)
            code = OUTCOME_TAKEN;
    }
    if (code == OUTCOME_OK) {
        st->change.kind = CHANGE_SEATS_BLOCKED;
        st->change.blocked.event = e->image.number;
        st->change.blocked.blocked = c->seats_block.blocked;
        st->change.blocked.count = c->seats_block.count;
        st->change.blocked.positions = bytes_reader_make(positions.data, positions.size);
        e->seq = out->seq = state_emit(st);
        /* Read back rather than looked up again: a name costs a hash, and there may be many. */
        struct bytes_reader reader = bytes_reader_make(positions.data, positions.size);
        for (uint32_t i = 0; i < c->seats_block.count; i++)
            event_set_blocked(st, e, (uint32_t)bytes_get_varint(&reader), c->seats_block.blocked);
    }
    buf_release(&positions);
    return code;
}
