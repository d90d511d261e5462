/* SPDX-License-Identifier: Apache-2.0 */
/* Work that the server starts itself waits until the log has room again; the reserve is for commits and releases. */
#include "due_fixture.h"

static void nothing_is_done_without_room(void **state)
{
    (void)state;
    static const enum log_room rooms[] = {LOG_ROOM_NONE, LOG_ROOM_LOW};
    uint64_t changes = w.changes;
    for (int i = 0; i < 2; i++) {
        world_set_room(&w, rooms[i]);
        assert_int_equal(engine_condition(&w.engine), ENGINE_FULL);
        do_what_is_due();
        engine_write_refusals(&w.engine, w.now_ms);
        assert_int_equal(rows_done(), 0);
        assert_int_equal(w.changes, changes);
    }
    world_set_room(&w, LOG_ROOM_OK);
    do_what_is_due();
    assert_int_equal(rows_done(), ROWS_ALL & ~(1u << DUE_IMPORT));
}

/* Its caller must not wait forever. */
static void an_import_is_given_up(void **state)
{
    (void)state;
    uint64_t changes = w.changes;
    assert_true(due_slice(&w.engine, DUE_IMPORT, w.now_ms)); /* the seats are staged */
    assert_true(w.changes > changes);
    changes = w.changes;
    assert_false(import_over);
    world_set_room(&w, LOG_ROOM_LOW);
    do_what_is_due();
    assert_true(import_over);
    assert_int_equal(seats.code, OUTCOME_STORAGE_FULL);
    assert_true(engine_idle(&w.engine));
    assert_null(event_find(w.st, TEXT("E"))->layout);
    assert_int_equal(w.changes, changes);
    /* Another one can come. */
    world_set_room(&w, LOG_ROOM_OK);
    layout_release(seats.layout);
    layout_blocks_release(&blocks);
    buf_release(&rows);
    begin_import();
    do_what_is_due();
    assert_int_equal(rows_done(), ROWS_ALL);
}

static uint64_t book_lacks; /* bytes */

static bool exceeds(struct log *l, uint64_t seq, uint64_t limit)
{
    assert_int_equal(seq, w.book.st->seq);
    return book_lacks > limit && log_bytes(l) > limit;
}

/* The reserve is for commands that finish something; existing holds can be paid. */
static void only_commands_that_finish_use_the_reserve(void **state)
{
    (void)state;
    const struct log_ops ops = {.prepare_due = w.log.ops->prepare_due, .exceeds = exceeds};
    struct item_request item = item_floor(TEXT("L"), 1);
    struct command again = hold_command((struct id){1, 9}, TEXT("ann"), &item, 1);
    struct command release = reservation_command(COMMAND_RELEASE, (struct id){1, 4});
    world_set_room(&w, LOG_ROOM_NONE);
    assert_int_equal(apply(again), OUTCOME_STORAGE_FULL);
    assert_int_equal(apply(release), OUTCOME_STORAGE_FULL);
    must(reservation_command(COMMAND_LOOK, (struct id){1, 4}));
    world_set_room(&w, LOG_ROOM_LOW);
    assert_int_equal(apply(again), OUTCOME_STORAGE_FULL);
    must(reservation_command(COMMAND_COMMIT, (struct id){1, 4}));
    /* The book is far behind: new claims wait for it, and nothing else does. */
    world_set_room(&w, LOG_ROOM_OK);
    w.log.ops = &ops;
    w.engine.log_max = 1000;
    atomic_store(&w.log.bytes, 5000);
    book_lacks = 2000;
    assert_int_equal(engine_condition(&w.engine), ENGINE_BEHIND);
    assert_int_equal(apply(again), OUTCOME_UNAVAILABLE);
    must(reservation_command(COMMAND_LOOK, (struct id){1, 4}));
    do_what_is_due();
    assert_int_equal(rows_done(), ROWS_ALL);
    book_lacks = 500; /* it has the rest, which only a reader keeps */
    assert_int_equal(engine_condition(&w.engine), ENGINE_READY);
    assert_int_equal(apply(again), OUTCOME_SOLD_OUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        due_test(nothing_is_done_without_room),
        due_test(an_import_is_given_up),
        due_test(only_commands_that_finish_use_the_reserve),
    };
    return cmocka_run_group_tests_name("engine_room", tests, NULL, NULL);
}
