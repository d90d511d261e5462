/* SPDX-License-Identifier: Apache-2.0 */
/* A removed event keeps the names of its seats as long as a reservation in memory refers to them, and no longer; a
 * record read back later brings its own. */
#include "../lib/core_fixture.h"
#include "../lib/world.h"

#include "core/catalogue/event.h"
#include "core/claim/reservation.h"

static struct world w;
static struct outcome out;

static enum outcome_code apply(struct command c)
{
    enum outcome_code code = world_apply(&w, &c, &out);
    assert_string_equal(w.fault, "");
    return code;
}

static enum outcome_code remove_event(void)
{
    return apply(event_remove_command(TEXT("E")));
}

static enum outcome_code to_reservation(enum command_kind kind)
{
    return apply(reservation_command(kind, (struct id){1, 1}));
}

static int set_up(void **state)
{
    (void)state;
    struct buf rows;
    world_init(&w);
    assert_int_equal(apply(event_put_command(TEXT("E"))), OUTCOME_OK);
    assert_int_equal(apply(pool_put_command(TEXT("E"), 5)), OUTCOME_OK);
    buf_init(&rows, 4096);
    seat_rows_put_letters(&rows, "XYZ");
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
    struct item_request items[] = {item_seat(TEXT("E"), TEXT("Z")), item_floor(TEXT("E"), 2),
                                   item_seat(TEXT("E"), TEXT("X"))};
    assert_int_equal(apply(hold_command((struct id){1, 1}, TEXT("ann"), items, 3)), OUTCOME_OK);
}

static void names_are(const char *const expected[3])
{
    assert_int_equal(to_reservation(COMMAND_LOOK), OUTCOME_OK);
    assert_int_equal(out.reservation.item_count, 3);
    for (int i = 0; i < 3; i++)
        assert_memory_equal(out.reservation.items[i].part_id.at, expected[i], strlen(expected[i]));
}

static void it_is_released_at_once_when_unreferenced(void **state)
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

static void it_is_released_with_the_last_reservation(void **state)
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
        w.now_ms += PUT_BACK_MS; /* it stays in memory this long after a fetch */
        state_set_now(w.st, w.now_ms);
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
        cmocka_unit_test_setup_teardown(it_is_released_at_once_when_unreferenced, set_up, tear_down),
        cmocka_unit_test_setup_teardown(it_is_released_with_the_last_reservation, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("engine_removed_event", tests, NULL, NULL);
}
