/* SPDX-License-Identifier: Apache-2.0 */
/* Random bytes do not repeat, fill exactly the requested size, and differ between threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <pthread.h>

#include "base/crypto/random.h"

static int random_compare(const void *a, const void *b)
{
    uint64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x < y ? -1 : x > y;
}

static void random_numbers_do_not_repeat(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    uint64_t *seen = malloc(COUNT * sizeof *seen);
    for (int i = 0; i < COUNT; i++)
        seen[i] = random_u64();
    qsort(seen, COUNT, sizeof *seen, random_compare);
    for (int i = 1; i < COUNT; i++)
        assert_true(seen[i] != seen[i - 1]);
    free(seen);
}

static void random_fills_exactly_what_was_asked(void **state)
{
    (void)state;
    for (size_t size = 0; size < 3000; size += 7) {
        uint8_t *block = calloc(1, size + 2);
        size_t changed = 0;
        for (int i = 0; i < 4; i++) {
            random_bytes(block + 1, size);
            assert_int_equal(block[0], 0);
            assert_int_equal(block[size + 1], 0);
            changed += size > 0 && block[1] != 0;
            changed += size > 0 && block[size] != 0;
        }
        assert_true(size == 0 || changed > 0); /* all zero once in 2^64 runs */
        free(block);
    }
}

static void random_every_bit_is_used(void **state)
{
    (void)state;
    uint64_t ones = 0, zeros = 0;
    for (int i = 0; i < 100; i++) {
        uint64_t v = random_u64();
        ones |= v;
        zeros |= ~v;
    }
    assert_true(ones == UINT64_MAX && zeros == UINT64_MAX);
}

static void *random_in_a_thread(void *owner)
{
    uint64_t *v = owner;
    *v = random_u64();
    return NULL;
}

static void random_threads_have_their_own(void **state)
{
    (void)state;
    uint64_t a, b;
    pthread_t one, other;
    assert_int_equal(pthread_create(&one, NULL, random_in_a_thread, &a), 0);
    assert_int_equal(pthread_create(&other, NULL, random_in_a_thread, &b), 0);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert_true(a != b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_numbers_do_not_repeat),
        cmocka_unit_test(random_fills_exactly_what_was_asked),
        cmocka_unit_test(random_every_bit_is_used),
        cmocka_unit_test(random_threads_have_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
