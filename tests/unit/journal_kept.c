/* SPDX-License-Identifier: Apache-2.0 */
/* What a recovery has returned once stays, whatever the power does next; and no other version of a batch can replace it
 * unnoticed. */
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
#define FIRST WRITTEN_FOLDER "/00000000000000000001.segment"

static void must(struct status s)
{
    if (!status_ok(&s))
        fail_msg("%s", s.text);
}

/* The process is killed between the write and the sync of its last batch: the page cache has it, the device does not.
 * The next life returns it to its readers; a power loss after that must not take it back. */
static void batches_read_from_the_cache_are_durable_before_they_are_shown(void **state)
{
    (void)state;
    static struct written w;
    struct fake_disk *f = fake_disk_make(11);
    struct journal *j;
    struct witness v;
    must(written_open(&w, &j, fake_disk_table(f), SEGMENT, &v, NULL));
    must(written_add(&w, j, 100, 1, 1));
    fake_disk_die_after(f, 1);
    struct status s = written_add(&w, j, 200, 1, 2);
    assert_int_equal(s.kind, STATUS_IO);
    journal_close(j);
    fake_disk_restart(f);
    must(written_open(&w, &j, fake_disk_table(f), SEGMENT, &v, NULL));
    assert_int_equal(v.at, 2);
    assert_int_equal(journal_durable_seq(j), 2);
    journal_close(j);
    fake_disk_crash(f, FAKE_CRASH_LOST, 0, 0);
    must(written_open(&w, &j, fake_disk_table(f), SEGMENT, &v, NULL));
    assert_false(v.wrong);
    assert_int_equal(v.at, 2);
    journal_close(j);
    fake_disk_free(f);
}

/* Writes on from the disk's state; each batch takes one block. */
static void write_on(struct written *w, struct fake_disk *f, const size_t *sizes, size_t count)
{
    struct journal *j;
    struct witness v;
    must(written_open(w, &j, fake_disk_table(f), SEGMENT, &v, NULL));
    for (size_t i = 0; i < count; i++)
        must(written_add(w, j, sizes[i], 1, 1));
    journal_close(j);
    fake_disk_settle(f);
}

/* Two lives from the same start wrote different batches to the same place. Each is valid there; only the batch after it
 * shows which one it was. */
static void a_batch_of_another_life_is_refused(void **state)
{
    (void)state;
    static struct written w, other;
    static const size_t start[] = {300}, one[] = {500, 700}, two[] = {400, 600};
    struct fake_disk *f = fake_disk_make(12);
    write_on(&w, f, start, 1);
    struct fake_disk *g = fake_disk_clone(f);
    other = w;
    write_on(&w, f, one, 2);
    write_on(&other, g, two, 2);
    size_t size;
    uint8_t *ours = fake_disk_bytes(f, FIRST, &size);
    const uint8_t *theirs = fake_disk_bytes(g, FIRST, &size);
    size_t second = SEGMENT_HEADER_SIZE + BATCH_ALIGNMENT;
    assert_memory_not_equal(ours + second, theirs + second, BATCH_ALIGNMENT);
    memcpy(ours + second, theirs + second, BATCH_ALIGNMENT);
    struct journal_recovery report;
    struct status s = journal_verify(fake_disk_table(f), WRITTEN_FOLDER, AFTER(0), NULL, NULL, &report);
    assert_int_equal(s.kind, STATUS_CORRUPT);
    assert_non_null(strstr(s.text, "00000000000000000001.segment"));
    fake_disk_free(f);
    fake_disk_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_read_from_the_cache_are_durable_before_they_are_shown),
        cmocka_unit_test(a_batch_of_another_life_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
