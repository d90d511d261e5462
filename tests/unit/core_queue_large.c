/* SPDX-License-Identifier: Apache-2.0 */
/* However long the line, no step and no answer does more than a bounded amount of work, the opening of a shuffled queue
 * is one small change, and an entry takes little memory. */
#include "queue_fixture.h"

#include <malloc.h>

#define PEOPLE 300000
#define MOST 1000

static void open_later(bool shuffle)
{
    struct queue_settings settings = {.open_at_ms = CORE_EPOCH_MS + 60000,
                                      .rate_per_second = ADMISSION_RATE_MAX,
                                      .pass_ttl_s = 900,
                                      .shuffle_before_open = shuffle};
    fixture_begin();
    fixture_put(&settings, 5);
    fixture_admit(1);
}

static void join_all(void)
{
    for (uint32_t i = 1; i <= PEOPLE; i++) {
        fixture_join(i);
        buf_clear(&f.journal);
    }
}

static uint32_t steps_until_counted(void)
{
    struct queue *r = fixture_queue();
    uint32_t steps = 0;
    for (; !queue_counted(r); steps++) {
        uint32_t before = r->gone_done;
        fixture_admit(MOST);
        assert_true(r->gone_done - before <= QUEUE_COUNT_MAX);
        assert_true(r->serving == 0 || queue_counted(r)); /* nobody is admitted in between */
    }
    return steps;
}

static void opening_is_one_small_change(void **state)
{
    (void)state;
    open_later(true);
    join_all();
    for (uint32_t i = 1; i <= 999; i += 2)
        fixture_entry(COMMAND_QUEUE_LEAVE, i);
    core.now_ms = CORE_EPOCH_MS + 60000;
    fixture_admit(MOST);
    assert_int_equal(core.st->change_count, 1);
    assert_true(core.changes.size < 100);
    assert_int_equal(fixture_queue()->image.drawn, PEOPLE);
    assert_in_range(steps_until_counted(), PEOPLE / QUEUE_COUNT_MAX, PEOPLE / QUEUE_COUNT_MAX + 2);
    /* All positions add up. */
    uint64_t ahead = 0, in_line = fixture_queue()->in_line;
    assert_in_range(in_line, PEOPLE - 500 - MOST, PEOPLE - 500);
    struct queue_entry_image q;
    for (uint32_t i = 1; i <= PEOPLE; i++) {
        queue_entry_view(core.st, fixture_event(), i, &q);
        ahead += q.ahead;
    }
    assert_true(ahead == in_line * (in_line - 1) / 2);
    core_check();
    fixture_end();
}

/* A poll before the steps have counted it counts a part, and repeats. */
static void polls_at_the_opening_help_to_count(void **state)
{
    (void)state;
    uint32_t again = 0;
    open_later(true);
    join_all();
    core.now_ms = CORE_EPOCH_MS + 60000;
    struct command c = {.kind = COMMAND_QUEUE_LOOK, .actor = {.role = ROLE_USER, .name = TEXT("u7")}};
    c.queue.event = TEXT("E");
    c.queue.entry = entry_id((uint64_t[2]){LINE_KEY}, ENTRY_QUEUE, 7);
    for (;; again++) {
        uint32_t before = fixture_queue()->gone_done;
        buf_clear(&core.changes);
        enum outcome_code code = state_apply(core.st, &c, core.now_ms, &core.changes, &core.out);
        fixture_journal();
        assert_true(fixture_queue()->gone_done - before <= QUEUE_COUNT_MAX);
        if (code != OUTCOME_RETRY)
            break;
    }
    assert_in_range(again, PEOPLE / QUEUE_COUNT_MAX - 1, PEOPLE / QUEUE_COUNT_MAX + 1);
    assert_int_equal(core.out.entry.ahead, core.out.entry.position - 1);
    fixture_end();
}

/* A hundred thousand in a row who left, then as many who are absent at their turn. */
static void many_absent_in_a_row_are_passed_in_steps(void **state)
{
    (void)state;
    open_later(false);
    join_all();
    for (uint32_t i = 1; i <= 100000; i++)
        fixture_entry(COMMAND_QUEUE_LEAVE, i);
    core.now_ms = CORE_EPOCH_MS + 60000;
    struct queue *r = fixture_queue();
    uint32_t steps = 0;
    for (; r->serving == 0; steps++) {
        uint32_t before = r->cursor;
        fixture_admit(MOST);
        assert_true(r->cursor - before <= MOST);
    }
    assert_in_range(steps, 100000 / MOST, 100000 / MOST + 2);
    assert_int_equal(r->serving - r->by_status[QUEUE_ADMITTED], 100000);
    fixture_entry(COMMAND_QUEUE_LOOK, 250000);
    core.now_ms += 1000 * 1000;
    for (steps = 0; !r->by_status[QUEUE_PASSED_OVER] || r->by_status[QUEUE_WAITING]; steps++) {
        uint32_t before = r->cursor;
        fixture_admit(MOST);
        assert_true(r->cursor - before <= MOST);
        assert_true(core.st->moved_count <= MOST);
        assert_true(core.st->change_count <= MOST / MOVES_MAX + 1);
    }
    assert_true(steps >= 150000 / MOST);
    core_check();
    /* And they leave together, in steps. */
    core.now_ms += RETURN_MAX_S * 1000LL + 1000;
    fixture_admit(5 * MOVES_MAX); /* one large step is several changes */
    assert_in_range(core.st->moved_count, 4 * MOVES_MAX, 5 * MOVES_MAX);
    assert_int_equal(core.st->change_count, (core.st->moved_count + MOVES_MAX - 1) / MOVES_MAX);
    for (steps = 0; fixture_admit(MOST); steps++)
        assert_true(core.st->moved_count <= MOST);
    assert_true(steps >= 140000 / MOST);
    assert_int_equal(r->by_status[QUEUE_PASSED_OVER], 0);
    core_check();
    fixture_end();
}

/* With ids of 24 characters. */
static void an_entry_takes_little_memory(void **state)
{
    (void)state;
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    char name[32];
    open_later(true);
    size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
    for (uint32_t i = 1; i <= PEOPLE; i++) {
        struct command c = {.kind = COMMAND_QUEUE_JOIN, .actor = {.role = ROLE_USER}};
        c.actor.name = (struct text){name, (size_t)snprintf(name, sizeof(name), "user-%019u", i)};
        assert_int_equal(c.actor.name.size, 24);
        c.queue.event = TEXT("E");
        buf_clear(&core.changes);
        assert_int_equal(state_apply(core.st, &c, core.now_ms, &core.changes, &core.out), OUTCOME_OK);
        size_t now = mallinfo2().uordblks + mallinfo2().hblkhd;
        if (i % 1000 == 0 && i >= 20000 && now - before > 120 * (size_t)i)
            fail_msg("%u entries take %zu bytes each", i, (now - before) / i);
    }
    fixture_end();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opening_is_one_small_change),
        cmocka_unit_test(polls_at_the_opening_help_to_count),
        cmocka_unit_test(many_absent_in_a_row_are_passed_in_steps),
        cmocka_unit_test(an_entry_takes_little_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
