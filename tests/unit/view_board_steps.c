/* SPDX-License-Identifier: Apache-2.0 */
/* A board that is made step by step, while seats change between the steps, shows the state at its last step; and an
 * answer that is being read never changes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/catalogue/event.h"
#include "view/answers.h"

#define SEATS 60000u /* more than one step makes, and more than one step copies */
#define ROUNDS 300

static struct state *st;
static struct view view;
static struct event *e;
static struct board *board;
static struct buf changes, expected, plain;
static struct outcome out;
static int64_t now_ms;
static uint64_t dice, next_id;

static uint32_t draw(uint32_t below)
{
    dice = dice * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)((dice >> 33) % below);
}

static enum outcome_code apply(struct command c)
{
    c.actor.role = ROLE_ADMIN;
    buf_clear(&changes);
    enum outcome_code code = state_apply(st, &c, now_ms, &changes, &out);
    for (uint32_t i = 0; board && i < st->touch_count; i++)
        board_touched(board, &st->touches[i]);
    return code;
}

static struct text seat_name(char id[16], uint32_t n)
{
    return (struct text){id, (size_t)snprintf(id, 16, "S%u", n)};
}

static void import(uint32_t first, uint32_t count)
{
    struct buf rows;
    struct layout_blocks blocks;
    uint32_t created, updated;
    buf_init(&rows, 1 << 26);
    for (uint32_t n = first; n < first + count; n++) {
        char id[16];
        seat_row_put(&rows, SEAT_COLUMN_BLOCKED,
                     &(struct seat_image){.id = seat_name(id, n), .blocked = n % 97 == 0});
    }
    struct command c = {.kind = COMMAND_SEATS_PUBLISH};
    c.seats_publish.event = TEXT("E");
    c.seats_publish.import = state_next_seq(st);
    c.seats_publish.base = e->layout;
    c.seats_publish.layout =
        layout_make(e->layout, bytes_reader_make(rows.data, rows.size), count, &created, &updated, &blocks);
    c.seats_publish.blocks = &blocks;
    assert_int_equal(apply(c), OUTCOME_OK);
    layout_blocks_release(&blocks);
    buf_release(&rows);
}

static int set_up(void **state)
{
    (void)state;
    st = state_make();
    view = (struct view){.state = st};
    dice = 7;
    now_ms = 1000;
    board = NULL;
    buf_init(&changes, 1 << 20);
    buf_init(&expected, 1 << 24);
    buf_init(&plain, 1 << 24);
    struct command c = {.kind = COMMAND_EVENT_PUT};
    c.event_put.image =
        (struct event_image){.id = TEXT("E"),
                             .name = TEXT("E"),
                             .terms = {"EUR", 60, 900, 0, PAYMENT_NONE, LATE_PAYMENT_REFUND, 0}};
    assert_int_equal(apply(c), OUTCOME_OK);
    c = (struct command){.kind = COMMAND_POOL_PUT};
    c.pool_put.event = TEXT("E");
    c.pool_put.id = TEXT("floor");
    c.pool_put.capacity = 1000000;
    assert_int_equal(apply(c), OUTCOME_OK);
    e = event_find(st, TEXT("E"));
    import(0, SEATS);
    board = board_make(&view, e);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    board_release(board);
    assert_int_equal(view.answer_bytes, 0);
    state_release(st);
    buf_release(&changes);
    buf_release(&expected);
    buf_release(&plain);
    return 0;
}

/* ---- Things that happen ---- */

static void claim(struct item_request item)
{
    item.resource = TEXT("E");
    item.quantity = 1;
    struct command c = {.kind = COMMAND_HOLD, .user_id = TEXT("ann"), .reservation = {1, ++next_id}};
    c.hold.items = &item;
    c.hold.count = 1;
    c.hold.commit = draw(3) == 0;
    apply(c); /* it could be taken */
}

static void claim_seat(uint32_t seat)
{
    char id[16];
    claim((struct item_request){.kind = ITEM_SEAT, .part = seat_name(id, seat)});
}

static void claim_something(void)
{
    if (draw(5) == 0)
        claim((struct item_request){.kind = ITEM_POOL, .part = TEXT("floor")});
    else
        claim_seat(draw(e->layout->count));
}

static void release_something(void)
{
    struct command c = {.kind = COMMAND_RELEASE, .reservation = {1, 1 + draw((uint32_t)next_id + 1)}};
    apply(c);
}

static void block_something(void)
{
    char name[16];
    struct text id = seat_name(name, draw(e->layout->count));
    struct command c = {.kind = COMMAND_SEATS_BLOCK};
    c.seats_block.event = TEXT("E");
    c.seats_block.ids = &id;
    c.seats_block.count = 1;
    c.seats_block.blocked = draw(2);
    apply(c);
}

static void change_something(void)
{
    now_ms += draw(500);
    switch (draw(4)) {
    case 0:
        release_something();
        break;
    case 1:
        block_something();
        break;
    default:
        claim_something();
    }
}

/* ---- What must be said ---- */

static void expect_json(void)
{
    buf_printf(&expected, "{\"version\":%llu,\"full\":true,\"seats\":{", (unsigned long long)e->seq);
    for (uint32_t i = 0; i < e->layout->count; i++) {
        struct text id = layout_id(e->layout, i);
        buf_append_text(&expected, i ? ",\"" : "\"");
        buf_append(&expected, id.at, id.size);
        buf_append(&expected, "\":\"", 3);
        buf_append_text(&expected, unit_status_name(seat_status(st, e, i)));
        buf_append(&expected, "\"", 1);
    }
    buf_printf(&expected, "},\"pools\":{\"floor\":{\"capacity\":1000000,\"available\":%u}}}\n",
               pool_available(&e->pools[0]));
}

static void expect_map(void)
{
    buf_printf(&expected, "{\"version\":%llu,\"layout\":\"\\\"%016llx\\\"\",\"map\":\"",
               (unsigned long long)e->seq, (unsigned long long)e->layout->digest);
    for (uint32_t i = 0; i < e->layout->count; i++) {
        char letter = unit_status_letter(seat_status(st, e, i));
        buf_append(&expected, &letter, 1);
    }
    buf_append_text(&expected, "\"}\n");
}

/* No name contains a space: spaces only pad values that are shorter than their place. */
static void assert_says_what_is_so(const struct document *d, enum availability_format format)
{
    buf_clear(&expected);
    buf_clear(&plain);
    if (format == AVAILABILITY_JSON)
        expect_json();
    else
        expect_map();
    uint8_t *to = buf_reserve(&plain, d->plain.size);
    for (size_t i = 0; i < d->plain.size; i++)
        if (d->plain.data[i] != ' ')
            to[plain.size++] = d->plain.data[i];
    assert_int_equal(d->seq, e->seq);
    assert_int_equal(plain.size, expected.size);
    assert_memory_equal(plain.data, expected.data, plain.size);
}

static struct document *steps(enum availability_format format, uint32_t *count)
{
    struct document *d = NULL;
    for (*count = 0; !d; (*count)++)
        d = board_step(board, format);
    return d;
}

/* ---- Claims ---- */

static void no_step_makes_the_whole_board(void **state)
{
    (void)state;
    const struct board_answer *json = &board->answers[AVAILABILITY_JSON];
    for (uint32_t made = 0; made < SEATS; made = board->made) {
        assert_null(board_step(board, AVAILABILITY_JSON));
        assert_in_range(board->made - made, 1, 8192);
    }
    struct document *d = NULL;
    for (int copied = 0; copied < 2;
         copied++) { /* the first copy allocates the memory, the second one is on its own */
        for (size_t before = json->copied; !d; before = json->copied) {
            d = board_step(board, AVAILABILITY_JSON);
            assert_in_range(json->copied - before, 1, 1 << 20);
        }
        assert_true(d->plain.size > 1 << 20);
        assert_says_what_is_so(d, AVAILABILITY_JSON);
        d->references++;
        claim_seat((uint32_t)copied + 1);
        document_release(d);
        assert_null(json->document);
        d = NULL;
    }
}

/* Availability shows seats and pools: parts of other kinds are not included. */
static void other_kinds_are_not_shown(void **state)
{
    (void)state;
    uint64_t end = board->ring_end;
    board_touched(board, &(struct touch){.resource = e->index, .part = UINT32_MAX, .kind = ITEM_SLOT});
    assert_int_equal(board->ring_end, end);
}

static void changes_between_the_steps_are_included(void **state)
{
    (void)state;
    uint32_t whole[2] = {0}, layouts = 0;
    for (int round = 0; round < ROUNDS; round++) {
        for (uint32_t i = draw(40); i > 0; i--)
            change_something();
        if (draw(100) == 0) {
            import(e->layout->count - 5, 6);
            layouts++;
        }
        enum availability_format format = draw(2) ? AVAILABILITY_JSON : AVAILABILITY_MAP;
        struct document *d = board_step(board, format);
        if (d) {
            assert_says_what_is_so(d, format);
            whole[format]++;
        }
        if (d && draw(4) == 0) { /* a reader keeps the board from patching it */
            d->references++;
            change_something();
            document_release(d);
        }
    }
    assert_true(whole[0] > 20 && whole[1] > 20 && layouts > 0);
}

static void an_answer_that_is_being_read_does_not_change(void **state)
{
    (void)state;
    for (int format = AVAILABILITY_JSON; format <= AVAILABILITY_MAP; format++) {
        uint32_t count;
        struct document *d = steps((enum availability_format)format, &count);
        assert_ptr_equal(steps((enum availability_format)format, &count), d); /* shared */
        assert_int_equal(count, 1);
        d->references++;
        char *copy = malloc(d->plain.size);
        size_t size = d->plain.size;
        memcpy(copy, d->plain.data, size);
        for (int i = 0; i < 200; i++)
            change_something();
        struct document *next = steps((enum availability_format)format, &count);
        assert_ptr_not_equal(next, d);
        assert_says_what_is_so(next, (enum availability_format)format);
        assert_int_equal(d->plain.size, size);
        assert_memory_equal(d->plain.data, copy, size);
        free(copy);
        document_release(d);
    }
}

static void an_unread_answer_is_patched_and_not_copied(void **state)
{
    (void)state;
    uint32_t count;
    struct document *d = steps(AVAILABILITY_JSON, &count);
    for (int i = 0; i < 200; i++) {
        change_something();
        assert_ptr_equal(steps(AVAILABILITY_JSON, &count), d);
        assert_int_equal(count, 1);
        if (i % 20 == 0)
            assert_says_what_is_so(d, AVAILABILITY_JSON);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(no_step_makes_the_whole_board, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_kinds_are_not_shown, set_up, tear_down),
        cmocka_unit_test_setup_teardown(changes_between_the_steps_are_included, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_answer_that_is_being_read_does_not_change, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_unread_answer_is_patched_and_not_copied, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("view_board_steps", tests, NULL, NULL);
}
