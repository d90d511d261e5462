/* SPDX-License-Identifier: Apache-2.0 */
/* A person is present for twice their poll_after, from joining, polling or streaming on; and from the opening and the
 * start of a process on, however long ago they were last heard from. */
#include "queue_fixture.h"

static struct queue_settings settings;

/* The first entry is admitted at once, and takes the place that number 2 waits for. */
static void begin(int64_t open_at_ms)
{
    settings = (struct queue_settings){
        .open_at_ms = open_at_ms, .rate_per_second = 1000, .max_active = 1, .pass_ttl_s = 86400};
    fixture_begin();
    core.now_ms = CORE_EPOCH_MS + 250; /* not at a whole second */
    fixture_put(&settings, 1);
    fixture_admit(1000);
    assert_int_equal(fixture_join(1), 1);
    fixture_admit(1000);
}

/* The place comes free then: is number 2 present? */
static bool there_at(int64_t now_ms)
{
    core.now_ms = now_ms;
    fixture_entry(COMMAND_QUEUE_LEAVE, 1);
    while (fixture_admit(1000)) {
    }
    const struct queue_entry *entry = queue_entry(fixture_queue(), 2);
    assert_true(entry->status == QUEUE_ADMITTED || entry->status == QUEUE_PASSED_OVER);
    bool there = entry->status == QUEUE_ADMITTED;
    fixture_end();
    return there;
}

/* Until when a person counts as present who was last heard from then: stored in whole seconds, rounded up. */
static int64_t until(int64_t heard_ms, uint32_t told_s)
{
    return (heard_ms / 1000 + 1) * 1000 + 2000LL * told_s;
}

static void joining_is_presence(void **state)
{
    (void)state;
    for (int64_t more_ms = -1; more_ms <= 0; more_ms++) {
        begin(0);
        fixture_join(2);
        int64_t end_ms = until(core.now_ms, core.out.entry.poll_after_s);
        assert_int_equal(there_at(end_ms + more_ms), more_ms < 0);
    }
}

static void asking_is_presence(void **state)
{
    (void)state;
    for (int64_t more_ms = -1; more_ms <= 0; more_ms++) {
        begin(0);
        fixture_join(2);
        core.now_ms += 5000;
        fixture_entry(COMMAND_QUEUE_LOOK, 2);
        int64_t end_ms = until(core.now_ms, core.out.entry.poll_after_s);
        assert_int_equal(there_at(end_ms + more_ms), more_ms < 0);
    }
}

static void joining_again_is_presence(void **state)
{
    (void)state;
    for (int64_t more_ms = -1; more_ms <= 0; more_ms++) {
        begin(0);
        fixture_join(2);
        core.now_ms += 5000;
        fixture_join(2);
        assert_false(core.out.created);
        int64_t end_ms = until(core.now_ms, core.out.entry.poll_after_s);
        assert_int_equal(there_at(end_ms + more_ms), more_ms < 0);
    }
}

/* A stream is confirmed every fifteen seconds, so that is the least it counts for. */
static void streaming_is_presence(void **state)
{
    (void)state;
    for (int64_t more_ms = -1; more_ms <= 0; more_ms++) {
        begin(0);
        fixture_join(2);
        assert_in_range(core.out.entry.poll_after_s, 1, 14);
        core.now_ms += 5000;
        state_set_now(core.st, core.now_ms);
        assert_true(queue_present(core.st, fixture_event(), 2));
        assert_int_equal(there_at(until(core.now_ms, 15) + more_ms), more_ms < 0);
    }
    begin(0);
    assert_false(queue_present(core.st, fixture_event(), 0));
    assert_false(queue_present(core.st, fixture_event(), 2));
    fixture_end();
}

static void absence_counts_from_the_opening_on(void **state)
{
    (void)state;
    for (int64_t more_ms = -1; more_ms <= 0; more_ms++) {
        int64_t open_ms = CORE_EPOCH_MS + 3600 * 1000;
        begin(open_ms);
        fixture_join(2);
        uint32_t told_s = core.out.entry.poll_after_s;
        assert_in_range(told_s, 36, 60);
        core.now_ms = open_ms;
        fixture_admit(1000);
        assert_int_equal(there_at(open_ms + 2000LL * told_s + more_ms), more_ms < 0);
    }
}

/* The poll_after from before a restart is unknown: a minute is assumed. */
static void absence_counts_from_the_start_on(void **state)
{
    (void)state;
    for (int64_t more_ms = -1; more_ms <= 0; more_ms++) {
        begin(0);
        fixture_join(2);
        core.now_ms += 3600 * 1000;
        fixture_restart(f.journalled);
        fixture_admit(1000);
        assert_int_equal(there_at(core.now_ms + 2000LL * POLL_AFTER_MAX_S + more_ms), more_ms < 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joining_is_presence),
        cmocka_unit_test(asking_is_presence),
        cmocka_unit_test(joining_again_is_presence),
        cmocka_unit_test(streaming_is_presence),
        cmocka_unit_test(absence_counts_from_the_opening_on),
        cmocka_unit_test(absence_counts_from_the_start_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
