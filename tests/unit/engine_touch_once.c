/* SPDX-License-Identifier: Apache-2.0 */
/* However often one command changes a seat or a pool, it is reported as touched once. */
#include "../lib/core_fixture.h"
#include "../lib/world.h"

static struct world w;
static struct outcome out;

static void apply(struct command c)
{
    assert_int_equal(world_apply(&w, &c, &out), OUTCOME_OK);
    assert_string_equal(w.fault, "");
}

static int set_up(void **state)
{
    (void)state;
    struct buf rows;
    world_init(&w);
    apply(event_put_command(TEXT("E")));
    apply(pool_put_command(TEXT("E"), 10));
    buf_init(&rows, 4096);
    seat_rows_put_letters(&rows, "WXYZ");
    assert_int_equal(world_import(&w, TEXT("E"), &rows, 4, &out), OUTCOME_OK);
    buf_release(&rows);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    world_release(&w);
    return 0;
}

static struct item_request seat(const char *id)
{
    return item_seat(TEXT("E"), (struct text){id, 1});
}

static struct item_request units(uint32_t quantity)
{
    return item_floor(TEXT("E"), quantity);
}

static void hold(uint64_t n, const struct item_request *items, uint32_t count, bool commit)
{
    struct command c = hold_command((struct id){1, n}, TEXT("ann"), items, count);
    c.hold.commit = commit;
    apply(c);
}

static uint32_t touches(enum item_kind kind, uint32_t position)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < w.touch_count; i++)
        count += w.touches[i].kind == (uint8_t)kind && w.touches[i].part == position;
    return count;
}

static void a_seat_freed_and_claimed_is_reported_once(void **state)
{
    (void)state;
    hold(1, (struct item_request[]){seat("X"), seat("Y"), units(8)}, 3, false);
    assert_int_equal(w.touch_count, 3);
    w.now_ms += 600000; /* lapsed: X, Y and the units are freed on the way */
    hold(2, (struct item_request[]){units(2), seat("Y"), units(1)}, 3, true);
    assert_int_equal(touches(ITEM_SEAT, 1), 1); /* X, freed */
    assert_int_equal(touches(ITEM_SEAT, 2), 1); /* Y, freed, held and sold */
    assert_int_equal(touches(ITEM_POOL, 0), 1);
    assert_int_equal(w.touch_count, 3);
}

static void the_next_command_reports_it_again(void **state)
{
    (void)state;
    for (uint64_t n = 1; n <= 5; n++) {
        hold(n, (struct item_request[]){seat("X"), seat("W")}, 2, false);
        assert_int_equal(w.touch_count, 2);
        apply(reservation_command(COMMAND_RELEASE, (struct id){1, n}));
        assert_int_equal(w.touch_count, 2);
        assert_int_equal(touches(ITEM_SEAT, 0) + touches(ITEM_SEAT, 1), 2);
    }
}

static void many_expiring_together_report_their_pool_once(void **state)
{
    (void)state;
    for (uint64_t n = 1; n <= 10; n++)
        hold(n, (struct item_request[]){units(1)}, 1, false);
    w.now_ms += 600000;
    assert_int_equal(world_expire(&w, 100), 10);
    assert_int_equal(w.touch_count, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_seat_freed_and_claimed_is_reported_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_next_command_reports_it_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(many_expiring_together_report_their_pool_once, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("engine_touch_once", tests, NULL, NULL);
}
