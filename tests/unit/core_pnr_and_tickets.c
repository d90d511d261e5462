/* SPDX-License-Identifier: Apache-2.0 */
/* A PNR names one reservation of 887,503,681, in letters that can be told apart on the phone; ticket codes are distinct
 * and stable. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/memory/memory.h"
#include "core/image.h"

static struct text pnr_of(uint64_t number)
{
    static char out[PNR_SIZE];
    pnr_write(number, out);
    return (struct text){out, PNR_SIZE};
}

static void reading_undoes_writing(void **state)
{
    (void)state;
    uint64_t number = 1, back;
    for (int i = 0; i < 200000; i++) {
        assert_true(pnr_read(pnr_of(number), &back));
        assert_int_equal(back, number % PNR_MODULUS);
        number = i < 1000 ? number + 1 : number * 6364136223846793005ULL + 1442695040888963407ULL;
    }
    for (uint64_t near = PNR_MODULUS - 3; near <= PNR_MODULUS + 3; near++) {
        assert_true(pnr_read(pnr_of(near), &back));
        assert_int_equal(back, near % PNR_MODULUS);
    }
}

static int compare_pnr(const void *a, const void *b)
{
    return memcmp(a, b, PNR_SIZE);
}

static void neighbours_differ(void **state)
{
    (void)state;
    enum { COUNT = 300000 };
    char(*all)[PNR_SIZE] = memory_get(COUNT * PNR_SIZE);
    for (uint64_t i = 0; i < COUNT; i++)
        pnr_write(PNR_MODULUS - COUNT / 2 + i, all[i]);
    qsort(all, COUNT, PNR_SIZE, compare_pnr);
    for (int i = 1; i < COUNT; i++)
        assert_memory_not_equal(all[i], all[i - 1], PNR_SIZE);
    free(all);
}

static void only_clear_letters_are_used_and_read(void **state)
{
    (void)state;
    uint64_t back, same;
    for (uint64_t i = 0; i < 10000; i++) {
        struct text pnr = pnr_of(i);
        for (size_t k = 0; k < PNR_SIZE; k++)
            assert_null(strchr("01ILO", pnr.at[k]));
    }
    assert_false(pnr_read(TEXT("K7QX2"), &back));
    assert_false(pnr_read(TEXT("K7QX2MM"), &back));
    assert_false(pnr_read(TEXT("K7QX2O"), &back));
    assert_false(pnr_read(TEXT("K7QX2\0"), &back));
    assert_false(pnr_read(TEXT("K7 X2M"), &back));
    assert_true(pnr_read(TEXT("K7QX2M"), &back));
    assert_true(pnr_read(TEXT("k7qx2m"), &same));
    assert_int_equal(back, same);
}

static int compare_code(const void *a, const void *b)
{
    return memcmp(a, b, TICKET_CODE_SIZE);
}

static void ticket_codes_are_distinct_and_stable(void **state)
{
    (void)state;
    enum { KEYS = 20, ITEMS = 50, UNITS = 50, COUNT = KEYS * ITEMS * UNITS };
    char(*all)[TICKET_CODE_SIZE] = memory_get((size_t)COUNT * TICKET_CODE_SIZE), again[TICKET_CODE_SIZE];
    size_t n = 0;
    for (uint64_t k = 0; k < KEYS; k++)
        for (uint32_t item = 1; item <= ITEMS; item++)
            for (uint32_t unit = 0; unit < UNITS; unit++) {
                uint64_t key[2] = {k, 7};
                ticket_code_write(key, item, unit, all[n]);
                ticket_code_write(key, item, unit, again);
                assert_memory_equal(all[n], again, TICKET_CODE_SIZE);
                n++;
            }
    qsort(all, COUNT, TICKET_CODE_SIZE, compare_code);
    for (size_t i = 1; i < COUNT; i++)
        assert_memory_not_equal(all[i], all[i - 1], TICKET_CODE_SIZE);
    free(all);
}

/* Printed on tickets for years: the same key must always give the same code. */
static void a_known_ticket_code(void **state)
{
    (void)state;
    char code[TICKET_CODE_SIZE];
    ticket_code_write((const uint64_t[2]){1, 2}, 3, 4, code);
    assert_memory_equal(code, "4A9BGXZK46933PGWZX5N", TICKET_CODE_SIZE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reading_undoes_writing),
        cmocka_unit_test(neighbours_differ),
        cmocka_unit_test(only_clear_letters_are_used_and_read),
        cmocka_unit_test(ticket_codes_are_distinct_and_stable),
        cmocka_unit_test(a_known_ticket_code),
    };
    return cmocka_run_group_tests_name("core_pnr_and_tickets", tests, NULL, NULL);
}
