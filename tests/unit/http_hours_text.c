/* SPDX-License-Identifier: Apache-2.0 */
/* A refusal outside opening hours says when it is open, in a sentence of bounded length. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/time/zone.h"
#include "http/record/hours_text.h"

#define AT_MS 1796306400000 /* 2026-12-03T14:00:00Z */

static char sentence[HOURS_TEXT_SIZE];

static const char *told(const struct calendar_image *calendar)
{
    struct zone *zone = zone_load("Asia/Kathmandu");
    assert_non_null(zone);
    hours_text_closed(calendar, zone, &(struct closed_interval){AT_MS, AT_MS + 1800000}, sentence);
    zone_release(zone);
    return sentence;
}

static void hours_and_time_zone_are_named(void **state)
{
    (void)state;
    const struct hours_range hours[] = {{0x1f, 540, 1050}, {0x60, 600, 0}, {0x15, 1320, 120}, {0x7f, 5, 65}};
    struct calendar_image calendar = {.timezone = TEXT("Europe/London"), .hours = hours, .hours_count = 1};
    assert_string_equal(told(&calendar), "Outside opening hours. Open: Mon-Fri 09:00-17:30 (Europe/London). "
                                         "Please choose another time.");
    calendar.hours_count = 4;
    assert_string_equal(told(&calendar),
                        "Outside opening hours. Open: Mon-Fri 09:00-17:30; Sat, Sun 10:00-00:00; "
                        "Mon, Wed, Fri 22:00-02:00; Mon-Sun 00:05-01:05 (Europe/London). "
                        "Please choose another time.");
}

static void a_closed_interval_in_the_way_is_named(void **state)
{
    (void)state;
    const struct closed_interval closed[] = {
        {AT_MS - 10, AT_MS}, {AT_MS + 1800000, AT_MS + 1900000}, {AT_MS + 1799999, AT_MS + 7200000}};
    struct calendar_image calendar = {
        .timezone = TEXT("Asia/Kathmandu"), .closed = closed, .closed_count = 3};
    assert_string_equal(told(&calendar), "Closed from 2026-12-03 20:14 to 2026-12-03 21:45 "
                                         "(Asia/Kathmandu). Please choose another time.");
    calendar.closed_count = 2;
    assert_string_equal(told(&calendar), "Outside opening hours. Please choose another time.");
}

static void any_number_of_ranges(void **state)
{
    (void)state;
    struct hours_range hours[HOURS_MAX];
    char zone[64];
    memset(zone, 'z', sizeof(zone));
    for (unsigned i = 0; i < HOURS_MAX; i++)
        hours[i] = (struct hours_range){0x5b, (uint16_t)(i * 4), (uint16_t)(i * 4 + 3)};
    struct calendar_image calendar = {
        .timezone = {zone, sizeof(zone)}, .hours = hours, .hours_count = HOURS_MAX};
    assert_non_null(strstr(told(&calendar), "; and more ("));
    assert_true(strlen(sentence) < HOURS_TEXT_SIZE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hours_and_time_zone_are_named),
        cmocka_unit_test(a_closed_interval_in_the_way_is_named),
        cmocka_unit_test(any_number_of_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
