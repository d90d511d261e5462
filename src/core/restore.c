/* SPDX-License-Identifier: Apache-2.0 */
/* restore.c — core's state from the book, and from the changes that the journal has beyond it. Nothing is
 * judged here: what was decided stands. But nothing is taken for granted either: what does not fit is damage,
 * and refused.
 */
#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/calendar/calendar_removal.h"
#include "core/calendar/group.h"
#include "core/catalogue/event_seats.h"
#include "core/claim/expiry.h"
#include "core/claim/reservation.h"
#include "core/claim/user.h"
#include "core/codec.h"
#include "core/dispatch/registration.h"
#include "core/dispatch/ride.h"
#include "core/key.h"
#include "core/queue/queue_line.h"
#include "core/state.h"
#include "core/step.h"
#include "core/waitlist/list_offer.h"

static struct staged *staged_find(struct state *st, uint64_t event, uint64_t import, bool make)
{
    for (uint32_t i = 0; i < st->staged_count; i++)
        if (st->staged[i].event == event && st->staged[i].import == import)
            return &st->staged[i];
    if (!make)
        return NULL;
    st->staged = memory_grow(st->staged, st->staged_count + 1u, sizeof(*st->staged));
    struct staged *s = &st->staged[st->staged_count++];
    *s = (struct staged){.event = event, .import = import};
    buf_init(&s->rows, (size_t)1 << 40); /* no bound of its own: it was bounded when it was written */
    return s;
}

bool seats_staged_change_restore(struct state *st, const struct change *c)
{
    struct staged *s = staged_find(st, c->staged.event, c->staged.import, true);
    buf_append(&s->rows, c->staged.rows.at, bytes_left(&c->staged.rows));
    s->count += c->staged.count;
    return true;
}

bool seats_published_change_restore(struct state *st, const struct change *c)
{
    struct event *e = event_find_number(st, c->published.event);
    struct staged *s = staged_find(st, c->published.event, c->published.import, false);
    if (!e || e->image.removed)
        return false;
    uint32_t created, updated;
    struct layout_blocks blocks;
    struct bytes_reader rows = {0}; /* an import of no seats has no parts */
    if (s)
        rows = bytes_reader_make(s->rows.data, s->rows.size);
    struct layout *layout = layout_make(e->layout, rows, s ? s->count : 0, &created, &updated, &blocks);
    if (s) {
        buf_release(&s->rows);
        *s = st->staged[--st->staged_count]; /* their order says nothing */
    }
    if (!layout)
        return false;
    event_set_layout(st, e, layout);
    bool fits = event_blocks_claimed(e, &blocks, 0) == BITSET_NONE && event_blocks_fit(e, &blocks);
    if (fits)
        event_set_blocks(st, e, &blocks);
    layout_blocks_release(&blocks);
    e->seq = c->seq;
    return fits;
}

bool seats_copied_change_restore(struct state *st, const struct change *c)
{
    struct event *e = event_find_number(st, c->copied.event), *from = event_find_number(st, c->copied.from);
    if (!e || e->image.removed || !from || !from->layout || e->layout)
        return false;
    event_set_layout(st, e, layout_share(from->layout));
    if (c->copied.blocks)
        event_copy_blocks(e, from);
    e->seq = c->seq;
    return true;
}

bool seats_blocked_change_restore(struct state *st, const struct change *c)
{
    struct event *e = event_find_number(st, c->blocked.event);
    struct bytes_reader in = c->blocked.positions;
    if (!e || e->image.removed || !e->layout)
        return false;
    for (uint32_t i = 0; i < c->blocked.count; i++) {
        uint64_t position = bytes_get_varint(&in);
        if (in.bad || position >= e->layout->count || layout_is_gone(e->layout, (uint32_t)position))
            return false;
        event_set_blocked(st, e, (uint32_t)position, c->blocked.blocked);
    }
    e->seq = c->seq;
    return true;
}

bool seats_allotted_change_restore(struct state *st, const struct change *c)
{
    struct event *e = event_find_number(st, c->allotted.event);
    struct bytes_reader in = c->allotted.positions;
    struct text name = c->allotted.allotment;
    if (!e || e->image.removed || !e->layout || !allotment_name_sound(name))
        return false;
    for (uint32_t i = 0; i < c->allotted.count; i++) {
        uint64_t position = bytes_get_varint(&in);
        if (in.bad || position >= e->layout->count || layout_is_gone(e->layout, (uint32_t)position) ||
            !event_set_allotment(st, e, (uint32_t)position, name))
            return false;
    }
    e->seq = c->seq;
    return true;
}

bool seats_removed_change_restore(struct state *st, const struct change *c)
{
    struct event *e = event_find_number(st, c->removed.event);
    struct bytes_reader in = c->removed.positions;
    /* Each takes a byte at least, so that no damaged count asks for more memory than there are bytes. */
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
        struct layout *layout = layout_without(e->layout, positions, c->removed.count);
        event_remove_seats(st, e, layout, positions, c->removed.count);
        e->seq = c->seq;
    }
    free(positions);
    return fits;
}

bool expired_change_restore(struct state *st, const struct change *c)
{
    struct bytes_reader in = c->expired.ids;
    for (uint32_t i = 0; i < c->expired.count; i++) {
        uint32_t handle = reservation_find(st, expired_id_get(&in));
        if (in.bad || handle == TABLE_NONE)
            return false;
        if (reservation_at(st, handle)->status != RESERVATION_HELD)
            return false;
        expiry_restore(st, handle, c->seq);
    }
    return true;
}

bool event_change_restore(struct state *st, const struct change *c)
{
    const struct event *e = event_find_number(st, c->event.number), *same_id = event_find(st, c->event.id);
    if (e ? same_id != e : (same_id || c->event.number != c->seq || c->event.removed))
        return false;
    if ((e && c->event.removed && e->live_units) || !event_image_sound(&c->event))
        return false;
    event_restore(st, &c->event, c->seq);
    return true;
}

CHANGE_RESTORE(reservation, reservation_restore(st, &c->reservation.image, c->seq) != TABLE_NONE)

enum restore_result state_restore(struct state *st, const struct change *c)
{
    if (c->seq != st->seq + 1)
        return RESTORE_DAMAGED;
    /* Version 1 makes a reservation. A later one of which memory knows nothing was forgotten: confirmed, and
     * in the book. */
    if (c->kind == CHANGE_RESERVATION && c->reservation.image.version > 1 &&
        reservation_find(st, c->reservation.image.id) == TABLE_NONE)
        return RESTORE_FETCH;
    if (c->kind == CHANGE_PAYMENT && !c->fetched && payment_forgotten(st, c))
        return RESTORE_FETCH;
    st->touch_count = st->span_count = st->moved_count = st->ride_count = 0;
    st->seq = c->seq;
    if (c->at_ms > st->now_ms)
        st->now_ms = c->at_ms;
    bool fits = change_known(c->kind) && change_rows[c->kind].restore(st, c);
    if (fits && st->hooks.wanted)
        hooks_note(st, c);
    ASSERT(st->seq == c->seq && st->lists.note_count == 0); /* recovery emits nothing */
    return fits ? RESTORE_OK : RESTORE_DAMAGED;
}

/* Where its first item is, if that is a seat: most reservations have few. */
static const struct event *seat_prefetch(const struct state *st, const struct item_image *item)
{
    const struct event *e = item->kind == ITEM_SEAT ? event_find_number(st, item->resource) : NULL;
    if (e && e->layout && item->part < e->layout->count)
        memory_prefetch(seat_at(e, item->part));
    return e;
}

void state_restore_prefetch(const struct state *st, const struct change *changes, uint32_t count)
{
    uint64_t users[RESTORE_AHEAD];
    uint32_t events[RESTORE_AHEAD];
    ASSERT(count <= RESTORE_AHEAD);
    for (uint32_t i = 0; i < count; i++) {
        const struct reservation_image *image = &changes[i].reservation.image;
        if (changes[i].kind != CHANGE_RESERVATION)
            continue;
        reservation_prefetch(st, image->id);
        users[i] = user_prefetch(st, image->user_id);
        const struct event *e = seat_prefetch(st, &image->items[0]);
        events[i] = e ? e->index : 0;
    }
    for (uint32_t i = 0; i < count; i++)
        if (changes[i].kind == CHANGE_RESERVATION)
            user_prefetch_record(st, users[i]);
    for (uint32_t i = 0; i < count; i++)
        if (changes[i].kind == CHANGE_RESERVATION)
            user_prefetch_lists(st, users[i], events[i]);
}

bool state_restore_end(struct state *st)
{
    for (uint32_t i = 0; i < st->staged_count; i++)
        buf_release(&st->staged[i].rows);
    free(st->staged);
    st->staged = NULL;
    st->staged_count = 0;
    st->touch_count = st->span_count = 0;
    return list_offers_held(st) && rides_whole(st);
}

/* ---- From the book ---- */

bool state_load_record(struct state *st, const struct change *c)
{
    ASSERT(st->seq == 0 && c->seq == 0); /* before all that the journal has */
    return change_known(c->kind) && change_rows[c->kind].restore(st, c);
}

void state_load_begin(struct state *st, uint64_t held)
{
    ASSERT(st->seq == 0); /* the book comes before the journal */
    table_reserve(&st->reservations_by_id, held);
    table_reserve(&st->users_by_id, held);
    table_reserve(&st->user_counts_by_pair, held);
}

bool state_load_event(struct state *st, const struct event_image *image)
{
    ASSERT(!image->removed && st->seq == 0);
    return event_image_sound(image) && event_restore(st, image, 0);
}

bool state_load_pool(struct state *st, const struct pool_image *image, uint32_t sold)
{
    struct pool *p = pool_restore(st, image, 0);
    if (!p || sold > p->image.capacity)
        return false;
    ASSERT(p->held == 0); /* reservations come later */
    p->sold = sold;
    event_find_number(st, image->event)->live_units += sold;
    return true;
}

bool state_load_seats(struct state *st, uint64_t event, struct layout *layout, const uint64_t *versions,
                      const struct layout_blocks *blocks)
{
    struct event *e = event_find_number(st, event);
    ASSERT(st->seq == 0);
    if (!e || e->layout || e->image.removed || !event_blocks_fit(e, blocks)) {
        layout_release(layout);
        return false;
    }
    event_set_layout(st, e, layout);
    for (uint32_t i = 0; i < e->counts.seats + layout->gone_count; i++)
        seat_at(e, i)->version = versions[i];
    event_set_blocks(st, e, blocks);
    st->touch_count = 0;
    return true;
}

bool state_load_staged(struct state *st, uint64_t event, uint64_t import, uint32_t columns,
                       const struct seat_image *seat)
{
    ASSERT(st->seq == 0);
    struct staged *s = staged_find(st, event, import, true);
    seat_row_put(&s->rows, columns, seat);
    s->count++;
    return true;
}

bool state_load_reservation(struct state *st, const struct reservation_image *image)
{
    ASSERT(st->seq == 0);
    st->touch_count = st->span_count = 0;
    return image->status == RESERVATION_HELD && reservation_restore(st, image, image->fence) != TABLE_NONE;
}

bool state_load_calendar(struct state *st, const struct calendar_image *image, int64_t past_ms)
{
    ASSERT(st->seq == 0);
    if (calendar_find_number(st, image->number))
        return false;
    if (past_ms > st->now_ms)
        st->now_ms = past_ms;
    struct calendar *c = calendar_restore(st, image, NULL, 0);
    if (c)
        calendar_forget_past(c, past_ms); /* there are no points: only the mark is set */
    return c != NULL;
}

bool state_load_count(struct state *st, uint64_t event, struct text user, uint32_t confirmed_units)
{
    struct event *e = event_find_number(st, event);
    if (!e || confirmed_units == 0)
        return false;
    uint32_t handle = user_take(st, user); /* only for as long as it takes: the count keeps the user */
    user_count_add(st, handle, e->index, confirmed_units);
    user_give(st, handle);
    return true;
}

void state_load_end(struct state *st, uint64_t seq)
{
    ASSERT(st->seq == 0);
    st->seq = seq;
    for (uint32_t i = 0; i < st->event_count; i++) {
        const struct queue *q = st->events[i]->queue;
        ASSERT(!q || q->image.drawn <= queue_joined(q)); /* the book has looked */
        st->events[i]->seq = seq;
    }
    calendars_detach(st);
    for (uint32_t i = 0; i < st->calendar_count; i++)
        st->calendars[i]->seq = seq;
    for (uint32_t i = 0; i < st->group_count; i++)
        st->groups[i]->seq = seq;
    drivers_join_all(st);
}

/* ---- Records that were forgotten ---- */

void state_remember_idempotency(struct state *st, const struct idempotency_image *image)
{
    idempotency_add(&st->idempotency, image, 0);
    /* The book may have more than memory is to have; it comes oldest first. */
    idempotency_forget(&st->idempotency, 0, image->at_ms, 2);
}

/* The counts, the pool's sold units and the slots stayed when it was forgotten; only the seats point to its
 * stub. */
bool state_remember(struct state *st, const struct reservation_image *image)
{
    struct reservation_image now = *image;
    erasure_translate(st, &now, st->step->view); /* no answer is being made */
    return reservation_find(st, image->id) != TABLE_NONE || reservation_put_back(st, &now);
}
