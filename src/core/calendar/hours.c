/* SPDX-License-Identifier: Apache-2.0 */
#include "core/calendar/hours.h"

#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/memory/memory.h"

#define HOURS_WEEK_MINUTES (7 * HOURS_DAY_MINUTES)
#define HOURS_WEEK_WORDS ((HOURS_WEEK_MINUTES + 63) / 64)
#define HOURS_DAY_S 86400

/* A clock change moves an opening by a day at most, and an opening can run into the next day. So an opening that
 * contains an instant belongs to the local day of that instant, to one of the two before or to the one after. */
#define HOURS_DAYS_BEFORE 2
#define HOURS_DAYS_AFTER 1
/* Every weekday occurs within this, even next to a clock change that makes an opening empty. */
#define HOURS_DAYS_AHEAD 9

/* The zone's clock, with the last span looked up: consecutive days usually share one. */
struct hours_clock {
    const struct zone *zone;
    struct zone_span span;
};

/* A local day. Most are far from any clock change: then an instant takes one subtraction. */
struct hours_day {
    const struct zone *zone;
    int64_t local_s; /* its midnight, on the local clock */
    int32_t offset_s;
    bool quiet; /* offset_s is in force from the day before to the day after everything that opens on it */
    const struct hours_opening *openings;
    uint32_t count;
};

struct hours_stretch {
    int64_t start_ms, end_ms; /* end <= start: empty that day */
};

static int64_t hours_floor(int64_t value, int64_t by)
{
    return value / by - (value % by < 0);
}

static struct hours_opening hours_range_opening(const struct hours_range *r)
{
    ASSERT(r->from_minute < HOURS_DAY_MINUTES && r->to_minute < HOURS_DAY_MINUTES && r->days < 128);
    int until = r->to_minute + (r->to_minute <= r->from_minute ? HOURS_DAY_MINUTES : 0);
    return (struct hours_opening){r->from_minute, (uint16_t)until};
}

/* Marks the minutes of a range, one bit each; false: one was already marked. */
static bool hours_mark(const struct hours_range *r, uint64_t week[HOURS_WEEK_WORDS])
{
    struct hours_opening opening = hours_range_opening(r);
    for (int weekday = 0; weekday < 7; weekday++) {
        if (!(r->days >> weekday & 1))
            continue;
        for (int minute = opening.from_minute; minute < opening.until_minute; minute++) {
            /* The week is a ring: Sunday night runs into Monday. */
            int place = (weekday * HOURS_DAY_MINUTES + minute) % HOURS_WEEK_MINUTES;
            uint64_t mark = 1ULL << place % 64;
            if (week[place / 64] & mark)
                return false;
            week[place / 64] |= mark;
        }
    }
    return true;
}

size_t hours_check(const struct hours_range *ranges, size_t count)
{
    uint64_t week[HOURS_WEEK_WORDS] = {0};
    for (size_t i = 0; i < count; i++) {
        if (!hours_mark(&ranges[i], week))
            return i;
    }
    return HOURS_NO_OVERLAP;
}

static int hours_compare_openings(const void *left, const void *right)
{
    const struct hours_opening *a = left, *b = right;
    return a->from_minute - b->from_minute;
}

static void hours_init_openings(struct hours *h, const struct hours_range *ranges, size_t count)
{
    uint32_t total = 0;
    for (int weekday = 0; weekday < 7; weekday++) {
        h->first[weekday] = total;
        for (size_t i = 0; i < count; i++)
            total += ranges[i].days >> weekday & 1;
    }
    h->first[7] = total;
    h->openings = memory_zeroed(total, sizeof *h->openings);
    for (int weekday = 0; weekday < 7; weekday++) {
        uint32_t next = h->first[weekday];
        for (size_t i = 0; i < count; i++) {
            if (ranges[i].days >> weekday & 1)
                h->openings[next++] = hours_range_opening(&ranges[i]);
        }
        ASSERT(next == h->first[weekday + 1]);
        qsort(h->openings + h->first[weekday], next - h->first[weekday], sizeof *h->openings,
              hours_compare_openings);
    }
}

static int hours_compare_closed(const void *left, const void *right)
{
    const struct closed_interval *a = left, *b = right;
    return (a->start_ms > b->start_ms) - (a->start_ms < b->start_ms);
}

static void hours_init_closed(struct hours *h, const struct closed_interval *closed, size_t count)
{
    h->closed = memory_zeroed(count, sizeof *h->closed);
    uint32_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (closed[i].start_ms < closed[i].end_ms)
            h->closed[kept++] = closed[i];
    }
    /* Merged in place: the write position never passes the read position. */
    qsort(h->closed, kept, sizeof *h->closed, hours_compare_closed);
    for (uint32_t i = 0; i < kept; i++) {
        struct closed_interval *last = h->closed_count ? &h->closed[h->closed_count - 1] : NULL;
        if (!last || h->closed[i].start_ms > last->end_ms)
            h->closed[h->closed_count++] = h->closed[i];
        else if (h->closed[i].end_ms > last->end_ms)
            last->end_ms = h->closed[i].end_ms;
        ASSERT(h->closed_count >= 1 && h->closed_count <= i + 1);
    }
}

/* Whether the ranges cover the whole week. Then each range ends at the minute, and so at the instant, at which another
 * begins, whatever the clock does there: together they leave no gap, even where clock changes reorder some of them. */
static bool hours_seamless(const struct hours *h)
{
    uint32_t minutes = 0;
    for (uint32_t i = 0; i < h->first[7]; i++)
        minutes += (uint32_t)(h->openings[i].until_minute - h->openings[i].from_minute);
    ASSERT(minutes <= HOURS_WEEK_MINUTES); /* no overlaps */
    return minutes == HOURS_WEEK_MINUTES;
}

void hours_init(struct hours *h, const struct hours_range *ranges, size_t range_count,
                const struct closed_interval *closed, size_t closed_count)
{
    static const struct hours_range every_day = {.days = 127}; /* the grid of slots needs openings */
    ASSERT(hours_check(ranges, range_count) == HOURS_NO_OVERLAP);
    *h = (struct hours){0};
    hours_init_openings(h, range_count ? ranges : &every_day, range_count ? range_count : 1);
    h->always = hours_seamless(h);
    hours_init_closed(h, closed, closed_count);
}

void hours_release(struct hours *h)
{
    free(h->openings);
    free(h->closed);
    *h = (struct hours){0};
}

static struct zone_span hours_clock_span(struct hours_clock *clock, int64_t utc_s)
{
    if (utc_s < clock->span.from_s || utc_s >= clock->span.until_s)
        clock->span = zone_span_at(clock->zone, utc_s);
    return clock->span;
}

/* The number of the local day an instant falls on, counted from 1970-01-01. */
static int64_t hours_day_of(struct hours_clock *clock, int64_t at_ms)
{
    int64_t at_s = hours_floor(at_ms, 1000);
    return hours_floor(at_s + hours_clock_span(clock, at_s).offset_s, HOURS_DAY_S);
}

static struct hours_day hours_day(const struct hours *h, struct hours_clock *clock, int64_t number)
{
    int64_t local_s = number * HOURS_DAY_S;
    int64_t weekday = number + 3 - hours_floor(number + 3, 7) * 7; /* 1970-01-01 was a Thursday */
    ASSERT(weekday >= 0 && weekday < 7); /* days before 1970 have negative numbers */
    /* From well before its midnight in any zone: a span that outlasts all its openings has no change nearby. */
    struct zone_span span = hours_clock_span(clock, local_s - 2 * ZONE_OFFSET_S_MAX);
    return (struct hours_day){
        .zone = h->zone,
        .local_s = local_s,
        .offset_s = span.offset_s,
        .quiet = span.until_s > local_s + 3 * HOURS_DAY_S + ZONE_OFFSET_S_MAX,
        .openings = h->openings + h->first[weekday],
        .count = h->first[weekday + 1] - h->first[weekday],
    };
}

static int64_t hours_instant_ms(const struct hours_day *day, uint16_t minute)
{
    int64_t local_s = day->local_s + minute * 60;
    return 1000 * (day->quiet ? local_s - day->offset_s : zone_to_utc_s(day->zone, local_s));
}

static struct hours_stretch hours_stretch(const struct hours_day *day, uint32_t index)
{
    const struct hours_opening *opening = &day->openings[index];
    return (struct hours_stretch){hours_instant_ms(day, opening->from_minute),
                                  hours_instant_ms(day, opening->until_minute)};
}

/* The first of a day's openings that can end after an instant. Ranges do not overlap, so they end in the
 * order in which they begin, except perhaps next to a clock change. */
static uint32_t hours_day_first(const struct hours_day *day, int64_t at_ms)
{
    uint32_t low = 0, high = day->quiet ? day->count : 0;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (hours_instant_ms(day, day->openings[middle].until_minute) <= at_ms)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* How far it is open from `at`, judging by the days around it: `at` itself if it is not open. */
static int64_t hours_reach(const struct hours *h, struct hours_clock *clock, int64_t at_ms)
{
    int64_t number = hours_day_of(clock, at_ms);
    for (int64_t d = number - HOURS_DAYS_BEFORE; d <= number + HOURS_DAYS_AFTER; d++) {
        struct hours_day day = hours_day(h, clock, d);
        for (uint32_t i = hours_day_first(&day, at_ms); i < day.count; i++) {
            struct hours_stretch s = hours_stretch(&day, i);
            if (s.start_ms <= at_ms && s.end_ms > at_ms)
                at_ms = s.end_ms;
            else if (day.quiet)
                break;
        }
    }
    return at_ms;
}

/* The first closed interval that ends after an instant, or NULL. */
static const struct closed_interval *hours_closed_after(const struct hours *h, int64_t at_ms)
{
    uint32_t low = 0, high = h->closed_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (h->closed[middle].end_ms <= at_ms)
            low = middle + 1;
        else
            high = middle;
    }
    return low < h->closed_count ? &h->closed[low] : NULL;
}

int64_t hours_open_until(const struct hours *h, int64_t start_ms, int64_t end_ms)
{
    ASSERT(h->zone && start_ms < end_ms);
    const struct closed_interval *closed = hours_closed_after(h, start_ms);
    /* Closed intervals take precedence over hours. */
    if (closed && closed->start_ms < end_ms)
        end_ms = closed->start_ms;
    if (h->always)
        return end_ms > start_ms ? end_ms : start_ms;
    struct hours_clock clock = {.zone = h->zone};
    int64_t at_ms = start_ms;
    while (at_ms < end_ms) {
        int64_t reached_ms = hours_reach(h, &clock, at_ms);
        ASSERT(reached_ms >= at_ms);
        if (reached_ms == at_ms)
            return at_ms;
        at_ms = reached_ms;
    }
    return end_ms > start_ms ? end_ms : start_ms;
}

struct hours_slots hours_slots_begin(const struct hours *h, int64_t from_ms, uint32_t slot_minutes)
{
    ASSERT(h->zone && slot_minutes > 0);
    return (struct hours_slots){
        .hours = h,
        .step_ms = slot_minutes * INT64_C(60000),
        .at_ms = from_ms,
        .origin_ms = from_ms,
        .sole_until_ms = from_ms,
    };
}

/* The first start at or after an instant on the grid from an origin, which can be later than the instant. */
static int64_t hours_grid(int64_t origin_ms, int64_t step_ms, int64_t at_ms)
{
    if (at_ms <= origin_ms)
        return origin_ms;
    return origin_ms + (at_ms - origin_ms + step_ms - 1) / step_ms * step_ms;
}

/* Uses the day's first start at or after at_ms, if it is before the best so far. */
static void hours_slots_look(struct hours_slots *it, const struct hours_day *day, int64_t *best_ms)
{
    for (uint32_t i = hours_day_first(day, it->at_ms); i < day->count; i++) {
        struct hours_stretch s = hours_stretch(day, i);
        int64_t start_ms = hours_grid(s.start_ms, it->step_ms, it->at_ms);
        if (start_ms >= s.end_ms || start_ms >= *best_ms)
            continue;
        *best_ms = start_ms;
        it->origin_ms = s.start_ms;
        /* Next to a clock change another range can overlap this one, so all grids are checked for each start. */
        it->sole_until_ms = day->quiet ? s.end_ms : start_ms + 1;
        if (day->quiet)
            break;
    }
}

/* Finds the range whose start is the first at or after at_ms. */
static bool hours_slots_find(struct hours_slots *it, int64_t *start_ms)
{
    struct hours_clock clock = {.zone = it->hours->zone};
    int64_t number = hours_day_of(&clock, it->at_ms);
    int64_t last = number + HOURS_DAYS_AHEAD;
    int64_t best_ms = INT64_MAX;
    for (int64_t d = number - HOURS_DAYS_BEFORE; d <= last; d++) {
        struct hours_day day = hours_day(it->hours, &clock, d);
        hours_slots_look(it, &day, &best_ms);
        /* Openings of later days do not begin before it: a clock set back keeps the order of openings, and a clock
         * set forward only moves the skipped ones to later. */
        if (best_ms != INT64_MAX)
            last = hours_day_of(&clock, best_ms);
    }
    *start_ms = best_ms != INT64_MAX ? best_ms : ((last + 1) * HOURS_DAY_S - ZONE_OFFSET_S_MAX) * 1000;
    return best_ms != INT64_MAX;
}

bool hours_slots_next(struct hours_slots *it, int64_t *at_ms)
{
    int64_t start_ms = hours_grid(it->origin_ms, it->step_ms, it->at_ms);
    bool found = it->at_ms < it->sole_until_ms && start_ms < it->sole_until_ms;
    if (!found)
        found = hours_slots_find(it, &start_ms);
    ASSERT(start_ms >= it->at_ms);
    const struct closed_interval *closed = found ? hours_closed_after(it->hours, start_ms) : NULL;
    if (closed && closed->start_ms <= start_ms) {
        found = false;
        start_ms = closed->end_ms;
    }
    ASSERT(found || start_ms > it->at_ms); /* each call makes progress */
    *at_ms = start_ms;
    it->at_ms = start_ms + found;
    return found;
}

void hours_slots_skip(struct hours_slots *it, int64_t to_ms)
{
    if (to_ms > it->at_ms)
        it->at_ms = to_ms;
}

bool hours_on_grid(const struct hours *h, int64_t at_ms, uint32_t slot_minutes)
{
    struct hours_slots it = hours_slots_begin(h, at_ms, slot_minutes);
    int64_t next_ms = at_ms;
    /* A step finds a start, or the instant up to which there is none. */
    while (!hours_slots_next(&it, &next_ms))
        if (next_ms > at_ms)
            return false;
    return next_ms == at_ms;
}
