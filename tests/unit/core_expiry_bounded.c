/* SPDX-License-Identifier: Apache-2.0 */
/* However many holds have lapsed, one command settles a bounded number of them and reports that more are left;
 * repeated, it finishes. */
#include "../lib/core_fixture.h"

#include "base/time/zone.h"

#define HOLDS (2 * SETTLE_MAX + 100)
#define LAPSED_MS (CORE_EPOCH_MS + 700000)
#define SLOT_MS (CORE_EPOCH_MS + 1000000)

static struct id id_of(uint64_t n)
{
    return id_make(1, n, n * 7 + 1);
}

static enum outcome_code put_pool(uint32_t capacity)
{
    return core_apply(pool_put_command(TEXT("E"), capacity));
}

static void hold_one(uint64_t n)
{
    char user[16];
    struct item_request item = item_floor(TEXT("E"), 1);
    core_must(hold_command(id_of(n), numbered(user, "user", (uint32_t)n), &item, 1));
}

static enum outcome_code put_calendar(uint32_t capacity)
{
    struct zone *zone = zone_load("UTC");
    enum outcome_code code = core_apply(calendar_put_command(TEXT("C"), capacity, zone));
    zone_release(zone);
    return code;
}

static enum outcome_code hold_slot(uint64_t n)
{
    struct item_request item = {.kind = ITEM_SLOT,
                                .resource = TEXT("C"),
                                .quantity = 1,
                                .start_ms = SLOT_MS,
                                .end_ms = SLOT_MS + 60000};
    return core_apply(hold_command(id_of(n), TEXT("ann"), &item, 1));
}

static int set_up(void **state)
{
    core_set_up(state);
    core_must(event_put_command(TEXT("E")));
    assert_int_equal(put_pool(HOLDS), OUTCOME_OK);
    for (uint64_t n = 1; n <= HOLDS; n++)
        hold_one(n);
    return 0;
}

static void a_removal_is_settled_step_by_step(void **state)
{
    (void)state;
    core.now_ms = LAPSED_MS;
    for (int step = 0; step < 2; step++) {
        assert_int_equal(core_apply(event_remove_command(TEXT("E"))), OUTCOME_RETRY);
        assert_int_equal(core.st->change_count, SETTLE_MAX);
        core_check();
    }
    assert_int_equal(core_apply(event_remove_command(TEXT("E"))), OUTCOME_OK);
    assert_int_equal(core.st->by_status[RESERVATION_HELD], 0);
    core_check();
}

static void a_smaller_pool_is_refused_only_by_live_holds(void **state)
{
    (void)state;
    core.now_ms = LAPSED_MS;
    assert_int_equal(put_pool(1), OUTCOME_RETRY);
    assert_int_equal(put_pool(1), OUTCOME_RETRY);
    assert_int_equal(put_pool(1), OUTCOME_OK);
}

static void a_read_only_look_is_still_correct(void **state)
{
    (void)state;
    struct command c = reservation_command(COMMAND_LOOK, id_of(5));
    c.no_changes = true;
    core.now_ms = LAPSED_MS;
    assert_int_equal(core_apply(c), OUTCOME_OK);
    assert_int_equal(core.out.reservation.status, RESERVATION_EXPIRED);
    assert_int_equal(core.st->change_count, 0);
    assert_int_equal(core.changes.size, 0);
    c.no_changes = false;
    assert_int_equal(core_apply(c), OUTCOME_OK);
    assert_int_equal(core.out.reservation.status, RESERVATION_EXPIRED);
    assert_int_equal(core.st->change_count, 1);
}

/* The requested time is that of the last hold: all before it are settled first. */
static void a_calendar_is_settled_step_by_step(void **state)
{
    (void)state;
    assert_int_equal(put_calendar(HOLDS), OUTCOME_OK);
    for (uint64_t n = HOLDS + 1; n <= 2 * HOLDS; n++)
        assert_int_equal(hold_slot(n), OUTCOME_OK);
    assert_int_equal(hold_slot(3 * HOLDS), OUTCOME_TAKEN);
    core.now_ms = LAPSED_MS;
    assert_int_equal(put_calendar(1), OUTCOME_RETRY);
    assert_int_equal(core.st->change_count, SETTLE_MAX);
    assert_int_equal(put_calendar(1), OUTCOME_RETRY);
    assert_int_equal(put_calendar(1), OUTCOME_OK);
    core_check();
    assert_int_equal(hold_slot(3 * HOLDS), OUTCOME_OK);
    assert_int_equal(hold_slot(3 * HOLDS + 1), OUTCOME_TAKEN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_removal_is_settled_step_by_step, set_up, core_tear_down),
        cmocka_unit_test_setup_teardown(a_smaller_pool_is_refused_only_by_live_holds, set_up, core_tear_down),
        cmocka_unit_test_setup_teardown(a_calendar_is_settled_step_by_step, set_up, core_tear_down),
        cmocka_unit_test_setup_teardown(a_read_only_look_is_still_correct, set_up, core_tear_down),
    };
    return cmocka_run_group_tests_name("core_settle_bounded", tests, NULL, NULL);
}
