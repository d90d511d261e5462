/* SPDX-License-Identifier: Apache-2.0 */
/* An entry on a wheel is due once, within a quarter of a second of its time, in any order of planning; a rescheduled
 * one is due at its new time, and after a jump in time everything past is due at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "http/live/wheel.h"

enum { COUNT = 400, BEGIN_MS = 7 * 1000 + 130 };

struct planned {
    struct link link;
    uint64_t at_ms, due_ms;
    unsigned times;
};

static struct wheel wheel;
static struct planned planned[COUNT];

static int set_up(void **state)
{
    (void)state;
    wheel_init(&wheel, BEGIN_MS);
    for (unsigned i = 0; i < COUNT; i++) {
        planned[i] = (struct planned){.at_ms = BEGIN_MS + 300 + (i * 7919) % 15000};
        link_init(&planned[i].link);
        wheel_plan(&wheel, &planned[i].link, planned[i].at_ms);
    }
    return 0;
}

/* Returns how many came due. */
static unsigned sweep(uint64_t now_ms)
{
    struct link due;
    unsigned count = 0;
    link_init(&due);
    wheel_sweep(&wheel, now_ms, &due);
    for (; !link_alone(&due); count++) {
        struct planned *p = LINK_OWNER(due.next, struct planned, link);
        link_remove(&p->link);
        p->due_ms = now_ms;
        p->times++;
    }
    return count;
}

static void expect_on_time(const struct planned *p)
{
    assert_int_equal(p->times, 1);
    assert_in_range(p->due_ms, p->at_ms - WHEEL_SPOKE_MS, p->at_ms + WHEEL_SPOKE_MS);
}

static void each_is_due_once_and_on_time(void **state)
{
    (void)state;
    for (uint64_t now = BEGIN_MS; now < BEGIN_MS + 40000; now += WHEEL_SPOKE_MS)
        sweep(now);
    for (unsigned i = 0; i < COUNT; i++)
        expect_on_time(&planned[i]);
}

static void when_rescheduled_it_is_due_at_the_new_time(void **state)
{
    (void)state;
    uint64_t now = BEGIN_MS;
    for (; now < BEGIN_MS + 5000; now += WHEEL_SPOKE_MS)
        sweep(now);
    for (unsigned i = 0; i < COUNT; i++) {
        planned[i].times = 0;
        planned[i].at_ms = now + 400 + i * 30;
        wheel_plan(&wheel, &planned[i].link, planned[i].at_ms);
    }
    for (; now < BEGIN_MS + 40000; now += WHEEL_SPOKE_MS)
        sweep(now);
    for (unsigned i = 0; i < COUNT; i++)
        expect_on_time(&planned[i]);
}

static void after_a_jump_everything_past_is_due_at_once(void **state)
{
    (void)state;
    assert_int_equal(sweep(BEGIN_MS + 3600 * 1000), COUNT);
    assert_int_equal(sweep(BEGIN_MS + 3600 * 1000 + WHEEL_SPOKE_MS), 0);
}

/* Both would be in a spoke that has just been swept, and come a round too late. */
static void past_and_distant_times_are_due_within_one_round(void **state)
{
    (void)state;
    uint64_t now = BEGIN_MS + 20000;
    sweep(now);
    wheel_plan(&wheel, &planned[0].link, now - 5000);
    wheel_plan(&wheel, &planned[1].link, now + WHEEL_SPOKES * WHEEL_SPOKE_MS);
    assert_int_equal(sweep(now + WHEEL_SPOKE_MS), 1);
    assert_int_equal(planned[0].times, 2);
    assert_int_equal(sweep(now + (WHEEL_SPOKES - 1) * WHEEL_SPOKE_MS), 1);
    assert_int_equal(planned[1].times, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(each_is_due_once_and_on_time, set_up),
        cmocka_unit_test_setup(when_rescheduled_it_is_due_at_the_new_time, set_up),
        cmocka_unit_test_setup(after_a_jump_everything_past_is_due_at_once, set_up),
        cmocka_unit_test_setup(past_and_distant_times_are_due_within_one_round, set_up),
    };
    return cmocka_run_group_tests_name("http_wheel", tests, NULL, NULL);
}
