/* SPDX-License-Identifier: Apache-2.0 */
/* The most that can be requested of groups in one step: it is granted, one more is refused, and the time it took is
 * printed.
 */
#include <stdio.h>
#include <time.h>

#include "../lib/core_fixture.h"
#include "base/time/zone.h"

#define HOUR_MS 3600000LL
#define DAY_MS (24 * HOUR_MS)
#define FIRST_MS (CORE_EPOCH_MS / DAY_MS * DAY_MS + 2 * DAY_MS)
#define CLOSED 1000

static struct zone *berlin;
static struct group_member members[GROUP_CALENDARS_MAX];
static char names[GROUP_CALENDARS_MAX][16];
static uint64_t next_id;

static int set_up(void **state)
{
    berlin = zone_load("Europe/Berlin");
    assert_non_null(berlin);
    return core_set_up(state);
}

static int tear_down(void **state)
{
    zone_release(berlin);
    return core_tear_down(state);
}

/* Open all day in half hours, closed for a minute each on a thousand days long ago. */
static void put_member(uint32_t n, uint32_t limit)
{
    static struct hours_range ranges[48];
    static struct closed_interval closed[CLOSED];
    for (int i = 0; i < 48; i++)
        ranges[i] = (struct hours_range){
            .days = 127, .from_minute = (uint16_t)(i * 30), .to_minute = (uint16_t)((i + 1) * 30 % 1440)};
    for (int i = 0; i < CLOSED; i++)
        closed[i] = (struct closed_interval){i * DAY_MS, i * DAY_MS + 60000};
    struct command c = calendar_put_command(numbered(names[n], "C", n), 1, berlin);
    struct calendar_image *image = &c.calendar_put.image;
    image->timezone = TEXT("Europe/Berlin");
    image->hours = ranges;
    image->hours_count = 48;
    image->closed = closed;
    image->closed_count = CLOSED;
    image->buffer_minutes = 30;
    image->rules.max_minutes = 527040;
    image->rules.horizon_days = 3650;
    image->rules.per_user_limit = limit;
    core_must(c);
}

static void put_groups(uint32_t count, uint32_t groups, uint32_t limit)
{
    for (uint32_t i = 0; i < count; i++) {
        put_member(i, limit);
        members[i] = (struct group_member){.id = numbered(names[i], "C", i)};
    }
    for (uint32_t i = 0; i < groups; i++) {
        char name[16];
        struct command c = {.kind = COMMAND_GROUP_PUT, .actor = {.role = ROLE_ADMIN}};
        c.group_put = (struct group_image){.id = numbered(name, "G", i),
                                           .name = TEXT("any"),
                                           .pick = PICK_LEAST_BUSY,
                                           .members = members,
                                           .member_count = count};
        core_must(c);
    }
}

/* With a user token: `count` items of a group, each for `days` days, starting `apart` days after the one before. */
static enum outcome_code ask(uint32_t count, int64_t days, int64_t apart, const char *what)
{
    struct item_request items[ITEMS_MAX] = {0};
    struct timespec from, to;
    for (uint32_t i = 0; i < count; i++)
        items[i] = (struct item_request){.kind = ITEM_GROUP,
                                         .resource = TEXT("G0"),
                                         .quantity = 1,
                                         .party = 1,
                                         .start_ms = FIRST_MS + i * apart * DAY_MS,
                                         .end_ms = FIRST_MS + (i * apart + days) * DAY_MS};
    struct command c = hold_command((struct id){1, ++next_id}, TEXT("ann"), items, count);
    c.actor = (struct actor){.role = ROLE_USER, .name = TEXT("ann")};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
    enum outcome_code code = core_apply(c);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
    printf("%s: %.3f ms\n", what,
           (double)(to.tv_sec - from.tv_sec) * 1e3 + (double)(to.tv_nsec - from.tv_nsec) / 1e6);
    return code;
}

static void a_year_of_half_hours(void **state)
{
    (void)state;
    put_groups(GROUP_CALENDARS_MAX, 1, 0);
    for (int i = 0; i < GROUP_CALENDARS_MAX / GROUP_ITEMS_MAX; i++)
        assert_int_equal(ask(GROUP_ITEMS_MAX, 366, 0, "a year on any of 100"), OUTCOME_OK);
    assert_int_equal(ask(GROUP_ITEMS_MAX, 366, 0, "a year, none of 100 left"), OUTCOME_TAKEN);
    assert_int_equal(ask(GROUP_ITEMS_MAX, 366, 1, "years that differ, none left"), OUTCOME_TAKEN);
    assert_int_equal(core.out.obstacle_count, GROUP_ITEMS_MAX);
    core_check();
}

static void limits_of_ten_groups(void **state)
{
    (void)state;
    put_groups(GROUP_CALENDARS_MAX, CALENDAR_GROUPS_MAX, 30);
    assert_int_equal(ask(1, 1, 0, "one day"), OUTCOME_OK);
    assert_int_equal(ask(GROUP_ITEMS_MAX, 7, 1, "weeks, with limits in ten groups"), OUTCOME_OK);
    assert_int_equal(ask(GROUP_ITEMS_MAX, 7, 1, "the same beyond the limit"), OUTCOME_LIMIT_EXCEEDED);
    core_check();
}

static void rooms_for_four_weeks(void **state)
{
    (void)state;
    put_groups(50, 1, 0);
    assert_int_equal(ask(GROUP_ITEMS_MAX, 28, 0, "28 nights in any of 50 rooms"), OUTCOME_OK);
    assert_int_equal(ask(GROUP_ITEMS_MAX, 28, 0, "the same again"), OUTCOME_OK);
    assert_int_equal(ask(GROUP_ITEMS_MAX, 28, 0, "10 rooms left"), OUTCOME_TAKEN);
    core_check();
}

static void one_more_is_refused(void **state)
{
    (void)state;
    put_groups(2, 1, 0);
    assert_int_equal(ask(GROUP_ITEMS_MAX + 1, 1, 1, "one too many"), OUTCOME_INVALID);
    assert_string_equal(core.out.pointer, "/items/20");
    assert_int_equal(ask(GROUP_ITEMS_MAX, 1, 1, "the maximum"), OUTCOME_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_year_of_half_hours, set_up, tear_down),
        cmocka_unit_test_setup_teardown(limits_of_ten_groups, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rooms_for_four_weeks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_more_is_refused, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
