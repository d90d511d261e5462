/* SPDX-License-Identifier: Apache-2.0 */
/* Every form of a POSIX TZ string is read, and continues forever. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/time/rfc3339.h"
#include "base/time/zone_rule.h"

static const struct {
    const char *rule, *at; /* an instant of change */
    int32_t before_s, after_s;
} rule_changes[] = {
    {"CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29T01:00:00Z", 3600, 7200},
    {"CET-1CEST,M3.5.0,M10.5.0/3", "2026-10-25T01:00:00Z", 7200, 3600},
    {"CET-1CEST,M3.5.0,M10.5.0/3", "2040-03-25T01:00:00Z", 3600, 7200},
    {"CET-1CEST,M3.5.0,M10.5.0/3", "9999-10-31T01:00:00Z", 7200, 3600},
    {"CET-1CEST,M3.5.0,M10.5.0/3", "1900-03-25T01:00:00Z", 3600, 7200},
    {"EST5EDT,M3.2.0,M11.1.0", "2036-03-09T07:00:00Z", -18000, -14400},
    {"EST+5EDT+4:00:00,M3.2.0/2,M11.1.0/+2:00:00", "2036-11-02T06:00:00Z", -14400, -18000},
    {"NST3:30NDT,M3.2.0,M11.1.0", "2036-11-02T04:30:00Z", -9000, -12600},
    {"<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2036-04-05T15:00:00Z", 39600, 37800}, /* southern */
    {"<-04>4<-03>,M9.1.6/24,M4.1.6/24", "2036-09-07T04:00:00Z", -14400, -10800},    /* at the end of a day */
    {"<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T01:00:00Z", -7200, -3600},      /* the evening before */
    {"IST-2IDT,M3.4.4/26,M10.5.0", "2026-03-27T00:00:00Z", 7200, 10800},            /* the day after */
    {"AAA0BBB,M2.5.1/0,M6.1.0", "2028-02-28T00:00:00Z", 0, 3600}, /* the last Monday of a leap February */
    {"AAA0BBB,M2.5.2/0,M6.1.0", "2028-02-29T00:00:00Z", 0, 3600},
    {"AAA0BBB,M2.5.2/0,M6.1.0", "2026-02-24T00:00:00Z", 0, 3600},
    {"AAA0BBB,J60/0,J200/0", "2028-03-01T00:00:00Z", 0, 3600}, /* 29 February is not counted */
    {"AAA0BBB,J60/0,J200/0", "2027-03-01T00:00:00Z", 0, 3600},
    {"AAA0BBB,J59/0,J200/0", "2028-02-28T00:00:00Z", 0, 3600},
    {"AAA0BBB,59/0,200/0", "2028-02-29T00:00:00Z", 0, 3600}, /* and here it is */
    {"AAA0BBB,59/0,200/0", "2027-03-01T00:00:00Z", 0, 3600},
    {"AAA0BBB,100/0,365/0", "2029-01-01T23:00:00Z", 0, 0}, /* day 365 of a leap year is 31 December */
    {"AAA0BBB,100/0,365/0", "2028-12-30T23:00:00Z", 3600, 0},
    {"AAA0BBB,100/0,365/0", "2027-12-31T23:00:00Z", 3600, 0},    /* in other years it is 1 January */
    {"AAA0BBB,0/-167,364/167", "2026-12-25T01:00:00Z", 0, 3600}, /* a week outside the year */
    {"AAA0BBB,J364/167,J365/167", "2027-01-05T23:00:00Z", 0, 3600},
    {"AAA0BBB,J364/167,J365/167", "2027-01-06T22:00:00Z", 3600, 0},
    {"XXX3EDT4,0/0,J365/23", "2027-01-01T03:00:00Z", -14400, -14400}, /* summer all year */
    {"AAA-24:59:59", "2026-06-01T00:00:00Z", 89999, 89999},
};

static int64_t at_s(const char *text)
{
    int64_t at_ms;
    if (!rfc3339_read(text, strlen(text), &at_ms))
        fail_msg("not an instant: %s", text);
    return at_ms / 1000;
}

static void rule_holds(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rule_changes / sizeof *rule_changes; i++) {
        struct zone_rule r;
        if (!zone_rule_parse(rule_changes[i].rule, strlen(rule_changes[i].rule), &r))
            fail_msg("refused %s", rule_changes[i].rule);
        int64_t change_s = at_s(rule_changes[i].at);
        struct zone_span before = zone_rule_span_at(&r, change_s - 1),
                         after = zone_rule_span_at(&r, change_s);
        if (before.offset_s != rule_changes[i].before_s || after.offset_s != rule_changes[i].after_s)
            fail_msg("%s at %s: from %d to %d", rule_changes[i].rule, rule_changes[i].at, before.offset_s,
                     after.offset_s);
        if (before.offset_s != after.offset_s) {
            assert_int_equal(before.until_s, change_s);
            assert_int_equal(after.from_s, change_s);
        }
    }
}

/* Spans join without gaps, and every instant of a span has its offset. */
static void rule_spans_join(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rule_changes / sizeof *rule_changes; i++) {
        struct zone_rule r;
        assert_true(zone_rule_parse(rule_changes[i].rule, strlen(rule_changes[i].rule), &r));
        int64_t at = at_s("1890-05-05T00:00:00Z"), end = at_s("2110-05-05T00:00:00Z");
        for (struct zone_span span; at < end && r.has_summer; at = span.until_s) {
            span = zone_rule_span_at(&r, at);
            assert_true(span.until_s > at && span.until_s - at <= 367 * 86400);
            const int64_t probes[] = {at + (span.until_s - at) / 2, span.until_s - 1};
            for (size_t p = 0; p < 2; p++) {
                struct zone_span same = zone_rule_span_at(&r, probes[p]);
                assert_int_equal(same.from_s, span.from_s);
                assert_int_equal(same.until_s, span.until_s);
                assert_int_equal(same.offset_s, span.offset_s);
            }
        }
    }
}

static void rule_refuses(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        "CET",
        "C-1",
        "CE-1",
        "-1",
        ":Europe/Berlin",
        "<CET-1",
        "<C>-1",
        "<C_T>-1",
        "C3T-1",
        "CET-25",
        "CET-1:60",
        "CET-1:00:60",
        "CET-1:",
        "CET--1",
        "CET-1 ",
        "CET-1CEST",
        "CET-1CEST,",
        "CET-1CEST,M3.5.0",
        "CET-1CEST,M3.5.0,",
        "CET-1CEST,M3.5.0,M10.5.0,",
        "CET-1CEST,M3.5.0,M10.5.0/3x",
        "CET-1CEST,M0.5.0,M10.5.0",
        "CET-1CEST,M13.5.0,M10.5.0",
        "CET-1CEST,M3.0.0,M10.5.0",
        "CET-1CEST,M3.6.0,M10.5.0",
        "CET-1CEST,M3.5.7,M10.5.0",
        "CET-1CEST,M3.5,M10.5.0",
        "CET-1CEST,J0,J5",
        "CET-1CEST,J366,J5",
        "CET-1CEST,366,5",
        "CET-1CEST,M3.5.0/168,M10.5.0",
        "CET-1CEST,M3.5.0/-168,M10.5.0",
        "CET-1CEST,M3.5.0/,M10.5.0",
        "CET-1CEST,M0003.5.0,M10.5.0",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct zone_rule r;
        if (zone_rule_parse(bad[i], strlen(bad[i]), &r))
            fail_msg("accepted %s", bad[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rule_holds),
        cmocka_unit_test(rule_spans_join),
        cmocka_unit_test(rule_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
