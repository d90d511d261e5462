/* SPDX-License-Identifier: Apache-2.0 */
/* In an event of hundreds of thousands of seats no command goes through all of them: rows are counted in steps, and an
 * import that blocks every seat is published by one touch. */
#include "../lib/core_fixture.h"

#include "core/catalogue/event_seats.h"

#define SEATS (2 * EVENT_COUNT_MAX + 1000)
#define IN_ROW 50

static struct event *e;

/* Rows for seats first .. first + count - 1. blocked: -1: not given. */
static enum outcome_code import(uint32_t first, uint32_t count, int blocked)
{
    struct buf rows;
    uint32_t columns = SEAT_COLUMN_ROW | SEAT_COLUMN_NUMBER | (blocked >= 0 ? SEAT_COLUMN_BLOCKED : 0u);
    buf_init(&rows, 1 << 28);
    for (uint32_t n = first; n < first + count; n++) {
        char id[16], row[16], number[16];
        struct seat_image seat = {.id = numbered(id, "S", n), .blocked = blocked > 0};
        seat.row = numbered(row, "", n / IN_ROW);
        seat.number = numbered(number, "", n % IN_ROW);
        seat_row_put(&rows, columns, &seat);
    }
    enum outcome_code code = core_import(TEXT("E"), &rows, count);
    buf_release(&rows);
    return code;
}

/* All of them into one allotment. */
static enum outcome_code import_to(struct text allotment)
{
    struct buf rows;
    buf_init(&rows, 1 << 28);
    for (uint32_t n = 0; n < SEATS; n++) {
        char id[16];
        struct seat_image seat = {.id = numbered(id, "S", n), .allotment = allotment};
        seat_row_put(&rows, SEAT_COLUMN_ALLOTMENT, &seat);
    }
    enum outcome_code code = core_import(TEXT("E"), &rows, SEATS);
    buf_release(&rows);
    return code;
}

static int set_up(void **state)
{
    core_set_up(state);
    core_must(event_put_command(TEXT("E")));
    e = event_find(core.st, TEXT("E"));
    assert_int_equal(import(0, SEATS, -1), OUTCOME_OK);
    return 0;
}

static enum outcome_code hold(uint64_t n, struct item_request item)
{
    return core_apply(hold_command((struct id){1, n}, TEXT("ann"), &item, 1));
}

static enum outcome_code hold_seat(uint64_t n, uint32_t seat)
{
    char id[16];
    return hold(n, item_seat(TEXT("E"), numbered(id, "S", seat)));
}

static enum outcome_code hold_best(uint64_t n)
{
    return hold(n, item_best(TEXT("E"), 3, true));
}

static void block(uint32_t seat, bool blocked)
{
    char name[16];
    struct text id = numbered(name, "S", seat);
    struct command c = {.kind = COMMAND_SEATS_BLOCK};
    c.seats_block.event = TEXT("E");
    c.seats_block.ids = &id;
    c.seats_block.count = 1;
    c.seats_block.blocked = blocked;
    core_must(c);
}

static void rows_are_counted_in_steps(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < IN_ROW; n++)
        assert_int_equal(hold_seat(1 + n, n), OUTCOME_OK);
    for (uint32_t step = 1; step <= 2; step++) {
        assert_int_equal(hold_best(1000), OUTCOME_RETRY);
        assert_int_equal(core.st->change_count, 0);
        assert_int_equal(e->rows_counted, step * EVENT_COUNT_MAX);
        /* Changes in between are counted once, on either side of where the count has got to. */
        assert_int_equal(hold_seat(1000 + step, 5000 + step), OUTCOME_OK);
        assert_int_equal(hold_seat(2000 + step, e->rows_counted + 1 + step), OUTCOME_OK);
        block(6000 + step, true);
        block(SEATS - step, true);
        block(SEATS - 1, false);
        core_check();
    }
    assert_int_equal(hold_best(1000), OUTCOME_OK);
    assert_int_equal(e->rows_counted, SEATS);
    assert_int_equal(core.out.reservation.items[0].part / IN_ROW, 1); /* the first row is full */
    core_check();
    assert_int_equal(hold_best(1001 + 100), OUTCOME_OK);
}

static void a_new_layout_is_counted_again(void **state)
{
    (void)state;
    while (hold_best(1) == OUTCOME_RETRY)
        ;
    assert_int_equal(import(SEATS, 10, -1), OUTCOME_OK);
    assert_int_equal(e->rows_counted, 0);
    assert_int_equal(hold_best(2), OUTCOME_RETRY);
    core_check();
}

static void every_seat_is_blocked_by_one_touch(void **state)
{
    (void)state;
    assert_int_equal(import(0, SEATS + 100, 1), OUTCOME_OK);
    assert_int_equal(core.st->touch_count, 1);
    assert_int_equal(core.st->touches[0].kind, TOUCH_EVENT);
    assert_int_equal(e->counts.blocked, SEATS + 100);
    assert_int_equal(e->counts.available, 0);
    core_check();
    assert_int_equal(hold_seat(1, 70), OUTCOME_TAKEN);
    assert_int_equal(import(64, SEATS / 2, 0), OUTCOME_OK);
    assert_int_equal(core.st->touch_count, 1);
    assert_int_equal(e->counts.available, SEATS / 2);
    assert_int_equal(hold_seat(1, 63), OUTCOME_TAKEN);
    assert_int_equal(hold_seat(1, 64), OUTCOME_OK);
    assert_int_equal(hold_seat(2, 64 + SEATS / 2 - 1), OUTCOME_OK);
    assert_int_equal(hold_seat(3, 64 + SEATS / 2), OUTCOME_TAKEN);
    core_check();
}

static void claimed_seats_prevent_blocking(void **state)
{
    (void)state;
    assert_int_equal(hold_seat(1, 7), OUTCOME_OK);
    assert_int_equal(hold_seat(2, SEATS - 1), OUTCOME_OK);
    uint64_t seq = core.st->seq;
    assert_int_equal(import(5, SEATS, 1), OUTCOME_TAKEN);
    assert_int_equal(core.out.obstacle_count, 2);
    assert_int_equal(core.out.obstacles[0].item, 7);
    assert_int_equal(core.out.obstacles[1].item, SEATS - 1);
    assert_int_equal(core.st->seq, seq);
    assert_int_equal(e->counts.blocked, 0);
    for (uint64_t n = 3; n < 300; n++)
        assert_int_equal(hold_seat(n, (uint32_t)n * 100), OUTCOME_OK);
    assert_int_equal(import(5, SEATS, 1), OUTCOME_TAKEN);
    assert_int_equal(core.out.obstacle_count, ITEMS_MAX);
    assert_int_equal(import(8, 92, 1), OUTCOME_OK);
    core_check();
}

/* Moves what is in `in` to `to`, or only blocks it, as the edge does; returns the number of steps. */
static uint32_t mark_all(struct text in, struct text to, bool blocked)
{
    struct command c = {.kind = COMMAND_SEATS_BLOCK};
    uint32_t steps = 0, marked = 0;
    c.seats_block.event = TEXT("E");
    c.seats_block.in = in;
    c.seats_block.blocked = blocked;
    c.seats_block.keeps_blocked = c.seats_block.allots = !blocked;
    c.seats_block.allotment = to;
    do {
        core_must(c);
        assert_true(core.st->touch_count <= MARKS_STEP_MAX);
        assert_true(core.out.seats_next > c.seats_block.from || !core.out.seats_next);
        c.seats_block.from = core.out.seats_next;
        marked += core.out.seats_changed;
        steps++;
    } while (core.out.seats_next);
    assert_int_equal(marked, SEATS);
    return steps;
}

static void an_allotment_is_marked_in_steps(void **state)
{
    (void)state;
    const uint32_t steps = (SEATS + MARKS_STEP_MAX - 1) / MARKS_STEP_MAX;
    assert_int_equal(import_to(TEXT("x")), OUTCOME_OK);
    assert_int_equal(e->counts.available, 0);
    assert_int_equal(mark_all(TEXT("x"), TEXT("y"), false), steps);
    assert_int_equal(allotment_find(e, TEXT("x")), 0);
    assert_int_equal(mark_all(TEXT("y"), (struct text){0}, true), steps);
    assert_int_equal(allotments_open(e), 0);
    core_check();
    assert_int_equal(mark_all(TEXT("y"), (struct text){0}, false), steps);
    assert_int_equal(e->counts.blocked, SEATS);
    core_check();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rows_are_counted_in_steps, set_up, core_tear_down),
        cmocka_unit_test_setup_teardown(a_new_layout_is_counted_again, set_up, core_tear_down),
        cmocka_unit_test_setup_teardown(every_seat_is_blocked_by_one_touch, set_up, core_tear_down),
        cmocka_unit_test_setup_teardown(an_allotment_is_marked_in_steps, set_up, core_tear_down),
        cmocka_unit_test_setup_teardown(claimed_seats_prevent_blocking, set_up, core_tear_down),
    };
    return cmocka_run_group_tests_name("core_many_seats", tests, NULL, NULL);
}
