/* SPDX-License-Identifier: Apache-2.0 */
/* Whichever file operation fails, once or from then on, the journal stops, and the next start has every acknowledged
 * batch, even if the failed sync left pages in memory that the device never got. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../lib/fake_disk.h"
#include "../lib/written.h"
#include "journal/journal_copy.h"
#include "journal/journal_reader.h"

#define SEGMENT (32u << 10)

static struct written w;

/* A broken journal returns the same fault and touches nothing. */
static void must_stay_broken(struct journal *j, struct fake_disk *f, const struct status *fault)
{
    uint64_t before = fake_disk_operations(f);
    uint64_t durable = journal_durable_seq(j);
    struct status s = journal_write(j, "x", 1, 1, 1);
    assert_int_equal(s.kind, fault->kind);
    assert_string_equal(s.text, fault->text);
    s = journal_seal(j, 1);
    assert_int_equal(s.kind, fault->kind);
    assert_int_equal(fake_disk_operations(f), before);
    assert_int_equal(journal_durable_seq(j), durable);
}

/* Ends at the first fault of a write; a fault of preparing or freeing is harmless and ignored. */
static void live(struct fake_disk *f)
{
    struct journal *j;
    struct witness v;
    struct status s = written_open(&w, &j, fake_disk_table(f), SEGMENT, &v, NULL);
    assert_false(v.wrong);
    if (!status_ok(&s)) {
        assert_null(j);
        return;
    }
    assert_in_range(v.at, w.acknowledged, w.count);
    for (uint64_t i = 0; i < 16 && status_ok(&s); i++) {
        if (i % 4 == 1)
            (void)journal_prepare(j);
        s = written_add(&w, j, (size_t)(i * 2311 % 11000), 1 + (uint32_t)i % 3, (int64_t)w.count + 1);
        if (status_ok(&s) && i % 5 == 4)
            s = journal_seal(j, (int64_t)w.count);
        if (status_ok(&s) && i == 11) {
            w.book_seq = journal_durable_seq(j) - 3;
            (void)journal_free(j, w.book_seq);
        }
    }
    if (!status_ok(&s))
        must_stay_broken(j, f, &s);
    journal_close(j);
}

enum after { AFTER_RESTART, AFTER_POWER_LOSS };

/* Opens again, writes on, loses power, opens again: every acknowledged batch is there each time. */
static void must_recover(struct fake_disk *f, enum after after)
{
    struct journal *j;
    struct witness v;
    struct journal_recovery report;
    if (after == AFTER_RESTART)
        fake_disk_restart(f);
    else
        fake_disk_crash(f, FAKE_CRASH_LOST, 0, 0);
    for (int life = 0; life < 2; life++) {
        size_t acknowledged = w.acknowledged;
        struct status s = written_open(&w, &j, fake_disk_table(f), SEGMENT, &v, &report);
        if (!status_ok(&s))
            fail_msg("refused to open: %s", s.text);
        assert_false(v.wrong);
        assert_true(v.at >= acknowledged);
        assert_false(life == 1 && report.torn);
        for (int i = 0; i < 3; i++) {
            s = written_add(&w, j, 5000, 1, (int64_t)w.count + 1);
            assert_true(status_ok(&s));
        }
        journal_close(j);
        assert_int_equal(fake_disk_open_handles(f), 0);
        fake_disk_crash(f, FAKE_CRASH_LOST, 0, 0);
    }
}

static uint64_t fail_each(int error, bool persistent, enum after after)
{
    for (uint64_t nth = 1;; nth++) {
        struct fake_disk *f = fake_disk_make(nth);
        memset(&w, 0, sizeof w);
        fake_disk_fail(f, nth, error, persistent);
        live(f);
        bool failed = fake_disk_failed(f);
        assert_int_equal(fake_disk_open_handles(f), 0);
        must_recover(f, after);
        fake_disk_free(f);
        if (!failed)
            return nth;
    }
}

static void every_operation_of_a_life(void **state)
{
    (void)state;
    static const int errors[] = {EIO, ENOSPC, EDQUOT, EMFILE, EROFS};
    for (size_t e = 0; e < sizeof errors / sizeof *errors; e++) {
        for (int persistent = 0; persistent < 2; persistent++) {
            uint64_t runs = fail_each(errors[e], persistent, AFTER_RESTART);
            assert_true(runs > 100);
            fail_each(errors[e], persistent, AFTER_POWER_LOSS);
        }
    }
}

/* A journal whose last batch is torn. */
static struct fake_disk *make_torn(void)
{
    struct fake_disk *f = fake_disk_make(5);
    struct journal *j;
    struct witness v;
    memset(&w, 0, sizeof w);
    struct status s = written_open(&w, &j, fake_disk_table(f), SEGMENT, &v, NULL);
    for (int i = 0; i < 5 && status_ok(&s); i++)
        s = written_add(&w, j, 4500, 1, i + 1);
    assert_true(status_ok(&s));
    fake_disk_die_after(f, 1);
    s = written_add(&w, j, 4500, 1, 9);
    assert_int_equal(s.kind, STATUS_IO);
    journal_close(j);
    struct journal_recovery report = {0};
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct fake_disk *torn = fake_disk_clone(f);
        fake_disk_crash(torn, FAKE_CRASH_TORN, 0, seed);
        s = journal_verify(fake_disk_table(torn), WRITTEN_FOLDER, AFTER(0), NULL, NULL, &report);
        assert_true(status_ok(&s));
        if (report.torn) {
            fake_disk_free(f);
            return torn;
        }
        fake_disk_free(torn);
    }
    fail();
    return NULL;
}

static void every_operation_of_a_recovery(void **state)
{
    (void)state;
    bool failed = true;
    for (uint64_t nth = 1; failed; nth++) {
        for (int persistent = 0; persistent < 2; persistent++) {
            struct fake_disk *f = make_torn();
            struct journal *j;
            struct witness v;
            struct written before = w;
            fake_disk_fail(f, nth, nth % 2 ? EIO : ENOSPC, persistent);
            struct status s = written_open(&w, &j, fake_disk_table(f), SEGMENT, &v, NULL);
            assert_false(v.wrong);
            assert_true(s.kind == STATUS_OK || s.kind == STATUS_IO || s.kind == STATUS_FULL);
            journal_close(j);
            assert_int_equal(fake_disk_open_handles(f), 0);
            failed = fake_disk_failed(f);
            if (!status_ok(&s))
                w = before;
            must_recover(f, nth % 3 ? AFTER_RESTART : AFTER_POWER_LOSS);
            fake_disk_free(f);
        }
    }
}

/* The reader, the check and the copy only return a fault. */
static void every_operation_of_the_readers(void **state)
{
    (void)state;
    struct fake_disk *f = make_torn();
    bool failed = true;
    for (uint64_t nth = 1; failed; nth++) {
        struct fake_disk *copy = fake_disk_clone(f);
        struct witness v = witness_make(&w, 0);
        struct journal_recovery report;
        struct journal_reader *reader;
        fake_disk_fail(copy, nth, EIO, true);
        struct status s =
            journal_verify(fake_disk_table(copy), WRITTEN_FOLDER, AFTER(0), witness_see, &v, &report);
        assert_false(v.wrong);
        if (status_ok(&s))
            s = journal_reader_open(&reader, fake_disk_table(copy), WRITTEN_FOLDER, 0);
        if (status_ok(&s)) {
            struct batch batch;
            bool found = true;
            for (size_t i = 0; status_ok(&s) && found; i++) {
                s = journal_reader_next(reader, 5, &batch, &found);
                assert_true(!status_ok(&s) || found == (i < 5));
            }
            journal_reader_close(reader);
        }
        if (status_ok(&s))
            s = journal_copy(fake_disk_table(copy), WRITTEN_FOLDER, "/backup", 0, &report);
        failed = fake_disk_failed(copy);
        assert_int_equal(s.kind, failed ? STATUS_IO : STATUS_OK);
        assert_int_equal(fake_disk_open_handles(copy), 0);
        fake_disk_free(copy);
    }
    fake_disk_free(f);
}

/* The sync of a batch fails, the process ends and starts again on the same machine: the page cache still has the batch.
 * It was never acknowledged, so it may be lost; but it must not be shown and then lost. */
static void a_failed_sync_is_not_trusted(void **state)
{
    (void)state;
    struct fake_disk *f = fake_disk_make(6);
    struct journal *j;
    struct witness v;
    memset(&w, 0, sizeof w);
    struct status s = written_open(&w, &j, fake_disk_table(f), SEGMENT, &v, NULL);
    assert_true(status_ok(&s));
    s = written_add(&w, j, 100, 1, 1);
    assert_true(status_ok(&s));
    fake_disk_fail(f, 2, EIO, false);
    s = written_add(&w, j, 6000, 1, 2);
    assert_int_equal(s.kind, STATUS_IO);
    assert_int_equal(journal_durable_seq(j), 1);
    journal_close(j);
    fake_disk_restart(f);
    s = written_open(&w, &j, fake_disk_table(f), SEGMENT, &v, NULL);
    assert_true(status_ok(&s));
    assert_int_equal(v.at, 1);
    s = written_add(&w, j, 200, 1, 3);
    assert_true(status_ok(&s));
    journal_close(j);
    fake_disk_crash(f, FAKE_CRASH_LOST, 0, 0);
    s = written_open(&w, &j, fake_disk_table(f), SEGMENT, &v, NULL);
    assert_true(status_ok(&s) && !v.wrong);
    assert_int_equal(v.at, 2);
    journal_close(j);
    fake_disk_free(f);
}

/* Killed between write and sync: the batch is complete in the page cache. Recovery shows it, so it must be durable. */
static void recovered_batches_are_durable(void **state)
{
    (void)state;
    struct fake_disk *f = fake_disk_make(7);
    struct journal *j;
    struct witness v;
    memset(&w, 0, sizeof w);
    struct status s = written_open(&w, &j, fake_disk_table(f), SEGMENT, &v, NULL);
    assert_true(status_ok(&s));
    fake_disk_die_after(f, 1);
    s = written_add(&w, j, 6000, 1, 1);
    assert_int_equal(s.kind, STATUS_IO);
    journal_close(j);
    fake_disk_restart(f);
    s = written_open(&w, &j, fake_disk_table(f), SEGMENT, &v, NULL);
    assert_true(status_ok(&s));
    assert_int_equal(v.at, 1);
    journal_close(j);
    fake_disk_crash(f, FAKE_CRASH_LOST, 0, 0);
    s = written_open(&w, &j, fake_disk_table(f), SEGMENT, &v, NULL);
    assert_true(status_ok(&s));
    assert_int_equal(v.at, 1);
    journal_close(j);
    fake_disk_free(f);
}

/* Every entry point checks the length of paths before creating any. */
static void a_folder_too_deep_is_refused(void **state)
{
    (void)state;
    struct fake_disk *f = fake_disk_make(3);
    const struct disk *disk = fake_disk_table(f);
    struct journal_anchor new = {0};
    struct journal_recovery report;
    struct journal *j;
    struct journal_reader *reader;
    char deep[DISK_PATH_MAX - DISK_NAME_MAX + 1];
    memset(deep, '/', sizeof deep - 1);
    deep[sizeof deep - 1] = '\0';
    assert_int_equal(journal_open(&j, disk, deep, NULL, &new, NULL, NULL, NULL).kind, STATUS_INVALID);
    assert_int_equal(journal_verify(disk, deep, &new, NULL, NULL, &report).kind, STATUS_INVALID);
    assert_int_equal(journal_reader_open(&reader, disk, deep, 0).kind, STATUS_INVALID);
    assert_int_equal(journal_copy(disk, deep, "/backup", 0, NULL).kind, STATUS_INVALID);
    assert_int_equal(journal_copy(disk, "/journal", deep, 0, NULL).kind, STATUS_INVALID);
    deep[sizeof deep - 2] = '\0'; /* one byte less fits */
    assert_int_equal(journal_verify(disk, deep, &new, NULL, NULL, &report).kind, STATUS_OK);
    fake_disk_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_operation_of_a_life),      cmocka_unit_test(every_operation_of_a_recovery),
        cmocka_unit_test(every_operation_of_the_readers), cmocka_unit_test(a_failed_sync_is_not_trusted),
        cmocka_unit_test(recovered_batches_are_durable),  cmocka_unit_test(a_folder_too_deep_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
