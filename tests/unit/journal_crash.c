/* SPDX-License-Identifier: Apache-2.0 */
/* Whenever power is lost, and whatever of the unsynced bytes reached the device, the journal opens again with every
 * acknowledged batch and a prefix of the rest: at each file operation of a short life, of a recovery, and of the
 * recovery from a crash in recovery. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../lib/fake_disk.h"
#include "../lib/written.h"
#include "journal/segment.h"

#define SEGMENT (32u << 10)
#define RANDOM_IMAGES 24

static uint64_t images;

/* Three lives' worth of everything that touches the disk; ends at the first fault. */
static struct status live(struct written *w, struct fake_disk *f, uint64_t salt)
{
    struct journal *j;
    struct witness v;
    struct status s = written_open(w, &j, fake_disk_table(f), SEGMENT, &v, NULL);
    if (!status_ok(&s))
        return s;
    assert_false(v.wrong);
    for (uint64_t i = 0; i < 14 && status_ok(&s); i++) {
        if (i % 4 == 1)
            s = journal_prepare(j);
        if (status_ok(&s))
            s = written_add(w, j, (size_t)((i + salt) * 2311 % 11000), 1 + (uint32_t)i % 3,
                            (int64_t)w->count + 1);
        if (status_ok(&s) && i % 5 == 4)
            s = journal_seal(j, (int64_t)w->count);
        if (status_ok(&s) && i == 11) {
            w->book_seq = journal_durable_seq(j) - 3;
            s = journal_free(j, w->book_seq);
        }
    }
    journal_close(j);
    return s;
}

/* Opens what the crash left: no acknowledged batch may be missing, none may be wrong; then writes on and opens
 * again. */
static void must_recover(const struct written *before, struct fake_disk *f)
{
    static struct written w;
    struct journal *j;
    struct witness v;
    struct journal_recovery report;
    w = *before;
    images++;
    struct status s = written_open(&w, &j, fake_disk_table(f), SEGMENT, &v, &report);
    if (!status_ok(&s))
        fail_msg("refused to open: %s", s.text);
    assert_false(v.wrong);
    assert_in_range(v.at, before->acknowledged, before->count);
    if (report.torn)
        assert_int_equal(v.at, before->acknowledged);
    s = written_add(&w, j, 3000, 2, (int64_t)w.count + 1);
    assert_true(status_ok(&s));
    journal_close(j);
    fake_disk_crash(f, FAKE_CRASH_LOST, 0, 0);
    s = written_open(&w, &j, fake_disk_table(f), SEGMENT, &v, &report);
    if (!status_ok(&s))
        fail_msg("refused to open a second time: %s", s.text);
    assert_false(v.wrong);
    assert_int_equal(v.at, w.count);
    assert_false(report.torn);
    journal_close(j);
}

typedef void (*image_fn)(const struct written *w, struct fake_disk *f);

static void try_image(const struct written *w, const struct fake_disk *f, enum fake_crash how, uint64_t cut,
                      uint64_t seed, image_fn fn)
{
    struct fake_disk *image = fake_disk_clone(f);
    fake_disk_crash(image, how, cut, seed);
    fn(w, image);
    fake_disk_free(image);
}

/* Every possible result of a power loss at this point. */
static void try_images(const struct written *w, const struct fake_disk *f, unsigned random_images,
                       image_fn fn)
{
    try_image(w, f, FAKE_CRASH_LOST, 0, 0, fn);
    uint64_t unsynced = fake_disk_unsynced(f);
    if (unsynced == 0)
        return;
    try_image(w, f, FAKE_CRASH_KEPT, 0, 0, fn);
    for (uint64_t cut = 1; cut < unsynced; cut++)
        try_image(w, f, FAKE_CRASH_PREFIX, cut, 0, fn);
    for (uint64_t seed = 0; seed < random_images; seed++) {
        try_image(w, f, FAKE_CRASH_SECTORS, 0, seed, fn);
        try_image(w, f, FAKE_CRASH_TORN, 0, seed, fn);
    }
}

/* The disk after `n` operations of a life that began on `start`. True if the life ended before. */
static bool live_until(uint64_t n, const struct fake_disk *start, const struct written *before, uint64_t salt,
                       struct fake_disk **f, struct written *w)
{
    *f = fake_disk_clone(start);
    *w = *before;
    fake_disk_die_after(*f, n);
    struct status s = live(w, *f, salt);
    return status_ok(&s);
}

static void crash_everywhere(const struct fake_disk *start, const struct written *before, uint64_t salt,
                             unsigned random_images, image_fn fn)
{
    static struct written w;
    bool ended = false;
    for (uint64_t n = 0; !ended; n++) {
        struct fake_disk *f;
        ended = live_until(n, start, before, salt, &f, &w);
        try_images(&w, f, random_images, fn);
        fake_disk_free(f);
    }
}

static void every_crash_of_a_first_life(void **state)
{
    (void)state;
    static struct written nothing;
    struct fake_disk *f = fake_disk_make(1);
    images = 0;
    crash_everywhere(f, &nothing, 0, RANDOM_IMAGES, must_recover);
    print_message("%llu images\n", (unsigned long long)images);
    assert_true(images > 2500);
    fake_disk_free(f);
}

static void every_crash_of_a_second_life(void **state)
{
    (void)state;
    static struct written w;
    struct fake_disk *f = fake_disk_make(2);
    memset(&w, 0, sizeof w);
    struct status s = live(&w, f, 3);
    assert_true(status_ok(&s));
    fake_disk_crash(f, FAKE_CRASH_LOST, 0, 0);
    images = 0;
    crash_everywhere(f, &w, 5, RANDOM_IMAGES, must_recover);
    print_message("%llu images\n", (unsigned long long)images);
    assert_true(images > 2500);
    fake_disk_free(f);
}

/* Recovery itself loses power at each of its operations, is recovered from, and that recovery loses power too. */
static void recover_with_crashes(const struct written *before, struct fake_disk *f)
{
    static struct written w;
    for (uint64_t n = 0;; n++) {
        struct fake_disk *dying = fake_disk_clone(f);
        struct journal *j;
        struct witness v;
        fake_disk_die_after(dying, n);
        w = *before;
        struct status s = written_open(&w, &j, fake_disk_table(dying), SEGMENT, &v, NULL);
        bool ended = status_ok(&s);
        assert_false(v.wrong);
        assert_true(s.kind == STATUS_OK || s.kind == STATUS_IO);
        journal_close(j);
        w = *before;
        try_images(&w, dying, 2, must_recover);
        fake_disk_free(dying);
        if (ended)
            return;
    }
}

static void recover_only_torn_with_crashes(const struct written *before, struct fake_disk *f)
{
    struct journal_recovery report;
    struct status s =
        journal_verify(fake_disk_table(f), WRITTEN_FOLDER, AFTER(before->book_seq), NULL, NULL, &report);
    assert_true(status_ok(&s));
    if (report.torn)
        recover_with_crashes(before, f);
}

static void every_crash_of_a_recovery(void **state)
{
    (void)state;
    static struct written nothing;
    struct fake_disk *f = fake_disk_make(3);
    images = 0;
    crash_everywhere(f, &nothing, 0, 2, recover_only_torn_with_crashes);
    print_message("%llu images\n", (unsigned long long)images);
    assert_true(images > 2500);
    fake_disk_free(f);
}

/* A long torn batch, its header there or not, recovered through a chain of crashes. */
static void crashes_in_a_row(void **state)
{
    (void)state;
    static struct written w;
    uint64_t torn = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct fake_disk *f = fake_disk_make(seed);
        struct journal *j;
        struct witness v;
        memset(&w, 0, sizeof w);
        struct status s = written_open(&w, &j, fake_disk_table(f), SEGMENT, &v, NULL);
        assert_true(status_ok(&s));
        s = written_add(&w, j, 100, 1, 1);
        assert_true(status_ok(&s));
        fake_disk_die_after(f, 1); /* the write is done, the sync is not */
        s = written_add(&w, j, 9000, 1, 2);
        assert_int_equal(s.kind, STATUS_IO);
        journal_close(j);
        fake_disk_crash(f, FAKE_CRASH_SECTORS, 0, seed);
        struct journal_recovery report;
        s = journal_verify(fake_disk_table(f), WRITTEN_FOLDER, AFTER(0), NULL, NULL, &report);
        assert_true(status_ok(&s));
        torn += report.torn;
        for (uint64_t n = 5; n < 30; n++) {
            static struct written again;
            again = w;
            fake_disk_die_after(f, n);
            s = written_open(&again, &j, fake_disk_table(f), SEGMENT, &v, NULL);
            assert_true(s.kind == STATUS_OK || s.kind == STATUS_IO);
            journal_close(j);
            fake_disk_crash(f, FAKE_CRASH_SECTORS, 0, seed * 100 + n);
        }
        must_recover(&w, f);
        fake_disk_free(f);
    }
    assert_true(torn > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_crash_of_a_first_life),
        cmocka_unit_test(every_crash_of_a_second_life),
        cmocka_unit_test(every_crash_of_a_recovery),
        cmocka_unit_test(crashes_in_a_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
