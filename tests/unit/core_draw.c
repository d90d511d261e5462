/* SPDX-License-Identifier: Apache-2.0 */
/* The draw is a permutation, the same in both directions, fair, and depends on its seed alone: the table was made by
 * another program, from the description in core/queue/draw.h and SHA-256. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/crypto/hash.h"
#include "base/memory/memory.h"
#include "core/queue/draw.h"

/* The seed is the bytes 0, 1, 2 … 31. */
static const struct {
    uint32_t count, number, position;
} expected[] = {
    {1, 1, 1},
    {2, 1, 1},
    {2, 2, 2},
    {3, 1, 1},
    {3, 2, 2},
    {3, 3, 3},
    {16, 1, 1},
    {16, 2, 9},
    {16, 3, 10},
    {16, 8, 7},
    {16, 16, 16},
    {17, 1, 1},
    {17, 2, 9},
    {17, 3, 10},
    {17, 8, 7},
    {17, 17, 14},
    {100, 1, 59},
    {100, 2, 83},
    {100, 3, 28},
    {100, 50, 57},
    {100, 100, 100},
    {256, 1, 59},
    {256, 2, 83},
    {256, 3, 117},
    {256, 128, 134},
    {256, 256, 12},
    {257, 1, 18},
    {257, 2, 121},
    {257, 3, 229},
    {257, 128, 124},
    {257, 257, 207},
    {1000, 1, 862},
    {1000, 2, 817},
    {1000, 3, 229},
    {1000, 500, 885},
    {1000, 1000, 886},
    {65536, 1, 61619},
    {65536, 2, 24687},
    {65536, 3, 57751},
    {65536, 32768, 36407},
    {65536, 65536, 41227},
    {65537, 1, 18618},
    {65537, 2, 64210},
    {65537, 3, 16607},
    {65537, 32768, 14051},
    {65537, 65537, 26960},
    {2000000, 1, 165397},
    {2000000, 2, 1988786},
    {2000000, 3, 954319},
    {2000000, 1000000, 305305},
    {2000000, 2000000, 1429580},
    {14000000, 1, 12329314},
    {14000000, 2, 4616971},
    {14000000, 3, 5376717},
    {14000000, 7000000, 592251},
    {14000000, 14000000, 10249552},
    {100000000, 1, 43590554},
    {100000000, 2, 23874545},
    {100000000, 3, 78875906},
    {100000000, 50000000, 69978246},
    {100000000, 100000000, 53922748},
};

static void the_draw_matches_the_table(void **state)
{
    (void)state;
    uint8_t seed[32];
    for (int i = 0; i < 32; i++)
        seed[i] = (uint8_t)i;
    for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++) {
        struct draw d = {0};
        draw_make(&d, seed, expected[i].count);
        assert_int_equal(draw_position(&d, expected[i].number), expected[i].position);
        assert_int_equal(draw_number(&d, expected[i].position), expected[i].number);
        draw_release(&d);
    }
}

static void seed_of(uint32_t n, uint8_t seed[32])
{
    hash_sha256(&n, sizeof(n), seed);
}

static void is_permutation(uint32_t count, uint32_t n)
{
    struct draw d = {0};
    uint8_t seed[32], *taken = memory_zeroed(count + 1u, 1);
    seed_of(n, seed);
    draw_make(&d, seed, count);
    for (uint32_t number = 1; number <= count; number++) {
        uint32_t position = draw_position(&d, number);
        assert_in_range(position, 1, count);
        assert_false(taken[position]);
        taken[position] = 1;
        assert_int_equal(draw_number(&d, position), number);
    }
    draw_release(&d);
    free(taken);
}

static void every_position_is_given_once(void **state)
{
    (void)state;
    for (uint32_t count = 1; count <= 300; count++)
        is_permutation(count, count);
    static const uint32_t counts[] = {1023,  1024,  1025,  4095,  4096,  4097,
                                      16384, 16385, 65535, 65536, 65537, 250000};
    for (uint32_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
        is_permutation(counts[i], i);
}

/* With k - 1 degrees of freedom, five standard deviations above the expected value. The seeds are fixed, so the result
 * is too. */
static void is_even(const uint32_t *cells, uint32_t count, uint32_t draws)
{
    double expect = (double)draws / count, sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += (cells[i] - expect) * (cells[i] - expect) / expect;
    double freedom = count - 1, spread = 5 * sqrt(2 * freedom);
    assert_true(sum < freedom + spread + 3);
    assert_true(sum > freedom - spread); /* too even is not random either */
}

#define SEEDS 20000

/* First, middle and last arrival: everyone gets every position equally often. */
static void every_position_is_equally_likely(void **state)
{
    (void)state;
    static const uint32_t counts[] = {2, 3, 5, 16, 17, 50, 256, 300};
    static uint32_t cells[3][301];
    for (uint32_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
        uint32_t count = counts[i], numbers[3] = {1, (count + 1) / 2, count};
        memset(cells, 0, sizeof(cells));
        for (uint32_t n = 0; n < SEEDS; n++) {
            struct draw d = {0};
            uint8_t seed[32];
            seed_of(n, seed);
            draw_make(&d, seed, count);
            for (int k = 0; k < 3; k++)
                cells[k][draw_position(&d, numbers[k]) - 1]++;
            draw_release(&d);
        }
        for (int k = 0; k < 3; k++)
            is_even(cells[k], count, SEEDS);
    }
}

/* Neighbours in the line are not neighbours in the draw: all orders of a few, and all pairs of places of two among
 * many. */
static void every_order_is_equally_likely(void **state)
{
    (void)state;
    static uint32_t orders[4 * 4 * 4 * 4], kept[24], pairs[17 * 17], apart[17 * 16];
    for (uint32_t n = 0; n < SEEDS; n++) {
        struct draw four = {0}, seventeen = {0};
        uint8_t seed[32];
        uint32_t order = 0, many = 0;
        seed_of(n, seed);
        draw_make(&four, seed, 4);
        draw_make(&seventeen, seed, 17);
        for (uint32_t i = 1; i <= 4; i++)
            order = order * 4 + draw_position(&four, i) - 1;
        orders[order]++;
        many = (draw_position(&seventeen, 8) - 1) * 17 + draw_position(&seventeen, 9) - 1;
        pairs[many]++;
        draw_release(&four);
        draw_release(&seventeen);
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < sizeof(orders) / sizeof(*orders); i++)
        if (orders[i]) {
            assert_true(count < 24);
            kept[count++] = orders[i];
        }
    assert_int_equal(count, 24);
    is_even(kept, 24, SEEDS);
    count = 0;
    for (uint32_t i = 0; i < 17 * 17; i++)
        if (i / 17 != i % 17)
            apart[count++] = pairs[i];
    is_even(apart, count, SEEDS);
}

/* In a large draw too: the sixteenth in which each of many lands. */
static void a_large_draw_is_even(void **state)
{
    (void)state;
    uint32_t cells[16] = {0}, moved[16] = {0};
    struct draw d = {0};
    uint8_t seed[32];
    seed_of(7, seed);
    draw_make(&d, seed, 2000000);
    for (uint32_t number = 1; number <= 125000; number++) { /* those who came first */
        uint32_t position = draw_position(&d, number);
        cells[(position - 1) / 125000]++;
        moved[draw_position(&d, number + 1) / 125001]++;
    }
    is_even(cells, 16, 125000);
    is_even(moved, 16, 125000);
    draw_release(&d);
}

static void another_seed_is_another_draw(void **state)
{
    (void)state;
    struct draw a = {0}, b = {0};
    uint8_t seed[32] = {0};
    draw_make(&a, seed, 1000);
    for (int bit = 0; bit < 256; bit += 51) {
        uint32_t same = 0;
        seed[bit / 8] ^= (uint8_t)(1 << bit % 8);
        draw_make(&b, seed, 1000);
        for (uint32_t i = 1; i <= 1000; i++)
            same += draw_position(&a, i) == draw_position(&b, i);
        assert_in_range(same, 0, 8);
        seed[bit / 8] ^= (uint8_t)(1 << bit % 8);
        draw_release(&b);
    }
    draw_release(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_draw_matches_the_table),
        cmocka_unit_test(every_position_is_given_once),
        cmocka_unit_test(every_position_is_equally_likely),
        cmocka_unit_test(every_order_is_equally_likely),
        cmocka_unit_test(a_large_draw_is_even),
        cmocka_unit_test(another_seed_is_another_draw),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
