/* SPDX-License-Identifier: Apache-2.0 */
/* A book is never combined with a journal other than its own: not with another's, and not with that of a copy that has
 * diverged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../lib/fake_disk.h"
#include "../lib/written.h"

#define SEGMENT (32u << 10)
#define BATCHES 20

static const struct journal_options options = {.segment_size = SEGMENT};

static void assert_fine(struct status s)
{
    if (!status_ok(&s))
        fail_msg("%s", s.text);
}

static void assert_refused(struct status s, const char *why)
{
    assert_int_equal(s.kind, STATUS_CORRUPT);
    if (!strstr(s.text, why))
        fail_msg("'%s' does not say '%s'", s.text, why);
}

/* What a book knows after each batch. */
struct marks {
    struct journal_anchor at[64];
    int count;
};

static struct status mark(void *ctx, const struct batch *batch)
{
    struct marks *m = ctx;
    m->at[m->count++] = (struct journal_anchor){
        .seq = batch->first_seq + batch->count - 1, .has_id = true, .has_crc = true, .crc = batch->crc};
    return status_none();
}

static struct journal *open_journal(struct fake_disk *f, const struct journal_anchor *after)
{
    struct journal *j;
    assert_fine(journal_open(&j, fake_disk_table(f), WRITTEN_FOLDER, &options, after, NULL, NULL, NULL));
    return j;
}

static void write_batches(struct journal *j, int count, uint8_t filler)
{
    uint8_t payload[3000];
    memset(payload, filler, sizeof payload);
    for (int i = 0; i < count; i++) {
        assert_fine(journal_write(j, payload, sizeof payload, 3, i));
        if (i % 5 == 0)
            assert_fine(journal_seal(j, i));
    }
}

static struct marks marks_of(struct fake_disk *f)
{
    struct marks m = {.count = 0};
    struct journal_recovery report;
    assert_fine(journal_verify(fake_disk_table(f), WRITTEN_FOLDER, AFTER(0), mark, &m, &report));
    for (int i = 0; i < m.count; i++)
        memcpy(m.at[i].id, report.id, sizeof report.id);
    return m;
}

static struct status verify(struct fake_disk *f, const struct journal_anchor *after)
{
    struct journal_recovery report;
    return journal_verify(fake_disk_table(f), WRITTEN_FOLDER, after, NULL, NULL, &report);
}

static void a_book_is_recognised_after_every_batch(void **state)
{
    (void)state;
    struct fake_disk *f = fake_disk_make(1);
    struct journal *j = open_journal(f, AFTER(0));
    write_batches(j, BATCHES, 'a');
    journal_close(j);
    struct marks m = marks_of(f);
    assert_int_equal(m.count, BATCHES);
    for (int i = 0; i < m.count; i++) {
        assert_fine(verify(f, &m.at[i]));
        struct journal_anchor other = m.at[i];
        other.crc ^= 1;
        assert_refused(verify(f, &other), "another copy");
        other = m.at[i];
        other.id[7] ^= 1;
        assert_refused(verify(f, &other), "different folders");
        other = m.at[i];
        other.seq--; /* no batch ends there */
        assert_refused(verify(f, &other), "another copy");
    }
    fake_disk_free(f);
}

static void the_batch_of_the_book_is_never_freed(void **state)
{
    (void)state;
    struct fake_disk *f = fake_disk_make(2);
    struct journal *j = open_journal(f, AFTER(0));
    write_batches(j, BATCHES, 'a');
    struct marks m = marks_of(f);
    assert_true(journal_segments(j) >= 4);
    for (int i = 0; i < m.count; i++) {
        assert_fine(journal_free(j, m.at[i].seq));
        assert_fine(verify(f, &m.at[i]));
        struct fake_disk *copy = fake_disk_clone(f); /* and so has a copy */
        assert_fine(verify(copy, &m.at[i]));
        fake_disk_free(copy);
    }
    assert_int_equal(journal_segments(j), 2);
    journal_close(j);
    fake_disk_free(f);
}

/* Both continue after the fork; neither's book fits the other's journal, though they begin alike. */
static void forks_do_not_accept_each_others_book(void **state)
{
    (void)state;
    for (int changes = 0; changes < 3; changes++) { /* none, in the first segment, in a later one */
        struct fake_disk *one = fake_disk_make(3);
        struct journal *j = open_journal(one, AFTER(0));
        write_batches(j, changes * 6, 'a');
        assert_fine(journal_seal(j, 9));
        journal_close(j);
        struct fake_disk *two = fake_disk_clone(one);
        struct marks common = marks_of(one);
        struct journal_recovery before, after;
        assert_fine(journal_verify(fake_disk_table(one), WRITTEN_FOLDER, AFTER(0), NULL, NULL, &before));

        j = open_journal(two, AFTER(0));
        assert_fine(journal_fork(j));
        write_batches(j, 3, 'b');
        journal_close(j);
        j = open_journal(one, AFTER(0));
        write_batches(j, 3, 'c');
        journal_close(j);

        assert_fine(journal_verify(fake_disk_table(two), WRITTEN_FOLDER, AFTER(0), NULL, NULL, &after));
        assert_memory_equal(after.parent, before.id, sizeof before.id);
        assert_memory_not_equal(after.id, before.id, sizeof before.id);
        assert_int_equal(after.last_seq, before.last_seq + 9);
        struct marks of_one = marks_of(one), of_two = marks_of(two);
        for (int i = 0; i < of_two.count; i++) {
            assert_fine(verify(one, &of_one.at[i]));
            assert_fine(verify(two, &of_two.at[i]));
            assert_int_equal(verify(two, &of_one.at[i]).kind, STATUS_CORRUPT);
            assert_int_equal(verify(one, &of_two.at[i]).kind, STATUS_CORRUPT);
        }
        assert_int_equal(of_two.count, common.count + 3);
        fake_disk_free(one);
        fake_disk_free(two);
    }
}

static void a_journal_that_begins_after_a_book_belongs_to_that_book(void **state)
{
    (void)state;
    struct fake_disk *f = fake_disk_make(4);
    struct journal_anchor book = {.seq = 100, .has_id = true, .has_crc = true, .crc = 0xabc};
    assert_fine(journal_begin(fake_disk_table(f), WRITTEN_FOLDER, &book, 7, book.id));
    for (int written = 0; written < 2; written++) {
        assert_fine(verify(f, &book));
        struct journal_anchor other = book;
        other.crc ^= 1;
        if (written)
            assert_refused(verify(f, &other), "another copy");
        assert_int_equal(verify(f, &other).kind, STATUS_CORRUPT);
        other = book;
        other.seq--;
        assert_refused(verify(f, &other), "are missing");
        struct journal *j = open_journal(f, &book);
        assert_int_equal(journal_next_seq(j), written ? 101 + 3 * BATCHES : 101);
        if (!written)
            write_batches(j, BATCHES, 'a');
        journal_close(j);
    }
    struct journal_recovery report;
    struct marks m = {.count = 0};
    assert_fine(journal_verify(fake_disk_table(f), WRITTEN_FOLDER, &book, mark, &m, &report));
    assert_int_equal(m.count, BATCHES);
    assert_int_equal(report.first_seq, 101);
    book.seq = report.last_seq + 1;
    assert_refused(verify(f, &book), "ends before the book does");
    fake_disk_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_book_is_recognised_after_every_batch),
        cmocka_unit_test(the_batch_of_the_book_is_never_freed),
        cmocka_unit_test(a_journal_that_begins_after_a_book_belongs_to_that_book),
        cmocka_unit_test(forks_do_not_accept_each_others_book),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
