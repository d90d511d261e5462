/* SPDX-License-Identifier: Apache-2.0 */
/* Webhooks take the loop's spare time, and of a busy loop no more than their share. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "http/hook/hook_pace.h"

#define MS 1000000u
#define MESSAGE_NS 40000u

/* Messages that may begin in `turns` turns of `turn_ns`, of which the loop rests `rest_ns`; `at_once` are wanted in
 * each. */
static uint64_t messages(uint64_t turns, uint64_t turn_ns, uint64_t rest_ns, uint64_t at_once)
{
    struct hook_pace pace = {0};
    uint64_t now_ns = 5 * MS, idle_ns = MS, spent_ns = 0, count = 0;
    for (uint64_t i = 0; i < turns; i++) {
        for (uint64_t k = 0; k < at_once && hook_pace_may(&pace, now_ns, idle_ns, spent_ns); k++) {
            spent_ns += MESSAGE_NS;
            count++;
        }
        now_ns += turn_ns;
        idle_ns += rest_ns;
    }
    return count;
}

static void a_busy_loop_gives_a_share(void **state)
{
    (void)state;
    uint64_t share = 1000 * MS / HOOK_PACE_SHARE / MESSAGE_NS;
    assert_in_range(messages(1000, MS, 0, 64), share - 60, share + 60);
    assert_in_range(messages(100000, MS / 100, 0, 64), share - 60, share + 60);
}

static void a_loop_that_rests_gives_all_its_rest(void **state)
{
    (void)state;
    uint64_t rest = 1000 * (MS / 2 + MS / 2 / HOOK_PACE_SHARE) / MESSAGE_NS;
    assert_in_range(messages(1000, MS, MS / 2, 64), rest - 60, rest + 60);
    assert_int_equal(messages(1000, MS, MS, 16), 16000);
}

static void what_is_saved_and_owed_is_little(void **state)
{
    struct hook_pace pace = {0};
    (void)state;
    assert_true(hook_pace_may(&pace, 0, 0, 0));
    assert_true(hook_pace_may(&pace, 3600000 * (uint64_t)MS, 3600000 * (uint64_t)MS, 0));
    assert_int_equal(pace.credit_ns, HOOK_PACE_CREDIT_MAX_NS);
    /* a turn in which they took a second is forgiven after a little rest */
    assert_false(hook_pace_may(&pace, 3600000 * (uint64_t)MS, 3600000 * (uint64_t)MS, 1000 * MS));
    assert_int_equal(pace.credit_ns, -HOOK_PACE_CREDIT_MAX_NS);
    assert_true(hook_pace_may(&pace, 3600002 * (uint64_t)MS + 1, 3600002 * (uint64_t)MS + 1, 1000 * MS));
}

static void a_rest_may_look_longer_than_the_time(void **state)
{
    struct hook_pace pace = {0};
    (void)state;
    assert_true(hook_pace_may(&pace, 10, 10, 0));
    assert_true(hook_pace_may(&pace, 20, 30, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_busy_loop_gives_a_share),
        cmocka_unit_test(a_loop_that_rests_gives_all_its_rest),
        cmocka_unit_test(what_is_saved_and_owed_is_little),
        cmocka_unit_test(a_rest_may_look_longer_than_the_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
