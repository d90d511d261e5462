/* SPDX-License-Identifier: Apache-2.0 */
/* claims.c — the claims of seats, one by one or all in order; reports touched seats to a listener. */
#include "base/assertion.h"
#include "core/catalogue/event.h"
#include "core/catalogue/layout.h"
#include "core/catalogue/seat.h"
#include "core/claim/reservation.h"
#include "core/claim/user.h"
#include "view/answers.h"

#define WINDOW 65536u /* seats that one step of a walk looks at */

void view_on_seats(struct view *v, view_seat_fn fn, void *ctx)
{
    v->on_seat = fn;
    v->on_seat_ctx = ctx;
}

void claims_touched(struct view *v)
{
    const struct state *st = v->state;
    for (uint32_t i = 0; v->on_seat && i < st->touch_count; i++) {
        const struct touch *touch = &st->touches[i];
        if (touch->kind == ITEM_SEAT)
            v->on_seat(v->on_seat_ctx, st->events[touch->resource]->image.number, touch->part, st->seq);
    }
}

static void claim_view_make(const struct state *st, const struct event *e, uint32_t position,
                            struct claim_view *out)
{
    const struct seat *seat = seat_at(e, position);
    ASSERT(seat->claim != CLAIM_PLANNED); /* between two steps */
    *out = (struct claim_view){.event_number = e->image.number,
                               .position = position,
                               .event_id = e->image.id,
                               .seat_id = layout_id(e->layout, position),
                               .live = seat->claim != CLAIM_NONE,
                               .version = seat->version};
    if (out->live && !(seat->claim & CLAIM_STUB))
        out->user = user_id(st, reservation_at(st, seat->claim - 1)->user);
}

bool view_claim_find(struct view *v, uint64_t event_number, uint32_t position, struct claim_view *out)
{
    const struct event *e = event_find_number(v->state, event_number);
    bool found = e && !e->image.removed && e->layout && position < e->layout->count;
    if (found)
        claim_view_make(v->state, e, position, out);
    return found;
}

/* The event of the walk: the one it is in, or the next one. */
static const struct event *event_of(struct view *v, struct claim_walk *walk)
{
    const struct event *e = walk->event_number ? event_find_number(v->state, walk->event_number) : NULL;
    if (e && !e->image.removed && walk->position)
        return e;
    e = event_after(v->state, walk->event_number);
    walk->done = !e;
    walk->event_number = e ? e->image.number : 0;
    walk->position = 0;
    return e;
}

bool view_claim_next(struct view *v, struct claim_walk *walk, struct claim_view *out)
{
    const struct event *e = event_of(v, walk);
    if (!e)
        return false;
    uint32_t from = walk->position, count = e->layout ? e->layout->count : 0;
    uint32_t below = count - from > WINDOW ? from + WINDOW : count;
    uint32_t at = from < below ? bitset_next(&e->claimed, from, below) : BITSET_NONE;
    if (at != BITSET_NONE) {
        walk->position = at + 1;
        claim_view_make(v->state, e, at, out);
    } else {
        walk->position = below < count ? below : 0; /* 0: the next event */
    }
    return at != BITSET_NONE;
}

void view_claims_count(struct view *v, uint64_t *event_number, uint32_t most,
                       void (*fn)(void *ctx, struct text event, uint64_t claims), void *ctx)
{
    const struct event *e = event_after(v->state, *event_number);
    for (; e && most; e = event_after(v->state, *event_number), most--) {
        fn(ctx, e->image.id, e->counts.held + e->counts.sold);
        *event_number = e->image.number;
    }
    if (!e)
        *event_number = 0;
}
