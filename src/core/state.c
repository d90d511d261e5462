/* SPDX-License-Identifier: Apache-2.0 */
#include "core/state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/calendar/booked.h"
#include "core/calendar/group.h"
#include "core/catalogue/event_seats.h"
#include "core/claim/reservation.h"
#include "core/claim/user.h"
#include "core/codec.h"
#include "core/dispatch/fleet.h"
#include "core/door/nonce.h"
#include "core/key.h"
#include "core/queue/queue_time.h"
#include "core/step.h"

/* clang-format off */
#define HASH_OF(what, hash, records, field) \
    static uint64_t hash_of_##what(void *owner, uint32_t index) \
    { \
        return hash(((struct state *)owner)->records[index]->image.field); \
    }
HASH_OF(event_id, event_id_hash, events, id)
HASH_OF(event_number, event_number_hash, events, number)
HASH_OF(calendar_id, calendar_id_hash, calendars, id)
HASH_OF(calendar_number, event_number_hash, calendars, number)
/* clang-format on */

struct state *state_make(void)
{
    struct state *st = memory_zeroed(1, sizeof(*st));
    reservations_init(st);
    users_init(st);
    booked_init(st);
    queues_init(st);
    groups_init(st);
    table_init(&st->events_by_id, hash_of_event_id, st);
    table_init(&st->events_by_number, hash_of_event_number, st);
    table_init(&st->calendars_by_id, hash_of_calendar_id, st);
    table_init(&st->calendars_by_number, hash_of_calendar_number, st);
    idempotency_init(&st->idempotency);
    tickets_init(st);
    nonces_init(st);
    waiting_lists_init(st);
    st->payments = payments_make();
    st->refunds = refunds_make();
    st->payment_events = payment_events_make();
    hooks_init(st);
    st->refusals = refusals_make();
    dispatch_init(st);
    buf_init(&st->scratch, EXPIRED_IDS_MAX * 16);
    buf_init(&st->before, ITEMS_MAX * (4 * ITEM_ATTRIBUTES_SIZE_MAX));
    st->step = memory_zeroed(1, sizeof(*st->step));
    return st;
}

void state_release(struct state *st)
{
    reservations_release(st);
    users_release(st);
    booked_release(st);
    waiting_lists_release(st);
    payments_release(st->payments);
    refunds_release(st->refunds);
    free(st->cancelling);
    payment_events_release(st->payment_events);
    provider_release(st);
    free(st->rows);
    free(st->rows_shown);
    hooks_release(st);
    refusals_release(st->refusals);
    erasures_release(st);
    dispatch_release(st);
    for (uint32_t i = 0; i < st->event_count; i++)
        event_release(st->events[i]);
    free(st->events);
    free(st->event_list);
    heap_release(&st->queues_due);
    table_release(&st->events_by_id);
    table_release(&st->events_by_number);
    for (uint32_t i = 0; i < st->calendar_count; i++)
        calendar_release(st->calendars[i]);
    free(st->calendars);
    free(st->calendar_list);
    table_release(&st->calendars_by_id);
    table_release(&st->calendars_by_number);
    groups_release(st);
    keys_release(st);
    idempotency_release(&st->idempotency);
    tickets_release(st);
    nonces_release(st);
    staged_release(st);
    detached_release(state_take_detached(st));
    free(st->forgettable);
    free(st->touches);
    free(st->sales.list);
    free(st->spans);
    free(st->moved);
    free(st->rides);
    buf_release(&st->scratch);
    buf_release(&st->before);
    free(st->step);
    free(st);
}

/* ---- What modules use ---- */

void state_set_now(struct state *st, int64_t now_ms)
{
    ASSERT(now_ms >= st->now_ms);
    st->now_ms = now_ms;
}

void state_forget_touches(struct state *st)
{
    st->touch_count = st->span_count = st->moved_count = st->ride_count = 0;
    st->touched_after = st->seq;
}

void state_begin(struct state *st, int64_t now_ms, struct actor actor, struct buf *changes)
{
    state_set_now(st, now_ms);
    st->actor = actor;
    st->changes = changes;
    st->change_count = st->sales.count = 0;
    state_forget_touches(st);
    st->step_number++;
    st->settle_left = 0; /* reads must not end holds; a step that may sets this */
    st->settle_short = st->count_short = st->judges_only = false;
    waiting_lists_begin(st);
}

uint64_t state_emit(struct state *st)
{
    ASSERT(st->changes && st->change.kind); /* a step is under way and has filled in its change */
    st->change.seq = ++st->seq;
    st->change.at_ms = st->now_ms;
    st->change.actor = st->actor;
    change_encode(st->changes, &st->change);
    st->change_count++;
    if (st->hooks.wanted)
        hooks_note(st, &st->change);
    return st->seq;
}

uint64_t state_commit(struct state *st)
{
    uint64_t seq = state_emit(st);
    bool fits = change_rows[st->change.kind].restore(st, &st->change);
    ASSERT(fits && st->seq == seq);
    memset(&st->change.made, 0, sizeof(st->change.made)); /* only for this change */
    return seq;
}

uint64_t state_emit_reservation(struct state *st, uint32_t handle, enum action action)
{
    struct reservation *r = reservation_at(st, handle);
    ASSERT(r->item_count >= 1 && r->fence <= state_next_seq(st));
    st->change.kind = CHANGE_RESERVATION;
    st->change.reservation.action = action;
    st->change.reservation.reason = st->reason;
    reservation_image_make(st, r, &st->change.reservation.image, st->change.items);
    st->change.reservation.before = bytes_reader_make(st->before.data, st->before.size);
    st->change.reservation.before_count = st->before_count;
    r->seq = state_emit(st);
    buf_clear(&st->before);
    st->before_count = 0;
    st->reason = (struct text){0};
    if (r->status != RESERVATION_HELD)
        state_forgettable(st, handle, 0);
    return r->seq;
}

struct detached *state_take_detached(struct state *st)
{
    struct detached *first = st->detached;
    st->detached = NULL;
    return first;
}

/* Whether this command has already touched it. */
static bool touched_before(struct state *st, const struct touch *t, uint32_t *place)
{
    /* The place can be from an earlier command: it counts only if it has this very part. */
    if (*place < st->touch_count) {
        const struct touch *last = &st->touches[*place];
        if (last->resource == t->resource && last->part == t->part && last->kind == t->kind)
            return true;
    }
    *place = st->touch_count;
    return false;
}

void state_touch(struct state *st, enum item_kind kind, uint32_t resource, uint32_t part, uint32_t *place)
{
    struct touch touch = {.resource = resource, .part = part, .kind = (uint8_t)kind};
    if (place && touched_before(st, &touch, place))
        return;
    st->touches = memory_room(st->touches, st->touch_count, &st->touch_capacity, 256, sizeof(*st->touches));
    st->touches[st->touch_count++] = touch;
}

void state_touch_span(struct state *st, uint32_t calendar, int64_t from_ms, int64_t to_ms)
{
    ASSERT(calendar < st->calendar_count && from_ms < to_ms);
    st->spans = memory_room(st->spans, st->span_count, &st->span_capacity, 16, sizeof(*st->spans));
    st->spans[st->span_count++] = (struct span_touch){calendar, from_ms, to_ms};
}

enum outcome_code state_invalid(struct outcome *out, const char *detail, const char *pointer, ...)
{
    va_list arguments;
    va_start(arguments, pointer);
    vsnprintf(out->pointer, sizeof(out->pointer), pointer, arguments);
    va_end(arguments);
    out->detail = detail;
    return OUTCOME_INVALID;
}

/* ---- Commands ---- */

/* An answer with an event or a pool shows the stock at the end of the step: stock that the command freed can be
 * offered to the waiting list by now. */
static void show_stock(const struct state *st, struct outcome *out)
{
    if (out->event.number)
        out->counts = event_counts_shown(event_find_number(st, out->event.number));
    if (out->pool.event) {
        const struct event *e = event_find_number(st, out->pool.event);
        out->pool.available = pool_shown(e, &e->pools[out->pool.position]);
    }
}

enum outcome_code state_apply(struct state *st, const struct command *c, int64_t now_ms, struct buf *changes,
                              struct outcome *out)
{
    ASSERT(!c->no_changes || command_is(c->kind, COMMAND_READ_ONLY));
    *out = (struct outcome){0};
    state_begin(st, now_ms, c->actor, changes);
    /* Bounded, so that no command makes others wait; the next try settles the rest. */
    st->settle_left = c->no_changes ? 0 : SETTLE_MAX;
    st->lists.no_offers = c->no_offers;
    step_begin(st->step, st, c);
    out->code = command_apply(st->step, out);
    ASSERT(st->step->plan_count == 0); /* everything planned was granted or dropped */
    /* A FETCH leaves nothing half done. */
    ASSERT(out->code != OUTCOME_FETCH || st->change_count == 0);
    /* A refusal while something is not yet settled or counted is not final: the store tries again. */
    if ((st->settle_short || st->count_short) && out->code != OUTCOME_OK)
        out->code = OUTCOME_RETRY;
    if (out->code != OUTCOME_OK)
        refusal_note(st->step, out);
    if (!c->no_changes && out->code != OUTCOME_FETCH)
        waiting_list_serve(st);
    if (out->code == OUTCOME_OK)
        show_stock(st, out);
    /* A refusal that settled something waits for that. */
    if (st->change_count || outcome_waits(out->code) == OUTCOME_WAITS_LATEST)
        state_saw(out, st->seq);
    ASSERT(out->seq <= st->seq); /* never wait for a change that was not written */
    ASSERT(out->code != OUTCOME_OK || !out->obstacle_count);
    return out->code;
}

int64_t state_next_deadline(const struct state *st)
{
    const struct heap_entry *first = heap_first(&st->deadlines);
    return first ? first->at_ms : INT64_MAX;
}

/* ---- Forgetting records that the book has ---- */

void state_forgettable(struct state *st, uint32_t handle, int64_t from_ms)
{
    ASSERT(reservation_at(st, handle)->status != RESERVATION_HELD); /* holds stay in memory */
    st->forgettable = memory_room_ring(st->forgettable, st->forgettable_end - st->forgettable_first,
                                       &st->forgettable_capacity, 64, sizeof(*st->forgettable));
    st->forgettable[st->forgettable_end++ & (st->forgettable_capacity - 1)] = (struct forgettable){
        .seq = reservation_at(st, handle)->seq, .from_ms = from_ms, .reservation = handle};
}

uint32_t state_forget(struct state *st, uint64_t book_seq, uint32_t most)
{
    uint32_t done = 0;
    ASSERT(book_seq <= st->seq);
    for (; done < most && st->forgettable_first < st->forgettable_end; done++) {
        struct forgettable f = st->forgettable[st->forgettable_first & (st->forgettable_capacity - 1)];
        if (f.seq > book_seq || f.from_ms > st->now_ms)
            break;
        st->forgettable_first++;
        struct reservation *r = reservation_at(st, f.reservation);
        /* Otherwise it has changed since, and has a later entry, or its handle was reused. */
        if (r->seq == f.seq && r->status && r->status != RESERVATION_HELD)
            reservation_forget(st, f.reservation);
    }
    uint32_t keys = idempotency_forget(&st->idempotency, book_seq, st->now_ms, most);
    uint32_t payments = payments_forget(st, book_seq, most), tickets = tickets_forget(st, book_seq, most);
    uint32_t events = payment_events_forget(st, book_seq, most), messages = hooks_forget(st, most);
    uint32_t rides = fleet_forget(st, book_seq, most);
    done = rides > done ? rides : done;
    done = events > done ? events : done;
    done = messages > done ? messages : done;
    done = keys > done ? keys : done;
    done = payments > done ? payments : done;
    return tickets > done ? tickets : done;
}
