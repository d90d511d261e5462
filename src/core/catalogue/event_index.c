/* SPDX-License-Identifier: Apache-2.0 */
#include "core/catalogue/event_index.h"

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/state.h"

struct event *event_index_take(struct state *st)
{
    /* What was touched since is about the event that had the index. */
    if (st->event_free && st->events[st->event_free - 1]->gone_seq <= st->touched_after) {
        struct event *e = st->events[st->event_free - 1];
        ASSERT(e->gone && e->index == st->event_free - 1);
        st->event_free = e->next_free;
        *e = (struct event){.index = e->index};
        return e;
    }
    st->events = memory_room_counted(st->events, st->event_count, sizeof(*st->events));
    struct event *e = memory_zeroed(1, sizeof(*e));
    e->index = st->event_count;
    st->events[st->event_count++] = e;
    return e;
}

void event_index_give(struct state *st, struct event *e)
{
    ASSERT(e->image.removed && !e->gone && !e->items && !e->live_units);
    /* Free ones are chained, so that no separate list has to grow. */
    e->gone = true;
    e->gone_seq = st->seq;
    e->next_free = 0;
    *(st->event_free ? &st->events[st->event_free_last - 1]->next_free : &st->event_free) = e->index + 1;
    st->event_free_last = e->index + 1;
}

/* How many in the list have this number or a smaller one. */
static uint32_t listed_up_to(const struct state *st, uint64_t number)
{
    uint32_t low = 0, high = st->event_listed;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (st->events[st->event_list[middle]]->image.number <= number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void event_list_add(struct state *st, const struct event *e)
{
    uint32_t count = st->event_listed;
    /* Numbers are seqs: a new event always comes last. */
    ASSERT(!count || st->events[st->event_list[count - 1]]->image.number < e->image.number);
    st->event_list = memory_room_counted(st->event_list, count, sizeof(*st->event_list));
    st->event_list[st->event_listed++] = e->index;
}

void event_list_remove(struct state *st, const struct event *e)
{
    uint32_t end = listed_up_to(st, e->image.number);
    ASSERT(end && st->event_list[end - 1] == e->index);
    memmove(st->event_list + end - 1, st->event_list + end,
            (st->event_listed - end) * sizeof(*st->event_list));
    st->event_listed--;
}

struct event *event_after(const struct state *st, uint64_t number)
{
    uint32_t at = listed_up_to(st, number);
    return at == st->event_listed ? NULL : st->events[st->event_list[at]];
}
