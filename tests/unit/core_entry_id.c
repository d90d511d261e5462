/* SPDX-License-Identifier: Apache-2.0 */
/* The id of an entry decodes to its number with the event's key, and with nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/entry_id.h"

static const uint64_t key[2] = {0x0123456789abcdef, 0xfedcba9876543210},
                      other[2] = {0x0123456789abcdef, 0xfedcba9876543211};

static void an_id_decodes_to_its_number(void **state)
{
    (void)state;
    static const uint64_t numbers[] = {1,          2,         3, 1000, 65535, 65536, QUEUE_ENTRIES_MAX,
                                       UINT32_MAX, UINT64_MAX};
    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
        assert_true(entry_id_number(key, ENTRY_QUEUE, entry_id(key, ENTRY_QUEUE, numbers[i])) == numbers[i]);
    for (uint64_t n = 1; n <= 20000; n++)
        assert_true(entry_id_number(key, ENTRY_LIST, entry_id(key, ENTRY_LIST, n)) == n);
}

/* Neither another event's id nor one of another line decodes to a number here. */
static void an_id_belongs_to_one_event_and_one_line(void **state)
{
    (void)state;
    for (uint64_t n = 1; n <= 5000; n++) {
        struct id id = entry_id(key, ENTRY_QUEUE, n);
        assert_true(entry_id_number(other, ENTRY_QUEUE, id) == 0);
        assert_true(entry_id_number(key, ENTRY_LIST, id) == 0);
        assert_true(entry_id_number(key, ENTRY_OFFER, id) == 0);
        assert_false(id_equal(id, entry_id(other, ENTRY_QUEUE, n)));
        assert_false(id_equal(id, entry_id(key, ENTRY_LIST, n)));
    }
}

static void no_bit_can_be_changed(void **state)
{
    (void)state;
    for (uint64_t n = 1; n <= 200; n++) {
        struct id id = entry_id(key, ENTRY_QUEUE, n);
        for (int bit = 0; bit < 64; bit++) {
            assert_true(entry_id_number(key, ENTRY_QUEUE, (struct id){id.high ^ 1ULL << bit, id.low}) == 0);
            assert_true(entry_id_number(key, ENTRY_QUEUE, (struct id){id.high, id.low ^ 1ULL << bit}) == 0);
        }
        /* Nor can the number be exchanged by someone who knows two ids. */
        struct id next = entry_id(key, ENTRY_QUEUE, n + 1);
        assert_true(entry_id_number(key, ENTRY_QUEUE, (struct id){next.high, id.low}) == 0);
        assert_true(entry_id_number(key, ENTRY_QUEUE, (struct id){id.high ^ n ^ (n + 1), id.low}) == 0);
    }
    assert_true(entry_id_number(key, ENTRY_QUEUE, (struct id){0, 0}) == 0);
}

/* Consecutive ids have nothing in common: about half of the bits differ. */
static void consecutive_ids_look_unrelated(void **state)
{
    (void)state;
    uint64_t differ = 0;
    for (uint64_t n = 1; n <= 1000; n++) {
        struct id a = entry_id(key, ENTRY_QUEUE, n), b = entry_id(key, ENTRY_QUEUE, n + 1);
        differ +=
            (uint64_t)__builtin_popcountll(a.high ^ b.high) + (uint64_t)__builtin_popcountll(a.low ^ b.low);
    }
    assert_in_range(differ, 63000, 65000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_id_decodes_to_its_number),
        cmocka_unit_test(an_id_belongs_to_one_event_and_one_line),
        cmocka_unit_test(no_bit_can_be_changed),
        cmocka_unit_test(consecutive_ids_look_unrelated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
