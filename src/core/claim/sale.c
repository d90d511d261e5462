/* SPDX-License-Identifier: Apache-2.0 */
#include "core/claim/sale.h"

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/catalogue/event.h"
#include "core/state.h"

void sale_note(struct state *st, const struct sale *sale)
{
    struct sales *s = &st->sales;
    ASSERT(s->wanted && !st->follows);
    ASSERT(!sale->fence != !sale->prev); /* what is sold was free, and the other way round */
    s->list = memory_room(s->list, s->count, &s->capacity, 16, sizeof(*s->list));
    s->list[s->count++] = *sale;
}

/* The first sold seat of the event at this position or after it. */
static bool next_in(const struct state *st, const struct event *e, uint32_t from, struct sale *out)
{
    while (e->layout && (from = bitset_next(&e->claimed, from, UINT32_MAX)) != BITSET_NONE) {
        if (seat_status(st, e, from) == UNIT_SOLD) {
            *out = (struct sale){.event = e->image.number, .seat = from, .fence = seat_at(e, from)->version};
            return true;
        }
        from++;
    }
    return false;
}

bool sale_next(const struct state *st, struct sale *at, bool more)
{
    const struct event *e = more ? event_find_number(st, at->event) : event_after(st, 0);
    ASSERT(e || !more);
    uint32_t from = more ? at->seat + 1 : 0;
    for (; e; e = event_after(st, e->image.number), from = 0)
        if (next_in(st, e, from, at))
            return true;
    return false;
}
