/* SPDX-License-Identifier: Apache-2.0 */
/* What is written to a journal is read back the same, across segments and restarts, by recovery, by the live reader, by
 * the offline check and from a copy. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "../lib/fake_disk.h"
#include "../lib/scratch.h"
#include "../lib/written.h"
#include "journal/journal_copy.h"
#include "journal/journal_reader.h"
#include "journal/segment.h"

#define SEGMENT (32u << 10)

#define assert_fine(expression)                                                                              \
    do {                                                                                                     \
        struct status s_ = (expression);                                                                     \
        if (!status_ok(&s_))                                                                                 \
            fail_msg("%s", s_.text);                                                                         \
    } while (0)

static struct written *written;

static int set_up(void **state)
{
    (void)state;
    written = memory_zeroed(1, sizeof *written);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(written);
    return 0;
}

static void write_many(struct journal *j, int batches)
{
    for (int i = 0; i < batches; i++)
        assert_fine(written_add(written, j, (size_t)(1 + (i * 937) % 9000), 1 + (uint32_t)i % 7,
                                1000 + (int64_t)written->count));
}

static void opens_to_what_was_written(void **state)
{
    (void)state;
    struct fake_disk *f = fake_disk_make(1);
    struct journal *j;
    struct witness v;
    struct journal_recovery report;
    for (int life = 0; life < 5; life++) {
        size_t before = written->count;
        assert_fine(written_open(written, &j, fake_disk_table(f), SEGMENT, &v, &report));
        assert_false(v.wrong);
        assert_int_equal(v.given, before);
        assert_false(report.torn);
        assert_int_equal(report.last_seq + 1, journal_next_seq(j));
        assert_int_equal(journal_durable_seq(j), journal_next_seq(j) - 1);
        write_many(j, 40);
        assert_int_equal(journal_durable_seq(j), journal_next_seq(j) - 1);
        if (life % 2)
            assert_fine(journal_seal(j, 1000 + (int64_t)written->count));
        journal_close(j);
        assert_int_equal(fake_disk_open_handles(f), 0);
    }
    assert_true(report.segments > 10);
    assert_int_equal(report.last_at_ms, 1000 + 160); /* the seal of the fourth life */
    fake_disk_free(f);
}

static void survives_short_and_interrupted_transfers(void **state)
{
    (void)state;
    struct fake_disk *f = fake_disk_make(2);
    struct journal *j;
    struct witness v;
    fake_disk_set_choppy(f, true);
    assert_fine(written_open(written, &j, fake_disk_table(f), SEGMENT, &v, NULL));
    write_many(j, 30);
    journal_close(j);
    fake_disk_restart(f);
    assert_fine(written_open(written, &j, fake_disk_table(f), SEGMENT, &v, NULL));
    assert_false(v.wrong);
    assert_int_equal(v.given, 30);
    journal_close(j);
    fake_disk_free(f);
}

static void returns_only_batches_with_a_later_change(void **state)
{
    (void)state;
    struct fake_disk *f = fake_disk_make(3);
    struct journal *j;
    struct witness v;
    assert_fine(written_open(written, &j, fake_disk_table(f), SEGMENT, &v, NULL));
    write_many(j, 30);
    uint64_t last = journal_next_seq(j) - 1;
    journal_close(j);
    for (uint64_t after = 0; after <= last; after++) {
        v = witness_make(written, after);
        struct journal_options options = {.segment_size = SEGMENT};
        assert_fine(journal_open(&j, fake_disk_table(f), WRITTEN_FOLDER, &options, AFTER(after), witness_see,
                                 &v, NULL));
        assert_false(v.wrong);
        assert_int_equal(v.at, written->count);
        journal_close(j);
    }
    struct status s =
        journal_open(&j, fake_disk_table(f), WRITTEN_FOLDER, NULL, AFTER(last + 1), NULL, NULL, NULL);
    assert_int_equal(s.kind, STATUS_CORRUPT);
    assert_null(j);
    fake_disk_free(f);
}

static void a_book_without_its_journal_is_refused(void **state)
{
    (void)state;
    struct fake_disk *f = fake_disk_make(4);
    const struct disk *d = fake_disk_table(f);
    struct journal *j;
    struct journal_recovery report;
    struct journal_options options = {.segment_size = SEGMENT};
    struct journal_anchor known = {.has_id = true}; /* it has recorded nothing yet, but there was a journal */
    for (int there = 0; there < 2; there++) {
        struct status s = journal_verify(d, WRITTEN_FOLDER, AFTER(41), NULL, NULL, &report);
        assert_int_equal(s.kind, STATUS_CORRUPT);
        s = journal_open(&j, d, WRITTEN_FOLDER, &options, AFTER(41), NULL, NULL, &report);
        assert_int_equal(s.kind, STATUS_CORRUPT);
        s = journal_open(&j, d, WRITTEN_FOLDER, &options, &known, NULL, NULL, &report);
        assert_int_equal(s.kind, STATUS_CORRUPT);
        assert_int_equal(d->make_folder(d->owner, WRITTEN_FOLDER), there ? -EEXIST : 0); /* it made none */
    }
    /* A new book begins one. */
    assert_fine(journal_open(&j, d, WRITTEN_FOLDER, &options, AFTER(0), NULL, NULL, &report));
    assert_int_equal(journal_next_seq(j), 1);
    journal_close(j);
    fake_disk_free(f);
}

static void a_batch_costs_one_write_and_one_sync(void **state)
{
    (void)state;
    struct fake_disk *f = fake_disk_make(5);
    struct journal *j;
    struct witness v;
    assert_fine(written_open(written, &j, fake_disk_table(f), 1u << 20, &v, NULL));
    uint64_t all = fake_disk_operations(f);
    uint64_t writes = fake_disk_count(f, FAKE_WRITE);
    uint64_t syncs = fake_disk_count(f, FAKE_SYNC_DATA);
    write_many(j, 50);
    assert_int_equal(fake_disk_count(f, FAKE_WRITE) - writes, 50);
    assert_int_equal(fake_disk_count(f, FAKE_SYNC_DATA) - syncs, 50);
    assert_int_equal(fake_disk_operations(f) - all, 100);
    journal_close(j);
    fake_disk_free(f);
}

static void a_seal_is_written_once(void **state)
{
    (void)state;
    struct fake_disk *f = fake_disk_make(6);
    struct journal *j;
    struct witness v;
    struct journal_recovery report;
    assert_fine(written_open(written, &j, fake_disk_table(f), SEGMENT, &v, NULL));
    uint64_t writes = fake_disk_count(f, FAKE_WRITE);
    assert_fine(journal_seal(j, 1)); /* nothing to seal yet */
    assert_int_equal(fake_disk_count(f, FAKE_WRITE) - writes, 0);
    write_many(j, 1);
    assert_fine(journal_seal(j, 7000));
    assert_fine(journal_seal(j, 8000));
    assert_int_equal(fake_disk_count(f, FAKE_WRITE) - writes, 2);
    journal_close(j);
    writes = fake_disk_count(f, FAKE_WRITE);
    assert_fine(written_open(written, &j, fake_disk_table(f), SEGMENT, &v, &report));
    assert_true(report.sealed);
    assert_int_equal(report.last_at_ms, 7000);
    assert_int_equal(report.batches, 2);
    assert_fine(journal_seal(j, 9000));
    assert_int_equal(fake_disk_count(f, FAKE_WRITE) - writes, 0);
    /* Time does not go back, whatever the caller passes. */
    assert_fine(written_add(written, j, 10, 1, 7000));
    assert_fine(written_add(written, j, 10, 1, 6000));
    written->batches[written->count - 1].at_ms = 7000;
    assert_fine(journal_seal(j, 3));
    journal_close(j);
    assert_fine(written_open(written, &j, fake_disk_table(f), SEGMENT, &v, &report));
    assert_false(v.wrong);
    assert_int_equal(report.last_at_ms, 7000);
    journal_close(j);
    fake_disk_free(f);
}

/* The longest batch always fits, even after a seal; each segment keeps room for its seal. */
static void the_longest_batch_always_fits(void **state)
{
    (void)state;
    struct fake_disk *f = fake_disk_make(7);
    struct journal *j;
    struct witness v;
    assert_fine(written_open(written, &j, fake_disk_table(f), SEGMENT_SIZE_MIN, &v, NULL));
    for (int i = 0; i < 60; i++) {
        size_t size = i % 3 == 0 ? journal_payload_max(j) : (size_t)i;
        assert_fine(written_add(written, j, size, 1, i));
        if (i % 2)
            assert_fine(journal_seal(j, i));
        if (i % 10 == 9) {
            journal_close(j);
            assert_fine(written_open(written, &j, fake_disk_table(f), SEGMENT_SIZE_MIN, &v, NULL));
            assert_false(v.wrong);
            assert_int_equal(v.given, i + 1);
        }
    }
    journal_close(j);
    fake_disk_free(f);
}

/* A crash between the new segment and its first batch makes the seal the first; the longest batch still fits. */
static void a_seal_can_come_first(void **state)
{
    (void)state;
    struct fake_disk *f = fake_disk_make(7);
    struct journal *j;
    struct witness v;
    struct status s = status_none();
    assert_fine(written_open(written, &j, fake_disk_table(f), SEGMENT, &v, NULL));
    size_t longest = journal_payload_max(j);
    assert_fine(written_add(written, j, longest, 1, 1));
    for (uint64_t n = 1; journal_segments(j) == 1; n++) {
        fake_disk_die_after(f, n);
        s = written_add(written, j, longest, 1, 2);
        assert_int_equal(s.kind, STATUS_IO);
        bool begun = journal_segments(j) == 2;
        journal_close(j);
        fake_disk_crash(f, FAKE_CRASH_LOST, 0, 0);
        assert_fine(written_open(written, &j, fake_disk_table(f), SEGMENT, &v, NULL));
        assert_true(!begun || journal_segments(j) == 2);
    }
    assert_int_equal(v.at, 1);
    assert_fine(journal_seal(j, 3));
    assert_fine(written_add(written, j, longest, 1, 4));
    assert_fine(journal_seal(j, 5));
    assert_int_equal(journal_segments(j), 2);
    assert_fine(written_add(written, j, longest, 1, 6));
    journal_close(j);
    assert_fine(written_open(written, &j, fake_disk_table(f), SEGMENT, &v, NULL));
    assert_false(v.wrong);
    assert_int_equal(v.at, 3);
    journal_close(j);
    fake_disk_free(f);
}

static void the_segment_size_can_change_between_lives(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {SEGMENT, 4 * SEGMENT, SEGMENT_SIZE_MIN, 2 * SEGMENT};
    struct fake_disk *f = fake_disk_make(8);
    struct journal *j;
    struct witness v;
    for (int life = 0; life < 12; life++) {
        assert_fine(written_open(written, &j, fake_disk_table(f), sizes[life % 4], &v, NULL));
        assert_false(v.wrong);
        assert_fine(journal_prepare(j));
        for (int i = 0; i < 5; i++)
            assert_fine(written_add(written, j, journal_payload_max(j) / (size_t)(1 + i % 3), 1, 1));
        journal_close(j);
    }
    struct status s = written_open(written, &j, fake_disk_table(f), 5000, &v, NULL);
    assert_int_equal(s.kind, STATUS_INVALID);
    fake_disk_free(f);
}

static void freeing_keeps_the_newest_two(void **state)
{
    (void)state;
    struct fake_disk *f = fake_disk_make(9);
    struct journal *j;
    struct witness v;
    struct journal_recovery report;
    assert_fine(written_open(written, &j, fake_disk_table(f), SEGMENT, &v, NULL));
    write_many(j, 60);
    uint64_t segments = journal_segments(j);
    assert_true(segments > 6);
    assert_int_equal(journal_bytes(j), segments * SEGMENT);
    uint64_t middle = written->batches[30].first_seq;
    assert_fine(journal_free(j, middle));
    assert_true(journal_segments(j) < segments && journal_segments(j) > 2);
    uint64_t left = journal_segments(j);
    journal_close(j);
    /* Everything after `middle` is still there. */
    v = witness_make(written, middle);
    struct journal_options options = {.segment_size = SEGMENT};
    assert_fine(journal_open(&j, fake_disk_table(f), WRITTEN_FOLDER, &options, AFTER(middle), witness_see, &v,
                             &report));
    assert_false(v.wrong);
    assert_int_equal(v.at, 60);
    assert_int_equal(report.segments, left);
    assert_int_equal(journal_bytes(j), left * SEGMENT);
    assert_fine(journal_free(j, journal_durable_seq(j)));
    assert_int_equal(journal_segments(j), 2);
    assert_int_equal(journal_bytes(j), 2 * SEGMENT);
    journal_close(j);
    fake_disk_free(f);
}

static void read_on(struct journal_reader *reader, uint64_t upto, size_t *at)
{
    for (;;) {
        struct batch batch;
        bool found;
        assert_fine(journal_reader_next(reader, upto, &batch, &found));
        if (!found)
            return;
        assert_true(*at < written->count);
        assert_true(written_equals(&written->batches[*at], &batch));
        ++*at;
    }
}

static void the_reader_follows_the_writer(void **state)
{
    (void)state;
    struct fake_disk *f = fake_disk_make(10);
    struct journal *j;
    struct witness v;
    struct journal_reader *reader;
    size_t at = 0;
    assert_fine(written_open(written, &j, fake_disk_table(f), SEGMENT, &v, NULL));
    assert_fine(journal_reader_open(&reader, fake_disk_table(f), WRITTEN_FOLDER, 0));
    read_on(reader, journal_durable_seq(j), &at);
    assert_int_equal(at, 0);
    for (int i = 0; i < 200; i++) {
        assert_fine(written_add(written, j, (size_t)((i * 937) % 9000), 1 + (uint32_t)i % 3, i));
        if (i % 4 == 0)
            assert_fine(journal_seal(j, i));
        if (i % 3 == 0) {
            read_on(reader, journal_durable_seq(j), &at);
            assert_int_equal(at, written->count);
            assert_fine(journal_free(j, journal_durable_seq(j)));
        }
    }
    /* Never beyond the given seq. */
    size_t behind = at;
    read_on(reader, written->batches[behind].first_seq - 1, &at);
    assert_int_equal(at, behind);
    read_on(reader, written->batches[behind].first_seq, &at);
    assert_int_equal(at, behind + 1);
    journal_reader_close(reader);
    /* Another one, started in the middle of the newest segment. */
    at = written->count - 3;
    assert_fine(
        journal_reader_open(&reader, fake_disk_table(f), WRITTEN_FOLDER, written->batches[at].first_seq - 1));
    read_on(reader, journal_durable_seq(j), &at);
    assert_int_equal(at, written->count);
    journal_reader_close(reader);
    struct status s = journal_reader_open(&reader, fake_disk_table(f), WRITTEN_FOLDER, 0);
    assert_int_equal(s.kind, STATUS_CORRUPT);
    journal_close(j);
    assert_int_equal(fake_disk_open_handles(f), 0);
    fake_disk_free(f);
}

static void the_reader_notices_damage(void **state)
{
    (void)state;
    struct fake_disk *f = fake_disk_make(11);
    struct journal *j;
    struct witness v;
    struct journal_reader *reader;
    struct batch batch;
    bool found;
    assert_fine(written_open(written, &j, fake_disk_table(f), SEGMENT, &v, NULL));
    write_many(j, 2);
    uint8_t *bytes = fake_disk_bytes(f, WRITTEN_FOLDER "/00000000000000000001.segment", NULL);
    bytes[2 * 4096 + 300] ^= 1;
    assert_fine(journal_reader_open(&reader, fake_disk_table(f), WRITTEN_FOLDER, 0));
    assert_fine(journal_reader_next(reader, journal_durable_seq(j), &batch, &found));
    assert_true(found);
    struct status s = journal_reader_next(reader, journal_durable_seq(j), &batch, &found);
    assert_int_equal(s.kind, STATUS_CORRUPT);
    assert_false(found);
    /* A durable batch that is missing. */
    bytes[2 * 4096 + 300] ^= 1;
    s = journal_reader_next(reader, journal_durable_seq(j), &batch, &found);
    assert_true(status_ok(&s) && found);
    s = journal_reader_next(reader, journal_durable_seq(j) + 1, &batch, &found);
    assert_int_equal(s.kind, STATUS_CORRUPT);
    journal_reader_close(reader);
    journal_close(j);
    fake_disk_free(f);
}

static void a_copy_opens_to_the_same(void **state)
{
    (void)state;
    struct fake_disk *f = fake_disk_make(12);
    struct journal *j;
    struct witness v;
    struct journal_recovery report;
    struct journal_recovery copied;
    assert_fine(written_open(written, &j, fake_disk_table(f), SEGMENT, &v, NULL));
    write_many(j, 60);
    uint64_t after = written->batches[20].first_seq;
    /* The writer is in the middle of a batch: a few of its sectors are there. */
    size_t size;
    char newest[64];
    char path[128];
    assert_fine(journal_verify(fake_disk_table(f), WRITTEN_FOLDER, AFTER(0), NULL, NULL, &report));
    assert_int_equal(report.last_seq, journal_durable_seq(j));
    uint64_t last_segment = 0;
    struct segment_list list;
    assert_fine(segment_list_read(&list, fake_disk_table(f), WRITTEN_FOLDER));
    last_segment = list.entries[list.count - 1].first_seq;
    segment_list_release(&list);
    segment_name(newest, last_segment);
    snprintf(path, sizeof path, "%s/%s", WRITTEN_FOLDER, newest);
    uint8_t *bytes = fake_disk_bytes(f, path, &size);
    memset(bytes + report.end_offset + 1024, 0x5A, 700);
    assert_fine(journal_copy(fake_disk_table(f), WRITTEN_FOLDER, "/backup", after, &copied));
    assert_int_equal(copied.last_seq, report.last_seq);
    assert_true(copied.segments < report.segments);
    v = witness_make(written, after);
    assert_fine(journal_verify(fake_disk_table(f), "/backup", AFTER(after), witness_see, &v, &copied));
    assert_false(v.wrong);
    assert_int_equal(v.at, 60);
    assert_false(copied.torn);
    struct status s = journal_copy(fake_disk_table(f), WRITTEN_FOLDER, "/backup", after, &copied);
    assert_int_equal(s.kind, STATUS_INVALID);
    assert_fine(journal_free(j, journal_durable_seq(j)));
    s = journal_copy(fake_disk_table(f), WRITTEN_FOLDER, "/backup2", after, &copied);
    assert_int_equal(s.kind, STATUS_BUSY);
    s = journal_copy(fake_disk_table(f), WRITTEN_FOLDER, "/backup3", report.last_seq + 1, &copied);
    assert_int_equal(s.kind, STATUS_CORRUPT);
    journal_close(j);
    assert_int_equal(fake_disk_open_handles(f), 0);
    fake_disk_free(f);
}

static void works_on_a_real_disk(void **state)
{
    (void)state;
    char folder[SCRATCH_PATH], journal[SCRATCH_FILE], backup[SCRATCH_FILE];
    scratch_make(folder);
    snprintf(journal, sizeof journal, "%s/journal", folder);
    snprintf(backup, sizeof backup, "%s/backup", folder);
    struct journal_options options = {.segment_size = 256u << 10};
    struct journal *j;
    struct witness v;
    for (int life = 0; life < 3; life++) {
        v = witness_make(written, 0);
        assert_fine(journal_open(&j, &disk_real, journal, &options, AFTER(0), witness_see, &v, NULL));
        assert_false(v.wrong);
        assert_int_equal(v.given, life * 100);
        assert_fine(journal_prepare(j));
        write_many(j, 100);
        assert_fine(journal_seal(j, 0));
        journal_close(j);
    }
    struct journal_recovery report;
    assert_fine(journal_copy(&disk_real, journal, backup, 0, &report));
    v = witness_make(written, 0);
    assert_fine(journal_open(&j, &disk_real, backup, &options, AFTER(0), witness_see, &v, NULL));
    assert_false(v.wrong);
    assert_int_equal(v.given, 300);
    assert_fine(journal_free(j, journal_durable_seq(j)));
    journal_close(j);
    scratch_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(opens_to_what_was_written, set_up, tear_down),
        cmocka_unit_test_setup_teardown(survives_short_and_interrupted_transfers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(returns_only_batches_with_a_later_change, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_book_without_its_journal_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_batch_costs_one_write_and_one_sync, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_seal_is_written_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_longest_batch_always_fits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_seal_can_come_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_segment_size_can_change_between_lives, set_up, tear_down),
        cmocka_unit_test_setup_teardown(freeing_keeps_the_newest_two, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_reader_follows_the_writer, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_reader_notices_damage, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_copy_opens_to_the_same, set_up, tear_down),
        cmocka_unit_test_setup_teardown(works_on_a_real_disk, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
