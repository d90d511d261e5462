/* SPDX-License-Identifier: Apache-2.0 */
#include "core/queue/queue_pace.h"

#include "base/assertion.h"
#include "core/catalogue/event.h"
#include "core/queue/queue_time.h"

#define PACE_TURNS_LEAST 3 /* fewer say nothing about a pace */
#define PACE_STANDSTILL 12 /* a gap that is longer than this many usual ones */

static struct queue_pace *pace_at(const struct queue *q, uint32_t index)
{
    return (struct queue_pace *)&q->paces[index % QUEUE_PACES];
}

void queue_pace_count(struct queue *q, int64_t now_ms, bool admitted, bool full)
{
    struct queue_pace *last = q->pace_count ? pace_at(q, q->pace_count - 1) : NULL;
    ASSERT(!last || now_ms >= last->at_ms);
    if (!last || now_ms - last->at_ms >= QUEUE_PACE_MS) {
        last = pace_at(q, q->pace_count++);
        *last = (struct queue_pace){.at_ms = now_ms};
    }
    last->turns++;
    last->admitted += admitted;
    last->full = full;
}

/* The oldest pace that is kept and began at this time or later. */
static uint32_t first_since(const struct queue *q, int64_t from_ms)
{
    uint32_t first = q->pace_count > QUEUE_PACES ? q->pace_count - QUEUE_PACES : 0;
    while (first < q->pace_count && pace_at(q, first)->at_ms < from_ms)
        first++;
    return first;
}

uint64_t queue_pace_admitted(const struct queue *q, int64_t from_ms)
{
    uint64_t admitted = 0;
    for (uint32_t i = first_since(q, from_ms); i < q->pace_count; i++)
        admitted += pace_at(q, i)->admitted;
    return admitted;
}

/* ---- The estimate ---- */

/* Turns, and the time that they took. */
struct stretch {
    int64_t turns, ms;
};

/* Whether a gap after this many turns is much longer than usual. */
static bool standstill(const struct stretch *usual, int64_t ms, int64_t turns)
{
    return usual->turns >= 2 && ms * usual->turns > PACE_STANDSTILL * usual->ms * turns;
}

/* The newest turns at one pace, up to now. False: too few, or the line has stopped. */
static bool steady(const struct state *st, const struct queue *q, bool full, struct stretch *out)
{
    uint32_t first = first_since(q, q->measured_from_ms);
    *out = (struct stretch){0};
    for (uint32_t i = q->pace_count; i > first + 1; i--) {
        const struct queue_pace *pace = pace_at(q, i - 2);
        int64_t ms = pace_at(q, i - 1)->at_ms - pace->at_ms;
        if (standstill(out, ms, pace->turns) || (full && !pace->full))
            break;
        out->turns += pace->turns;
        out->ms += ms;
    }
    if (out->turns < PACE_TURNS_LEAST)
        return false;
    const struct queue_pace *last = pace_at(q, q->pace_count - 1);
    int64_t since_ms = st->now_ms - last->at_ms;
    if (since_ms * out->turns <= out->ms * last->turns)
        return true; /* the next turn is not due yet */
    if (standstill(out, since_ms, last->turns))
        return false;
    out->turns += last->turns;
    out->ms += since_ms;
    return true;
}

static int64_t divided_up(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

/* The time in which this many get their turn at the rate of the settings, in milliseconds: absent people cost none. */
static int64_t at_rate_ms(const struct event *e, int64_t count)
{
    const struct queue *q = e->queue;
    int64_t turns = 0, admitted = 0, rate = e->image.queue.rate_per_second;
    ASSERT(rate >= 1);
    for (uint32_t i = first_since(q, q->measured_from_ms); i < q->pace_count; i++) {
        turns += pace_at(q, i)->turns;
        admitted += pace_at(q, i)->admitted;
    }
    return turns ? divided_up(count * admitted * 1000, turns * rate) : divided_up(count * 1000, rate);
}

int64_t queue_pace_wait_s(const struct state *st, const struct event *e, uint32_t ahead)
{
    const struct queue *q = e->queue;
    uint64_t places = queue_places(e), active = q->by_status[QUEUE_ADMITTED];
    uint64_t open = places > active ? places - active : 0;
    int64_t least_ms = at_rate_ms(e, ahead);
    if (open > ahead)
        return divided_up(least_ms, 1000);
    struct stretch finished;
    if (!steady(st, q, open == 0, &finished))
        return -1;
    int64_t wait_ms = at_rate_ms(e, (int64_t)open) +
                      divided_up(((int64_t)ahead + 1 - (int64_t)open) * finished.ms, finished.turns);
    return divided_up(wait_ms > least_ms ? wait_ms : least_ms, 1000);
}
