/* SPDX-License-Identifier: Apache-2.0 */
/* A zone gives the offset at every instant, and the instant of every local time: a skipped one is read with the offset
 * before it, and of a repeated one the first counts. Files that are not TZif are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/memory/memory.h"
#include "base/time/rfc3339.h"
#include "zone_fixture.h"

#define ZONE_HOUR 3600

static int64_t at_s(const char *text)
{
    int64_t at_ms;
    if (!rfc3339_read(text, strlen(text), &at_ms))
        fail_msg("not an instant: %s", text);
    return at_ms / 1000;
}

/* The local time as if it were UTC: "2026-03-29T02:30:00Z" is half past two on the wall clock. */
static void expect_utc(const struct zone *z, const char *local, const char *utc)
{
    int64_t got_s = zone_to_utc_s(z, at_s(local));
    if (got_s != at_s(utc)) {
        char text[RFC3339_SIZE];
        rfc3339_write(got_s * 1000, text);
        fail_msg("local %s: %.*s, not %s", local, RFC3339_SIZE, text, utc);
    }
}

/* Past changes, which no new edition of the data will alter. */
static const struct {
    const char *zone, *change;
    int32_t before_s, after_s;
} zone_history[] = {
    {"Europe/Berlin", "2024-03-31T01:00:00Z", 3600, 7200},
    {"Europe/Berlin", "2024-10-27T01:00:00Z", 7200, 3600},
    {"America/New_York", "2024-03-10T07:00:00Z", -18000, -14400},
    {"America/New_York", "2024-11-03T06:00:00Z", -14400, -18000},
    {"Australia/Lord_Howe", "2024-04-06T15:00:00Z", 39600, 37800},
    {"Australia/Lord_Howe", "2024-10-05T15:30:00Z", 37800, 39600},
    {"Asia/Kathmandu", "1985-12-31T18:30:00Z", 19800, 20700},
    {"America/Santiago", "2024-04-07T03:00:00Z", -10800, -14400},
    {"America/Santiago", "2024-09-08T04:00:00Z", -14400, -10800},
    {"Africa/Cairo", "2024-04-25T22:00:00Z", 7200, 10800},
    {"Africa/Cairo", "2024-10-31T21:00:00Z", 10800, 7200},
    {"Pacific/Chatham", "2024-04-06T14:00:00Z", 49500, 45900},
    {"Pacific/Chatham", "2024-09-28T14:00:00Z", 45900, 49500},
    {"America/St_Johns", "2024-03-10T05:30:00Z", -12600, -9000},
    {"America/St_Johns", "2024-11-03T04:30:00Z", -9000, -12600},
    {"Pacific/Apia", "2011-12-30T10:00:00Z", -36000, 50400}, /* a day that did not exist */
};

static void zone_knows_the_past(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof zone_history / sizeof *zone_history; i++) {
        struct zone *z = zone_load(zone_history[i].zone);
        if (!z)
            fail_msg("no zone %s: is tzdata installed?", zone_history[i].zone);
        assert_string_equal(zone_name(z), zone_history[i].zone);
        int64_t change_s = at_s(zone_history[i].change);
        if (zone_offset_s(z, change_s - 1) != zone_history[i].before_s ||
            zone_offset_s(z, change_s) != zone_history[i].after_s)
            fail_msg("%s at %s: from %d to %d", zone_history[i].zone, zone_history[i].change,
                     zone_offset_s(z, change_s - 1), zone_offset_s(z, change_s));
        assert_int_equal(zone_span_at(z, change_s).from_s, change_s);
        assert_int_equal(zone_span_at(z, change_s - 1).until_s, change_s);
        zone_release(z);
    }
}

static void zone_utc_never_changes(void **state)
{
    (void)state;
    struct zone *z = zone_load("UTC");
    assert_non_null(z);
    const int64_t instants[] = {-ZONE_INSTANT_S_MAX, -1, 0, 1, 2000000000, ZONE_INSTANT_S_MAX};
    for (size_t i = 0; i < sizeof instants / sizeof *instants; i++) {
        assert_int_equal(zone_offset_s(z, instants[i]), 0);
        assert_int_equal(zone_to_utc_s(z, instants[i]), instants[i]);
    }
    zone_release(z);
}

static void zone_gap_and_repeat(void **state)
{
    (void)state;
    struct zone *z = fixture_rule(ZONE_BERLIN);
    expect_utc(z, "2026-03-29T01:59:59Z", "2026-03-29T00:59:59Z");
    expect_utc(z, "2026-03-29T02:00:00Z", "2026-03-29T01:00:00Z"); /* skipped: shows 03:00 */
    expect_utc(z, "2026-03-29T02:30:00Z", "2026-03-29T01:30:00Z"); /* skipped: shows 03:30 */
    expect_utc(z, "2026-03-29T02:59:59Z", "2026-03-29T01:59:59Z");
    expect_utc(z, "2026-03-29T03:00:00Z", "2026-03-29T01:00:00Z");
    expect_utc(z, "2026-10-25T01:59:59Z", "2026-10-24T23:59:59Z");
    expect_utc(z, "2026-10-25T02:00:00Z", "2026-10-25T00:00:00Z"); /* twice: the first */
    expect_utc(z, "2026-10-25T02:59:59Z", "2026-10-25T00:59:59Z");
    expect_utc(z, "2026-10-25T03:00:00Z", "2026-10-25T02:00:00Z");
    zone_release(z);
    z = fixture_rule(ZONE_LORD_HOWE); /* half an hour of summer */
    expect_utc(z, "2026-10-04T02:15:00Z", "2026-10-03T15:45:00Z");
    expect_utc(z, "2026-10-04T02:30:00Z", "2026-10-03T15:30:00Z");
    expect_utc(z, "2026-04-05T01:45:00Z", "2026-04-04T14:45:00Z");
    expect_utc(z, "2026-04-05T02:00:00Z", "2026-04-04T15:30:00Z");
    zone_release(z);
}

/* Local times are found next to anything: changes close to each other, a skipped day, a repeated one. */
static void zone_crowded_changes(void **state)
{
    (void)state;
    static const int32_t offsets[] = {0, 3600, -7200, 24 * 3600, 7200};
    static const struct fixture_transition transitions[] = {
        {100000, 1}, {101000, 2}, {102000, 0}, {500000, 3}, {500100, 0}, {900000, 4}, {900001, 1},
    };
    const struct fixture_file f = {'2', offsets, 5, transitions, 7, 0, ""};
    struct zone *z = fixture_make(&f);
    assert_non_null(z);
    for (int64_t local_s = -200000; local_s < 1200000; local_s += 50) {
        int64_t expected_s = INT64_MAX;
        for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
            int64_t utc_s = local_s - offsets[i];
            if (zone_offset_s(z, utc_s) == offsets[i] && utc_s < expected_s)
                expected_s = utc_s;
        }
        int64_t got_s = zone_to_utc_s(z, local_s);
        if (expected_s != INT64_MAX)
            assert_int_equal(got_s, expected_s);
        else if (local_s >= 100000 && local_s < 103600) /* skipped at the first change */
            assert_int_equal(got_s, local_s);
    }
    zone_release(z);
}

/* The offset before the first transition, between them, and after the last: by the rule, or the same. */
static void zone_reads_both_widths(void **state)
{
    (void)state;
    static const int32_t offsets[] = {1234, 3600, 7200};
    static const struct fixture_transition transitions[] = {{-1000, 1}, {1000, 2}, {1500, 2}, {2000, 1}};
    static const char versions[] = {'\0', '2', '3', '4', '2'};
    for (int i = 0; i < 5; i++) {
        const struct fixture_file f = {versions[i], offsets, 3, transitions, 4, 0, i == 4 ? "AAA3" : ""};
        struct zone *z = fixture_make(&f);
        assert_non_null(z);
        assert_int_equal(zone_offset_s(z, -1001), 1234);
        assert_int_equal(zone_offset_s(z, -1000), 3600);
        assert_int_equal(zone_offset_s(z, 999), 3600);
        assert_int_equal(zone_offset_s(z, 1000), 7200);
        assert_int_equal(zone_offset_s(z, 1999), 7200);
        assert_int_equal(zone_span_at(z, 1999).from_s, 1000);
        assert_int_equal(zone_offset_s(z, 2000), i == 4 ? -3 * ZONE_HOUR : 3600);
        assert_int_equal(zone_offset_s(z, 5000000000), i == 4 ? -3 * ZONE_HOUR : 3600);
        assert_int_equal(zone_span_at(z, 3000).from_s, 2000);
        assert_true(zone_span_at(z, -5000).from_s < -ZONE_INSTANT_S_MAX);
        assert_true(zone_span_at(z, 3000).until_s > ZONE_INSTANT_S_MAX);
        zone_release(z);
    }
}

static void zone_refuses_nonsense(void **state)
{
    (void)state;
    static const int32_t far[] = {26 * ZONE_HOUR}, west[] = {-26 * ZONE_HOUR}, good[] = {0, 3600};
    static const struct fixture_transition back[] = {{5, 1}, {5, 0}}, type[] = {{5, 2}},
                                           late[] = {{INT64_MAX, 1}}, early[] = {{INT64_MIN, 1}};
    const struct fixture_file files[] = {
        {.version = '2', .footer = ""},                                     /* no offset at all */
        {'2', far, 1, NULL, 0, 0, ""},                                      /* too far east */
        {'2', west, 1, NULL, 0, 0, ""},                                     /* too far west */
        {'2', good, 2, back, 2, 0, ""},                                     /* out of order */
        {'2', good, 2, type, 1, 0, ""},                                     /* a missing offset */
        {'2', good, 2, late, 1, 0, ""},    {'2', good, 2, early, 1, 0, ""}, /* far out of bounds */
        {'2', good, 2, NULL, 0, 1, ""},    {'\0', good, 2, NULL, 0, 1, ""}, /* leap seconds */
        {'2', good, 2, NULL, 0, 0, "CET"}, {'1', good, 2, NULL, 0, 0, ""},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (fixture_make(&files[i]))
            fail_msg("file %zu was accepted", i);
    }
}

/* Truncated anywhere, and with any one byte changed: refused or a zone, but nothing is read outside the bytes. */
static void zone_bounds(void **state)
{
    (void)state;
    static const int32_t offsets[] = {0, 3600};
    static const struct fixture_transition transitions[] = {{-1000, 1}, {1000, 0}};
    const struct fixture_file f = {'2', offsets, 2, transitions, 2, 0, ZONE_BERLIN};
    struct buf whole = fixture_bytes(&f);
    for (size_t size = 0; size < whole.size; size++) {
        uint8_t *cut = memory_get(size);
        memcpy(cut, whole.data, size);
        assert_null(zone_parse(cut, size, "A"));
        free(cut);
    }
    for (size_t i = 0; i < whole.size * 256; i++) {
        uint8_t kept = whole.data[i / 256];
        whole.data[i / 256] = (uint8_t)i;
        struct zone *z = zone_parse(whole.data, whole.size, "A");
        if (z)
            zone_to_utc_s(z, zone_offset_s(z, 1800000000));
        zone_release(z);
        whole.data[i / 256] = kept;
    }
    buf_release(&whole);
}

static void zone_names(void **state)
{
    (void)state;
    static const char *const good[] = {"UTC", "Etc/GMT+5", "America/Argentina/Buenos_Aires",
                                       "a",   "GMT-0",     "x.y"};
    static const char *const bad[] = {"",
                                      "/UTC",
                                      "UTC/",
                                      "a//b",
                                      "..",
                                      "../UTC",
                                      "a/../UTC",
                                      "./UTC",
                                      "a/.b",
                                      "a b",
                                      "a\\b",
                                      "a:b",
                                      "Zürich",
                                      "a\n",
                                      "a%b",
                                      "~",
                                      "America/North_Dakota/A_town_with_a_name_that_is_too_long_for_a_zone"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(zone_name_valid(good[i], strlen(good[i])));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (zone_name_valid(bad[i], strlen(bad[i])) || zone_load(bad[i]))
            fail_msg("accepted: %s", bad[i]);
    }
    assert_false(zone_name_valid("UTC\0", 4));
}

static void zone_unknown(void **state)
{
    (void)state;
    static const char *const none[] = {"Europe",    "Europe/Nowhere", "zone.tab", "tzdata.zi",
                                       "localtime", "europe/berlin",  "UTC/UTC"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        if (zone_load(none[i]))
            fail_msg("loaded: %s", none[i]);
    }
}

static void zone_owners(void **state)
{
    (void)state;
    struct zone *z = fixture_rule("UTC0");
    assert_ptr_equal(zone_retain(z), z);
    zone_release(z);
    assert_string_equal(zone_name(z), "Test/Zone");
    zone_release(z);
    zone_release(NULL);
}

/* The zone of the process makes no difference. */
static void zone_ignores_tz(void **state)
{
    (void)state;
    assert_int_equal(setenv("TZ", "Asia/Tokyo", 1), 0);
    struct zone *z = zone_load("America/New_York");
    assert_non_null(z);
    assert_int_equal(zone_offset_s(z, at_s("2024-07-01T00:00:00Z")), -4 * ZONE_HOUR);
    assert_string_equal(getenv("TZ"), "Asia/Tokyo");
    unsetenv("TZ");
    zone_release(z);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zone_knows_the_past),
        cmocka_unit_test(zone_utc_never_changes),
        cmocka_unit_test(zone_gap_and_repeat),
        cmocka_unit_test(zone_crowded_changes),
        cmocka_unit_test(zone_reads_both_widths),
        cmocka_unit_test(zone_refuses_nonsense),
        cmocka_unit_test(zone_bounds),
        cmocka_unit_test(zone_names),
        cmocka_unit_test(zone_unknown),
        cmocka_unit_test(zone_owners),
        cmocka_unit_test(zone_ignores_tz),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
