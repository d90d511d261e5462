/* SPDX-License-Identifier: Apache-2.0 */
#include "core/state_check_parts.h"

#include <stdio.h>

#include "core/catalogue/event.h"
#include "core/claim/kind.h"
#include "core/claim/reservation.h"
#include "core/money/event_cancel.h"

static void check_event(struct check *c, uint32_t index)
{
    struct state *st = c->st;
    struct event *e = st->events[index];
    const struct event_sum *sum = &c->events[index];
    c->subject[0] = '\0';
    if (e->gone) {
        check_expect(c,
                     e->index == index && e->image.removed && !sum->items && !e->layout && !e->seats &&
                         !e->pools && event_find_number(st, e->image.number) != e,
                     "Event index %u is free but still in use.", index);
        return;
    }
    const struct event *same_id = event_find(st, e->image.id);
    uint64_t units = 0;
    snprintf(c->subject, sizeof(c->subject), "Event %.*s ", TEXT_ARGS(e->image.id));
    for (enum item_kind kind = ITEM_KIND_FIRST; kind <= ITEM_KIND_LAST; kind++)
        units += claim_kind(kind)->check_event ? claim_kind(kind)->check_event(c, e) : 0;
    check_codes(c, e);
    check_expect(c, e->index == index && event_find_number(st, e->image.number) == e,
                 "cannot be found by number.");
    check_expect(c, e->image.removed ? same_id != e : same_id == e,
                 "is removed but found by its id, or the reverse.");
    check_expect(c, e->image.number >= 1 && e->image.number <= st->seq && e->seq <= st->seq,
                 "has a number or seq that was never issued.");
    check_expect(c, units == e->live_units, "has %llu live units, not %llu.", (unsigned long long)units,
                 (unsigned long long)e->live_units);
    check_expect(c, units == sum->counted, "has %llu units, its users %llu.", (unsigned long long)units,
                 (unsigned long long)sum->counted);
    check_expect(c, e->items == sum->items, "has %llu items in memory, not %llu.",
                 (unsigned long long)sum->items, (unsigned long long)e->items);
    check_expect(c, !e->image.removed || e->items, "is removed and empty but keeps its index.");
    check_event_cancel(c, e);
    check_expect(c, !e->image.removed || units == 0, "was removed with live claims.");
}

static void check_stubs(struct check *c)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->st->stubs.used; i++) {
        const struct stub *s = slab_at(&c->st->stubs, i);
        check_expect(c, s->seats == c->stub_seats[i], "A stub counts %u seats, %u point to it.", s->seats,
                     c->stub_seats[i]);
        count += s->seats > 0;
        check_expect(c, !s->seats || reservation_find(c->st, s->reservation) == TABLE_NONE,
                     "%s has a stub although it is in memory.",
                     s->seats ? check_id_text(c, s->reservation) : "");
    }
    check_expect(c, count == c->st->stubs.count, "Some stubs have no seats.");
}

/* The list must have the existing events, ordered by number; the chain must have each free index once. */
static void check_indexes(struct check *c)
{
    struct state *st = c->st;
    uint32_t listed = 0, gone = 0, chained = 0;
    for (const struct event *e = event_after(st, 0); e; e = event_after(st, e->image.number), listed++)
        check_expect(c, !e->image.removed, "Event %.*s is removed but listed.", TEXT_ARGS(e->image.id));
    for (uint32_t i = 0; i < st->event_count; i++) {
        listed -= !st->events[i]->image.removed;
        gone += st->events[i]->gone;
    }
    /* Stops at the expected length: a chain with a cycle must not hang the check. */
    for (uint32_t at = st->event_free; at && chained <= gone; at = st->events[at - 1]->next_free)
        chained++;
    check_expect(c, listed == 0, "The list of events does not match the events that exist.");
    check_expect(c, chained == gone, "Some free event indexes cannot be reached.");
}

void check_events(struct check *c)
{
    for (uint32_t i = 0; i < c->st->event_count; i++)
        check_event(c, i);
    c->subject[0] = '\0';
    check_indexes(c);
    check_stubs(c);
}
