/* SPDX-License-Identifier: Apache-2.0 */
/* A copy that begins to follow in the middle of an import publishes all of it: the parts that it recovered, and those that
 * come later. A process that decides drops parts that were never published. */
#include "../lib/core_fixture.h"

#include "core/catalogue/event.h"
#include "core/change.h"

static struct state *copy;
static struct change decoded;

/* The changes of the last step, as the log has them. */
static void give(bool follows)
{
    struct bytes_reader in = bytes_reader_make(core.changes.data, core.changes.size);
    if (follows)
        state_follow_begin(copy);
    while (bytes_left(&in)) {
        assert_true(change_decode(&in, copy->seq + 1, &decoded));
        assert_int_equal(follows ? state_follow(copy, &decoded) : state_restore(copy, &decoded), RESTORE_OK);
    }
    if (follows)
        state_follow_end(copy);
}

static void stage(uint64_t import, struct buf *rows, const char *letters)
{
    struct buf part;
    buf_init(&part, 1000);
    seat_rows_put_letters(&part, letters);
    struct command c = {.kind = COMMAND_SEATS_STAGE};
    c.seats_stage.event = TEXT("hall");
    c.seats_stage.import = import;
    c.seats_stage.rows = part.data;
    c.seats_stage.size = part.size;
    c.seats_stage.count = (uint32_t)strlen(letters);
    core_must(c);
    buf_append(rows, part.data, part.size);
    buf_release(&part);
}

static void hold_seat(const char *seat)
{
    struct item_request item = item_seat(TEXT("hall"), (struct text){seat, 1});
    core_must(hold_command((struct id){1, 1}, TEXT("ann"), &item, 1));
}

static void begin(struct buf *rows)
{
    copy = state_make();
    buf_init(rows, 1000);
    core_must(event_put_command(TEXT("hall")));
    give(false);
    stage(2, rows, "ABC");
    give(false);
    assert_true(state_restore_end(copy));
}

static void parts_from_before_are_published(void **unused)
{
    (void)unused;
    struct buf rows;
    begin(&rows);
    stage(2, &rows, "DE");
    give(true);
    assert_int_equal(core_publish(TEXT("hall"), 2, &rows, 5), OUTCOME_OK);
    give(true);
    hold_seat("A");
    give(true);
    assert_int_equal(event_find(copy, TEXT("hall"))->counts.seats, 5);
    assert_int_equal(event_find(copy, TEXT("hall"))->counts.held, 1);
    state_release(copy);
    buf_release(&rows);
}

static void one_that_decides_drops_them(void **unused)
{
    (void)unused;
    struct buf rows;
    begin(&rows);
    assert_int_equal(copy->staged.count, 3);
    state_imports_over(copy);
    assert_int_equal(copy->staged.count, 0);
    state_release(copy);
    buf_release(&rows);
}

static void one_that_takes_over_drops_them(void **unused)
{
    (void)unused;
    struct buf rows;
    begin(&rows);
    state_follow_begin(copy);
    state_follow_end(copy);
    assert_true(state_take_over(copy));
    assert_int_equal(copy->staged.count, 0);
    state_release(copy);
    buf_release(&rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        core_test(parts_from_before_are_published),
        core_test(one_that_decides_drops_them),
        core_test(one_that_takes_over_drops_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
