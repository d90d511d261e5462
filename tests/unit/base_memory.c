/* SPDX-License-Identifier: Apache-2.0 */
/* There is room for one more, and existing entries stay, however often an array or a ring has doubled. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/memory/memory.h"

#define MANY 1000u

static void an_array_doubles_when_it_is_full(void **state)
{
    (void)state;
    uint32_t *array = NULL, capacity = 0;
    for (uint32_t i = 0; i < MANY; i++) {
        array = memory_room(array, i, &capacity, 3, sizeof(*array));
        assert_int_equal(capacity, i < 3 ? 3 : i < 6 ? 6 : i < 12 ? 12 : i < 768 ? capacity : 1536);
        assert_true(i < capacity);
        array[i] = i;
    }
    for (uint32_t i = 0; i < MANY; i++)
        assert_int_equal(array[i], i);
    assert_ptr_equal(memory_room(array, 0, &capacity, 3, sizeof(*array)),
                     array); /* emptied, it keeps its room */
    assert_int_equal(capacity, 1536);
    free(array);
}

static void an_array_without_a_capacity_doubles_at_powers_of_two(void **state)
{
    (void)state;
    uint32_t *array = NULL;
    for (uint32_t i = 0; i < MANY; i++) {
        array = memory_room_counted(array, i, sizeof(*array));
        array[i] = i;
    }
    for (uint32_t i = 0; i < MANY; i++)
        assert_int_equal(array[i], i);
    free(array);
}

static void a_ring_keeps_its_entries_wherever_it_begins(void **state)
{
    (void)state;
    for (uint64_t begin = 0; begin < 20; begin++) {
        uint64_t *ring = NULL, first = begin, end = begin;
        uint32_t capacity = 0;
        while (end < begin + MANY) {
            ring = memory_room_ring(ring, end - first, &capacity, 4, sizeof(*ring));
            ring[end & (capacity - 1)] = end;
            end++;
            if (end % 5 == 0) { /* some leave at the front */
                assert_int_equal(ring[first & (capacity - 1)], first);
                first++;
            }
        }
        for (; first < end; first++)
            assert_int_equal(ring[first & (capacity - 1)], first);
        assert_int_equal(capacity, 1024);
        free(ring);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_array_doubles_when_it_is_full),
        cmocka_unit_test(an_array_without_a_capacity_doubles_at_powers_of_two),
        cmocka_unit_test(a_ring_keeps_its_entries_wherever_it_begins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
