/* SPDX-License-Identifier: Apache-2.0 */
/* An event of hundreds of thousands of seats keeps no command busy with all of them: rows are counted in
 * steps, and an import that blocks every seat is published by one touch. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "core/state.h"
#include "core/state_check.h"

#define SEATS (2 * EVENT_COUNT_MAX + 1000)
#define IN_ROW 50

static struct state *st;
static struct event *e;
static struct buf changes;
static struct outcome out;

static enum outcome_code apply(struct command c)
{
    c.actor.role = ROLE_ADMIN;
    buf_clear(&changes);
    return state_apply(st, &c, 1000, &changes, &out);
}

static void sentence_fails(void *ctx, const char *sentence)
{
    (void)ctx;
    fail_msg("%s", sentence);
}

static struct text seat_name(char out_id[16], uint32_t n)
{
    return (struct text){out_id, (size_t)snprintf(out_id, 16, "S%u", n)};
}

/* Rows for seats first .. first + count - 1. blocked: -1 says nothing about it. */
static enum outcome_code import(uint32_t first, uint32_t count, int blocked)
{
    struct buf rows;
    struct layout_blocks blocks;
    uint32_t created, updated;
    uint32_t columns = SEAT_COLUMN_ROW | SEAT_COLUMN_NUMBER | (blocked >= 0 ? SEAT_COLUMN_BLOCKED : 0u);
    buf_init(&rows, 1 << 28);
    for (uint32_t n = first; n < first + count; n++) {
        char id[16], row[16], number[16];
        struct seat_image seat = {.id = seat_name(id, n), .blocked = blocked > 0};
        seat.row = (struct text){row, (size_t)snprintf(row, sizeof(row), "%u", n / IN_ROW)};
        seat.number = (struct text){number, (size_t)snprintf(number, sizeof(number), "%u", n % IN_ROW)};
        seat_row_put(&rows, columns, &seat);
    }
    struct command c = {.kind = COMMAND_SEATS_PUBLISH};
    c.seats_publish.event = TEXT("E");
    c.seats_publish.import = state_next_seq(st);
    c.seats_publish.base = e->layout;
    c.seats_publish.layout =
        layout_make(e->layout, bytes_reader_make(rows.data, rows.size), count, &created, &updated, &blocks);
    c.seats_publish.blocks = &blocks;
    enum outcome_code code = apply(c);
    if (code != OUTCOME_OK)
        layout_release(c.seats_publish.layout);
    layout_blocks_release(&blocks);
    buf_release(&rows);
    return code;
}

static int set_up(void **state)
{
    (void)state;
    st = state_make();
    buf_init(&changes, 1 << 20);
    struct command c = {.kind = COMMAND_EVENT_PUT};
    c.event_put.image = (struct event_image){
        .id = TEXT("E"), .name = TEXT("E"), .terms = {"EUR", 600, 900, 0, PAYMENT_NONE, LATE_PAYMENT_REFUND}};
    assert_int_equal(apply(c), OUTCOME_OK);
    e = event_find(st, TEXT("E"));
    assert_int_equal(import(0, SEATS, -1), OUTCOME_OK);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    state_release(st);
    buf_release(&changes);
    return 0;
}

static enum outcome_code hold(uint64_t n, struct item_request item)
{
    struct command c = {.kind = COMMAND_HOLD, .user_id = TEXT("ann"), .reservation = {1, n}};
    item.event = TEXT("E");
    c.hold.items = &item;
    c.hold.count = 1;
    return apply(c);
}

static enum outcome_code hold_seat(uint64_t n, uint32_t seat)
{
    char id[16];
    return hold(n, (struct item_request){.kind = ITEM_SEAT, .unit = seat_name(id, seat), .quantity = 1});
}

static enum outcome_code hold_best(uint64_t n)
{
    return hold(n, (struct item_request){.kind = ITEM_BEST, .quantity = 3, .adjacent = true});
}

static void block(uint32_t seat, bool blocked)
{
    char name[16];
    struct text id = seat_name(name, seat);
    struct command c = {.kind = COMMAND_SEATS_BLOCK};
    c.seats_block.event = TEXT("E");
    c.seats_block.ids = &id;
    c.seats_block.count = 1;
    c.seats_block.blocked = blocked;
    assert_int_equal(apply(c), OUTCOME_OK);
}

static void rows_are_counted_in_steps(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < IN_ROW; n++)
        assert_int_equal(hold_seat(1 + n, n), OUTCOME_OK);
    for (uint32_t step = 1; step <= 2; step++) {
        assert_int_equal(hold_best(1000), OUTCOME_RETRY);
        assert_int_equal(st->change_count, 0);
        assert_int_equal(e->rows_counted, step * EVENT_COUNT_MAX);
        /* What changes meanwhile is counted once, before and behind where the count has come to. */
        assert_int_equal(hold_seat(1000 + step, 5000 + step), OUTCOME_OK);
        assert_int_equal(hold_seat(2000 + step, e->rows_counted + 1 + step), OUTCOME_OK);
        block(6000 + step, true);
        block(SEATS - step, true);
        block(SEATS - 1, false);
        assert_true(state_check(st, sentence_fails, NULL));
    }
    assert_int_equal(hold_best(1000), OUTCOME_OK);
    assert_int_equal(e->rows_counted, SEATS);
    assert_int_equal(out.reservation.items[0].position / IN_ROW, 1); /* the first row is full */
    assert_true(state_check(st, sentence_fails, NULL));
    assert_int_equal(hold_best(1001 + 100), OUTCOME_OK);
}

static void another_layout_is_counted_anew(void **state)
{
    (void)state;
    while (hold_best(1) == OUTCOME_RETRY)
        ;
    assert_int_equal(import(SEATS, 10, -1), OUTCOME_OK);
    assert_int_equal(e->rows_counted, 0);
    assert_int_equal(hold_best(2), OUTCOME_RETRY);
    assert_true(state_check(st, sentence_fails, NULL));
}

static void every_seat_is_blocked_by_one_touch(void **state)
{
    (void)state;
    assert_int_equal(import(0, SEATS + 100, 1), OUTCOME_OK);
    assert_int_equal(st->touch_count, 1);
    assert_int_equal(st->touches[0].kind, 0);
    assert_int_equal(e->counts.blocked, SEATS + 100);
    assert_int_equal(e->counts.available, 0);
    assert_true(state_check(st, sentence_fails, NULL));
    assert_int_equal(hold_seat(1, 70), OUTCOME_TAKEN);
    assert_int_equal(import(64, SEATS / 2, 0), OUTCOME_OK);
    assert_int_equal(st->touch_count, 1);
    assert_int_equal(e->counts.available, SEATS / 2);
    assert_int_equal(hold_seat(1, 63), OUTCOME_TAKEN);
    assert_int_equal(hold_seat(1, 64), OUTCOME_OK);
    assert_int_equal(hold_seat(2, 64 + SEATS / 2 - 1), OUTCOME_OK);
    assert_int_equal(hold_seat(3, 64 + SEATS / 2), OUTCOME_TAKEN);
    assert_true(state_check(st, sentence_fails, NULL));
}

static void claimed_seats_are_in_the_way_of_blocks(void **state)
{
    (void)state;
    assert_int_equal(hold_seat(1, 7), OUTCOME_OK);
    assert_int_equal(hold_seat(2, SEATS - 1), OUTCOME_OK);
    uint64_t seq = st->seq;
    assert_int_equal(import(5, SEATS, 1), OUTCOME_TAKEN);
    assert_int_equal(out.obstacle_count, 2);
    assert_int_equal(out.obstacles[0].item, 7);
    assert_int_equal(out.obstacles[1].item, SEATS - 1);
    assert_int_equal(st->seq, seq);
    assert_int_equal(e->counts.blocked, 0);
    for (uint64_t n = 3; n < 300; n++)
        assert_int_equal(hold_seat(n, (uint32_t)n * 100), OUTCOME_OK);
    assert_int_equal(import(5, SEATS, 1), OUTCOME_TAKEN);
    assert_int_equal(out.obstacle_count, ITEMS_MAX);
    assert_int_equal(import(8, 92, 1), OUTCOME_OK);
    assert_true(state_check(st, sentence_fails, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rows_are_counted_in_steps, set_up, tear_down),
        cmocka_unit_test_setup_teardown(another_layout_is_counted_anew, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_seat_is_blocked_by_one_touch, set_up, tear_down),
        cmocka_unit_test_setup_teardown(claimed_seats_are_in_the_way_of_blocks, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("core_many_seats", tests, NULL, NULL);
}
