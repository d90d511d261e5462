/* SPDX-License-Identifier: Apache-2.0 */
/* Instants are read and written by the proleptic Gregorian calendar, to the millisecond. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/time/rfc3339.h"

static const struct {
    const char *text;
    int64_t at_ms;
} rfc3339_good[] = {
    {"1970-01-01T00:00:00Z", 0},
    {"1970-01-01T00:00:00.001Z", 1},
    {"1969-12-31T23:59:59.999Z", -1},
    {"1969-12-31T23:59:59.9999Z", -1},
    {"2000-02-29T00:00:00Z", 951782400000},
    {"2000-03-01T00:00:00Z", 951868800000},
    {"2024-02-29T12:00:00Z", 1709208000000},
    {"2026-12-03T14:00:00Z", 1796306400000},
    {"2026-12-03t14:00:00z", 1796306400000},
    {"2026-12-03T15:30:00+01:30", 1796306400000},
    {"2026-12-03T08:15:00-05:45", 1796306400000},
    {"2026-12-03T14:00:00-00:00", 1796306400000},
    {"2026-12-04T13:59:00+23:59", 1796306400000},
    {"2026-12-03T14:00:00.5Z", 1796306400500},
    {"2026-12-03T14:00:00.05Z", 1796306400050},
    {"2026-12-03T14:00:00.123456789123456789Z", 1796306400123},
    {"2026-12-03T14:00:00.9999+00:00", 1796306400999},
    {"2016-12-31T23:59:60Z", 1483228800000},
    {"2016-12-31T23:59:60.7Z", 1483228800000},
    {"1900-02-28T23:59:59Z", -2203891201000},
    {"0000-01-01T00:00:00Z", -62167219200000},
    {"0000-02-29T00:00:00Z", -62162121600000},
    {"9999-12-31T23:59:59.999Z", 253402300799999},
    {"2038-01-19T03:14:08Z", 2147483648000},
};

static void rfc3339_reads(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rfc3339_good / sizeof *rfc3339_good; i++) {
        int64_t at_ms = 12345;
        if (!rfc3339_read(rfc3339_good[i].text, strlen(rfc3339_good[i].text), &at_ms))
            fail_msg("refused %s", rfc3339_good[i].text);
        if (at_ms != rfc3339_good[i].at_ms)
            fail_msg("%s: %lld, not %lld", rfc3339_good[i].text, (long long)at_ms,
                     (long long)rfc3339_good[i].at_ms);
    }
}

static void rfc3339_refuses(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        "2026",
        "2026-12-03",
        "2026-12-03T",
        "2026-12-03T14:00Z",
        "2026-12-03T14:00:00",
        "2026-12-03 14:00:00Z",
        "2026-12-03T14:00:00 Z",
        " 2026-12-03T14:00:00Z",
        "2026-12-03T14:00:00Z ",
        "2026-12-03T14:00:00ZZ",
        "2026-12-03T14:00:00.Z",
        "2026-12-03T14:00:00,5Z",
        "2026-12-03T24:00:00Z",
        "2026-12-03T14:60:00Z",
        "2026-12-03T14:00:61Z",
        "2026-13-03T14:00:00Z",
        "2026-00-03T14:00:00Z",
        "2026-12-00T14:00:00Z",
        "2026-12-32T14:00:00Z",
        "2026-11-31T14:00:00Z",
        "2026-02-29T14:00:00Z",
        "1900-02-29T00:00:00Z",
        "2100-02-29T00:00:00Z",
        "2024-02-30T00:00:00Z",
        "2026-12-03T14:00:00+24:00",
        "2026-12-03T14:00:00+01:60",
        "2026-12-03T14:00:00+0100",
        "2026-12-03T14:00:00+01",
        "2026-12-03T14:00:00+1:00",
        "2026-12-03T14:00:00\xe2\x88\x92"
        "01:00",
        "+2026-12-03T14:00:00Z",
        "-026-12-03T14:00:00Z",
        "2026-1-03T14:00:00Z",
        "12026-12-03T14:00:00Z",
        "20261203T140000Z",
        "0000-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59-00:01",
        "9999-12-31T23:59:60Z",
        "2026-12-03T14:00:0xZ",
        "2026-12-03T14:-1:00Z",
        "2026/12/03T14:00:00Z",
        "now",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        int64_t at_ms = 12345;
        /* An exact copy, so that the sanitizer sees any byte read past the end. */
        size_t size = strlen(bad[i]);
        char *copy = malloc(size ? size : 1);
        memcpy(copy, bad[i], size);
        if (rfc3339_read(copy, size, &at_ms))
            fail_msg("accepted %s", bad[i]);
        assert_int_equal(at_ms, 12345);
        free(copy);
    }
    assert_false(rfc3339_read("2026-12-03T14:00:00\0Z", 21, &(int64_t){0}));
}

static void rfc3339_every_cut_is_refused(void **state)
{
    (void)state;
    const char text[] = "2026-12-03T14:00:00.123+01:00";
    for (size_t cut = 0; cut < sizeof text - 1; cut++)
        assert_false(rfc3339_read(text, cut, &(int64_t){0}));
    assert_true(rfc3339_read(text, sizeof text - 1, &(int64_t){0}));
}

static bool rfc3339_is_leap(int year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* Walks every day of ten thousand years with a plain counter. */
static void rfc3339_every_day(void **state)
{
    (void)state;
    int64_t at_ms = -62167219200000;
    for (int year = 0; year < 10000; year++) {
        for (int month = 1; month <= 12; month++) {
            static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
            int days = lengths[month - 1] + (month == 2 && rfc3339_is_leap(year));
            for (int day = 1; day <= days; day++, at_ms += 86400000) {
                char out[RFC3339_SIZE];
                rfc3339_write(at_ms + 45296789, out);
                int y = (out[0] - '0') * 1000 + (out[1] - '0') * 100 + (out[2] - '0') * 10 + out[3] - '0';
                int m = (out[5] - '0') * 10 + out[6] - '0', d = (out[8] - '0') * 10 + out[9] - '0';
                if (y != year || m != month || d != day || memcmp(out + 10, "T12:34:56.789Z", 14) != 0)
                    fail_msg("%04d-%02d-%02d is written %.24s", year, month, day, out);
                int64_t back = 0;
                if (!rfc3339_read(out, sizeof out, &back) || back != at_ms + 45296789)
                    fail_msg("%.24s is not read back", out);
            }
        }
    }
    assert_true(at_ms == 253402300800000);
}

static void rfc3339_writes_the_ends(void **state)
{
    (void)state;
    char out[RFC3339_SIZE];
    rfc3339_write(-1, out);
    assert_memory_equal(out, "1969-12-31T23:59:59.999Z", RFC3339_SIZE);
    rfc3339_write(-62167219200000, out);
    assert_memory_equal(out, "0000-01-01T00:00:00.000Z", RFC3339_SIZE);
    rfc3339_write(253402300799999, out);
    assert_memory_equal(out, "9999-12-31T23:59:59.999Z", RFC3339_SIZE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rfc3339_reads),
        cmocka_unit_test(rfc3339_refuses),
        cmocka_unit_test(rfc3339_every_cut_is_refused),
        cmocka_unit_test(rfc3339_every_day),
        cmocka_unit_test(rfc3339_writes_the_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
