/* SPDX-License-Identifier: Apache-2.0 */
/* calendar_slots.c — the available slots of a calendar.
 *
 * Walks the grid of starts from the hours and keeps those that are open throughout and have capacity
 * left. Starts that cannot fit are skipped: up to the next opening, or up to the end of a full period.
 */
#include "base/assertion.h"
#include "core/calendar/calendar.h"

#define MINUTE_MS 60000LL
#define DAY_MS (24LL * 3600 * 1000)

struct search {
    const struct calendar *calendar;
    struct hours_slots starts;
    int64_t length_ms;
    int64_t now_ms;  /* a buffer before a slot counts only from here on */
    int64_t open_ms; /* open from the last start checked up to here */
    int64_t steps;   /* left; a day costs as much as a start, and both cost more with many ranges a week */
    int64_t step_cost;
    bool any;                            /* it is enough to know whether there is room for one more */
    int64_t free_from_ms, free_until_ms; /* then: there is room in this interval */
};

static int64_t later(int64_t a_ms, int64_t b_ms)
{
    return a_ms > b_ms ? a_ms : b_ms;
}

/* Whether a slot that begins here is open throughout; if not, skips other starts that cannot be. */
static bool is_open(struct search *s, int64_t start_ms)
{
    int64_t end_ms = start_ms + s->length_ms, from_ms = start_ms < s->open_ms ? s->open_ms : start_ms;
    if (from_ms < end_ms) {
        s->steps -= (end_ms - from_ms) / DAY_MS * s->step_cost;
        /* Computed once for all slots within the same hours. */
        s->open_ms = hours_open_until(&s->calendar->hours, from_ms, later(end_ms, from_ms + DAY_MS));
        if (s->open_ms < end_ms) {
            hours_slots_skip(&s->starts, s->open_ms + 1);
            return false;
        }
    }
    return true;
}

/* Whether there is room for one more; computed once for all slots in the same gap. */
static bool is_free(struct search *s, int64_t from_ms, int64_t until_ms)
{
    if (from_ms < s->free_from_ms || until_ms > s->free_until_ms) {
        s->free_from_ms = from_ms;
        s->free_until_ms = timeline_first_full(
            &s->calendar->timeline, from_ms, later(until_ms, from_ms + DAY_MS), s->calendar->image.capacity);
    }
    return until_ms <= s->free_until_ms;
}

/* The room that is left; if none, skips the starts up to where there is room again. */
static uint32_t room(struct search *s, int64_t start_ms)
{
    const struct timeline *t = &s->calendar->timeline;
    uint32_t capacity = s->calendar->image.capacity;
    int64_t until_ms = calendar_until(s->calendar, start_ms + s->length_ms);
    int64_t before_ms = s->calendar->image.rules.buffer_before_minutes * MINUTE_MS;
    int64_t from_ms = start_ms - before_ms > s->now_ms ? start_ms - before_ms : s->now_ms;
    if (from_ms > start_ms)
        from_ms = start_ms;
    if (s->any && is_free(s, from_ms, until_ms))
        return 1;
    uint32_t most = s->any ? capacity : timeline_most(t, from_ms, until_ms);
    if (most < capacity)
        return capacity - most;
    /* Either works. The last full instant skips further, but the first is already known. */
    int64_t full_ms = s->any ? s->free_until_ms : timeline_last_full(t, from_ms, until_ms, capacity);
    ASSERT(full_ms >= from_ms && full_ms < until_ms);
    /* Every start up to there overlaps the same full instant, or has it in its buffer. */
    int64_t room_ms = timeline_room_after(t, full_ms, capacity);
    hours_slots_skip(&s->starts, room_ms > start_ms ? room_ms : start_ms + 1);
    return 0;
}

/* Limits the interval to what a user token can claim. */
static void rules_narrow(const struct calendar_rules *rules, int64_t now_ms, int64_t *from_ms, int64_t *to_ms)
{
    int64_t soonest_ms = now_ms + rules->notice_minutes * MINUTE_MS;
    int64_t beyond_ms = now_ms + rules->horizon_days * DAY_MS + 1;
    if (*from_ms < soonest_ms)
        *from_ms = soonest_ms;
    if (*to_ms > beyond_ms)
        *to_ms = beyond_ms;
}

struct slots_page calendar_slots(const struct calendar *c, const struct slots_query *query, struct slot *out)
{
    ASSERT(c->zone);
    struct slots_page page = {.seq = c->seq};
    struct search s = {.calendar = c,
                       .length_ms = query->length_ms ? query->length_ms : c->image.slot_minutes * MINUTE_MS,
                       .now_ms = query->now_ms,
                       .any = query->any || c->image.capacity == 1,
                       .open_ms = INT64_MIN,
                       .steps = SLOT_STEPS_MAX,
                       .step_cost = 1 + c->hours.first[7] / 64};
    ASSERT(s.length_ms > 0);
    int64_t from_ms = query->from_ms > query->now_ms ? query->from_ms : query->now_ms;
    /* Slots that end more than ten years ahead cannot be claimed, and are not shown. */
    int64_t far_ms = query->now_ms + SLOT_AHEAD_MAX_MS - s.length_ms;
    int64_t to_ms = query->to_ms <= far_ms ? query->to_ms : far_ms + 1;
    if (query->ruled)
        rules_narrow(&c->image.rules, query->now_ms, &from_ms, &to_ms);
    s.starts = hours_slots_begin(&c->hours, from_ms, c->image.slot_minutes);
    for (; s.steps > 0; s.steps -= s.step_cost) {
        int64_t at_ms;
        bool begins = hours_slots_next(&s.starts, &at_ms);
        if (at_ms >= to_ms)
            return page;
        uint32_t available = begins && is_open(&s, at_ms) ? room(&s, at_ms) : 0;
        if (!available)
            continue;
        if (page.count == query->limit) {
            page.more = true;
            page.next_ms = at_ms;
            return page;
        }
        out[page.count++] = (struct slot){at_ms, at_ms + s.length_ms, available};
    }
    page.next_ms = s.starts.at_ms;
    ASSERT(page.next_ms > from_ms); /* asking again makes progress */
    page.more = page.next_ms < to_ms;
    return page;
}
