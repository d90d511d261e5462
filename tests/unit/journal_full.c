/* SPDX-License-Identifier: Apache-2.0 */
/* A full disk is noticed before the journal is full: the reserve serves what must continue, and everything recovers
 * once there is space. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../lib/fake_disk.h"
#include "../lib/written.h"
#include "journal/segment.h"

#define SEGMENT (64u << 10)

static struct written w;
static struct fake_disk *f;
static struct journal *j;

static int set_up(void **state)
{
    (void)state;
    struct witness v;
    memset(&w, 0, sizeof w);
    f = fake_disk_make(1);
    struct status s = written_open(&w, &j, fake_disk_table(f), SEGMENT, &v, NULL);
    return status_ok(&s) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    journal_close(j);
    fake_disk_free(f);
    return 0;
}

static void prepare(void)
{
    struct status s = journal_prepare(j);
    assert_true(status_ok(&s));
}

static void write_one(void)
{
    struct status s = written_add(&w, j, 3000, 1, (int64_t)w.count);
    if (!status_ok(&s))
        fail_msg("%s", s.text);
}

/* Writes until the space is `until`; returns the number of batches. */
static int write_until(enum journal_space until)
{
    int batches = 0;
    while (journal_space(j) != until) {
        write_one();
        prepare();
        batches++;
        assert_true(batches < 1000);
    }
    return batches;
}

static void low_comes_before_none_and_none_before_a_fault(void **state)
{
    (void)state;
    assert_true(journal_prepare_due(j));
    fake_disk_set_capacity(f, 3 * SEGMENT + 5000);
    prepare();
    assert_false(journal_prepare_due(j));
    assert_int_equal(journal_space(j), JOURNAL_SPACE_OK);
    write_until(JOURNAL_SPACE_LOW);
    assert_int_equal(journal_segments(j), 2); /* the spare is in use, the reserve is not */
    /* A partly created segment is removed. */
    assert_int_equal(fake_disk_used(f), 3 * SEGMENT);
    int batches = write_until(JOURNAL_SPACE_NONE);
    assert_true(batches >= 20); /* the whole spare and most of the reserve */
    assert_int_equal(journal_segments(j), 3);
    /* There is still room to finish what was begun. */
    struct status s = written_add(&w, j, 3000, 1, 0);
    int more = 0;
    for (; status_ok(&s); more++)
        s = written_add(&w, j, 3000, 1, 0);
    assert_true(more >= 2);
    assert_int_equal(s.kind, STATUS_FULL);
    assert_int_equal(journal_segments(j), 3);
}

static void everything_acknowledged_survives_it(void **state)
{
    (void)state;
    struct witness v;
    fake_disk_set_capacity(f, 2 * SEGMENT);
    prepare();
    assert_int_equal(journal_space(j), JOURNAL_SPACE_LOW);
    struct status s = status_none();
    while (status_ok(&s))
        s = written_add(&w, j, 3000, 1, 7);
    assert_int_equal(s.kind, STATUS_FULL);
    journal_close(j);
    fake_disk_crash(f, FAKE_CRASH_LOST, 0, 0);
    s = written_open(&w, &j, fake_disk_table(f), SEGMENT, &v, NULL);
    assert_true(status_ok(&s) && !v.wrong);
    assert_int_equal(v.at, w.count);
    prepare();
    assert_int_equal(journal_space(j), JOURNAL_SPACE_NONE);
}

static void space_comes_back(void **state)
{
    (void)state;
    fake_disk_set_capacity(f, 3 * SEGMENT);
    prepare();
    write_until(JOURNAL_SPACE_NONE);
    prepare();
    assert_int_equal(journal_space(j), JOURNAL_SPACE_NONE);
    fake_disk_set_capacity(f, 4 * SEGMENT);
    prepare();
    assert_int_equal(journal_space(j), JOURNAL_SPACE_LOW); /* a reserve again, and no more */
    fake_disk_set_capacity(f, 6 * SEGMENT);
    prepare();
    assert_int_equal(journal_space(j), JOURNAL_SPACE_OK);
    for (int i = 0; i < 20; i++)
        write_one();
    assert_true(journal_segments(j) > 3);
}

/* Freed segments are space too. */
static void freeing_makes_space(void **state)
{
    (void)state;
    fake_disk_set_capacity(f, 5 * SEGMENT);
    for (int i = 0; i < 400; i++) {
        prepare();
        write_one();
        struct status s = journal_free(j, journal_durable_seq(j));
        assert_true(status_ok(&s));
        assert_int_equal(journal_space(j), JOURNAL_SPACE_OK);
    }
}

/* The writer creates its next segment itself if it was not prepared. */
static void rotation_does_not_need_prepare(void **state)
{
    (void)state;
    for (int i = 0; i < 100; i++)
        write_one();
    assert_true(journal_segments(j) > 5);
}

/* Opens another journal whose reserve is four segments. */
static void open_with_reserve(struct fake_disk *disk, struct journal **out)
{
    struct journal_options options = {.segment_size = SEGMENT, .reserve_size = 4 * SEGMENT - 1};
    struct status s =
        journal_open(out, fake_disk_table(disk), WRITTEN_FOLDER, &options, AFTER(0), NULL, NULL, NULL);
    assert_true(status_ok(&s));
}

static bool write_small(struct journal *to, enum status_kind *kind)
{
    static const uint8_t payload[3000] = {1};
    struct status s = journal_write(to, payload, sizeof payload, 1, 0);
    *kind = s.kind;
    return status_ok(&s);
}

/* Segments are used up and none are prepared: still, low comes while three segments of the reserve are left, and none
 * while one is. */
static void a_full_disk_is_noticed_before_the_reserve_is_used(void **state)
{
    (void)state;
    for (uint64_t capacity = 6; capacity <= 12; capacity++) {
        struct fake_disk *disk = fake_disk_make(capacity);
        struct journal *fast;
        open_with_reserve(disk, &fast);
        fake_disk_set_capacity(disk, capacity * SEGMENT + 4096);
        enum status_kind kind;
        while (journal_space(fast) == JOURNAL_SPACE_OK)
            assert_true(write_small(fast, &kind));
        assert_int_equal(journal_space(fast), JOURNAL_SPACE_LOW);
        int low = 0, none = 0;
        while (write_small(fast, &kind)) {
            low += journal_space(fast) == JOURNAL_SPACE_LOW;
            none += journal_space(fast) == JOURNAL_SPACE_NONE;
        }
        assert_int_equal(kind, STATUS_FULL);
        int in_segment = (int)(SEGMENT / 4096) - 2; /* without header and seal */
        assert_true(low >= 2 * in_segment - 1);
        assert_true(none >= in_segment - 1);
        journal_close(fast);
        fake_disk_free(disk);
    }
}

/* After a restart on a full disk the rest of the reserve is found again, whichever slots it is in. */
static void the_rest_of_a_reserve_outlives_the_process(void **state)
{
    (void)state;
    struct fake_disk *disk = fake_disk_make(5);
    struct journal *small;
    open_with_reserve(disk, &small);
    struct status s = journal_prepare(small);
    assert_true(status_ok(&s));
    fake_disk_set_capacity(disk, fake_disk_used(disk));
    enum status_kind kind;
    while (journal_segments(small) < 4)
        assert_true(write_small(small, &kind));
    journal_close(small);
    fake_disk_crash(disk, FAKE_CRASH_LOST, 0, 0);
    open_with_reserve(disk, &small);
    uint64_t writes = fake_disk_count(disk, FAKE_WRITE);
    s = journal_prepare(small);
    assert_true(status_ok(&s));
    assert_int_equal(fake_disk_count(disk, FAKE_WRITE), writes + 1); /* one attempt, and no more */
    assert_int_equal(journal_space(small), JOURNAL_SPACE_LOW);
    while (journal_segments(small) < 6)
        assert_true(write_small(small, &kind));
    journal_close(small);
    fake_disk_free(disk);
}

static void no_space_for_the_first_segment_is_a_fault(void **state)
{
    (void)state;
    struct fake_disk *small = fake_disk_make(2);
    struct journal *none;
    fake_disk_set_capacity(small, SEGMENT - 1);
    struct journal_options options = {.segment_size = SEGMENT};
    struct status s =
        journal_open(&none, fake_disk_table(small), WRITTEN_FOLDER, &options, AFTER(0), NULL, NULL, NULL);
    assert_int_equal(s.kind, STATUS_FULL);
    assert_int_equal(fake_disk_used(small), 0);
    fake_disk_free(small);
}

static void no_quota_is_no_space(void **state)
{
    (void)state;
    fake_disk_fail(f, 3, EDQUOT, true);
    prepare();
    assert_int_equal(journal_space(j), JOURNAL_SPACE_LOW);
}

static void prepare_meanwhile(void *ctx)
{
    fake_disk_before_rename(f, NULL, NULL);
    *(bool *)ctx = true;
    prepare();
}

/* Another thread prepares just when the writer turns a ready segment into the newest one. */
static void prepare_leaves_a_taken_segment_alone(void **state)
{
    (void)state;
    struct witness v;
    bool met = false;
    prepare();
    fake_disk_before_rename(f, prepare_meanwhile, &met);
    while (journal_segments(j) < 4)
        write_one();
    assert_true(met);
    journal_close(j);
    struct status s = written_open(&w, &j, fake_disk_table(f), SEGMENT, &v, NULL);
    assert_true(status_ok(&s) && !v.wrong);
    assert_int_equal(v.at, w.count);
}

/* The ready segments of an earlier life are used, not created again; one that is incomplete or not zero is not used. */
static void ready_segments_outlive_the_process(void **state)
{
    (void)state;
    struct witness v;
    prepare();
    journal_close(j);
    fake_disk_crash(f, FAKE_CRASH_LOST, 0, 0);
    struct status s = written_open(&w, &j, fake_disk_table(f), SEGMENT, &v, NULL);
    assert_true(status_ok(&s));
    uint64_t writes = fake_disk_count(f, FAKE_WRITE);
    prepare();
    assert_int_equal(fake_disk_count(f, FAKE_WRITE), writes);
    assert_false(journal_prepare_due(j));
    journal_close(j);
    fake_disk_bytes(f, WRITTEN_FOLDER "/ready-1.spare", NULL)[SEGMENT - 1] = 1;
    fake_disk_settle(f);
    s = written_open(&w, &j, fake_disk_table(f), SEGMENT, &v, NULL);
    assert_true(status_ok(&s));
    prepare();
    assert_int_equal(fake_disk_bytes(f, WRITTEN_FOLDER "/ready-1.spare", NULL)[SEGMENT - 1], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(low_comes_before_none_and_none_before_a_fault, set_up, tear_down),
        cmocka_unit_test_setup_teardown(everything_acknowledged_survives_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(space_comes_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(freeing_makes_space, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rotation_does_not_need_prepare, set_up, tear_down),
        cmocka_unit_test(a_full_disk_is_noticed_before_the_reserve_is_used),
        cmocka_unit_test(the_rest_of_a_reserve_outlives_the_process),
        cmocka_unit_test_setup_teardown(no_space_for_the_first_segment_is_a_fault, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_quota_is_no_space, set_up, tear_down),
        cmocka_unit_test_setup_teardown(prepare_leaves_a_taken_segment_alone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(ready_segments_outlive_the_process, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
