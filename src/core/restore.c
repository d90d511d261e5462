/* SPDX-License-Identifier: Apache-2.0 */
/* restore.c — core's state from the book, and from the later changes in the journal. Rules are not checked again, but
 * the data is: a change that does not fit is damage, and refused.
 */
#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/calendar/calendar_removal.h"
#include "core/calendar/group.h"
#include "core/catalogue/event_seats.h"
#include "core/claim/reservation.h"
#include "core/claim/user.h"
#include "core/codec.h"
#include "core/dispatch/registration.h"
#include "core/dispatch/ride.h"
#include "core/queue/queue_line.h"
#include "core/state.h"
#include "core/step.h"
#include "core/waitlist/list_offer.h"

/* ---- Changes ---- */

/* Whether only the book has the record that it changes. */
static bool lacks(struct state *st, const struct change *c)
{
    /* Version 1 creates a reservation. A later version of a reservation that is not in memory: it was confirmed and
     * forgotten, and the book has it. */
    if (c->kind == CHANGE_RESERVATION)
        return c->reservation.image.version > 1 &&
               reservation_find(st, c->reservation.image.id) == TABLE_NONE;
    return c->kind == CHANGE_PAYMENT && !c->fetched && payment_forgotten(st, c);
}

static enum restore_result restore_apply(struct state *st, const struct change *c)
{
    st->seq = c->seq;
    if (c->at_ms > st->now_ms)
        st->now_ms = c->at_ms;
    bool fits = change_known(c->kind) && change_rows[c->kind].restore(st, c);
    if (fits && st->hooks.wanted)
        hooks_note(st, c);
    ASSERT(st->seq == c->seq && st->lists.note_count == 0); /* recovery emits nothing */
    return fits ? RESTORE_OK : RESTORE_DAMAGED;
}

enum restore_result state_restore(struct state *st, const struct change *c)
{
    if (c->seq != st->seq + 1)
        return RESTORE_DAMAGED;
    if (lacks(st, c))
        return RESTORE_FETCH;
    state_forget_touches(st);
    return restore_apply(st, c);
}

/* ---- Following ---- */

void state_follow_begin(struct state *st)
{
    state_forget_touches(st);
    waiting_lists_begin(st);
    st->sales.wanted = false;
    st->follows = true;
}

bool state_follow_lacks(struct state *st, const struct change *c)
{
    return lacks(st, c);
}

enum restore_result state_follow(struct state *st, const struct change *c)
{
    ASSERT(st->follows);
    /* What the book has was read before the batch began. */
    return c->seq == st->seq + 1 && !lacks(st, c) ? restore_apply(st, c) : RESTORE_DAMAGED;
}

void state_follow_end(struct state *st)
{
    ASSERT(st->follows);
    waiting_lists_followed(st);
}

bool state_take_over(struct state *st)
{
    bool whole = state_restore_end(st);
    ASSERT(st->follows);
    state_imports_over(st);
    st->follows = false;
    waiting_lists_take_over(st);
    return whole;
}

/* ---- Prefetching ---- */

/* The first item, if it is a seat: most reservations have few items. */
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
    state_forget_touches(st);
    return list_offers_held(st) && rides_whole(st);
}

void state_imports_over(struct state *st)
{
    staged_release(st);
}

/* ---- From the book ---- */

bool state_load_record(struct state *st, const struct change *c)
{
    ASSERT(st->seq == 0 && c->seq == 0); /* the book comes before the journal */
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
    state_forget_touches(st);
    return true;
}

void state_load_touched(struct state *st, uint64_t number, uint64_t seq)
{
    ASSERT(st->seq == 0);
    struct event *e = event_find_number(st, number);
    struct calendar *c = e ? NULL : calendar_find_number(st, number);
    struct group *g = e || c ? NULL : group_find_number(st, number);
    uint64_t *last = e ? &e->seq : c ? &c->seq : g ? &g->seq : NULL;
    if (last)
        *last = seq;
}

bool state_load_reservation(struct state *st, const struct reservation_image *image)
{
    ASSERT(st->seq == 0);
    state_forget_touches(st);
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
        calendar_forget_past(c, past_ms); /* there are no points yet: this only sets the mark */
    return c != NULL;
}

bool state_load_count(struct state *st, uint64_t event, struct text user, uint32_t confirmed_units)
{
    struct event *e = event_find_number(st, event);
    if (!e || confirmed_units == 0)
        return false;
    uint32_t handle = user_take(st, user); /* a short reference: the count then keeps the user */
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
        ASSERT(!q || q->image.drawn <= queue_joined(q)); /* the book has checked it */
    }
    calendars_detach(st);
    drivers_link_all(st);
}

/* ---- Forgotten records ---- */

void state_remember_idempotency(struct state *st, const struct idempotency_image *image)
{
    idempotency_add(&st->idempotency, image, 0);
    /* The book can have more keys than memory should keep; they come oldest first. */
    idempotency_forget(&st->idempotency, 0, image->at_ms, 2);
}

/* Counts, sold units of pools, and slots were kept when it was forgotten; only its seats point to a stub. */
bool state_remember(struct state *st, const struct reservation_image *image)
{
    struct reservation_image now = *image;
    erasure_translate(st, &now, st->step->view); /* `view` is free: no answer is being made */
    return reservation_find(st, image->id) != TABLE_NONE || reservation_put_back(st, &now);
}
