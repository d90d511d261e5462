/* SPDX-License-Identifier: Apache-2.0 */
/* An arena returns aligned pieces, keeps its first block, and frees everything at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/memory/arena.h"

static void arena_pieces_are_aligned_and_apart(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, 100);
    uint8_t *pieces[200];
    for (size_t i = 0; i < 200; i++) {
        pieces[i] = arena_take(&a, i);
        assert_int_equal((uintptr_t)pieces[i] % 16, 0);
        memset(pieces[i], (int)i, i);
    }
    for (size_t i = 0; i < 200; i++)
        for (size_t k = 0; k < i; k++)
            assert_int_equal(pieces[i][k], (uint8_t)i);
    arena_release(&a);
}

static void arena_reset_keeps_the_first_block(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, 256);
    arena_reset(&a);
    void *first = arena_take(&a, 32);
    arena_take(&a, 10000);
    arena_take(&a, 100);
    arena_reset(&a);
    assert_ptr_equal(arena_take(&a, 32), first);
    arena_release(&a);
    arena_release(&a);
}

static void arena_large_first_piece_does_not_become_the_kept_block(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, 64);
    memset(arena_take(&a, 100000), 1, 100000);
    arena_reset(&a);
    uint8_t *small = arena_take(&a, 64), *next = arena_take(&a, 1);
    assert_true(next < small || next >= small + 64);
    *next = 1;
    arena_release(&a);
}

static void arena_copy_ends_with_nul(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, 64);
    assert_string_equal(arena_copy(&a, "abcdef", 3), "abc");
    assert_string_equal(arena_copy(&a, NULL, 0), "");
    arena_release(&a);
}

static void arena_zeroed_is_zero_after_reuse(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, 64);
    memset(arena_take(&a, 64), 0xff, 64);
    arena_reset(&a);
    uint8_t *zero = arena_zeroed(&a, 64);
    for (int i = 0; i < 64; i++)
        assert_int_equal(zero[i], 0);
    arena_release(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_pieces_are_aligned_and_apart),
        cmocka_unit_test(arena_reset_keeps_the_first_block),
        cmocka_unit_test(arena_large_first_piece_does_not_become_the_kept_block),
        cmocka_unit_test(arena_copy_ends_with_nul),
        cmocka_unit_test(arena_zeroed_is_zero_after_reuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
