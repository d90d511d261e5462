/* SPDX-License-Identifier: Apache-2.0 */
/* Our time never goes back and never jumps, whatever the wall clock does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/time/clock.h"
#include "base/logging.h"

#define DAY_MS ((int64_t)86400000)
#define START_MS ((int64_t)1800000000000)

struct fake {
    int64_t wall_ms, boot_ms;
};

static int64_t fake_wall_ms(void *owner)
{
    return ((struct fake *)owner)->wall_ms;
}

static int64_t fake_boot_ms(void *owner)
{
    return ((struct fake *)owner)->boot_ms;
}

static struct clock_source fake_source(struct fake *f)
{
    return (struct clock_source){.wall_ms = fake_wall_ms, .boot_ms = fake_boot_ms, .owner = f};
}

static void fake_pass(struct fake *f, int64_t ms)
{
    f->wall_ms += ms;
    f->boot_ms += ms;
}

static void clock_starts_at_the_wall_and_advances(void **state)
{
    (void)state;
    struct fake f = {START_MS, 5000};
    struct clock c;
    clock_init(&c, fake_source(&f), 0);
    assert_int_equal(clock_read(&c), START_MS);
    for (int64_t ms = 1; ms < 100000; ms += 7) {
        f = (struct fake){START_MS + ms, 5000 + ms};
        assert_int_equal(clock_read(&c), START_MS + ms);
        assert_int_equal(clock_offset_ms(&c), 0);
    }
}

static void clock_never_restarts_before_the_floor(void **state)
{
    (void)state;
    struct fake f = {START_MS, 5000};
    struct clock c;
    clock_init(&c, fake_source(&f), START_MS + DAY_MS);
    assert_int_equal(clock_read(&c), START_MS + DAY_MS);
    fake_pass(&f, 1000);
    assert_int_equal(clock_read(&c), START_MS + DAY_MS + 1000);
    assert_int_equal(clock_offset_ms(&c), DAY_MS);
}

/* Over any period our time passes within 500 ppm, plus a millisecond of rounding, of CLOCK_BOOTTIME. */
static void clock_follow(struct clock *c, struct fake *f, int64_t turns, int64_t turn_ms)
{
    int64_t begun_ms = clock_read(c), before_ms = begun_ms;
    for (int64_t i = 1; i <= turns; i++) {
        fake_pass(f, turn_ms);
        int64_t now_ms = clock_read(c), passed_ms = i * turn_ms;
        assert_true(now_ms >= before_ms);
        assert_true(now_ms - begun_ms <= passed_ms + passed_ms / 2000 + 1);
        assert_true(now_ms - begun_ms >= passed_ms - passed_ms / 2000 - 1);
        before_ms = now_ms;
    }
}

static void clock_slews_after_a_jump_of_the_wall(void **state)
{
    (void)state;
    const int64_t jumps_ms[] = {DAY_MS, -DAY_MS, 3600000, -3600000,      1000,
                                -1000,  1,       -1,      3650 * DAY_MS, -3650 * DAY_MS};
    const int64_t turns_ms[] = {1, 3, 100, 2000, 60000};
    for (int j = 0; j < 10; j++) {
        for (int t = 0; t < 5; t++) {
            struct fake f = {START_MS, 5000};
            struct clock c;
            clock_init(&c, fake_source(&f), 0);
            clock_follow(&c, &f, 10, turns_ms[t]);
            f.wall_ms += jumps_ms[j];
            clock_follow(&c, &f, 5000, turns_ms[t]);
        }
    }
}

static void clock_closes_a_difference_eventually(void **state)
{
    (void)state;
    for (int64_t jump_ms = -1500; jump_ms <= 1500; jump_ms += 1500) {
        struct fake f = {START_MS, 5000};
        struct clock c;
        clock_init(&c, fake_source(&f), 0);
        f.wall_ms += jump_ms;
        assert_int_equal(clock_offset_ms(&c), -jump_ms);
        clock_follow(&c, &f, 1500 * 20 + 100, 100); /* 1500 ms at 500 ppm are 3,000 s */
        assert_int_equal(clock_offset_ms(&c), 0);
        assert_int_equal(clock_read(&c), f.wall_ms);
    }
}

static void clock_ignores_a_frozen_wall(void **state)
{
    (void)state;
    struct fake f = {START_MS, 5000};
    struct clock c;
    clock_init(&c, fake_source(&f), 0);
    for (int i = 1; i <= 10000; i++) {
        f.boot_ms += 100;
        int64_t passed_ms = clock_read(&c) - START_MS;
        assert_true(passed_ms >= i * 100 - i * 100 / 2000 - 1 && passed_ms <= i * 100);
    }
}

static void clock_stops_while_everything_is_frozen(void **state)
{
    (void)state;
    struct fake f = {START_MS, 5000};
    struct clock c;
    clock_init(&c, fake_source(&f), 0);
    fake_pass(&f, 1234);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(clock_read(&c), START_MS + 1234);
}

static void clock_stops_for_a_millisecond_backwards(void **state)
{
    (void)state;
    struct fake f = {START_MS, 5000};
    struct clock c;
    clock_init(&c, fake_source(&f), 0);
    fake_pass(&f, 500);
    assert_int_equal(clock_read(&c), START_MS + 500);
    for (int i = 0; i < 1000; i++) {
        f.boot_ms--;
        assert_int_equal(clock_read(&c), START_MS + 500);
        f.boot_ms++;
        assert_int_equal(clock_read(&c), START_MS + 500);
    }
    fake_pass(&f, 1);
    assert_int_equal(clock_read(&c), START_MS + 501);
}

/* Suspended for a day: a hold from before has expired, and our time shows it. */
static void clock_counts_a_suspended_day(void **state)
{
    (void)state;
    struct fake f = {START_MS, 5000};
    struct clock c;
    clock_init(&c, fake_source(&f), 0);
    clock_read(&c);
    fake_pass(&f, DAY_MS);
    assert_int_equal(clock_read(&c), START_MS + DAY_MS);
}

static void clock_continues_when_the_source_restarts(void **state)
{
    (void)state;
    struct fake f = {START_MS, 2 * DAY_MS};
    struct clock c;
    clock_init(&c, fake_source(&f), 0);
    fake_pass(&f, 700);
    assert_int_equal(clock_read(&c), START_MS + 700);
    f.boot_ms -= DAY_MS;
    assert_int_equal(clock_read(&c), START_MS + 700);
    fake_pass(&f, 300);
    assert_int_equal(clock_read(&c), START_MS + 1000);
}

static void clock_survives_any_schedule(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int run = 0; run < 50; run++) {
        struct fake f = {START_MS, 5000};
        struct clock c;
        clock_init(&c, fake_source(&f), 0);
        int64_t before_ms = clock_read(&c);
        for (int i = 0; i < 2000; i++) {
            seed = seed * 6364136223846793005 + 1442695040888963407;
            uint32_t draw = (uint32_t)(seed >> 33);
            fake_pass(&f, draw % 3000);
            if (draw % 50 == 0)
                f.wall_ms += (int64_t)(draw % 2001 - 1000) * (DAY_MS / 1000);
            if (draw % 31 == 0)
                f.boot_ms--;
            int64_t now_ms = clock_read(&c);
            assert_true(now_ms >= before_ms);
            assert_true(now_ms - before_ms <= draw % 3000 + 3);
            before_ms = now_ms;
        }
    }
}

static void clock_system_is_near_the_wall(void **state)
{
    (void)state;
    struct clock c;
    clock_init(&c, clock_system, 0);
    int64_t first_ms = clock_read(&c);
    assert_true(first_ms > 1700000000000);
    assert_true(clock_read(&c) >= first_ms);
    uint64_t ns = clock_monotonic_ns();
    assert_true(clock_monotonic_ns() >= ns);
}

static int clock_quiet(void **state)
{
    (void)state;
    log_set_level(LOG_LEVEL_ERROR);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clock_starts_at_the_wall_and_advances),
        cmocka_unit_test(clock_never_restarts_before_the_floor),
        cmocka_unit_test(clock_slews_after_a_jump_of_the_wall),
        cmocka_unit_test(clock_closes_a_difference_eventually),
        cmocka_unit_test(clock_ignores_a_frozen_wall),
        cmocka_unit_test(clock_stops_while_everything_is_frozen),
        cmocka_unit_test(clock_stops_for_a_millisecond_backwards),
        cmocka_unit_test(clock_counts_a_suspended_day),
        cmocka_unit_test(clock_continues_when_the_source_restarts),
        cmocka_unit_test(clock_survives_any_schedule),
        cmocka_unit_test(clock_system_is_near_the_wall),
    };
    return cmocka_run_group_tests(tests, clock_quiet, NULL);
}
