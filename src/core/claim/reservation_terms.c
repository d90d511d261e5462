/* SPDX-License-Identifier: Apache-2.0 */
/* reservation_terms.c — part of reservation.h: the terms of a hold. How it begins, how far it can be extended, and
 * whether payment is required. */
#include "base/assertion.h"
#include "core/calendar/calendar.h"
#include "core/catalogue/event.h"
#include "core/claim/kind.h"
#include "core/claim/reservation.h"

struct terms reservation_terms(const struct reservation *r)
{
    struct terms terms = {.hold_ttl_s = r->hold_ttl_s,
                          .max_hold_s = UINT32_MAX, /* stored as deadlines: see reservation_cap */
                          .staff_hold_s = UINT32_MAX,
                          .payment_ttl_s = r->payment_ttl_s,
                          .payment = r->payment_required ? PAYMENT_REQUIRED : PAYMENT_NONE};
    memcpy(terms.currency, r->currency, sizeof(r->currency));
    return terms;
}

struct kept_terms reservation_kept_terms(const struct state *st, const struct reservation *r,
                                         const struct item *item)
{
    const struct event *e = item_event(st, item);
    ASSERT(r->number >= 1);
    return e ? event_terms_of(e, r->number) : calendar_terms_of(st->calendars[item->resource], r->number);
}

void reservation_set_terms(struct reservation *r, const struct terms *terms)
{
    r->hold_ttl_s = terms->hold_ttl_s;
    r->payment_ttl_s = terms->payment_ttl_s;
    r->payment_required = terms->payment == PAYMENT_REQUIRED;
    memcpy(r->currency, terms->currency, sizeof(r->currency));
}

int64_t reservation_cap(const struct reservation *r, enum role role)
{
    const struct reservation_extra *x = r->extra;
    int64_t own = !x ? 0 : role == ROLE_USER ? x->user_max_at_ms : x->staff_max_at_ms;
    return own ? own : r->max_expires_at_ms;
}

static void caps_set(struct reservation *r, int64_t max_ms, int64_t user_ms, int64_t staff_ms)
{
    ASSERT(user_ms <= max_ms && max_ms <= staff_ms);
    r->max_expires_at_ms = max_ms;
    /* Usually all three are the same, and the maximum is enough. */
    bool alike = user_ms == max_ms && staff_ms == max_ms;
    if (alike && !r->extra)
        return;
    struct reservation_extra *x = reservation_extra(r);
    x->user_max_at_ms = alike ? 0 : user_ms;
    x->staff_max_at_ms = alike ? 0 : staff_ms;
}

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

void reservation_shorten(struct state *st, uint32_t handle, const struct terms *more)
{
    struct reservation *r = reservation_at(st, handle);
    int64_t user_ms = earlier(reservation_cap(r, ROLE_USER), st->now_ms + more->max_hold_s * 1000LL);
    int64_t staff_ms = earlier(reservation_cap(r, ROLE_APP), st->now_ms + terms_staff_hold_s(more) * 1000LL);
    int64_t max_ms = earlier(r->max_expires_at_ms, st->now_ms + more->max_hold_s * 1000LL);
    caps_set(r, max_ms, user_ms, staff_ms);
    int64_t deadline = earlier(r->expires_at_ms, st->now_ms + more->hold_ttl_s * 1000LL);
    ASSERT(deadline > st->now_ms && deadline <= max_ms); /* no TTL exceeds its own maximum */
    reservation_set_deadline(st, handle, deadline);
}

void reservation_payment_split(struct reservation *r)
{
    ASSERT(r->status == RESERVATION_HELD);
    for (uint32_t i = 0; !r->payment_required && i < r->item_count; i++)
        reservation_items(r)[i].flags |= ITEM_UNPAID;
}

void reservation_payment_join(struct reservation *r)
{
    ASSERT(r->item_count >= 1); /* without items nothing would require payment */
    r->payment_required = false;
    for (uint32_t i = 0; i < r->item_count; i++)
        r->payment_required = r->payment_required || !(reservation_items(r)[i].flags & ITEM_UNPAID);
    for (uint32_t i = 0; !r->payment_required && i < r->item_count; i++)
        reservation_items(r)[i].flags &= (uint8_t)~ITEM_UNPAID;
}

int64_t reservation_total(struct reservation *r, const struct item *but)
{
    int64_t total = 0;
    for (uint32_t i = 0; i < r->item_count; i++) {
        const struct item *item = &reservation_items(r)[i];
        ASSERT(item->price >= 0); /* prices are never negative */
        if (item != but && __builtin_add_overflow(total, item->price, &total))
            return INT64_MAX;
    }
    return total;
}

bool reservation_record_payment(struct state *st, struct reservation *r, struct text method, struct text ref)
{
    if (st->actor.role == ROLE_USER)
        ref = (struct text){0};
    const struct reservation_extra *x = r->extra;
    bool none = !x || (!x->payment_method.at && !x->payment_ref.at);
    bool other = ref.at && (none || !x->payment_ref.at || !text_equal(ref, x->payment_ref));
    reservation_set_payment(r, method, ref);
    if (other || (none && method.at))
        reservation_extra(r)->payment_recorded_at_ms = st->now_ms;
    ASSERT(!other || text_equal(r->extra->payment_ref, ref));
    return other;
}

uint32_t reservation_begin(struct state *st, struct id id, struct text user, const struct terms *terms,
                           uint32_t ttl_s)
{
    uint32_t handle = reservation_add(st, id, user);
    struct reservation *r = reservation_at(st, handle);
    r->number = r->fence = state_next_seq(st);
    r->version = 1;
    r->created_at_ms = st->now_ms;
    uint32_t staff_s = terms_staff_hold_s(terms),
             most_s = ttl_s > terms->max_hold_s ? ttl_s : terms->max_hold_s;
    ASSERT(ttl_s >= 1 && ttl_s <= staff_s);
    caps_set(r, st->now_ms + most_s * 1000LL, st->now_ms + terms->max_hold_s * 1000LL,
             st->now_ms + staff_s * 1000LL);
    reservation_set_terms(r, terms);
    reservation_set_deadline(st, handle, st->now_ms + (int64_t)ttl_s * 1000);
    st->totals.held++;
    return handle;
}
