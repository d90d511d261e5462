/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes on disk are those of src/journal/README.md, and stay so: a journal put together here by hand,
 * from the documented layout and nothing else, is the one the program writes and reads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../lib/fake_disk.h"
#include "../lib/written.h"
#include "base/crypto/crc32c.h"
#include "journal/segment.h"

#define SEGMENT 16384u
#define PATH WRITTEN_FOLDER "/00000000000000000042.segment"
#define FIRST_PATH WRITTEN_FOLDER "/00000000000000000001.segment"

static void put(uint8_t *at, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> (8 * i));
}

struct hand_batch {
    uint64_t offset;
    uint32_t size;
    uint32_t count;
    uint64_t first_seq;
    uint64_t durable_seq;
    uint64_t at_ms;
    uint32_t prev_crc;
};

static uint32_t place_crc(const uint8_t *file, uint64_t offset)
{
    uint8_t place[40];
    memcpy(place, file + 32, 16);     /* the journal's id */
    memcpy(place + 16, file + 48, 8); /* the segment's salt */
    memcpy(place + 24, file + 24, 8); /* the segment's first seq */
    put(place + 32, offset, 8);
    return crc32c(0, place, 40);
}

/* Writes the header in front of a payload that is there already; returns the batch's CRC. A payload too long
 * for the file is taken as none: its checksum does not matter, for its length is refused first. */
static uint32_t put_batch(uint8_t *file, const struct hand_batch *b)
{
    uint8_t *at = file + b->offset;
    uint32_t seed = place_crc(file, b->offset);
    uint32_t size = b->size <= SEGMENT - b->offset - 64 ? b->size : 0;
    memset(at, 0, 64);
    memcpy(at, "HFSBATCH", 8);
    put(at + 8, b->size, 4);
    put(at + 12, b->count, 4);
    put(at + 16, b->first_seq, 8);
    put(at + 24, b->durable_seq, 8);
    put(at + 32, b->at_ms, 8);
    put(at + 40, b->prev_crc, 4);
    put(at + 44, crc32c(seed, at + 64, size), 4);
    uint32_t crc = crc32c(seed, at, 60);
    put(at + 60, crc, 4);
    return crc;
}

static void put_segment_crc(uint8_t *file)
{
    put(file + 12, crc32c(crc32c(0, file, 12), file + 16, 84 - 16), 4);
}

/* `random`: journal id and salt. */
static void put_segment_of(uint8_t *file, uint64_t first_seq, const uint8_t random[24])
{
    memset(file, 0, SEGMENT);
    memcpy(file, "HFSTJRNL", 8);
    put(file + 8, 1, 4);
    put(file + 16, SEGMENT, 8);
    put(file + 24, first_seq, 8);
    memcpy(file + 32, random, 24);
    put_segment_crc(file);
}

static void put_segment(uint8_t *file, const uint8_t random[24])
{
    put_segment_of(file, 42, random);
}

static const char payload[] = "three changes";

static void put_journal(uint8_t *file, uint64_t first_seq, const uint8_t random[24])
{
    put_segment_of(file, first_seq, random);
    memcpy(file + 4096 + 64, payload, sizeof payload);
    struct hand_batch b = {.offset = 4096,
                           .size = sizeof payload,
                           .count = 3,
                           .first_seq = first_seq,
                           .durable_seq = first_seq - 1,
                           .at_ms = 1700000000123};
    uint32_t crc = put_batch(file, &b);
    struct hand_batch seal = {.offset = 8192,
                              .first_seq = first_seq + 3,
                              .durable_seq = first_seq + 2,
                              .at_ms = 1700000000456,
                              .prev_crc = crc};
    put_batch(file, &seal);
}

static void the_program_writes_the_documented_bytes(void **state)
{
    (void)state;
    struct fake_disk *f = fake_disk_make(1);
    struct journal *j;
    struct journal_options options = {.segment_size = SEGMENT};
    uint8_t hand[SEGMENT];
    size_t size;
    struct status s =
        journal_open(&j, fake_disk_table(f), WRITTEN_FOLDER, &options, AFTER(0), NULL, NULL, NULL);
    assert_true(status_ok(&s));
    s = journal_write(j, payload, sizeof payload, 3, 1700000000123);
    assert_true(status_ok(&s));
    s = journal_seal(j, 1700000000456);
    assert_true(status_ok(&s));
    journal_close(j);
    const uint8_t *file = fake_disk_bytes(f, FIRST_PATH, &size);
    assert_non_null(file);
    assert_int_equal(size, SEGMENT);
    put_journal(hand, 1, file + 32);
    assert_memory_equal(file, hand, SEGMENT);
    fake_disk_free(f);
}

static struct status see(void *ctx, const struct batch *b)
{
    int *seen = ctx;
    ++*seen;
    assert_int_equal(b->first_seq, 42);
    assert_int_equal(b->count, 3);
    assert_int_equal(b->at_ms, 1700000000123);
    assert_int_equal(b->durable_seq, 41);
    assert_int_equal(b->size, sizeof payload);
    assert_memory_equal(b->payload, payload, sizeof payload);
    return status_none();
}

static struct status verify(const uint8_t *file, int *seen, struct journal_recovery *report)
{
    struct fake_disk *f = fake_disk_make(1);
    const struct disk *d = fake_disk_table(f);
    d->make_folder(d->owner, WRITTEN_FOLDER);
    fake_disk_put(f, PATH, file, SEGMENT);
    struct status s = journal_verify(d, WRITTEN_FOLDER, AFTER(41), see, seen, report);
    fake_disk_free(f);
    return s;
}

static void the_program_reads_the_documented_bytes(void **state)
{
    (void)state;
    uint8_t file[SEGMENT];
    struct journal_recovery report;
    int seen = 0;
    put_journal(file, 42, (const uint8_t *)"a journal's id and salt.");
    memcpy(file + 68, "the parent's id.", 16);
    put_segment_crc(file);
    struct status s = verify(file, &seen, &report);
    assert_true(status_ok(&s));
    assert_int_equal(seen, 1);
    assert_int_equal(report.last_seq, 44);
    assert_int_equal(report.last_at_ms, 1700000000456);
    assert_int_equal(report.batches, 2);
    assert_true(report.sealed);
    assert_int_equal(report.end_offset, 12288);
    assert_memory_equal(report.id, "a journal's id a", 16);
    assert_memory_equal(report.parent, "the parent's id.", 16);
}

static struct status judge_format(const uint8_t *file)
{
    struct fake_disk *f = fake_disk_make(1);
    const struct disk *d = fake_disk_table(f);
    d->make_folder(d->owner, WRITTEN_FOLDER);
    fake_disk_put(f, FIRST_PATH, file, 4096); /* the newest one counts */
    fake_disk_put(f, PATH, file, SEGMENT);
    struct status s = segment_format_check(d, WRITTEN_FOLDER);
    fake_disk_free(f);
    return s;
}

static void another_version_is_told_from_damage(void **state)
{
    (void)state;
    uint8_t file[SEGMENT];
    put_journal(file, 42, (const uint8_t *)"a journal's id and salt.");
    assert_int_equal(judge_format(file).kind, STATUS_OK);
    put(file + 8, 2, 4);
    assert_int_equal(judge_format(file).kind, STATUS_OK); /* its checksum is wrong: for recovery to refuse */
    put_segment_crc(file);
    struct status s = judge_format(file);
    assert_int_equal(s.kind, STATUS_INVALID);
    assert_string_equal(s.text, "another version of Holdfast (journal version 2, supported 1)");
    put(file + 8, 0, 4);
    put_segment_crc(file);
    assert_int_equal(judge_format(file).kind, STATUS_OK); /* no program writes that: for recovery to refuse */
}

static void must_refuse(const uint8_t *file, const char *why)
{
    struct journal_recovery report;
    int seen = 0;
    struct status s = verify(file, &seen, &report);
    assert_int_equal(s.kind, STATUS_CORRUPT);
    if (!strstr(s.text, why))
        fail_msg("'%s' does not say '%s'", s.text, why);
}

/* Every checksum is right, and yet what it protects must not be believed. */
static void valid_checksums_do_not_excuse_nonsense(void **state)
{
    (void)state;
    static const struct {
        struct hand_batch batch;
        const char *why;
    } cases[] = {
        {{.size = (8u << 20) + 1, .count = 1, .first_seq = 42, .durable_seq = 41}, "too long"},
        {{.size = UINT32_MAX, .count = 1, .first_seq = 42, .durable_seq = 41}, "too long"},
        {{.size = SEGMENT, .count = 1, .first_seq = 42, .durable_seq = 41}, "fit"},
        {{.size = 8192, .count = 1, .first_seq = 42, .durable_seq = 41}, "fit"}, /* nor its seal */
        {{.size = 1, .count = 1, .first_seq = 43, .durable_seq = 41}, "next seq"},
        {{.size = 1, .count = 1, .first_seq = 41, .durable_seq = 40}, "next seq"},
        {{.size = 1, .count = 1, .first_seq = 42, .durable_seq = 42}, "durable_seq"},
        {{.size = 1, .count = 1, .first_seq = 42, .durable_seq = 40}, "durable_seq"},
        {{.size = 1, .count = 0, .first_seq = 42, .durable_seq = 41}, "count"},
        {{.size = 1, .count = 1, .first_seq = 42, .durable_seq = 41, .prev_crc = 1}, "continue"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t segment[SEGMENT];
        struct hand_batch b = cases[i].batch;
        b.offset = 4096;
        put_segment(segment, (const uint8_t *)"a journal's id and salt.");
        put_batch(segment, &b);
        must_refuse(segment, cases[i].why);
    }
}

static void segment_headers_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    uint8_t file[SEGMENT];
    put_segment(file, (const uint8_t *)"a journal's id and salt.");
    put(file + 16, SEGMENT + 4096, 8);
    put_segment_crc(file);
    must_refuse(file, "size");
    put(file + 16, UINT64_MAX, 8);
    put_segment_crc(file);
    must_refuse(file, "invalid");
    put(file + 16, SEGMENT, 8);
    put(file + 24, 0, 8);
    put_segment_crc(file);
    must_refuse(file, "invalid");
    put(file + 24, 43, 8);
    put_segment_crc(file);
    must_refuse(file, "name");
    put(file + 24, 42, 8);
    put_segment_crc(file);
    file[100] = 1;
    must_refuse(file, "not zero");
    file[100] = 0;
    put(file + 8, 2, 4);
    must_refuse(file, "damaged");
    put_segment_crc(file);
    must_refuse(file, "its format version is 2, expected 1");
    put(file + 8, 0, 4);
    put_segment_crc(file);
    must_refuse(file, "invalid");
    file[0] = 'X';
    must_refuse(file, "not a journal segment");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_program_writes_the_documented_bytes),
        cmocka_unit_test(the_program_reads_the_documented_bytes),
        cmocka_unit_test(another_version_is_told_from_damage),
        cmocka_unit_test(valid_checksums_do_not_excuse_nonsense),
        cmocka_unit_test(segment_headers_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
