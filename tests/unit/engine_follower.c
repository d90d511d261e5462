/* SPDX-License-Identifier: Apache-2.0 */
/* An engine that follows another one's log decides nothing: due work stays due, reads are answered without a change,
 * and everything else is refused. */
#include "due_fixture.h"

static uint32_t woken;

static void on_more(void *owner)
{
    (void)owner;
    woken++;
}

static void due_work_waits_for_the_deciding_engine(void **state)
{
    (void)state;
    uint64_t changes = w.changes;
    engine_set_role(&w.engine, ENGINE_FOLLOWER);
    assert_int_equal(engine_next_ms(&w.engine), INT64_MAX);
    do_what_is_due();
    engine_write_refusals(&w.engine, w.now_ms);
    assert_int_equal(rows_done(), 0);
    assert_int_equal(w.changes, changes);
    assert_false(import_over);
    /* It takes over: everything at once, as after a restart. */
    engine_set_role(&w.engine, ENGINE_ALONE);
    assert_true(engine_next_ms(&w.engine) <= w.now_ms);
    do_what_is_due();
    assert_int_equal(rows_done(), ROWS_ALL);
}

static void reads_change_nothing(void **state)
{
    (void)state;
    uint64_t changes = w.changes;
    engine_set_role(&w.engine, ENGINE_FOLLOWER);
    must(reservation_command(COMMAND_LOOK, (struct id){1, 1}));
    assert_int_equal(out.reservation.status, RESERVATION_EXPIRED); /* shown, not settled */
    assert_int_equal(w.changes, changes);
    engine_set_role(&w.engine, ENGINE_ALONE);
    must(reservation_command(COMMAND_LOOK, (struct id){1, 1}));
    assert_int_equal(out.reservation.status, RESERVATION_EXPIRED);
    assert_true(w.changes > changes);
}

/* Even for records that were forgotten: the book is at hand. */
static void reads_are_answered_from_the_book(void **state)
{
    (void)state;
    world_forget(&w);
    assert_int_equal(reservation_find(w.st, (struct id){1, 3}), TABLE_NONE);
    engine_set_role(&w.engine, ENGINE_FOLLOWER);
    must(reservation_command(COMMAND_LOOK, (struct id){1, 3}));
    assert_int_equal(out.reservation.status, RESERVATION_RELEASED);
    assert_int_equal(w.reads, 1);
}

static void everything_else_is_refused(void **state)
{
    (void)state;
    uint32_t refused = 0;
    engine_set_role(&w.engine, ENGINE_FOLLOWER);
    for (int kind = 0; kind < COMMAND_COUNT; kind++) {
        uint64_t steps = w.st->step_number;
        if (command_is((enum command_kind)kind, COMMAND_READ_ONLY) &&
            !command_is((enum command_kind)kind, COMMAND_MOVES_MEMORY))
            continue;
        assert_int_equal(apply((struct command){.kind = (enum command_kind)kind}), OUTCOME_UNAVAILABLE);
        assert_int_equal(w.st->step_number, steps); /* core was not asked */
        refused++;
    }
    assert_true(refused > 40);
    /* Taking a message is no change, but a message taken here would never be sent. */
    assert_true(command_is(COMMAND_HOOK_TAKE, COMMAND_MOVES_MEMORY));
}

static void a_follower_that_takes_over_wakes_its_host(void **state)
{
    (void)state;
    engine_set_role(&w.engine, ENGINE_FOLLOWER);
    assert_int_equal(engine_next_ms(&w.engine), INT64_MAX);
    w.engine.host.more = on_more;
    engine_set_role(&w.engine, ENGINE_ALONE);
    assert_int_equal(woken, 1);
    assert_true(engine_decides(&w.engine));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        due_test(due_work_waits_for_the_deciding_engine),    due_test(reads_change_nothing),
        due_test(reads_are_answered_from_the_book),          due_test(everything_else_is_refused),
        due_test(a_follower_that_takes_over_wakes_its_host),
    };
    return cmocka_run_group_tests_name("engine_follower", tests, NULL, NULL);
}
