/* SPDX-License-Identifier: Apache-2.0 */
/* The book rests depending on how busy the loop is: it yields to a burst, hurries when there is none, and its lag is
 * bounded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "store/recorder.h"

#define FAR (RECORDER_LAG - 1)

static void it_hurries_when_the_loop_is_idle(void **state)
{
    (void)state;
    for (uint32_t busy = 0; busy < 25; busy++)
        for (uint64_t lag = RECORDER_CHANGES; lag <= 4 * (uint64_t)RECORDER_LAG; lag += 9999)
            assert_int_equal(recorder_rest_ms(lag, busy, 200), 0);
}

static void it_yields_to_a_busy_loop(void **state)
{
    (void)state;
    assert_int_equal(recorder_rest_ms(FAR, 100, 10), 40);
    assert_int_equal(recorder_rest_ms(FAR, 100, 200), 800);
    assert_int_equal(recorder_rest_ms(FAR, 100, 5000), 800);
    assert_int_equal(recorder_rest_ms(FAR, 50, 200), 800);
    assert_int_equal(recorder_rest_ms(FAR, 25, 200), 400);
    assert_int_equal(recorder_rest_ms(1, 100, 10), 40);
    for (uint32_t busy = 1; busy <= 100; busy++)
        assert_true(recorder_rest_ms(FAR, busy, 100) >= recorder_rest_ms(FAR, busy - 1, 100));
}

static void its_lag_is_bounded_under_any_load(void **state)
{
    (void)state;
    for (uint32_t busy = 0; busy <= 100; busy++) {
        assert_int_equal(recorder_rest_ms(RECORDER_LAG, busy, 1000), 0);
        assert_int_equal(recorder_rest_ms(UINT64_MAX, busy, 1000), 0);
    }
}

static void a_trickle_is_collected(void **state)
{
    (void)state;
    assert_int_equal(recorder_rest_ms(0, 0, 0), 100);
    assert_int_equal(recorder_rest_ms(0, 100, 1000), 100);
    assert_int_equal(recorder_rest_ms(5, 1, 10), 40);
    assert_int_equal(recorder_rest_ms(5, 1, 200), 100);
    assert_int_equal(recorder_rest_ms(RECORDER_CHANGES - 1, 0, 200), 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_hurries_when_the_loop_is_idle),
        cmocka_unit_test(it_yields_to_a_busy_loop),
        cmocka_unit_test(its_lag_is_bounded_under_any_load),
        cmocka_unit_test(a_trickle_is_collected),
    };
    return cmocka_run_group_tests_name("store_recorder_rest", tests, NULL, NULL);
}
