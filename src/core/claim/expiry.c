/* SPDX-License-Identifier: Apache-2.0 */
#include "core/claim/expiry.h"

#include "base/assertion.h"
#include "core/calendar/calendar.h"
#include "core/catalogue/event.h"
#include "core/claim/gate.h"
#include "core/claim/reservation.h"
#include "core/claim/user.h"
#include "core/codec.h"

void expiry_restore(struct state *st, uint32_t handle, uint64_t seq)
{
    struct reservation *r = reservation_at(st, handle);
    reservation_end_claims(st, handle, seq);
    reservation_set_status(st, handle, RESERVATION_EXPIRED);
    reservation_extra(r)->ended_at_ms = r->expires_at_ms; /* even if it is recorded later */
    r->version++;
    r->seq = seq;
    ASSERT(r->place == HEAP_NONE && !r->next && !r->previous); /* cannot lapse again */
    state_forgettable(st, handle, 0);
}

static void emit_expired(struct state *st, uint32_t count)
{
    ASSERT(count >= 1 && count <= EXPIRED_IDS_MAX && st->scratch.size == 16 * (size_t)count);
    struct actor caller = st->actor; /* the server does this, not the caller */
    st->actor = (struct actor){.role = ROLE_SERVER};
    st->change.kind = CHANGE_EXPIRED;
    st->change.expired.count = count;
    st->change.expired.ids = bytes_reader_make(st->scratch.data, st->scratch.size);
    state_emit(st);
    st->actor = caller;
}

/* Ends the reservation in memory, and adds it to the ids for emit_expired. */
static void expire(struct state *st, uint32_t handle)
{
    struct reservation *r = reservation_at(st, handle);
    ASSERT(reservation_lapsed(r, st->now_ms));
    bytes_put_u64(&st->scratch, r->id.high);
    bytes_put_u64(&st->scratch, r->id.low);
    /* With the seq of the change that emit_expired will make: its claims end with that change. */
    expiry_restore(st, handle, state_next_seq(st));
    waiting_list_ended(st, handle);
    st->totals.expired++;
}

bool settle_reservation(struct state *st, uint32_t handle)
{
    int64_t now_ms = st->judges_only ? st->now_ms + GATE_LEFT_MS : st->now_ms;
    if (!reservation_lapsed(reservation_at(st, handle), now_ms))
        return false;
    /* Lapsed, but not settled in this step: a command refused because of it gets RETRY instead. */
    if (st->settle_left == 0) {
        st->settle_short = true;
        return false;
    }
    st->settle_left--;
    buf_clear(&st->scratch);
    expire(st, handle);
    emit_expired(st, 1);
    return true;
}

void settle_seat(struct state *st, struct event *e, uint32_t position)
{
    uint32_t claim = seat_at(e, position)->claim;
    /* A planned seat belongs to this command, and a stub means sold: neither lapses. */
    if (claim != CLAIM_NONE && claim != CLAIM_PLANNED && !(claim & CLAIM_STUB))
        settle_reservation(st, claim - 1);
}

bool settle_first(struct state *st, const struct heap *lapses)
{
    const struct heap_entry *first = heap_first(lapses);
    return first && first->at_ms <= st->now_ms && settle_reservation(st, (uint32_t)(first->handle >> 8));
}

void settle_pool(struct state *st, struct pool *p, uint32_t wanted)
{
    /* In order of deadlines, regardless of size: finding the best fit would need a search. */
    while (pool_available(p) < wanted && settle_first(st, &p->lapses))
        ;
}

void settle_calendar(struct state *st, struct calendar *c)
{
    while (settle_first(st, &c->lapses))
        ;
}

void settle_user(struct state *st, uint32_t user)
{
    uint32_t next = ((struct user *)slab_at(&st->users, user))->first;
    while (next && !st->settle_short) {
        uint32_t handle = next - 1;
        /* Read first: settling removes it from the list. */
        next = reservation_at(st, handle)->next;
        settle_reservation(st, handle);
    }
}

/* Waiting lists are served before more stock is freed than one step can offer. */
static bool more_to_expire(const struct state *st)
{
    return state_next_deadline(st) <= st->now_ms && st->lists.freed < OFFERS_MAX;
}

/* Expires up to `most`, in order of deadlines. */
static uint32_t expire_some(struct state *st, uint32_t most)
{
    uint32_t done = 0;
    /* Many that lapse together are one change: the holds of a busy minute end by the thousands. */
    while (done < most && more_to_expire(st)) {
        uint32_t count = 0;
        buf_clear(&st->scratch);
        for (; done + count < most && count < EXPIRED_IDS_MAX && more_to_expire(st); count++)
            expire(st, (uint32_t)heap_first(&st->deadlines)->handle);
        emit_expired(st, count);
        done += count;
    }
    return done;
}

void settle_lapsed(struct state *st)
{
    uint32_t done = expire_some(st, st->settle_left);
    st->settle_left -= done;
}

uint32_t state_expire(struct state *st, int64_t now_ms, uint32_t most, struct buf *changes)
{
    state_begin(st, now_ms, (struct actor){.role = ROLE_SERVER}, changes);
    uint32_t done = expire_some(st, most);
    ASSERT(done == most || state_next_deadline(st) > now_ms || st->lists.freed >= OFFERS_MAX);
    waiting_list_serve(st);
    return done;
}

/* ---- The change ---- */

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
