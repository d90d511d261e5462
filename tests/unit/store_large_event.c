/* SPDX-License-Identifier: Apache-2.0 */
/* The seats of a large event, which another thread reads at start, are loaded like all others, and damage in them is
 * found. */
#include "book/file/sql.h"
#include "core/catalogue/event.h"
#include "core/catalogue/layout.h"
#include "core/catalogue/seat.h"
#include "core/state_check.h"
#include "store_fixture.h"

#define SEATS 66000u /* more than the reading thread reads itself */

static struct store_options options;

static int set_up(void **state)
{
    (void)state;
    options = (struct store_options){.data = fixture_data, .clock = clock_system};
    return fixture_open(&(struct store_options){0});
}

static void fail_with(void *ctx, const char *sentence)
{
    (void)ctx;
    fail_msg("%s", sentence);
}

static void reopened(void)
{
    wait_recorded();
    close_store();
    fine(store_try(options));
    assert_true(state_check(store->state, fail_with, NULL));
}

static struct event *show(void)
{
    struct event *e = event_find(store->state, TEXT("show"));
    assert_non_null(e);
    return e;
}

static void seats_come_back_with_and_without_holds(void **state)
{
    (void)state;
    fixture_seats(0, SEATS);
    reopened();
    assert_int_equal(show()->counts.available, SEATS);
    assert_int_equal(layout_find(show()->layout, TEXT("S65999")), SEATS - 1);
    uint64_t fence = fixture_hold(SEATS - 1);
    fixture_hold(7);
    reopened();
    assert_int_equal(show()->counts.held, 2);
    assert_int_equal(show()->counts.available, SEATS - 2);
    assert_int_equal(seat_at(show(), SEATS - 1)->version, fence);
}

static void a_missing_seat_is_found(void **state)
{
    (void)state;
    for (int holds = 0; holds < 2; holds++) {
        if (holds == 0)
            fixture_seats(0, SEATS);
        else
            fixture_hold(7);
        wait_recorded();
        close_store();
        char path[sizeof fixture_data + 16];
        struct sql *book;
        snprintf(path, sizeof path, "%s/book.sqlite", fixture_data);
        fine(sql_open(&book, path, SQL_WRITE));
        sql_run(book, "UPDATE seats SET position = 66000 WHERE position = 65999");
        fine(sql_status(book));
        struct status status = store_try(options);
        assert_int_equal(status.kind, STATUS_CORRUPT);
        assert_non_null(strstr(status.text, "a seat of event"));
        sql_run(book, "UPDATE seats SET position = 65999 WHERE position = 66000");
        fine(sql_status(book));
        sql_close(book);
        fine(store_try(options));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(seats_come_back_with_and_without_holds, set_up, fixture_clear),
        cmocka_unit_test_setup_teardown(a_missing_seat_is_found, set_up, fixture_clear),
    };
    return cmocka_run_group_tests_name("store_large_event", tests, NULL, NULL);
}
