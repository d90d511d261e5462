/* SPDX-License-Identifier: Apache-2.0 */
/* A removed event keeps its seats' names as long as a reservation in memory speaks of them, and no longer; a
 * record that comes back later brings its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "../lib/world.h"

static struct world w;
static struct outcome out;

static enum outcome_code apply(struct command c)
{
    c.actor = (struct actor){.role = ROLE_ADMIN};
    enum outcome_code code = world_apply(&w, &c, &out);
    assert_string_equal(w.fault, "");
    return code;
}

static enum outcome_code remove_event(void)
{
    return apply((struct command){.kind = COMMAND_EVENT_REMOVE, .event = TEXT("E")});
}

static enum outcome_code to_reservation(enum command_kind kind)
{
    return apply((struct command){.kind = kind, .reservation = {1, 1}});
}

static int set_up(void **state)
{
    (void)state;
    struct buf rows;
    world_init(&w);
    struct command c = {.kind = COMMAND_EVENT_PUT};
    c.event_put.image = (struct event_image){
        .id = TEXT("E"), .name = TEXT("E"), .terms = {"EUR", 10, 20, 0, PAYMENT_NONE, LATE_PAYMENT_REFUND}};
    assert_int_equal(apply(c), OUTCOME_OK);
    c = (struct command){.kind = COMMAND_POOL_PUT};
    c.pool_put.event = TEXT("E");
    c.pool_put.id = TEXT("floor");
    c.pool_put.capacity = 5;
    assert_int_equal(apply(c), OUTCOME_OK);
    buf_init(&rows, 4096);
    for (int i = 0; i < 3; i++)
        seat_row_put(&rows, 0, &(struct seat_image){.id = {&"XYZ"[i], 1}});
    assert_int_equal(world_import(&w, TEXT("E"), &rows, 3, &out), OUTCOME_OK);
    buf_release(&rows);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    world_release(&w);
    return 0;
}

static void hold_some(void)
{
    static const struct item_request items[] = {
        {.kind = ITEM_SEAT, .event = TEXT("E"), .unit = TEXT("Z"), .quantity = 1},
        {.kind = ITEM_POOL, .event = TEXT("E"), .unit = TEXT("floor"), .quantity = 2},
        {.kind = ITEM_SEAT, .event = TEXT("E"), .unit = TEXT("X"), .quantity = 1},
    };
    struct command c = {.kind = COMMAND_HOLD, .reservation = {1, 1}, .user_id = TEXT("ann")};
    c.hold.items = items;
    c.hold.count = 3;
    assert_int_equal(apply(c), OUTCOME_OK);
}

static void names_are(const char *const expected[3])
{
    assert_int_equal(to_reservation(COMMAND_LOOK), OUTCOME_OK);
    assert_int_equal(out.reservation.item_count, 3);
    for (int i = 0; i < 3; i++)
        assert_memory_equal(out.reservation.items[i].unit_id.at, expected[i], strlen(expected[i]));
}

static void it_lets_go_at_once_when_nobody_speaks_of_it(void **state)
{
    (void)state;
    struct event *e = event_find(w.st, TEXT("E"));
    assert_int_equal(remove_event(), OUTCOME_OK);
    assert_null(e->layout);
    assert_null(e->seats);
    struct detached *detached = state_take_detached(w.st);
    assert_non_null(detached);
    assert_null(state_take_detached(w.st));
    detached_release(detached);
}

static void it_lets_go_with_the_last_reservation(void **state)
{
    (void)state;
    static const char *const names[] = {"Z", "floor", "X"};
    struct event *e = event_find(w.st, TEXT("E"));
    hold_some();
    assert_int_equal(e->items, 3);
    assert_int_equal(to_reservation(COMMAND_RELEASE), OUTCOME_OK);
    assert_int_equal(remove_event(), OUTCOME_OK);
    assert_non_null(e->layout);
    names_are(names);
    assert_int_equal(world_forget(&w), 1);
    assert_null(e->layout);
    assert_int_equal(e->items, 0);

    /* read from the book, forgotten, and read again */
    for (int i = 0; i < 2; i++) {
        names_are(names);
        assert_null(e->layout);
        assert_int_equal(world_forget(&w), 1);
    }
    uint64_t number = e->image.number;
    world_restart(&w, w.st->seq);
    assert_string_equal(w.fault, "");
    assert_null(event_find_number(w.st, number));
    names_are(names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(it_lets_go_at_once_when_nobody_speaks_of_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(it_lets_go_with_the_last_reservation, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("core_removed_event", tests, NULL, NULL);
}
