/* SPDX-License-Identifier: Apache-2.0 */
/* A buffer grows up to its limit and keeps every byte on the way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/memory/buf.h"

static void buf_grows_to_exactly_its_limit(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, 1000);
    for (int i = 0; i < 1000; i++)
        buf_append(&b, &(uint8_t){(uint8_t)i}, 1);
    assert_int_equal(b.size, 1000);
    assert_true(b.capacity <= 1000);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(b.data[i], (uint8_t)i);
    assert_false(buf_room(&b, 1));
    assert_true(buf_room(&b, 0));
    buf_release(&b);
    assert_null(b.data);
    assert_true(buf_room(&b, 1000));
    assert_false(buf_room(&b, SIZE_MAX));
    buf_append_text(&b, "again");
    assert_int_equal(b.size, 5);
    buf_release(&b);
}

static void buf_reserve_does_not_move_the_size(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, 4096);
    buf_append_text(&b, "ab");
    uint8_t *at = buf_reserve(&b, 3000);
    assert_int_equal(b.size, 2);
    assert_ptr_equal(at, b.data + 2);
    assert_memory_equal(b.data, "ab", 2);
    buf_release(&b);
}

static void buf_clear_keeps_the_memory(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, 4096);
    buf_append_text(&b, "something");
    uint8_t *data = b.data;
    buf_clear(&b);
    buf_append_text(&b, "else");
    assert_ptr_equal(b.data, data);
    assert_int_equal(b.size, 4);
    buf_release(&b);
}

static void buf_printf_fits_the_limit_without_a_nul(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, 5);
    buf_printf(&b, "%d-%s", 12, "ab");
    assert_int_equal(b.size, 5);
    assert_memory_equal(b.data, "12-ab", 5);
    assert_int_equal(b.capacity, 5);
    buf_release(&b);

    buf_init(&b, 2000);
    buf_printf(&b, "%01999d", 7);
    assert_int_equal(b.size, 1999);
    assert_int_equal(b.data[0], '0');
    assert_int_equal(b.data[1998], '7');
    buf_release(&b);
}

static void buf_consume_drops_from_the_front(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, 100);
    buf_append_text(&b, "headbody");
    buf_consume(&b, 4);
    assert_int_equal(b.size, 4);
    assert_memory_equal(b.data, "body", 4);
    buf_consume(&b, 4);
    assert_int_equal(b.size, 0);
    buf_consume(&b, 0);
    buf_release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buf_grows_to_exactly_its_limit),
        cmocka_unit_test(buf_reserve_does_not_move_the_size),
        cmocka_unit_test(buf_clear_keeps_the_memory),
        cmocka_unit_test(buf_printf_fits_the_limit_without_a_nul),
        cmocka_unit_test(buf_consume_drops_from_the_front),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
