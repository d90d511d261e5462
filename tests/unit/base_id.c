/* SPDX-License-Identifier: Apache-2.0 */
/* Identifiers sort by time, as numbers and as text, and have one spelling apart from case. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/id.h"

static void id_text_sorts_by_time_of_birth(void **state)
{
    (void)state;
    char before[ID_TEXT_SIZE], after[ID_TEXT_SIZE];
    for (int64_t ms = 1; ms < (int64_t)1 << 48; ms = ms * 3 + 1) {
        id_write(id_make(ms - 1, UINT64_MAX, UINT64_MAX), before);
        id_write(id_make(ms, 0, 0), after);
        assert_true(memcmp(before, after, ID_TEXT_SIZE) < 0);
        assert_true(id_make(ms - 1, UINT64_MAX, UINT64_MAX).high < id_make(ms, 0, 0).high);
    }
}

static void id_keeps_eighty_random_bits(void **state)
{
    (void)state;
    struct id id = id_make(0, UINT64_MAX, UINT64_MAX);
    assert_true(id.high == 0xffff && id.low == UINT64_MAX);
    assert_true(id_none(id_make(0, 0, 0)));
    assert_false(id_none(id));
    assert_true(id_equal(id, id));
    assert_false(id_equal(id, id_make(0, UINT64_MAX, 0)));
}

static void id_round_trips_in_either_case(void **state)
{
    (void)state;
    const struct id samples[] = {{0, 0},
                                 {0, 1},
                                 {1, 0},
                                 {UINT64_MAX, UINT64_MAX},
                                 {0x0123456789abcdef, 0xfedcba9876543210},
                                 {(uint64_t)1 << 63, 31}};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        char text[ID_TEXT_SIZE];
        struct id back;
        id_write(samples[i], text);
        assert_true(id_read(text, sizeof text, &back));
        assert_true(id_equal(back, samples[i]));
        for (int k = 0; k < ID_TEXT_SIZE; k++)
            if (text[k] >= 'A')
                text[k] = (char)(text[k] + 32);
        assert_true(id_read(text, sizeof text, &back));
        assert_true(id_equal(back, samples[i]));
    }
    char text[ID_TEXT_SIZE];
    id_write((struct id){UINT64_MAX, UINT64_MAX}, text);
    assert_memory_equal(text, "7ZZZZZZZZZZZZZZZZZZZZZZZZZ", ID_TEXT_SIZE);
}

static void id_refuses_everything_else(void **state)
{
    (void)state;
    struct id id;
    assert_false(id_read("0123456789ABCDEFGHJKMNPQR", 25, &id));
    assert_false(id_read("0123456789ABCDEFGHJKMNPQRST", 27, &id));
    assert_false(id_read("", 0, &id));
    assert_false(id_read("80000000000000000000000000", 26, &id)); /* bit 128 */
    for (int c = 0; c < 256; c++) {
        char text[27] = "00000000000000000000000000";
        text[13] = (char)c;
        bool digit = c && strchr("0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstvwxyz", c);
        assert_int_equal(id_read(text, 26, &id), digit);
    }
}

static void id_base32_takes_the_low_bits(void **state)
{
    (void)state;
    char out[13];
    id_base32(UINT64_MAX, out, 13);
    assert_memory_equal(out, "FZZZZZZZZZZZZ", 13);
    id_base32(32 + 31, out, 2);
    assert_memory_equal(out, "1Z", 2);
    id_base32(1024, out, 2);
    assert_memory_equal(out, "00", 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(id_text_sorts_by_time_of_birth), cmocka_unit_test(id_keeps_eighty_random_bits),
        cmocka_unit_test(id_round_trips_in_either_case),  cmocka_unit_test(id_refuses_everything_else),
        cmocka_unit_test(id_base32_takes_the_low_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
