/* SPDX-License-Identifier: Apache-2.0 */
/* However many holds have lapsed, one command settles a bounded number of them and says so; asked again, it
 * gets there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "core/state.h"
#include "core/state_check.h"

#define HOLDS (2 * SETTLE_MAX + 100)
#define LAPSED_MS 700000

static struct state *st;
static struct buf changes;
static struct outcome out;

static enum outcome_code apply(const struct command *c, int64_t now_ms)
{
    buf_clear(&changes);
    return state_apply(st, c, now_ms, &changes, &out);
}

static void sentence_fails(void *ctx, const char *sentence)
{
    (void)ctx;
    fail_msg("%s", sentence);
}

static struct id id_of(uint64_t n)
{
    return id_make(1, n, n * 7 + 1);
}

static void put_pool(uint32_t capacity, enum outcome_code expected, int64_t now_ms)
{
    struct command c = {.kind = COMMAND_POOL_PUT, .actor = {.role = ROLE_ADMIN}};
    c.pool_put.event = TEXT("E");
    c.pool_put.id = TEXT("floor");
    c.pool_put.capacity = capacity;
    assert_int_equal(apply(&c, now_ms), expected);
}

static void hold_one(uint64_t n, int64_t now_ms)
{
    char user[32];
    struct item_request item = {.kind = ITEM_POOL, .event = TEXT("E"), .unit = TEXT("floor"), .quantity = 1};
    struct command c = {.kind = COMMAND_HOLD, .actor = {.role = ROLE_USER}, .reservation = id_of(n)};
    c.actor.name =
        (struct text){user, (size_t)snprintf(user, sizeof(user), "user%llu", (unsigned long long)n)};
    c.hold.items = &item;
    c.hold.count = 1;
    assert_int_equal(apply(&c, now_ms), OUTCOME_OK);
}

static void put_calendar(uint32_t capacity, enum outcome_code expected, int64_t now_ms)
{
    struct command c = {.kind = COMMAND_CALENDAR_PUT, .actor = {.role = ROLE_ADMIN}};
    c.calendar_put.image =
        (struct calendar_image){.id = TEXT("C"),
                                .name = TEXT("C"),
                                .timezone = TEXT("UTC"),
                                .capacity = capacity,
                                .terms = {"EUR", 600, 900, 0, PAYMENT_NONE, LATE_PAYMENT_REFUND},
                                .slot_minutes = 30};
    c.calendar_put.zone = zone_load("UTC");
    assert_int_equal(apply(&c, now_ms), expected);
    zone_release(c.calendar_put.zone);
}

static enum outcome_code hold_slot(uint64_t n, int64_t start_ms, int64_t now_ms)
{
    struct item_request item = {.kind = ITEM_SLOT,
                                .event = TEXT("C"),
                                .quantity = 1,
                                .start_ms = start_ms,
                                .end_ms = start_ms + 60000};
    struct command c = {
        .kind = COMMAND_HOLD, .actor = {.role = ROLE_APP}, .user_id = TEXT("ann"), .reservation = id_of(n)};
    c.hold.items = &item;
    c.hold.count = 1;
    return apply(&c, now_ms);
}

static int set_up(void **state)
{
    (void)state;
    st = state_make();
    buf_init(&changes, 1 << 24);
    struct command c = {.kind = COMMAND_EVENT_PUT, .actor = {.role = ROLE_ADMIN}};
    c.event_put.image = (struct event_image){
        .id = TEXT("E"), .name = TEXT("E"), .terms = {"EUR", 600, 900, 0, PAYMENT_NONE, LATE_PAYMENT_REFUND}};
    assert_int_equal(apply(&c, 1000), OUTCOME_OK);
    put_pool(HOLDS, OUTCOME_OK, 1000);
    for (uint64_t n = 1; n <= HOLDS; n++)
        hold_one(n, 1000);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    state_release(st);
    buf_release(&changes);
    return 0;
}

static void a_removal_goes_on_step_by_step(void **state)
{
    (void)state;
    struct command c = {.kind = COMMAND_EVENT_REMOVE, .actor = {.role = ROLE_ADMIN}};
    c.event = TEXT("E");
    for (int step = 0; step < 2; step++) {
        assert_int_equal(apply(&c, LAPSED_MS), OUTCOME_RETRY);
        assert_int_equal(st->change_count, SETTLE_MAX);
        assert_true(state_check(st, sentence_fails, NULL));
    }
    assert_int_equal(apply(&c, LAPSED_MS), OUTCOME_OK);
    assert_int_equal(st->by_status[RESERVATION_HELD], 0);
    assert_true(state_check(st, sentence_fails, NULL));
}

static void a_smaller_pool_is_refused_only_by_live_holds(void **state)
{
    (void)state;
    put_pool(1, OUTCOME_RETRY, LAPSED_MS);
    put_pool(1, OUTCOME_RETRY, LAPSED_MS);
    put_pool(1, OUTCOME_OK, LAPSED_MS);
}

static void a_look_that_may_change_nothing_still_tells_the_truth(void **state)
{
    (void)state;
    struct command c = {
        .kind = COMMAND_LOOK, .actor = {.role = ROLE_ADMIN}, .reservation = id_of(5), .no_changes = true};
    assert_int_equal(apply(&c, LAPSED_MS), OUTCOME_OK);
    assert_int_equal(out.reservation.status, RESERVATION_EXPIRED);
    assert_int_equal(st->change_count, 0);
    assert_int_equal(changes.size, 0);
    c.no_changes = false;
    assert_int_equal(apply(&c, LAPSED_MS), OUTCOME_OK);
    assert_int_equal(out.reservation.status, RESERVATION_EXPIRED);
    assert_int_equal(st->change_count, 1);
}

/* The time that is wanted is that of the last hold: all before it are settled first. */
static void a_calendar_goes_on_step_by_step(void **state)
{
    (void)state;
    put_calendar(HOLDS, OUTCOME_OK, 1000);
    for (uint64_t n = HOLDS + 1; n <= 2 * HOLDS; n++)
        assert_int_equal(hold_slot(n, 1000000, 1000), OUTCOME_OK);
    assert_int_equal(hold_slot(3 * HOLDS, 1000000, 1000), OUTCOME_TAKEN);
    put_calendar(1, OUTCOME_RETRY, LAPSED_MS);
    assert_int_equal(st->change_count, SETTLE_MAX);
    put_calendar(1, OUTCOME_RETRY, LAPSED_MS);
    put_calendar(1, OUTCOME_OK, LAPSED_MS);
    assert_true(state_check(st, sentence_fails, NULL));
    assert_int_equal(hold_slot(3 * HOLDS, 1000000, LAPSED_MS), OUTCOME_OK);
    assert_int_equal(hold_slot(3 * HOLDS + 1, 1000000, LAPSED_MS), OUTCOME_TAKEN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_removal_goes_on_step_by_step, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_smaller_pool_is_refused_only_by_live_holds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_calendar_goes_on_step_by_step, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_look_that_may_change_nothing_still_tells_the_truth, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests_name("core_settle_bounded", tests, NULL, NULL);
}
