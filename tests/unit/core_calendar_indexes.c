/* SPDX-License-Identifier: Apache-2.0 */
/* Calendars that come and go leave nothing in memory, and a reused index has nothing of the calendar before. */
#include <malloc.h>
#include <stdio.h>

#include "../lib/core_fixture.h"
#include "base/time/zone.h"
#include "core/calendar/calendar.h"

#define CYCLES 20000u
#define WARM_UP 1000u /* so that tables and slabs have the size they need */
#define GROWTH_MAX 65536u
#define HOUR_MS 3600000LL

static struct zone *utc;

static void put_calendar(struct text id)
{
    static const struct service_image services[] = {{TEXT("cut"), 30, 1, false},
                                                    {TEXT("wash"), 10, 1, false}};
    struct command c = {.kind = COMMAND_CALENDAR_PUT, .actor = {.role = ROLE_ADMIN}};
    c.calendar_put.image =
        (struct calendar_image){.id = id,
                                .name = TEXT("A chair that will be gone"),
                                .timezone = TEXT("UTC"),
                                .capacity = 1,
                                .terms = {"EUR", 600, 900, 0, PAYMENT_NONE, LATE_PAYMENT_REFUND, 0},
                                .slot_minutes = 30,
                                .rules = CALENDAR_RULES_PLAIN,
                                .services = services,
                                .service_count = 2};
    c.calendar_put.zone = utc;
    core_must(c);
}

static void remove_calendar(struct text id)
{
    core_must(
        (struct command){.kind = COMMAND_CALENDAR_REMOVE, .actor = {.role = ROLE_ADMIN}, .calendar = id});
}

static struct command hold(struct text id, uint64_t number)
{
    static struct item_request item;
    item = (struct item_request){.kind = ITEM_SLOT,
                                 .resource = id,
                                 .part = TEXT("wash"),
                                 .quantity = 1,
                                 .start_ms = core.now_ms + HOUR_MS};
    struct command c = hold_command((struct id){1, number}, TEXT("ann"), &item, 1);
    c.actor = (struct actor){.role = ROLE_APP, .name = TEXT("shop")};
    return c;
}

static void forget(void)
{
    while (state_forget(core.st, core.st->seq, 1024) == 1024)
        ;
}

static size_t in_use(void)
{
    struct mallinfo2 m = mallinfo2();
    return m.uordblks + m.hblkhd;
}

static void calendars_that_come_and_go_leave_nothing(void **state)
{
    (void)state;
    size_t before = 0;
    for (uint32_t i = 0; i < WARM_UP + CYCLES; i++) {
        char name[32];
        struct text id = {name, (size_t)snprintf(name, sizeof(name), "chair-%u", i)};
        if (i == WARM_UP)
            before = in_use();
        put_calendar(id);
        core_must(hold(id, i + 1));
        core_must(reservation_command(COMMAND_RELEASE, (struct id){1, i + 1}));
        remove_calendar(id);
        forget();
        core.now_ms++;
    }
    size_t after = in_use();
    if (after > before + GROWTH_MAX)
        fail_msg("%u calendars that are gone take %zu bytes", CYCLES, after - before);
    assert_int_equal(core.st->calendar_count, 1);
    assert_int_equal(core.st->calendar_listed, 0);
}

static void an_index_is_not_reused_while_its_calendar_is_referenced(void **state)
{
    (void)state;
    put_calendar(TEXT("first"));
    uint64_t first = calendar_find(core.st, TEXT("first"))->image.number;
    core_must(hold(TEXT("first"), 1));
    core_must(reservation_command(COMMAND_RELEASE, (struct id){1, 1}));
    remove_calendar(TEXT("first"));
    put_calendar(TEXT("second"));
    assert_int_equal(calendar_find(core.st, TEXT("second"))->index, 1);
    assert_true(calendar_find_number(core.st, first)->image.removed);
    core_must(reservation_command(COMMAND_LOOK, (struct id){1, 1}));
    assert_true(text_equal(core.out.reservation.items[0].resource_id, TEXT("first")));
    assert_true(text_equal(core.out.reservation.items[0].part_id, TEXT("wash")));
    forget();
    assert_null(calendar_find_number(core.st, first));
    put_calendar(TEXT("third"));
    assert_int_equal(calendar_find(core.st, TEXT("third"))->index, 0);
    /* By number, not by index. */
    assert_true(text_equal(calendar_after(core.st, 0)->image.id, TEXT("second")));
    assert_true(text_equal(calendar_listed(core.st, 1)->image.id, TEXT("third")));
}

static int set_up(void **state)
{
    utc = zone_load("UTC");
    return core_set_up(state);
}

static int tear_down(void **state)
{
    zone_release(utc);
    return core_tear_down(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(calendars_that_come_and_go_leave_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_index_is_not_reused_while_its_calendar_is_referenced, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
