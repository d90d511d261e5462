/* SPDX-License-Identifier: Apache-2.0 */
/* Damage never changes the content of a journal: it opens to the same batches or refuses. Only one torn batch at the
 * very end, which was never acknowledged, is cut off, and kept aside. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../lib/fake_disk.h"
#include "../lib/written.h"
#include "journal/segment.h"

#define SEGMENT SEGMENT_SIZE_MIN
#define FIRST WRITTEN_FOLDER "/00000000000000000001.segment"

static struct written *w;
static struct fake_disk *f;
static struct journal_recovery intact;

/* A few batches over two segments; the last one has payload in three sectors. */
static void build(bool sealed)
{
    struct journal *j;
    struct witness v;
    static const size_t sizes[] = {300, 1100, 700, 1300};
    struct status s = written_open(w, &j, fake_disk_table(f), SEGMENT, &v, NULL);
    assert_true(status_ok(&s));
    for (size_t i = 0; i < 4; i++) {
        s = written_add(w, j, sizes[i], 2, (int64_t)i + 1);
        assert_true(status_ok(&s));
    }
    if (sealed)
        s = journal_seal(j, 5);
    assert_true(status_ok(&s));
    journal_close(j);
    s = journal_verify(fake_disk_table(f), WRITTEN_FOLDER, AFTER(0), NULL, NULL, &intact);
    assert_true(status_ok(&s));
    assert_int_equal(intact.segments, 2);
    fake_disk_settle(f);
}

static int set_up(void **state)
{
    (void)state;
    w = memory_zeroed(1, sizeof *w);
    f = fake_disk_make(7);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    fake_disk_free(f);
    free(w);
    return 0;
}

static const char *newest_path(void)
{
    static char path[128];
    char name[SEGMENT_NAME_MAX];
    struct segment_list list;
    struct status s = segment_list_read(&list, fake_disk_table(f), WRITTEN_FOLDER);
    assert_true(status_ok(&s) && list.count > 0);
    segment_name(name, list.entries[list.count - 1].first_seq);
    segment_list_release(&list);
    snprintf(path, sizeof path, "%s/%s", WRITTEN_FOLDER, name);
    return path;
}

/* Reads the journal as it is; returns how many batches it has, or -1 if it refused. Never a wrong batch. */
static int verify(bool *torn)
{
    struct journal_recovery report = {0};
    struct witness v = witness_make(w, 0);
    struct status s = journal_verify(fake_disk_table(f), WRITTEN_FOLDER, AFTER(0), witness_see, &v, &report);
    assert_false(v.wrong);
    *torn = report.torn;
    if (status_ok(&s))
        return (int)v.at;
    if (s.kind != STATUS_CORRUPT)
        fail_msg("%s", s.text);
    return -1;
}

/* Opens a copy for writing, as the server would: the same result, and clean the second time. */
static void open_agrees(int expected)
{
    static struct written again;
    struct fake_disk *copy = fake_disk_clone(f);
    struct journal *j;
    struct witness v;
    struct journal_recovery report;
    fake_disk_settle(copy);
    for (int life = 0; life < 2; life++) {
        again = *w;
        struct status s = written_open(&again, &j, fake_disk_table(copy), SEGMENT, &v, &report);
        assert_false(v.wrong);
        assert_int_equal(status_ok(&s) ? (int)v.at : -1, expected);
        assert_false(life == 1 && status_ok(&s) && report.torn);
        journal_close(j);
    }
    fake_disk_free(copy);
}

/* `fewest`: how many batches must be there if it does not refuse. */
static void must_not_lie(int fewest)
{
    bool torn;
    int given = verify(&torn);
    if (given >= 0 && given < fewest)
        fail_msg("only %d batches", given);
    if (torn)
        open_agrees(given);
}

static void flip_every_bit(const char *path, uint64_t *refused, uint64_t *same)
{
    size_t size;
    uint8_t *bytes = fake_disk_bytes(f, path, &size);
    for (size_t i = 0; i < size * 8; i++) {
        bool torn;
        bytes[i / 8] ^= (uint8_t)(1u << i % 8);
        int given = verify(&torn);
        if (given >= 0 && given != (int)w->count)
            fail_msg("bit %zu of %s: %d batches", i, path, given);
        *(given < 0 ? refused : same) += 1;
        /* Opening for writing costs more; if it is accepted it is always accepted in the same way. */
        if (i % 509 == 0 || (given >= 0 && i % 61 == 0))
            open_agrees(given);
        bytes[i / 8] ^= (uint8_t)(1u << i % 8);
    }
}

/* A flipped bit is not a torn batch: even the last batch, sealed or not, is refused and never cut. Only in the zeros
 * after the end it can pass for the rest of one. */
static void every_bit_flipped(void **state)
{
    (void)state;
    uint64_t refused = 0;
    uint64_t same = 0;
    build(true);
    flip_every_bit(FIRST, &refused, &same);
    assert_int_equal(same, 0);
    flip_every_bit(newest_path(), &refused, &same);
    assert_int_equal(intact.end_offset, SEGMENT); /* no zeros are left */
    assert_int_equal(same, 0);
    assert_int_equal(refused, 2 * SEGMENT * 8);
}

static void every_bit_flipped_without_a_seal(void **state)
{
    (void)state;
    uint64_t refused = 0;
    uint64_t same = 0;
    build(false);
    flip_every_bit(newest_path(), &refused, &same);
    assert_true(same < (SEGMENT - intact.end_offset) * 8);
}

static void damage_blocks(size_t block, int fewest)
{
    const char *paths[] = {FIRST, newest_path()};
    uint8_t *files[2];
    uint8_t *saved = memory_get(2 * SEGMENT);
    for (int i = 0; i < 2; i++) {
        files[i] = fake_disk_bytes(f, paths[i], NULL);
        memcpy(saved + (size_t)i * SEGMENT, files[i], SEGMENT);
    }
    size_t blocks = 2 * SEGMENT / block;
    for (size_t a = 0; a < blocks; a++) {
        uint8_t *at = files[a * block / SEGMENT] + a * block % SEGMENT;
        const uint8_t *at_saved = saved + a * block;
        memset(at, 0, block);
        must_not_lie(fewest);
        memset(at, 0xFF, block);
        must_not_lie(fewest);
        memcpy(at, at_saved, block);
        for (size_t b = 0; b < blocks; b++) {
            uint8_t *other = files[b * block / SEGMENT] + b * block % SEGMENT;
            memcpy(at, saved + b * block, block); /* misdirected write */
            must_not_lie(fewest);
            memcpy(other, at_saved, block); /* swapped */
            must_not_lie(fewest);
            memcpy(other, saved + b * block, block);
            memcpy(at, at_saved, block);
        }
    }
    free(saved);
}

static void blocks_zeroed_duplicated_and_swapped(void **state)
{
    (void)state;
    build(true);
    damage_blocks(4096, (int)w->count);
    damage_blocks(512, (int)w->count);
}

/* Without a seal, a zeroed sector of the last batch looks like a torn write; nothing else is lost. */
static void blocks_damaged_without_a_seal(void **state)
{
    (void)state;
    build(false);
    damage_blocks(4096, (int)w->count - 1);
    damage_blocks(512, (int)w->count - 1);
}

/* Bytes of the newest segment from the end of the last complete batch on. */
static uint8_t *after_the_end(void)
{
    return fake_disk_bytes(f, newest_path(), NULL) + intact.end_offset;
}

/* Tears the last of the four batches, which has four sectors, leaving those of the mask. */
static void tear(unsigned sectors)
{
    uint8_t *batch = after_the_end() - 4096;
    for (unsigned i = 0; i < 8; i++)
        if (!(sectors & 1u << i))
            memset(batch + i * 512, 0, 512);
    fake_disk_settle(f);
}

static void a_torn_batch_is_cut_and_kept(void **state)
{
    (void)state;
    build(false);
    for (unsigned sectors = 1; sectors < 7; sectors++) {
        struct fake_disk *whole = f;
        struct journal *j;
        struct witness v;
        struct journal_recovery report;
        uint8_t torn_bytes[4096];
        struct written again = *w;
        f = fake_disk_clone(whole);
        tear(sectors);
        memcpy(torn_bytes, after_the_end() - 4096, 4096);
        struct status s =
            journal_open(&j, fake_disk_table(f), WRITTEN_FOLDER, NULL, AFTER(8), NULL, NULL, NULL);
        assert_int_equal(s.kind, STATUS_CORRUPT); /* the book has it: it was durable */
        again.acknowledged = 3;
        s = written_open(&again, &j, fake_disk_table(f), SEGMENT, &v, &report);
        assert_true(status_ok(&s));
        assert_int_equal(v.at, 3);
        assert_true(report.torn);
        assert_int_equal(report.torn_seq, 7);
        assert_int_equal(journal_next_seq(j), 7);
        char path[160];
        size_t size;
        snprintf(path, sizeof path, "%s/%s", WRITTEN_FOLDER, report.torn_name);
        const uint8_t *kept = fake_disk_bytes(f, path, &size);
        assert_non_null(kept);
        assert_int_equal(size, 4096);
        assert_memory_equal(kept, torn_bytes, 4096);
        s = written_add(&again, j, 900, 1, 9);
        assert_true(status_ok(&s));
        journal_close(j);
        fake_disk_crash(f, FAKE_CRASH_LOST, 0, 0);
        s = written_open(&again, &j, fake_disk_table(f), SEGMENT, &v, &report);
        assert_true(status_ok(&s) && !v.wrong && !report.torn);
        assert_int_equal(v.at, 4);
        kept = fake_disk_bytes(f, path, &size);
        assert_non_null(kept);
        assert_int_equal(size, 4096);
        assert_memory_equal(kept, torn_bytes, 4096);
        journal_close(j);
        fake_disk_free(f);
        f = whole;
    }
}

static void a_second_torn_batch_is_kept_beside_the_first(void **state)
{
    (void)state;
    build(false);
    tear(1);
    struct journal_recovery report;
    struct journal *j;
    for (int i = 0; i < 3; i++) {
        memset(after_the_end() - 4096 + 512, 0x77, 512);
        fake_disk_settle(f);
        struct journal_options options = {.segment_size = SEGMENT};
        struct status s =
            journal_open(&j, fake_disk_table(f), WRITTEN_FOLDER, &options, AFTER(0), NULL, NULL, &report);
        assert_true(status_ok(&s) && report.torn);
        journal_close(j);
    }
    assert_non_null(strstr(report.torn_name, ".torn-7-3"));
}

static void must_refuse(const char *why)
{
    struct journal *j;
    struct journal_options options = {.segment_size = SEGMENT};
    fake_disk_settle(f);
    struct status s =
        journal_open(&j, fake_disk_table(f), WRITTEN_FOLDER, &options, AFTER(0), NULL, NULL, NULL);
    assert_int_equal(s.kind, STATUS_CORRUPT);
    assert_null(j);
    if (!strstr(s.text, why))
        fail_msg("'%s' does not say '%s'", s.text, why);
}

static void a_torn_batch_with_more_after_it_is_refused(void **state)
{
    (void)state;
    build(false);
    tear(1); /* the header is there: the batch ends at 4096 */
    after_the_end()[0] = 1;
    must_refuse("more than a torn batch follows the last batch");
    tear(6); /* the header is not: anything within the longest batch could be its rest, and that fits here */
    after_the_end()[0] = 0;
    open_agrees(3);
}

static void more_than_a_batch_after_the_end_is_refused(void **state)
{
    (void)state;
    /* One batch in a segment that has room for two of the longest. */
    struct journal *j;
    struct witness v;
    uint64_t size = 5u << 22;
    struct status s = written_open(w, &j, fake_disk_table(f), size, &v, NULL);
    assert_true(status_ok(&s));
    s = written_add(w, j, 100, 1, 1);
    assert_true(status_ok(&s));
    journal_close(j);
    fake_disk_bytes(f, FIRST, NULL)[8192 + BATCH_EXTENT_MAX - 1] = 1;
    bool torn;
    assert_int_equal(verify(&torn), 1);
    assert_true(torn);
    fake_disk_bytes(f, FIRST, NULL)[8192 + BATCH_EXTENT_MAX] = 1;
    assert_int_equal(verify(&torn), -1);
}

/* The segment has room for it to be one torn batch; the complete one after it proves that it was synced. */
static void damage_before_a_whole_batch_is_refused(void **state)
{
    (void)state;
    static const size_t places[] = {0, 512, 1024};
    struct journal *j;
    struct witness v;
    struct status s = written_open(w, &j, fake_disk_table(f), 4 * SEGMENT, &v, NULL);
    for (int i = 0; i < 2 && status_ok(&s); i++)
        s = written_add(w, j, 1200, 1, 1);
    if (status_ok(&s))
        s = journal_seal(j, 1);
    assert_true(status_ok(&s));
    journal_close(j);
    struct fake_disk *whole = f;
    for (size_t i = 0; i < 3; i++) {
        f = fake_disk_clone(whole);
        memset(fake_disk_bytes(f, FIRST, NULL) + 8192 + places[i], 0, 512);
        must_refuse("offset 8192, seq 2: a batch is damaged, and a whole one follows");
        memset(fake_disk_bytes(f, FIRST, NULL) + 8192, 0, 4096);
        must_refuse("offset 8192, seq 2: a batch is damaged, and a whole one follows");
        fake_disk_free(f);
    }
    f = whole;
}

static void a_segment_that_does_not_continue_the_one_before_is_refused(void **state)
{
    (void)state;
    struct segment_header h;
    build(true);
    uint8_t *newest = fake_disk_bytes(f, newest_path(), NULL);
    assert_null(segment_header_decode(&h, newest));
    h.prev_crc ^= 1;
    segment_header_encode(&h, newest);
    must_refuse("offset 0, seq 5: the segment does not continue the previous one");
}

static void a_refusal_names_file_offset_and_seq(void **state)
{
    (void)state;
    build(true);
    fake_disk_bytes(f, FIRST, NULL)[8192 + 100] ^= 4;
    must_refuse("00000000000000000001.segment, offset 8192, seq 3");
}

static void unlink_path(const char *path)
{
    const struct disk *d = fake_disk_table(f);
    assert_int_equal(d->unlink(d->owner, path), 0);
}

static void a_missing_segment_is_refused(void **state)
{
    (void)state;
    build(true);
    struct journal *j;
    struct witness v;
    struct status s = written_open(w, &j, fake_disk_table(f), SEGMENT, &v, NULL);
    for (int i = 0; i < 8 && status_ok(&s); i++)
        s = written_add(w, j, 3000, 1, 10);
    assert_true(status_ok(&s));
    journal_close(j);
    struct segment_list list;
    s = segment_list_read(&list, fake_disk_table(f), WRITTEN_FOLDER);
    assert_true(status_ok(&s) && list.count >= 4);
    struct fake_disk *whole = f;
    for (size_t i = 0; i < list.count; i++) {
        char name[SEGMENT_NAME_MAX];
        char path[128];
        segment_name(name, list.entries[i].first_seq);
        snprintf(path, sizeof path, "%s/%s", WRITTEN_FOLDER, name);
        f = fake_disk_clone(whole);
        unlink_path(path);
        s = journal_open(&j, fake_disk_table(f), WRITTEN_FOLDER, NULL, AFTER(0), NULL, NULL, NULL);
        assert_int_equal(s.kind, STATUS_CORRUPT);
        if (i + 1 == list.count)
            assert_non_null(strstr(s.text, "the segment after this one is missing"));
        if (i > 0 && i + 1 < list.count)
            assert_non_null(strstr(s.text, "does not start where the previous one ends"));
        fake_disk_free(f);
    }
    f = whole;
    segment_list_release(&list);
}

static void unknown_files_are_refused(void **state)
{
    (void)state;
    build(true);
    struct fake_disk *whole = f;
    size_t size;
    uint8_t *first = fake_disk_bytes(whole, FIRST, &size);

    f = fake_disk_clone(whole);
    fake_disk_put(f, WRITTEN_FOLDER "/1.segment", first, size);
    must_refuse("1.segment");
    fake_disk_free(f);

    f = fake_disk_clone(whole); /* with the name of another segment */
    fake_disk_put(f, newest_path(), first, size);
    must_refuse("another segment's name");
    fake_disk_free(f);

    f = fake_disk_clone(whole);
    uint8_t *longer = memory_zeroed(1, size + 4096);
    memcpy(longer, first, size);
    fake_disk_put(f, FIRST, longer, size + 4096);
    free(longer);
    must_refuse("size");
    fake_disk_free(f);

    f = fake_disk_clone(whole);
    fake_disk_put(f, FIRST, first, size - 4096);
    must_refuse("too short");
    fake_disk_free(f);
    f = whole;
}

/* A segment of the same name and length from another journal. */
static void a_segment_of_another_journal_is_refused(void **state)
{
    (void)state;
    build(true);
    struct fake_disk *mine = f;
    memset(w, 0, sizeof *w);
    f = fake_disk_make(8);
    build(true);
    size_t size;
    const uint8_t *theirs = fake_disk_bytes(f, newest_path(), &size);
    struct fake_disk *other = f;
    f = mine;
    fake_disk_put(f, newest_path(), theirs, size);
    fake_disk_free(other);
    must_refuse("another journal");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_bit_flipped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_bit_flipped_without_a_seal, set_up, tear_down),
        cmocka_unit_test_setup_teardown(blocks_zeroed_duplicated_and_swapped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(blocks_damaged_without_a_seal, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_torn_batch_is_cut_and_kept, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_second_torn_batch_is_kept_beside_the_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_torn_batch_with_more_after_it_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(more_than_a_batch_after_the_end_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(damage_before_a_whole_batch_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_segment_that_does_not_continue_the_one_before_is_refused, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_refusal_names_file_offset_and_seq, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_missing_segment_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(unknown_files_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_segment_of_another_journal_is_refused, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
