/* SPDX-License-Identifier: Apache-2.0 */
#include "core/calendar/group.h"
#include "core/state_check_parts.h"

#include <stdlib.h>

static int compare_edges(const void *a, const void *b)
{
    const struct slot_edge *x = a, *y = b;
    if (x->calendar != y->calendar)
        return x->calendar < y->calendar ? -1 : 1;
    return x->at_ms < y->at_ms ? -1 : x->at_ms > y->at_ms;
}

/* All held claims are in memory and must match the timeline; some sold ones can be forgotten. Walks both together,
 * instant by instant, from the start of the timeline. Returns the first edge of the next calendar. */
static uint64_t check_timeline(struct check *c, const struct calendar *cal, uint64_t edge)
{
    const struct timeline *t = &cal->timeline;
    struct timeline_point counted = {.at_ms = t->folded_ms, .count = t->base, .sold = t->base_sold},
                          next = {0};
    int64_t held = 0, sold = 0, at_ms = t->folded_ms;
    bool agree = true, more, edges;
    do {
        for (; edge < c->edge_count && c->edges[edge].calendar == cal->index && c->edges[edge].at_ms <= at_ms;
             edge++) {
            held += c->edges[edge].held;
            sold += c->edges[edge].sold;
        }
        agree = agree && held == counted.count - counted.sold && sold <= counted.sold;
        more = timeline_next(t, at_ms, &next);
        edges = edge < c->edge_count && c->edges[edge].calendar == cal->index;
        if (more && (!edges || next.at_ms <= c->edges[edge].at_ms))
            counted = next;
        at_ms = edges && (!more || c->edges[edge].at_ms < next.at_ms) ? c->edges[edge].at_ms : next.at_ms;
    } while (more || edges);
    check_expect(c, agree, "The claims on %.*s do not match its reservations.", TEXT_ARGS(cal->image.id));
    return edge;
}

static uint64_t check_calendar(struct check *c, uint32_t index, uint64_t edge)
{
    struct state *st = c->st;
    const struct calendar *cal = st->calendars[index];
    struct text id = cal->image.id;
    check_expect(c, cal->items == c->calendar_items[index],
                 "Calendar %.*s has %llu items in memory, not %llu.", TEXT_ARGS(id),
                 (unsigned long long)c->calendar_items[index], (unsigned long long)cal->items);
    if (cal->gone) {
        check_expect(c, cal->image.removed && calendar_find_number(st, cal->image.number) != cal,
                     "Calendar index %u is free but still in use.", index);
        return edge;
    }
    check_expect(c,
                 cal->index == index && (calendar_find(st, id) == cal) == !cal->image.removed &&
                     calendar_find_number(st, cal->image.number) == cal,
                 "Calendar %.*s cannot be found, or is found although it was removed.", TEXT_ARGS(id));
    check_expect(c, !cal->image.removed || cal->items,
                 "Calendar %.*s is removed and empty but keeps its index.", TEXT_ARGS(id));
    check_expect(c, !cal->image.removed || timeline_most(&cal->timeline, st->now_ms, INT64_MAX) == 0,
                 "Calendar %.*s was removed with claims that are not over.", TEXT_ARGS(id));
    check_expect(c, cal->image.number >= 1 && cal->image.number <= st->seq && cal->seq <= st->seq,
                 "Calendar %.*s has a number or seq that was never issued.", TEXT_ARGS(id));
    check_expect(c, timeline_check(&cal->timeline), "The timeline of %.*s does not add up.", TEXT_ARGS(id));
    check_expect(c, timeline_check(&cal->starts), "The starts of %.*s do not add up.", TEXT_ARGS(id));
    check_expect(c, timeline_most(&cal->timeline, st->now_ms, INT64_MAX) <= cal->image.capacity,
                 "Calendar %.*s is over its capacity.", TEXT_ARGS(id));
    check_expect(c, check_lapses(c, &cal->lapses), "The lapses of calendar %.*s do not match its held items.",
                 TEXT_ARGS(id));
    check_heap_order(c, &cal->lapses, "a calendar's lapses");
    struct text zone = {cal->zone ? zone_name(cal->zone) : NULL, 0};
    zone.size = zone.at ? strlen(zone.at) : 0;
    check_expect(c, !zone.at || text_equal(zone, cal->image.timezone),
                 "Calendar %.*s has loaded the wrong time zone.", TEXT_ARGS(id));
    return check_timeline(c, cal, edge);
}

void check_calendars(struct check *c)
{
    uint64_t edge = 0;
    qsort(c->edges, c->edge_count, sizeof(*c->edges), compare_edges);
    for (uint32_t i = 0; i < c->st->calendar_count; i++)
        edge = check_calendar(c, i, edge);
    for (uint32_t i = 1; i < c->st->calendar_listed; i++)
        check_expect(c, calendar_listed(c->st, i - 1)->image.number < calendar_listed(c->st, i)->image.number,
                     "The calendars are out of order.");
    check_expect(c, c->st->calendars_by_id.count == c->st->calendar_listed,
                 "The index of calendars has the wrong size.");
    check_calendar_groups(c);
}
