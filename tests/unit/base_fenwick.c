/* SPDX-License-Identifier: Apache-2.0 */
/* A Fenwick tree returns the same prefix sums as a plain array of counts, however it was built. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/memory/fenwick.h"
#include "base/memory/memory.h"

static uint32_t *row; /* by place */

static uint64_t dice(uint64_t *state)
{
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    return *state >> 33;
}

static void every_prefix_is_right(const struct fenwick *f)
{
    uint32_t sum = 0;
    assert_int_equal(fenwick_sum(f, 0), 0);
    for (uint32_t i = 1; i <= f->count; i++) {
        sum += row[i];
        assert_int_equal(fenwick_sum(f, i), sum);
    }
}

static void counts_come_and_go_while_it_grows(void **state)
{
    (void)state;
    struct fenwick f;
    uint64_t seed = 1;
    row = memory_zeroed(3001, sizeof(*row));
    fenwick_init(&f);
    for (uint32_t i = 1; i <= 3000; i++) {
        fenwick_append(&f);
        for (int k = 0; k < 3; k++) {
            uint32_t place = (uint32_t)(dice(&seed) % i) + 1;
            int32_t difference = row[place] && dice(&seed) % 2 ? -1 : 1;
            row[place] += (uint32_t)difference;
            fenwick_add(&f, place, difference);
        }
        if (i % 97 == 0 || i < 70)
            every_prefix_is_right(&f);
    }
    every_prefix_is_right(&f);
    fenwick_release(&f);
    assert_int_equal(f.count, 0);
    fenwick_append(&f); /* and again from the start */
    fenwick_add(&f, 1, 1);
    assert_int_equal(fenwick_sum(&f, 1), 1);
    fenwick_release(&f);
    free(row);
}

/* Across the borders of chunks, with most of them never touched. */
static void a_large_initial_size_makes_no_difference(void **state)
{
    (void)state;
    struct fenwick f, grown;
    const uint32_t count = FENWICK_CHUNK * 3 + 17;
    uint64_t seed = 2;
    row = memory_zeroed(count + 2u, sizeof(*row));
    fenwick_init(&f);
    fenwick_init(&grown);
    fenwick_begin(&f, count);
    for (uint32_t i = 0; i < count; i++)
        fenwick_append(&grown);
    for (int i = 0; i < 5000; i++) {
        uint32_t place = (uint32_t)(dice(&seed) % count) + 1;
        row[place]++;
        fenwick_add(&f, place, 1);
        fenwick_add(&grown, place, 1);
    }
    fenwick_append(&f);
    fenwick_append(&grown);
    row[count + 1] = 1;
    fenwick_add(&f, count + 1, 1);
    fenwick_add(&grown, count + 1, 1);
    every_prefix_is_right(&f);
    every_prefix_is_right(&grown);
    fenwick_release(&f);
    fenwick_release(&grown);
    free(row);
}

/* Chunk by chunk, while it keeps growing at its end. */
static void a_cleared_row_is_zero(void **state)
{
    (void)state;
    struct fenwick f;
    uint64_t seed = 3;
    row = memory_zeroed(FENWICK_CHUNK * 4, sizeof(*row));
    fenwick_init(&f);
    for (uint32_t i = 0; i < FENWICK_CHUNK * 2 - 5; i++)
        fenwick_append(&f);
    for (int i = 0; i < 1000; i++)
        fenwick_add(&f, (uint32_t)(dice(&seed) % f.count) + 1, 1);
    for (uint32_t chunk = 0; chunk < f.chunk_count; chunk++) {
        fenwick_clear(&f, chunk);
        for (int i = 0; chunk == 0 && i < 10; i++)
            fenwick_append(&f); /* into a chunk that is not clear yet, and over its border */
    }
    every_prefix_is_right(&f);
    row[7] = row[f.count] = 1;
    fenwick_add(&f, 7, 1);
    fenwick_add(&f, f.count, 1);
    every_prefix_is_right(&f);
    fenwick_release(&f);
    free(row);
}

static void untouched_chunks_take_no_memory(void **state)
{
    (void)state;
    struct fenwick f;
    fenwick_init(&f);
    fenwick_begin(&f, 100000000);
    assert_int_equal(fenwick_sum(&f, 100000000), 0);
    for (uint32_t i = 0; i < f.chunk_count; i++)
        assert_null(f.chunks[i]);
    fenwick_add(&f, 100000000, 1);
    assert_int_equal(fenwick_sum(&f, 99999999), 0);
    assert_int_equal(fenwick_sum(&f, 100000000), 1);
    fenwick_release(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_come_and_go_while_it_grows),
        cmocka_unit_test(a_large_initial_size_makes_no_difference),
        cmocka_unit_test(a_cleared_row_is_zero),
        cmocka_unit_test(untouched_chunks_take_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
