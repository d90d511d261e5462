/* SPDX-License-Identifier: Apache-2.0 */
/* Wherever the journal ends, in the middle of admission or elsewhere, the queue continues from there: nobody is
 * admitted twice and nobody is skipped. */
#include "queue_fixture.h"

#define PEOPLE 60

static uint8_t admitted[PEOPLE + 1]; /* by position: how often */
static uint32_t last;                /* position admitted */

/* Every admission in these changes, in order. */
static void follow(struct bytes_reader in, uint64_t count)
{
    static struct change change;
    struct queue_move move;
    for (uint64_t i = 0; i < count; i++) {
        assert_true(change_decode(&in, i + 1, &change));
        for (uint32_t k = 0; change.kind == CHANGE_QUEUE_MOVED && k < change.moved.count; k++) {
            assert_true(queue_move_get(&change.moved.moves, &move));
            if (move.status != QUEUE_ADMITTED)
                continue;
            uint32_t position = queue_position(fixture_queue(), move.number);
            assert_int_equal(admitted[position]++, 0);
            assert_true(position > last);
            last = position;
        }
    }
}

static void live(bool shuffle)
{
    struct queue_settings settings = {.open_at_ms = CORE_EPOCH_MS + 1000,
                                      .rate_per_second = 40,
                                      .max_active = 20,
                                      .pass_ttl_s = 1,
                                      .shuffle_before_open = shuffle};
    fixture_begin();
    fixture_put(&settings, 3);
    for (uint32_t i = 1; i <= PEOPLE; i++) {
        core.now_ms += i < 40 ? 20 : 5;
        uint32_t number = fixture_join(i);
        if (i % 7 == 0)
            fixture_entry(COMMAND_QUEUE_LEAVE, number - 3);
        bool more;
        do
            more = fixture_admit(3);
        while (more);
    }
    for (int i = 0; i < 60; i++, core.now_ms += 50) {
        bool more;
        do
            more = fixture_admit(1 + (uint32_t)i % 5);
        while (more);
    }
}

/* After the crash everyone in line is admitted, each once, in order. */
static void go_on_from(uint64_t count)
{
    memset(admitted, 0, sizeof(admitted));
    last = 0;
    fixture_restart(count);
    if (!event_find(core.st, TEXT("E")) || !fixture_queue() || !queue_joined(fixture_queue()))
        return;
    core_check();
    uint32_t in_line = 0;
    if (fixture_queue()->order != QUEUE_HIDDEN)
        follow(bytes_reader_make(f.journal.data, f.journal.size), f.journalled);
    for (uint32_t p = 1; p <= PEOPLE; p++)
        in_line += admitted[p];
    in_line += fixture_queue()->in_line;
    for (int i = 0; i < 400 && fixture_queue()->in_line; i++, core.now_ms += 50) {
        bool more;
        do {
            more = fixture_admit(5);
            follow(bytes_reader_make(core.changes.data, core.changes.size), core.st->change_count);
        } while (more);
    }
    assert_int_equal(fixture_queue()->in_line, 0);
    uint32_t all = 0;
    for (uint32_t p = 1; p <= queue_joined(fixture_queue()); p++)
        all += admitted[p];
    assert_int_equal(all, in_line);
    core_check();
}

static void every_end_of_the_journal(bool shuffle)
{
    live(shuffle);
    uint64_t count = f.journalled;
    assert_true(count > PEOPLE + 40);
    for (uint64_t k = 0; k <= count; k++) {
        go_on_from(k);
        fixture_end();
        live(shuffle);
        assert_true(f.journalled == count); /* the same run again */
    }
    fixture_end();
}

static void in_order_of_joining(void **state)
{
    (void)state;
    every_end_of_the_journal(false);
}

static void in_order_of_the_draw(void **state)
{
    (void)state;
    every_end_of_the_journal(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_order_of_joining),
        cmocka_unit_test(in_order_of_the_draw),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
