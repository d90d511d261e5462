/* SPDX-License-Identifier: Apache-2.0 */
/* A segment that has to go is left before it is full, and freed once two others follow; and so are copies of torn
 * batches from its time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../lib/fake_disk.h"
#include "../lib/written.h"
#include "journal/tail.h"

#define SEGMENT (32u << 10)
#define FIRST WRITTEN_FOLDER "/00000000000000000001.segment"

static void must(struct status s)
{
    if (!status_ok(&s))
        fail_msg("%s", s.text);
}

static void a_segment_is_freed_after_two_others(void **state)
{
    (void)state;
    static struct written w;
    struct fake_disk *f = fake_disk_make(21);
    struct journal *j;
    struct witness v;
    size_t size;
    must(written_open(&w, &j, fake_disk_table(f), SEGMENT, &v, NULL));
    must(journal_begin_segment(j)); /* it is empty: nothing to leave */
    assert_int_equal(journal_segments(j), 1);
    must(written_add(&w, j, 100, 3, 1));
    for (uint64_t seq = 4; seq < 6; seq++) {
        must(journal_begin_segment(j));
        must(journal_begin_segment(j));
        assert_int_equal(journal_segments(j), seq - 2);
        must(written_add(&w, j, 100, 1, 1));
        assert_int_equal(journal_oldest_seq(j), 1);
    }
    /* The number of segments from a seq on: the three begin with 1, 4 and 5. */
    static const uint64_t later[] = {3, 3, 3, 2, 1, 0};
    for (uint64_t seq = 0; seq <= 5; seq++) {
        assert_false(journal_exceeds(j, seq, later[seq] * SEGMENT));
        assert_true(later[seq] == 0 || journal_exceeds(j, seq, later[seq] * SEGMENT - 1));
    }
    must(journal_free(j, 3)); /* the book ends with what is in it */
    assert_int_equal(journal_oldest_seq(j), 1);
    must(journal_free(j, 5));
    assert_int_equal(journal_oldest_seq(j), 4);
    assert_null(fake_disk_bytes(f, FIRST, &size));
    journal_close(j);
    w.book_seq = 5;
    fake_disk_restart(f);
    must(written_open(&w, &j, fake_disk_table(f), SEGMENT, &v, NULL));
    assert_false(v.wrong);
    assert_int_equal(journal_durable_seq(j), 5);
    must(written_add(&w, j, 200, 1, 2));
    journal_close(j);
    fake_disk_free(f);
}

static void copies_of_torn_batches_are_removed_by_their_seq(void **state)
{
    (void)state;
    static const char *const names[] = {FIRST ".torn-7", FIRST ".torn-7-2", FIRST ".torn-12"};
    struct fake_disk *f = fake_disk_make(22);
    size_t size;
    static struct written w;
    struct journal *j;
    struct witness v;
    must(written_open(&w, &j, fake_disk_table(f), SEGMENT, &v, NULL));
    for (int i = 0; i < 3; i++)
        fake_disk_put(f, names[i], "torn", 4);
    must(tail_drop_copies(fake_disk_table(f), WRITTEN_FOLDER, 6));
    for (int i = 0; i < 3; i++)
        assert_non_null(fake_disk_bytes(f, names[i], &size));
    must(tail_drop_copies(fake_disk_table(f), WRITTEN_FOLDER, 7));
    assert_null(fake_disk_bytes(f, names[0], &size));
    assert_null(fake_disk_bytes(f, names[1], &size));
    assert_non_null(fake_disk_bytes(f, names[2], &size));
    journal_close(j);
    fake_disk_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_segment_is_freed_after_two_others),
        cmocka_unit_test(copies_of_torn_batches_are_removed_by_their_seq),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
