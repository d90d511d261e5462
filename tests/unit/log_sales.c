/* SPDX-License-Identifier: Apache-2.0 */
/* The sales of a batch become one row per seat: from what it was before the first to what it is after the last; and a sale
 * that does not continue the one before it is found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory/buf.h"
#include "log/sales.h"

/* In: event, seat, from, to. */
#define SALE(e, s, from, to) {.event = (e), .seat = (s), .prev = (from), .fence = (to)}

static void assert_row(const struct sale *row, uint64_t event, uint32_t seat, uint64_t prev, uint64_t fence)
{
    assert_int_equal(row->event, event);
    assert_int_equal(row->seat, seat);
    assert_int_equal(row->prev, prev);
    assert_int_equal(row->fence, fence);
}

static void none_stay_none(void **state)
{
    (void)state;
    uint32_t count = 0;
    struct status fault = sales_fold(NULL, &count);
    assert_true(status_ok(&fault));
    assert_int_equal(count, 0);
}

static void rows_are_ordered_by_event_and_seat(void **state)
{
    (void)state;
    struct sale sales[] = {SALE(9, 1, 0, 20), SALE(3, 7, 0, 21), SALE(3, 2, 5, 0)};
    uint32_t count = 3;
    struct status fault = sales_fold(sales, &count);
    assert_true(status_ok(&fault));
    assert_int_equal(count, 3);
    assert_row(&sales[0], 3, 2, 5, 0);
    assert_row(&sales[1], 3, 7, 0, 21);
    assert_row(&sales[2], 9, 1, 0, 20);
}

static void a_seat_has_one_row(void **state)
{
    (void)state;
    /* Sold before the batch, refunded and sold twice more; another one sold and refunded, which leaves nothing. */
    struct sale sales[] = {SALE(3, 7, 5, 0), SALE(3, 8, 0, 20), SALE(3, 7, 0, 21),
                           SALE(3, 8, 20, 0), SALE(3, 7, 21, 0), SALE(3, 7, 0, 23)};
    uint32_t count = 6;
    struct status fault = sales_fold(sales, &count);
    assert_true(status_ok(&fault));
    assert_int_equal(count, 2);
    assert_row(&sales[0], 3, 7, 5, 23);
    assert_row(&sales[1], 3, 8, 0, 0);
}

static void a_seat_sold_twice_is_found(void **state)
{
    (void)state;
    struct sale sales[] = {SALE(3, 7, 0, 20), SALE(3, 8, 0, 21), SALE(3, 7, 0, 22)};
    uint32_t count = 3;
    struct status fault = sales_fold(sales, &count);
    assert_int_equal(fault.kind, STATUS_CORRUPT);
    assert_non_null(strstr(fault.text, "seat 7 of event 3"));
}

static void what_is_given_back_was_the_last_sale(void **state)
{
    (void)state;
    struct sale sales[] = {SALE(3, 7, 0, 20), SALE(3, 7, 19, 0)};
    uint32_t count = 2;
    struct status fault = sales_fold(sales, &count);
    assert_int_equal(fault.kind, STATUS_CORRUPT);
}

/* Enough that the sort does not keep equal ones in place by chance. */
static void the_order_within_a_batch_is_kept(void **state)
{
    (void)state;
    static struct sale sales[20000];
    uint64_t last[100] = {0};
    uint32_t count = sizeof(sales) / sizeof(sales[0]);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t seat = i * 37 % 100;
        sales[i] = (struct sale){.event = 4, .seat = seat, .prev = last[seat], .fence = last[seat] ? 0 : i + 1};
        last[seat] = sales[i].fence;
    }
    struct status fault = sales_fold(sales, &count);
    assert_true(status_ok(&fault));
    assert_int_equal(count, 100);
    for (uint32_t seat = 0; seat < 100; seat++)
        assert_row(&sales[seat], 4, seat, 0, last[seat]);
}

static void columns_are_arrays(void **state)
{
    (void)state;
    const struct sale sales[] = {SALE(3, 7, 5, 18446744073709551615ull), SALE(12, 8, 0, 0)};
    static const char *const written[] = {"{3,12}", "{7,8}", "{18446744073709551615,0}", "{5,0}"};
    for (int i = 0; i < SALES_COLUMNS; i++) {
        struct buf out;
        buf_init(&out, 1000);
        sales_write_column(&out, sales, 2, (enum sales_column)i);
        assert_string_equal((const char *)out.data, written[i]);
        buf_release(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(none_stay_none),
        cmocka_unit_test(rows_are_ordered_by_event_and_seat),
        cmocka_unit_test(a_seat_has_one_row),
        cmocka_unit_test(a_seat_sold_twice_is_found),
        cmocka_unit_test(what_is_given_back_was_the_last_sale),
        cmocka_unit_test(the_order_within_a_batch_is_kept),
        cmocka_unit_test(columns_are_arrays),
    };
    return cmocka_run_group_tests_name("log_sales", tests, NULL, NULL);
}
