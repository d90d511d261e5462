/* SPDX-License-Identifier: Apache-2.0 */
/* group_slots.c — the slots of a group: those of its members, with equal ones counted. */
#include "base/assertion.h"
#include "core/calendar/group.h"
#include "core/state.h"

static int compare(const struct slot *a, const struct slot *b)
{
    if (a->start_ms != b->start_ms)
        return a->start_ms < b->start_ms ? -1 : 1;
    return a->end_ms < b->end_ms ? -1 : a->end_ms > b->end_ms;
}

/* Leaves everything from this instant on for the next page. */
static void cut(struct group_slots *s, int64_t to_ms)
{
    s->query.to_ms = to_ms;
    s->more = true;
    while (s->count && s->out[s->count - 1].start_ms >= to_ms)
        s->count--;
}

/* Merges both lists in order. Beyond the limit, only slots with the same start as the first are needed. */
static void merge(struct group_slots *s, uint32_t added)
{
    uint32_t a = 0, b = 0, count = 0;
    while (count < GROUP_SLOTS_ROOM(s->query.limit) && (a < s->count || b < added)) {
        int order = a == s->count ? 1 : b == added ? -1 : compare(&s->out[a], &s->page[b]);
        s->spare[count] = order <= 0 ? s->out[a] : s->page[b];
        /* A calendar gives its remaining capacity; here it counts as one. */
        s->spare[count].available = (order <= 0 ? s->out[a].available : 0) + (order >= 0);
        a += order <= 0;
        b += order >= 0;
        count++;
    }
    struct slot *merged = s->spare;
    s->spare = s->out;
    s->out = merged;
    s->count = count;
}

/* Ends the page when there are enough. */
static void bound(struct group_slots *s)
{
    uint32_t next = s->query.limit;
    while (next < s->count && s->out[next].start_ms == s->out[0].start_ms)
        next++;
    if (next < s->count)
        cut(s, s->out[next].start_ms);
}

bool group_slots_add(struct group_slots *s, const struct calendar *c, struct text service)
{
    struct slots_query query = s->query;
    query.any = true;
    if (service.at) {
        uint32_t position = calendar_service_find(c, service);
        if (position == SERVICE_NONE)
            return false;
        query.length_ms = calendar_service_ms(c, position);
    }
    struct slots_page page = calendar_slots(c, &query, s->page);
    merge(s, page.count);
    if (page.more && page.next_ms < s->query.to_ms)
        cut(s, page.next_ms);
    bound(s);
    return true;
}

struct slots_page group_slots_end(struct group_slots *s)
{
    ASSERT(s->count < GROUP_SLOTS_ROOM(s->query.limit));
    return (struct slots_page){.count = s->count, .more = s->more, .next_ms = s->query.to_ms};
}
