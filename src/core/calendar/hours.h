/* SPDX-License-Identifier: Apache-2.0 */
/* hours.h — when a calendar is open: weekly hours on the wall clock of a time zone, minus closed intervals.
 *
 * Each range opens on each of its days, from the instant the local clock shows `from` until the instant it shows
 * `to`; both are converted by zone_to_utc_s. So a range can be longer or shorter on the day the clocks change, can
 * overlap its neighbour then (01:00 to 02:30 where 02:30 is skipped ends at 03:30), or be empty that day
 * (02:30 to 03:15 there). Ranges that touch or overlap count as one. No ranges: always open.
 *
 * Starts of slots form a grid: each range's start, and from there every slot_minutes of real time before that
 * range's end. Without ranges each local day is its own range, from midnight to midnight.
 *
 * Owns copies of the ranges and closed intervals, prepared for lookup. Does not know claims or the current
 * time, and does not load zones: the calendar owns the zone and sets it in its hours.
 */
#ifndef CORE_HOURS_H
#define CORE_HOURS_H

#include "base/time/zone.h"
#include "core/calendar/calendar_image.h"

#define HOURS_NO_OVERLAP SIZE_MAX

/* A range on one weekday, in minutes since that day's midnight. */
struct hours_opening {
    uint16_t from_minute, until_minute; /* until can be on the next day: up to 1440 after from */
};

struct hours {
    const struct zone *zone; /* not owned; set by the calendar before the first use */

    struct hours_opening *openings; /* Monday's, then Tuesday's …, each ordered by from_minute */
    uint32_t first[8];              /* weekday w has openings[first[w]] to openings[first[w + 1] - 1] */
    struct closed_interval *closed; /* ordered by start, merged where they touch or overlap */
    uint32_t closed_count;
    bool always; /* no ranges, or they cover every minute of the week: only closed times matter */
};

/* The index of a range that overlaps an earlier one in the nominal week, which is a ring: Sunday night runs
 * into Monday; HOURS_NO_OVERLAP: there is none. Touching is not overlapping. */
size_t hours_check(const struct hours_range *ranges, size_t count);

/* Copies what it needs; the ranges have passed hours_check, the closed intervals can overlap and be in any order
 * (empty ones are ignored). The zone is NULL until the caller sets it. */
void hours_init(struct hours *h, const struct hours_range *ranges, size_t range_count,
                const struct closed_interval *closed, size_t closed_count);
void hours_release(struct hours *h); /* zeroes it; can be called on a zeroed one */

/* The first instant in [start, end) that is not open, or `end` if all of it is. Walks over the days up to that
 * instant, which is at most a fortnight away: a week without gaps is not walked. No interval that begins between
 * start and the result and ends after the result is open throughout. */
int64_t hours_open_until(const struct hours *h, int64_t start_ms, int64_t end_ms);
/* Whether all of [start, end) is open; start < end. */
static inline bool hours_contain(const struct hours *h, int64_t start_ms, int64_t end_ms)
{
    return hours_open_until(h, start_ms, end_ms) == end_ms;
}

/* Whether a slot of the grid begins at this instant. slot_minutes > 0. */
bool hours_on_grid(const struct hours *h, int64_t at_ms, uint32_t slot_minutes);

/* The grid's starts in increasing order, without duplicates and without those inside a closed interval. A start
 * itself is open, but a slot that begins there is not always open throughout: that depends on its length
 * (hours_contain).
 *
 *     struct hours_slots it = hours_slots_begin(&h, from_ms, slot_minutes);
 *     for (int64_t at_ms; …;)
 *         if (hours_slots_next(&it, &at_ms))
 *             a slot begins at at_ms
 *         else
 *             none begins before at_ms, which is ahead; call again to look further
 *
 * The work of a step is bounded by the openings of a week, whatever is closed, so a caller that counts its
 * steps is bounded.
 */
struct hours_slots {
    const struct hours *hours;
    int64_t step_ms;
    int64_t at_ms; /* every start before this was returned or skipped */
    /* While at_ms < sole_until_ms the grid is that of the range that begins at origin_ms, and of no other. */
    int64_t origin_ms, sole_until_ms;
};

/* From the first start at or after from_ms. slot_minutes > 0. The hours must outlive it, unchanged. */
struct hours_slots hours_slots_begin(const struct hours *h, int64_t from_ms, uint32_t slot_minutes);
bool hours_slots_next(struct hours_slots *it, int64_t *at_ms);
/* Skips the starts before to_ms; never goes back. Takes constant time. */
void hours_slots_skip(struct hours_slots *it, int64_t to_ms);

#endif
