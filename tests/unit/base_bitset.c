/* SPDX-License-Identifier: Apache-2.0 */
/* A bitset keeps what was set while it grows, and is walked in order within bounds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory/bitset.h"

static void a_bit_that_was_set_is_found(void **state)
{
    (void)state;
    struct bitset b = {0};
    assert_false(bitset_has(&b, 0));
    assert_false(bitset_has(&b, UINT32_MAX));
    bitset_grow(&b, 65);
    bitset_put(&b, 0, true);
    bitset_put(&b, 64, true);
    bitset_put(&b, 63, true);
    bitset_put(&b, 63, false);
    bitset_grow(&b, 1000);
    bitset_grow(&b, 10); /* never shrinks */
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(bitset_has(&b, i), i == 0 || i == 64);
    bitset_release(&b);
    assert_false(bitset_has(&b, 64));
}

static void the_next_one_is_found_within_bounds(void **state)
{
    (void)state;
    static const uint32_t members[] = {3, 63, 64, 200, 511};
    struct bitset b = {0};
    assert_int_equal(bitset_next(&b, 0, UINT32_MAX), BITSET_NONE);
    bitset_grow(&b, 512);
    for (size_t i = 0; i < 5; i++)
        bitset_put(&b, members[i], true);
    for (uint32_t from = 0; from < 600; from++)
        for (uint32_t below = from; below < 600; below += 7) {
            uint32_t expected = BITSET_NONE;
            for (size_t i = 5; i-- > 0;)
                if (members[i] >= from && members[i] < below)
                    expected = members[i];
            assert_int_equal(bitset_next(&b, from, below), expected);
        }
    bitset_release(&b);
}

static void the_intersection_of_two_sets_is_found(void **state)
{
    (void)state;
    struct bitset a = {0}, b = {0};
    bitset_grow(&a, 1000);
    bitset_grow(&b, 300); /* a smaller one ends it */
    for (uint32_t i = 0; i < 1000; i += 6)
        bitset_put(&a, i, true);
    for (uint32_t i = 0; i < 300; i += 10)
        bitset_put(&b, i, true);
    uint32_t expected = 0;
    for (uint32_t at = 0; (at = bitset_next_common(&a, &b, at, UINT32_MAX)) != BITSET_NONE; at++) {
        assert_int_equal(at, expected);
        expected += 30;
    }
    assert_int_equal(expected, 300);
    bitset_release(&a);
    bitset_release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bit_that_was_set_is_found),
        cmocka_unit_test(the_next_one_is_found_within_bounds),
        cmocka_unit_test(the_intersection_of_two_sets_is_found),
    };
    return cmocka_run_group_tests_name("base_bitset", tests, NULL, NULL);
}
