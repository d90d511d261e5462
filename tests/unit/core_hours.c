/* SPDX-License-Identifier: Apache-2.0 */
/* Hours: which ranges overlap, what is open, where slots begin, and that no step of the search is long. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/time/rfc3339.h"
#include "core/calendar/hours.h"
#include "zone_fixture.h"

#define MINUTE_MS INT64_C(60000)
#define HOUR_MS (60 * MINUTE_MS)
#define DAY_MS (24 * HOUR_MS)

enum { MON = 1, TUE = 2, WED = 4, THU = 8, FRI = 16, SAT = 32, SUN = 64, DAILY = 127 };

#define AT(hour, minute) ((hour)*60 + (minute))

static int64_t at_ms(const char *text)
{
    int64_t ms;
    if (!rfc3339_read(text, strlen(text), &ms))
        fail_msg("not an instant: %s", text);
    return ms;
}

static bool hours_open(const struct hours *h, const char *start, const char *end)
{
    return hours_contain(h, at_ms(start), at_ms(end));
}

static void expect_starts(struct hours_slots *it, const char *const *starts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int64_t got_ms;
        int steps = 0;
        while (!hours_slots_next(it, &got_ms))
            assert_true(++steps < 10);
        if (got_ms != at_ms(starts[i])) {
            char text[RFC3339_SIZE];
            rfc3339_write(got_ms, text);
            fail_msg("start %zu: %.*s, not %s", i, RFC3339_SIZE, text, starts[i]);
        }
    }
}

#define EXPECT_STARTS(it, ...)                                                                               \
    do {                                                                                                     \
        const char *const starts[] = {__VA_ARGS__};                                                          \
        expect_starts(it, starts, sizeof starts / sizeof *starts);                                           \
    } while (0)

static void ranges_overlap(void **state)
{
    (void)state;
    static const struct {
        size_t count;
        struct hours_range ranges[3];
        size_t answer;
    } cases[] = {
        {0, {{0}}, HOURS_NO_OVERLAP},
        {2, {{MON, AT(9, 0), AT(12, 0)}, {MON, AT(12, 0), AT(17, 0)}}, HOURS_NO_OVERLAP},
        {2, {{MON, AT(9, 0), AT(12, 1)}, {MON, AT(12, 0), AT(17, 0)}}, 1},
        {2, {{MON, AT(12, 0), AT(17, 0)}, {MON, AT(9, 0), AT(12, 1)}}, 1},
        {2, {{MON, AT(9, 0), AT(12, 0)}, {TUE, AT(9, 0), AT(12, 0)}}, HOURS_NO_OVERLAP},
        {2, {{MON | WED, AT(9, 0), AT(12, 0)}, {TUE | WED, AT(10, 0), AT(11, 0)}}, 1},
        {3,
         {{SUN, AT(22, 0), AT(4, 0)}, {TUE, 0, 1}, {MON, AT(3, 59), AT(5, 0)}},
         2}, /* the week is a ring */
        {2, {{SUN, AT(22, 0), AT(4, 0)}, {MON, AT(4, 0), AT(5, 0)}}, HOURS_NO_OVERLAP},
        {2, {{MON, AT(4, 0), AT(5, 0)}, {SUN, AT(22, 0), AT(4, 1)}}, 1},
        {1, {{DAILY, AT(9, 0), AT(9, 0)}}, HOURS_NO_OVERLAP}, /* 24 hours a day touch each other */
        {2, {{DAILY, AT(9, 0), AT(9, 0)}, {WED, 0, 1}}, 1},
        {2, {{MON, 0, 0}, {TUE, 0, 0}}, HOURS_NO_OVERLAP},
        {2, {{FRI, 1, 0}, {SAT, 0, 1}}, HOURS_NO_OVERLAP},
        {2, {{FRI, 1, 1}, {SAT, 0, 1}}, 1},
        {3, {{MON, 0, 5}, {MON, 5, 9}, {MON, 0, 5}}, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t answer = hours_check(cases[i].ranges, cases[i].count);
        if (answer != cases[i].answer)
            fail_msg("case %zu: %zu", i, answer);
    }
}

static void open_on_a_plain_week(void **state)
{
    (void)state;
    struct zone *zone = fixture_rule(ZONE_BERLIN);
    static const struct hours_range ranges[] = {{MON | TUE | FRI, AT(13, 0), AT(17, 0)},
                                                {MON, AT(9, 0), AT(13, 0)},
                                                {FRI | SAT, AT(22, 0), AT(2, 0)}};
    static const struct hours_range tuesday = {TUE, AT(9, 0), AT(17, 0)};
    struct hours h;
    hours_init(&h, ranges, 3, NULL, 0);
    h.zone = zone;
    /* 2026-06-01 is a Monday; the clock is two hours ahead. */
    assert_true(hours_open(&h, "2026-06-01T07:00:00Z", "2026-06-01T15:00:00Z")); /* adjacent ranges are one */
    assert_false(hours_open(&h, "2026-06-01T06:59:59.999Z", "2026-06-01T15:00:00Z"));
    assert_false(hours_open(&h, "2026-06-01T07:00:00Z", "2026-06-01T15:00:00.001Z"));
    assert_false(hours_open(&h, "2026-06-02T07:00:00Z", "2026-06-02T08:00:00Z"));
    assert_true(hours_open(&h, "2026-06-02T11:00:00Z", "2026-06-02T11:00:00.001Z"));
    assert_true(hours_open(&h, "2026-06-05T20:00:00Z", "2026-06-06T00:00:00Z")); /* past midnight */
    assert_false(hours_open(&h, "2026-06-04T20:00:00Z", "2026-06-04T21:00:00Z"));
    assert_true(hours_open(&h, "2026-06-06T23:30:00Z", "2026-06-07T00:00:00Z"));
    assert_false(hours_open(&h, "2026-06-01T07:00:00Z", "2026-06-08T15:00:00Z"));
    hours_release(&h);
    hours_init(&h, &tuesday, 1, NULL, 0);
    h.zone = zone;
    int64_t start_ms = at_ms("2026-06-02T08:00:00Z");
    assert_int_equal(hours_open_until(&h, start_ms, start_ms + DAY_MS), at_ms("2026-06-02T15:00:00Z"));
    assert_int_equal(hours_open_until(&h, start_ms, start_ms + HOUR_MS), start_ms + HOUR_MS);
    start_ms = at_ms("2026-06-02T15:00:00Z");
    assert_int_equal(hours_open_until(&h, start_ms, start_ms + HOUR_MS), start_ms);
    hours_release(&h);
    zone_release(zone);
}

static void closed_is_not_open(void **state)
{
    (void)state;
    struct zone *zone = fixture_rule("UTC0");
    const int64_t base_ms = at_ms("2026-06-01T00:00:00Z");
    const struct closed_interval closed[] = {
        {base_ms + 9 * HOUR_MS, base_ms + 10 * HOUR_MS}, {base_ms + 2 * HOUR_MS, base_ms + 3 * HOUR_MS},
        {base_ms + 3 * HOUR_MS, base_ms + 4 * HOUR_MS},  {base_ms + 2 * HOUR_MS, base_ms + 2 * HOUR_MS + 1},
        {base_ms + 6 * HOUR_MS, base_ms + 6 * HOUR_MS},  {base_ms + 7 * HOUR_MS, base_ms + 6 * HOUR_MS},
    };
    static const struct hours_range all_day = {DAILY, 0, 0};
    for (int always = 0; always < 2; always++) {
        struct hours h;
        hours_init(&h, &all_day, always ? 0 : 1, closed, 6);
        h.zone = zone;
        assert_int_equal(h.closed_count, 2);
        assert_true(hours_contain(&h, base_ms, base_ms + 2 * HOUR_MS));
        assert_false(hours_contain(&h, base_ms, base_ms + 2 * HOUR_MS + 1));
        assert_true(hours_contain(&h, base_ms + 4 * HOUR_MS, base_ms + 9 * HOUR_MS));
        assert_false(hours_contain(&h, base_ms + 4 * HOUR_MS - 1, base_ms + 9 * HOUR_MS));
        assert_true(hours_contain(&h, base_ms + 10 * HOUR_MS, base_ms + 366 * DAY_MS));
        assert_false(hours_contain(&h, base_ms - 366 * DAY_MS, base_ms + 20 * HOUR_MS));
        assert_int_equal(hours_open_until(&h, base_ms + 3 * HOUR_MS, base_ms + DAY_MS),
                         base_ms + 3 * HOUR_MS);
        assert_int_equal(hours_open_until(&h, base_ms, base_ms + DAY_MS), base_ms + 2 * HOUR_MS);
        hours_release(&h);
    }
    zone_release(zone);
}

/* Always open: from local midnight, also on days of 23 and 25 hours; a step that does not divide the day starts again
 * at midnight. */
static void grid_without_ranges(void **state)
{
    (void)state;
    struct zone *zone = fixture_rule(ZONE_BERLIN);
    struct hours h;
    hours_init(&h, NULL, 0, NULL, 0);
    h.zone = zone;
    struct hours_slots it = hours_slots_begin(&h, at_ms("2026-03-28T22:30:00Z"), 7 * 60);
    EXPECT_STARTS(&it, "2026-03-28T23:00:00Z", "2026-03-29T06:00:00Z", "2026-03-29T13:00:00Z",
                  "2026-03-29T20:00:00Z", "2026-03-29T22:00:00Z", "2026-03-30T05:00:00Z");
    it = hours_slots_begin(&h, at_ms("2026-10-24T22:00:00Z"), 24 * 60);
    EXPECT_STARTS(&it, "2026-10-24T22:00:00Z", "2026-10-25T22:00:00Z", "2026-10-25T23:00:00Z",
                  "2026-10-26T23:00:00Z");
    hours_release(&h);
    zone_release(zone);
}

static void grid_of_ranges(void **state)
{
    (void)state;
    struct zone *zone = fixture_rule(ZONE_BERLIN);
    static const struct hours_range ranges[] = {{MON, AT(9, 0), AT(11, 0)}, {MON, AT(11, 0), AT(12, 0)}};
    const struct closed_interval closed = {at_ms("2026-06-08T00:00:00Z"), at_ms("2026-06-15T07:00:01Z")};
    struct hours h;
    hours_init(&h, ranges, 2, &closed, 1);
    h.zone = zone;
    struct hours_slots it = hours_slots_begin(&h, at_ms("2026-05-26T07:00:00.001Z"), 50);
    EXPECT_STARTS(&it, "2026-06-01T07:00:00Z", "2026-06-01T07:50:00Z", "2026-06-01T08:40:00Z",
                  "2026-06-01T09:00:00Z", "2026-06-01T09:50:00Z", "2026-06-15T07:50:00Z");
    it = hours_slots_begin(&h, at_ms("2026-06-01T07:00:00Z"), 50);
    EXPECT_STARTS(&it, "2026-06-01T07:00:00Z");
    hours_slots_skip(&it, at_ms("2026-06-01T08:00:00Z"));
    EXPECT_STARTS(&it, "2026-06-01T08:40:00Z");
    hours_slots_skip(&it, at_ms("2026-06-01T08:00:00Z")); /* never backwards */
    EXPECT_STARTS(&it, "2026-06-01T09:00:00Z");
    hours_slots_skip(&it, at_ms("2036-06-01T00:00:00Z"));
    EXPECT_STARTS(&it, "2036-06-02T07:00:00Z", "2036-06-02T07:50:00Z");
    hours_release(&h);
    zone_release(zone);
}

/* Closed for years, or never open: each step still ends, and advances. */
static void grid_where_nothing_is_open(void **state)
{
    (void)state;
    struct zone *zone = fixture_rule(ZONE_BERLIN);
    static const struct hours_range never = {0, AT(9, 0), AT(17, 0)};
    const int64_t from_ms = at_ms("2026-01-01T00:00:00Z");
    const struct closed_interval decade = {from_ms, from_ms + 3650 * DAY_MS};
    struct hours h;
    hours_init(&h, &never, 1, NULL, 0);
    h.zone = zone;
    struct hours_slots it = hours_slots_begin(&h, from_ms, 30);
    int64_t got_ms = from_ms;
    for (int i = 0; i < 100; i++) {
        int64_t before_ms = got_ms;
        assert_false(hours_slots_next(&it, &got_ms));
        assert_true(got_ms > before_ms + 7 * DAY_MS);
    }
    assert_false(hours_contain(&h, from_ms, from_ms + 1));
    hours_release(&h);
    hours_init(&h, NULL, 0, &decade, 1);
    h.zone = zone;
    it = hours_slots_begin(&h, from_ms, 1);
    assert_false(hours_slots_next(&it, &got_ms));
    assert_int_equal(got_ms, decade.end_ms);
    assert_true(hours_slots_next(&it, &got_ms));
    assert_int_equal(got_ms, decade.end_ms);
    hours_release(&h);
    zone_release(zone);
}

/* A clock set back across midnight: Sunday has begun, Saturday's last hour comes again, and it stays open. */
static void sunday_before_saturday_ends(void **state)
{
    (void)state;
    struct zone *zone =
        fixture_rule("NST3:30NDT,M4.1.0/0:01,M10.5.0/0:01"); /* as Newfoundland did until 2011 */
    static const struct hours_range sunday = {SUN, 0, AT(8, 0)};
    struct hours h;
    hours_init(&h, &sunday, 1, NULL, 0);
    h.zone = zone;
    /* 00:00 first comes at 02:30Z; at 02:31Z the clock shows 23:01 again. */
    assert_true(hours_open(&h, "2026-10-25T02:30:00Z", "2026-10-25T11:30:00Z"));
    assert_true(hours_open(&h, "2026-10-25T02:45:00Z", "2026-10-25T11:30:00Z"));
    assert_false(hours_open(&h, "2026-10-25T02:29:00Z", "2026-10-25T11:30:00Z"));
    struct hours_slots it = hours_slots_begin(&h, at_ms("2026-10-25T02:35:00Z"), 30);
    EXPECT_STARTS(&it, "2026-10-25T03:00:00Z", "2026-10-25T03:30:00Z");
    hours_release(&h);
    zone_release(zone);
}

/* A zone that crosses the date line skips a whole day; its hours are read with the offset before, a day later. */
static void a_skipped_day(void **state)
{
    (void)state;
    static const int32_t offsets[] = {-10 * 3600, 14 * 3600};
    const struct fixture_transition transition = {at_ms("2011-12-30T10:00:00Z") / 1000, 1};
    const struct fixture_file f = {'2', offsets, 2, &transition, 1, 0, ""};
    struct zone *zone = fixture_make(&f);
    static const struct hours_range ranges[] = {{THU, AT(20, 0), AT(22, 0)},
                                                {FRI, AT(9, 0), AT(10, 0)},
                                                {SAT, AT(9, 30), AT(11, 0)},
                                                {SUN, AT(9, 0), AT(10, 0)}};
    struct hours h;
    hours_init(&h, ranges, 4, NULL, 0);
    h.zone = zone;
    assert_true(hours_open(&h, "2011-12-30T19:00:00Z", "2011-12-30T21:00:00Z")); /* Friday's and Saturday's */
    struct hours_slots it = hours_slots_begin(&h, at_ms("2011-12-29T00:00:00Z"), 60);
    EXPECT_STARTS(&it, "2011-12-30T06:00:00Z", "2011-12-30T07:00:00Z", "2011-12-30T19:00:00Z",
                  "2011-12-30T19:30:00Z", "2011-12-30T20:30:00Z", "2011-12-31T19:00:00Z");
    hours_release(&h);
    zone_release(zone);
}

/* Consecutive half hours leave no gap, even on days of 23 or 25 hours; one less leaves a gap. */
static void week_without_a_gap(void **state)
{
    (void)state;
    struct zone *zone = fixture_rule("CET-1CEST,M3.5.0,M10.5.0/3");
    struct hours_range ranges[48];
    for (int i = 0; i < 48; i++)
        ranges[i] =
            (struct hours_range){127, (uint16_t)(i * 30 + 15), (uint16_t)((i * 30 + 45) % HOURS_DAY_MINUTES)};
    for (size_t count = 47; count <= 48; count++) {
        struct hours h;
        hours_init(&h, ranges, count, NULL, 0);
        h.zone = zone;
        assert_int_equal(h.always, count == 48);
        assert_int_equal(hours_open(&h, "2026-01-01T00:00:00Z", "2036-01-01T00:00:00Z"), count == 48);
        assert_true(hours_open(&h, "2026-03-29T00:00:00Z", "2026-03-29T21:00:00Z"));
        assert_int_equal(hours_open(&h, "2026-10-24T00:00:00Z", "2026-10-25T12:00:00Z"), count == 48);
        hours_release(&h);
    }
    zone_release(zone);
}

/* Instants before 1970 fall on the right day too. */
static void hours_long_ago(void **state)
{
    (void)state;
    struct zone *zone = fixture_rule("UTC0");
    static const struct hours_range wednesday = {WED, AT(23, 0), AT(0, 0)};
    struct hours h;
    hours_init(&h, &wednesday, 1, NULL, 0);
    h.zone = zone;
    assert_true(hours_open(&h, "1969-12-31T23:00:00Z", "1970-01-01T00:00:00Z"));
    assert_false(hours_open(&h, "1969-12-31T22:59:59.999Z", "1970-01-01T00:00:00Z"));
    struct hours_slots it = hours_slots_begin(&h, at_ms("1969-12-24T23:00:00.001Z"), 30);
    EXPECT_STARTS(&it, "1969-12-24T23:30:00Z", "1969-12-31T23:00:00Z", "1969-12-31T23:30:00Z",
                  "1970-01-07T23:00:00Z");
    hours_release(&h);
    hours_release(&h);
    zone_release(zone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_overlap),
        cmocka_unit_test(open_on_a_plain_week),
        cmocka_unit_test(closed_is_not_open),
        cmocka_unit_test(grid_without_ranges),
        cmocka_unit_test(grid_of_ranges),
        cmocka_unit_test(grid_where_nothing_is_open),
        cmocka_unit_test(sunday_before_saturday_ends),
        cmocka_unit_test(a_skipped_day),
        cmocka_unit_test(week_without_a_gap),
        cmocka_unit_test(hours_long_ago),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
