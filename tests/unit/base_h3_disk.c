/* SPDX-License-Identifier: Apache-2.0 */
/* Rings and disks: their sizes away from and around pentagons, that neighbours are symmetric, and that rings match the
 * disk. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/geo/h3.h"

#define CELLS_MAX H3_DISK_MAX(H3_DISTANCE_MAX)

static const h3_cell BERLIN = 0x891f1d48947ffff;

static h3_cell pentagon(int nth, int resolution)
{
    static const h3_cell bases[12] = {4, 14, 24, 38, 49, 58, 63, 72, 83, 97, 107, 117};
    return 1ULL << 59 | (h3_cell)resolution << 52 | bases[nth] << 45 | 0x1fffffffffff >> 3 * resolution;
}

static int by_number(const void *a, const void *b)
{
    const h3_cell *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static bool contains(const h3_cell *cells, int count, h3_cell cell)
{
    for (int i = 0; i < count; i++)
        if (cells[i] == cell)
            return true;
    return false;
}

/* Each ring alone matches the disk, in any order; no cell occurs twice. Returns the size of the disk. */
static int check_rings(h3_cell origin, int k)
{
    static h3_cell disk[CELLS_MAX], ring[H3_RING_MAX(H3_DISTANCE_MAX)];
    static int distances[CELLS_MAX];
    int count = h3_disk(origin, k, disk, distances), from = 0;
    for (int distance = 0; distance <= k; distance++) {
        int until = from;
        while (until < count && distances[until] == distance)
            until++;
        int size = h3_ring(origin, distance, ring);
        assert_int_equal(size, until - from);
        qsort(disk + from, (size_t)size, sizeof *disk, by_number);
        qsort(ring, (size_t)size, sizeof *ring, by_number);
        assert_memory_equal(disk + from, ring, (size_t)size * sizeof *ring);
        from = until;
    }
    assert_int_equal(from, count);
    qsort(disk, (size_t)count, sizeof *disk, by_number);
    for (int i = 0; i < count; i++) {
        assert_true(h3_is_valid(disk[i]));
        assert_true(i == 0 || disk[i - 1] != disk[i]);
    }
    return count;
}

static void away_from_pentagons_a_disk_is_full(void **state)
{
    (void)state;
    for (int k = 0; k <= H3_DISTANCE_MAX; k++)
        assert_int_equal(check_rings(BERLIN, k), H3_DISK_MAX(k));
    h3_cell ring[6];
    assert_int_equal(h3_ring(0x89283082803ffff, 1, ring), 6);
    static const h3_cell neighbours[6] = {0x8928308281bffff, 0x8928308280bffff, 0x8928308280fffff,
                                          0x89283082807ffff, 0x89283082817ffff, 0x89283082813ffff};
    for (int i = 0; i < 6; i++)
        assert_true(contains(ring, 6, neighbours[i]));
}

static void around_a_pentagon_a_sixth_is_missing(void **state)
{
    (void)state;
    for (int nth = 0; nth < 12; nth++)
        for (int r = 4; r <= H3_RESOLUTION_MAX; r++) {
            int k = (nth + r) % 4 == 0 ? H3_DISTANCE_MAX : 6;
            assert_int_equal(check_rings(pentagon(nth, r), k), 5 * k * (k + 1) / 2 + 1);
        }
}

static void near_a_pentagon_rings_match_the_disk(void **state)
{
    (void)state;
    static h3_cell cells[CELLS_MAX];
    for (int nth = 0; nth < 12; nth++)
        for (int r = 3; r <= 6; r++)
            for (int i = h3_disk(pentagon(nth, r), 5, cells, NULL); i > 0; i--)
                assert_in_range(check_rings(cells[i - 1], 8), 1, H3_DISK_MAX(8));
    for (int nth = 0; nth < 12; nth++)
        for (int distance = 1; distance <= H3_DISTANCE_MAX; distance += 7) {
            int count = h3_ring(pentagon(nth, 4), distance, cells);
            for (int i = 0; i < count; i += distance)
                assert_in_range(check_rings(cells[i], H3_DISTANCE_MAX), 1, H3_DISK_MAX(H3_DISTANCE_MAX) - 1);
        }
}

static void a_wide_disk_of_large_cells_is_the_whole_earth(void **state)
{
    (void)state;
    assert_int_equal(check_rings(0x8001fffffffffff, H3_DISTANCE_MAX), 122);
    assert_int_equal(check_rings(0x8009fffffffffff, H3_DISTANCE_MAX), 122);
    assert_int_equal(check_rings(0x81083ffffffffff, H3_DISTANCE_MAX), 842);
    static h3_cell cells[CELLS_MAX];
    static int distances[CELLS_MAX];
    int count = h3_disk(0x8001fffffffffff, H3_DISTANCE_MAX, cells, distances);
    assert_int_equal(distances[count - 1], 9);
}

/* Among all cells of two resolutions. */
static void neighbours_are_symmetric(void **state)
{
    (void)state;
    static h3_cell cells[CELLS_MAX];
    h3_cell ring[6], back[6];
    for (int r = 1; r <= 2; r++)
        for (int nth = 0; nth < 12; nth++)
            for (int i = h3_disk(pentagon(nth, r), 8, cells, NULL); i > 0; i--) {
                h3_cell cell = cells[i - 1];
                int count = h3_ring(cell, 1, ring);
                assert_int_equal(count, h3_is_pentagon(cell) ? 5 : 6);
                for (int n = 0; n < count; n++)
                    assert_true(contains(back, h3_ring(ring[n], 1, back), cell));
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(away_from_pentagons_a_disk_is_full),
        cmocka_unit_test(around_a_pentagon_a_sixth_is_missing),
        cmocka_unit_test(near_a_pentagon_rings_match_the_disk),
        cmocka_unit_test(a_wide_disk_of_large_cells_is_the_whole_earth),
        cmocka_unit_test(neighbours_are_symmetric),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
