/* SPDX-License-Identifier: Apache-2.0 */
#include "core/calendar/calendar_index.h"

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/claim/reservation.h"
#include "core/state.h"

struct calendar *calendar_index_take(struct state *st)
{
    struct calendar *c;
    if (st->calendar_free && st->calendars[st->calendar_free - 1]->gone_seq <= st->touched_after) {
        c = st->calendars[st->calendar_free - 1];
        ASSERT(c->gone && c->index == st->calendar_free - 1);
        st->calendar_free = c->next_free;
        *c = (struct calendar){.index = c->index};
    } else {
        st->calendars = memory_room_counted(st->calendars, st->calendar_count, sizeof(*st->calendars));
        c = memory_zeroed(1, sizeof(*c));
        c->index = st->calendar_count;
        st->calendars[st->calendar_count++] = c;
    }
    timeline_init(&c->timeline);
    timeline_init(&c->starts);
    heap_init(&c->lapses, reservation_item_placed, st);
    return c;
}

void calendar_index_give(struct state *st, struct calendar *c)
{
    ASSERT(c->image.removed && !c->gone && !c->items);
    c->gone = true;
    c->gone_seq = st->seq;
    c->next_free = 0;
    *(st->calendar_free ? &st->calendars[st->calendar_free_last - 1]->next_free : &st->calendar_free) =
        c->index + 1;
    st->calendar_free_last = c->index + 1;
}

/* How many in the list have this number or a smaller one. */
static uint32_t listed_up_to(const struct state *st, uint64_t number)
{
    uint32_t low = 0, high = st->calendar_listed;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (st->calendars[st->calendar_list[middle]]->image.number <= number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void calendar_list_add(struct state *st, const struct calendar *c)
{
    uint32_t count = st->calendar_listed;
    /* Numbers are seqs: a new calendar always comes last. */
    ASSERT(!count || st->calendars[st->calendar_list[count - 1]]->image.number < c->image.number);
    st->calendar_list = memory_room_counted(st->calendar_list, count, sizeof(*st->calendar_list));
    st->calendar_list[st->calendar_listed++] = c->index;
}

void calendar_list_remove(struct state *st, const struct calendar *c)
{
    uint32_t end = listed_up_to(st, c->image.number);
    ASSERT(end && st->calendar_list[end - 1] == c->index);
    memmove(st->calendar_list + end - 1, st->calendar_list + end,
            (st->calendar_listed - end) * sizeof(*st->calendar_list));
    st->calendar_listed--;
}

struct calendar *calendar_after(const struct state *st, uint64_t number)
{
    uint32_t at = listed_up_to(st, number);
    return at == st->calendar_listed ? NULL : st->calendars[st->calendar_list[at]];
}

struct calendar *calendar_listed(const struct state *st, uint32_t place)
{
    ASSERT(place < st->calendar_listed);
    return st->calendars[st->calendar_list[place]];
}
