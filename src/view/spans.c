/* SPDX-License-Identifier: Apache-2.0 */
/* spans.c — changed time spans of calendars, for streams.
 *
 * A calendar gets a ring of its latest changes when a stream first asks for them; calendars without a stream cost
 * only a check. The ring is freed with its calendar.
 */
#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "view/answers.h"

#define SPANS_RING_MAX 4096u /* changes kept per calendar */

struct spans {
    uint64_t calendar; /* its number */
    uint64_t floor;    /* everything after this seq is in the ring */
    struct span_view *ring;
    uint64_t ring_first, ring_end;
    uint32_t ring_capacity;
};

static struct span_view *ring_at(const struct spans *s, uint64_t place)
{
    return &s->ring[place & (s->ring_capacity - 1)];
}

static void spans_free(struct spans *s)
{
    if (!s)
        return;
    free(s->ring);
    free(s);
}

static void ring_add(struct spans *s, const struct span_view *span)
{
    uint64_t count = s->ring_end - s->ring_first;
    if (count == SPANS_RING_MAX) {
        s->floor = ring_at(s, s->ring_first)->seq;
        s->ring_first++;
    } else {
        s->ring = memory_room_ring(s->ring, count, &s->ring_capacity, 16, sizeof(*s->ring));
    }
    ASSERT(s->ring_end == s->ring_first ||
           ring_at(s, s->ring_end - 1)->seq <= span->seq); /* searched by seq */
    *ring_at(s, s->ring_end++) = *span;
}

/* The first ring entry later than `since`. */
static uint64_t ring_after(const struct spans *s, uint64_t since)
{
    uint64_t low = s->ring_first, high = s->ring_end;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (ring_at(s, middle)->seq <= since)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void spans_touched(struct view *v)
{
    const struct state *st = v->state;
    for (uint32_t i = 0; i < st->span_count; i++) {
        const struct span_touch *t = &st->spans[i];
        const struct calendar *c = st->calendars[t->calendar];
        struct spans *s = t->calendar < v->calendar_count ? v->calendars[t->calendar] : NULL;
        if (!s)
            continue;                           /* no stream has asked for it */
        ASSERT(s->calendar == c->image.number); /* the ring of a removed calendar was freed with it */
        if (!c->image.removed) {
            ring_add(s, &(struct span_view){.seq = c->seq, .from_ms = t->from_ms, .to_ms = t->to_ms});
            continue;
        }
        spans_free(s);
        v->calendars[t->calendar] = NULL;
    }
}

/* Created on first use. */
static struct spans *spans_of(struct view *v, const struct calendar *c)
{
    uint32_t count = v->state->calendar_count;
    if (c->index >= v->calendar_count) {
        v->calendars = memory_grow(v->calendars, count, sizeof(*v->calendars));
        memset(v->calendars + v->calendar_count, 0, (count - v->calendar_count) * sizeof(*v->calendars));
        v->calendar_count = count;
    }
    struct spans **place = &v->calendars[c->index];
    ASSERT(!*place || (*place)->calendar == c->image.number);
    if (*place)
        return *place;
    *place = memory_zeroed(1, sizeof(**place));
    (*place)->calendar = c->image.number;
    (*place)->floor = c->seq;
    return *place;
}

bool view_spans(struct view *v, uint64_t calendar_number, uint64_t after,
                void (*fn)(void *ctx, const struct span_view *span), void *ctx)
{
    const struct calendar *c = calendar_find_number(v->state, calendar_number);
    if (!c || c->image.removed)
        return false;
    const struct spans *s = spans_of(v, c);
    uint64_t upto = store_durable_seq(v->store);
    if (after < s->floor)
        return false;
    for (uint64_t i = ring_after(s, after); i < s->ring_end && ring_at(s, i)->seq <= upto; i++) {
        struct span_view span = *ring_at(s, i);
        span.more = i + 1 < s->ring_end && ring_at(s, i + 1)->seq == span.seq;
        fn(ctx, &span);
    }
    return true;
}

void spans_release(struct view *v)
{
    for (uint32_t i = 0; i < v->calendar_count; i++)
        spans_free(v->calendars[i]);
    free(v->calendars);
}
