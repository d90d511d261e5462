/* SPDX-License-Identifier: Apache-2.0 */
#include "sold.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory/memory.h"

static int order(const struct sale *a, const struct sale *b)
{
    if (a->event != b->event)
        return a->event < b->event ? -1 : 1;
    return a->seat < b->seat ? -1 : a->seat > b->seat;
}

/* The index of the first one that is not before this seat. */
static uint32_t place_of(const struct sold *s, const struct sale *sale)
{
    uint32_t from = 0, to = s->count;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (order(&s->seats[middle], sale) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

void sold_release(struct sold *s)
{
    free(s->seats);
    *s = (struct sold){0};
}

bool sold_take(struct sold *s, const struct sale *sale, char sentence[SOLD_SENTENCE])
{
    uint32_t at = place_of(s, sale);
    if (at == s->count || order(&s->seats[at], sale) != 0) {
        s->seats = memory_room(s->seats, s->count, &s->capacity, 16, sizeof(*s->seats));
        memmove(&s->seats[at + 1], &s->seats[at], (s->count++ - at) * sizeof(*s->seats));
        s->seats[at] = (struct sale){.event = sale->event, .seat = sale->seat};
    }
    bool fits = s->seats[at].fence == sale->prev;
    if (!fits)
        snprintf(sentence, SOLD_SENTENCE, "Seat %u of event %llu has fence %llu, and is sold from %llu to %llu.",
                 sale->seat, (unsigned long long)sale->event, (unsigned long long)s->seats[at].fence,
                 (unsigned long long)sale->prev, (unsigned long long)sale->fence);
    s->seats[at].fence = sale->fence;
    return fits;
}

bool sold_matches(const struct sold *s, const struct state *st, char sentence[SOLD_SENTENCE])
{
    struct sale claim = {0};
    bool more = sale_next(st, &claim, false);
    uint32_t i = 0;
    for (;;) {
        while (i < s->count && !s->seats[i].fence)
            i++;
        const struct sale *row = i < s->count ? &s->seats[i] : NULL;
        if (!row && !more)
            return true;
        const struct sale *wrong = !more || (row && order(row, &claim) < 0) ? row : &claim;
        if (!row || !more || order(row, &claim) != 0 || row->fence != claim.fence) {
            snprintf(sentence, SOLD_SENTENCE, "Seat %u of event %llu: its claim and its sales differ.", wrong->seat,
                     (unsigned long long)wrong->event);
            return false;
        }
        i++;
        more = sale_next(st, &claim, true);
    }
}
