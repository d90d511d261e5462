/* SPDX-License-Identifier: Apache-2.0 */
/* Handles stay valid however large a slab grows, on small pages and on huge ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory/slab.h"

/* More than fits on small pages, and more than one block of huge ones. */
#define COUNT (uint32_t)((40u << 20) / SLAB_LINE)

static void fill(struct slab *s)
{
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t handle = slab_take(s);
        uint32_t *record = slab_at(s, handle);
        assert_int_equal(handle, i);
        assert_int_equal(record[0] | record[15], 0);
        record[0] = record[15] = i + 1;
    }
}

static void check(bool huge)
{
    struct slab s;
    slab_init(&s, SLAB_LINE);
    if (huge)
        slab_use_huge_pages(&s);
    fill(&s);
    assert_int_equal(s.first_huge != 0, huge);
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint32_t *record = slab_at(&s, i);
        assert_true(record[0] == i + 1 && record[15] == i + 1);
        assert_true(!huge || (uintptr_t)record % SLAB_LINE == 0); /* a record is one line */
    }
    /* Last in, first out, and zeroed. */
    slab_give(&s, 7);
    slab_give(&s, COUNT - 3);
    assert_int_equal(s.count, COUNT - 2);
    assert_int_equal(slab_take(&s), COUNT - 3);
    assert_int_equal(slab_take(&s), 7);
    uint8_t zero[SLAB_LINE] = {0};
    assert_memory_equal(slab_at(&s, 7), zero, SLAB_LINE);
    assert_memory_equal(slab_at(&s, COUNT - 3), zero, SLAB_LINE);
    slab_release(&s);
    assert_int_equal(s.count + s.chunk_count + s.first_huge, 0);
}

static void records_do_not_move_on_small_pages(void **state)
{
    (void)state;
    check(false);
}

static void records_do_not_move_on_huge_pages(void **state)
{
    (void)state;
    check(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_do_not_move_on_small_pages),
        cmocka_unit_test(records_do_not_move_on_huge_pages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
