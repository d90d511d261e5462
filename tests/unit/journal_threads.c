/* SPDX-License-Identifier: Apache-2.0 */
/* One thread writes, one keeps segments ready, one reads durable batches and frees them, all at once. Run it under
 * TSan. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../lib/fake_disk.h"
#include "../lib/written.h"
#include "journal/journal_copy.h"
#include "journal/journal_reader.h"

#define SEGMENT (64u << 10)
#define BATCHES 2000

static struct written w;
static struct journal *j;
static _Atomic bool done;
static _Atomic bool failed;

static void *write_batches(void *arg)
{
    (void)arg;
    for (int i = 0; i < BATCHES; i++) {
        struct status s = written_add(&w, j, (size_t)(i * 937 % 9000), 1 + (uint32_t)i % 3, i);
        if (status_ok(&s) && i % 7 == 0)
            s = journal_seal(j, i);
        if (!status_ok(&s))
            failed = true;
    }
    done = true;
    return NULL;
}

static void *prepare_segments(void *arg)
{
    (void)arg;
    while (!done) {
        if (journal_prepare_due(j)) {
            struct status s = journal_prepare(j);
            if (!status_ok(&s))
                failed = true;
        }
        if (journal_space(j) != JOURNAL_SPACE_OK || journal_bytes(j) == 0)
            failed = true;
        sched_yield();
    }
    return NULL;
}

static void *copy_journal(void *arg)
{
    struct fake_disk *f = arg;
    for (int i = 0; !done; i++) {
        char folder[32];
        struct journal_recovery report;
        snprintf(folder, sizeof folder, "/backup%d", i);
        uint64_t after = journal_durable_seq(j);
        struct status s = journal_copy(fake_disk_table(f), WRITTEN_FOLDER, folder, after, &report);
        if (status_ok(&s) ? report.last_seq < after : s.kind != STATUS_BUSY)
            failed = true;
        if (status_ok(&s))
            s = journal_verify(fake_disk_table(f), folder, AFTER(after), NULL, NULL, &report);
        if (!status_ok(&s) && s.kind != STATUS_BUSY)
            failed = true;
    }
    return NULL;
}

/* Reads everything as it becomes durable, and frees what it has read. */
static void read_all(struct fake_disk *f)
{
    struct journal_reader *reader;
    struct status s = journal_reader_open(&reader, fake_disk_table(f), WRITTEN_FOLDER, 0);
    assert_true(status_ok(&s));
    for (size_t at = 0; at < BATCHES;) {
        struct batch batch;
        bool found;
        s = journal_reader_next(reader, journal_durable_seq(j), &batch, &found);
        if (!status_ok(&s))
            fail_msg("%s", s.text);
        assert_false(failed);
        if (!found) {
            sched_yield();
            continue;
        }
        assert_true(written_equals(&w.batches[at], &batch));
        at++;
        s = journal_free(j, batch.first_seq + batch.count - 1);
        assert_true(status_ok(&s));
    }
    journal_reader_close(reader);
}

static void all_at_once(void **state)
{
    (void)state;
    struct fake_disk *f = fake_disk_make(1);
    struct witness v;
    struct status s = written_open(&w, &j, fake_disk_table(f), SEGMENT, &v, NULL);
    assert_true(status_ok(&s));
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, write_batches, NULL);
    pthread_create(&threads[1], NULL, prepare_segments, NULL);
    pthread_create(&threads[2], NULL, copy_journal, f);
    read_all(f);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert_false(failed);
    assert_int_equal(w.acknowledged, BATCHES);
    w.book_seq = journal_durable_seq(j);
    journal_close(j);
    s = written_open(&w, &j, fake_disk_table(f), SEGMENT, &v, NULL);
    assert_true(status_ok(&s) && !v.wrong);
    journal_close(j);
    assert_int_equal(fake_disk_open_handles(f), 0);
    fake_disk_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
