/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of an import are read back with the columns they were given, and no label exceeds its maximum length. */
#include "../lib/core_fixture.h"
#include "core/change.h"

static void seat_rows_come_back(void **state)
{
    (void)state;
    struct seat_image seat = seat_of_every_column();
    struct buf rows;
    uint32_t columns;
    buf_init(&rows, 4096);
    seat_row_put(&rows, SEAT_COLUMN_BLOCKED * 2 - 1, &seat);
    seat_row_put(&rows, 0, &(struct seat_image){.id = TEXT("A2")});
    struct bytes_reader in = bytes_reader_make(rows.data, rows.size);
    assert_true(seat_row_get(&in, &columns, &seat));
    assert_int_equal(columns, SEAT_COLUMN_BLOCKED * 2 - 1);
    assert_true(text_equal(seat.tier, TEXT("gold")));
    assert_int_equal(seat.x_milli, -1500);
    assert_int_equal(seat.y_milli, INT32_MAX);
    assert_true(seat.has_x && seat.has_y && seat.accessible && seat.blocked);
    assert_true(seat_row_get(&in, &columns, &seat));
    assert_int_equal(columns, 0);
    assert_null(seat.section.at);
    assert_int_equal(bytes_left(&in), 0);
    assert_false(seat_row_get(&in, &columns, &seat));
    buf_release(&rows);
}

static void long_labels_are_refused(void **state)
{
    (void)state;
    char long_label[LABEL_SIZE_MAX + 2];
    memset(long_label, 'x', sizeof(long_label));
    for (size_t size = LABEL_SIZE_MAX; size <= LABEL_SIZE_MAX + 1; size++) {
        struct buf out;
        struct seat_image seat = {.id = TEXT("A1"), .tier = {long_label, size}};
        uint32_t columns;
        buf_init(&out, 4096);
        seat_row_put(&out, SEAT_COLUMN_TIER, &seat);
        struct bytes_reader in = bytes_reader_make(out.data, out.size);
        assert_int_equal(seat_row_get(&in, &columns, &seat), size == LABEL_SIZE_MAX);
        buf_release(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seat_rows_come_back),
        cmocka_unit_test(long_labels_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
