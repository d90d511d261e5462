/* SPDX-License-Identifier: Apache-2.0 */
/* Times in the demo's data count from when it is put in: in days, or from the next day with a date. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/time/rfc3339.h"
#include "cli/demo_time.h"

static int64_t instant(const char *text)
{
    int64_t at_ms = 0;
    assert_true(rfc3339_read(text, strlen(text), &at_ms));
    return at_ms;
}

/* The meaning of the text at this instant; "": none. */
static void expect(const char *now, const char *text, const char *expected)
{
    int64_t at_ms;
    char written[RFC3339_SIZE + 1] = "";
    if (demo_time_read(text, strlen(text), instant(now), &at_ms))
        rfc3339_write(at_ms, written);
    assert_string_equal(written, expected);
}

static void days_count_from_today(void **state)
{
    (void)state;
    expect("2026-11-16T00:00:00Z", "+7d 20:00", "2026-11-23T20:00:00.000Z");
    expect("2026-11-16T23:59:59Z", "+7d 20:00", "2026-11-23T20:00:00.000Z");
    expect("2026-11-16T12:00:00Z", "+0d 09:05", "2026-11-16T09:05:00.000Z");
    expect("2026-12-31T12:00:00Z", "+60d 20:00", "2027-03-01T20:00:00.000Z");
}

static void a_date_is_the_next_one_and_today_counts(void **state)
{
    (void)state;
    expect("2026-11-16T12:00:00Z", "12-25 +0d 00:00", "2026-12-25T00:00:00.000Z");
    expect("2026-12-25T23:59:59Z", "12-25 +0d 00:00", "2026-12-25T00:00:00.000Z");
    expect("2026-12-25T23:59:59Z", "12-25 +1d 00:00", "2026-12-26T00:00:00.000Z");
    expect("2026-12-26T00:00:00Z", "12-25 +0d 00:00", "2027-12-25T00:00:00.000Z");
}

static void a_zone_has_its_own_clock(void **state)
{
    (void)state;
    expect("2026-11-16T12:00:00Z", "12-25 +0d 00:00 Europe/Berlin", "2026-12-24T23:00:00.000Z");
    expect("2026-12-25T22:59:59Z", "12-25 +1d 00:00 Europe/Berlin", "2026-12-25T23:00:00.000Z");
    expect("2026-12-25T23:00:00Z", "12-25 +1d 00:00 Europe/Berlin", "2027-12-25T23:00:00.000Z");
    expect("2026-06-01T23:00:00Z", "+0d 20:00 Europe/Berlin",
           "2026-06-02T18:00:00.000Z"); /* locally the 2nd */
}

static void other_forms_are_not_times(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",           "7d 20:00",      "+7 20:00",        "+d 20:00",         "+7d",
        "+7d 20:00 ", "+7d 24:00",     "+7d 20:60",       "+-7d 20:00",       "+ 7d 20:00",
        "+7d 20:00Z", "12-25 20:00",   "13-25 +0d 20:00", "02-30 +0d 20:00",  "12-25+0d 20:00",
        "An evening", "+12345d 20:00", "+7d 20:00 Here",  "+7d 20:00 ../UTC", "2026-12-25T00:00:00Z",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        expect("2026-11-16T12:00:00Z", texts[i], "");
}

static void strings_of_this_form_are_replaced_and_nothing_else(void **state)
{
    (void)state;
    struct buf out;
    buf_init(&out, 1024);
    demo_time_replace(
        "{\"starts_at\":\"+7d 20:00\",\"name\":\"A \\\"+7d 20:00\\\"\",\"at\":[\"+1d 08:00\",7,\"+7d\"]}",
        instant("2026-11-16T12:00:00Z"), &out);
    *buf_reserve(&out, 1) = '\0';
    assert_string_equal((const char *)out.data,
                        "{\"starts_at\":\"2026-11-23T20:00:00.000Z\",\"name\":\"A \\\"+7d 20:00\\\"\","
                        "\"at\":[\"2026-11-17T08:00:00.000Z\",7,\"+7d\"]}");
    buf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(days_count_from_today),
        cmocka_unit_test(a_date_is_the_next_one_and_today_counts),
        cmocka_unit_test(a_zone_has_its_own_clock),
        cmocka_unit_test(other_forms_are_not_times),
        cmocka_unit_test(strings_of_this_form_are_replaced_and_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
