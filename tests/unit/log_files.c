/* SPDX-License-Identifier: Apache-2.0 */
/* The store's log in files: what was written is read back in order, by a reader and at the next start, and its inline
 * queries (room, bytes, durable_seq) match the journal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../lib/scratch.h"
#include "log/log_files.h"

#define SEGMENT (32u << 10)

static char folder[SCRATCH_PATH], journal[SCRATCH_FILE];

static int make_folder(void **state)
{
    (void)state;
    scratch_make(folder);
    snprintf(journal, sizeof(journal), "%s/journal", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    scratch_remove(folder);
    return 0;
}

static void assert_fine(struct status s)
{
    if (!status_ok(&s))
        fail_msg("%s", s.text);
}

static struct log *open_log(const struct log_anchor *after, log_replay_fn fn, void *ctx,
                            struct log_recovery *found)
{
    struct log *l = NULL;
    assert_fine(log_open_files(&l, journal, SEGMENT, after, fn, ctx, found));
    return l;
}

static void write_batch(struct log *l, uint8_t filler, uint32_t count)
{
    uint8_t bytes[3000];
    memset(bytes, filler, sizeof(bytes));
    assert_fine(l->ops->write(
        l, &(struct log_batch){.bytes = bytes, .size = sizeof(bytes), .count = count, .at_ms = filler}));
}

static struct status count_batch(void *ctx, const struct log_batch *batch)
{
    uint32_t *count = ctx;
    assert_int_equal(batch->bytes[0], ++*count);
    return status_none();
}

static void a_reader_gets_what_is_durable_and_no_more(void **state)
{
    (void)state;
    struct log_recovery found;
    struct log_batch batch;
    struct log_reader *reader;
    bool more;
    struct log *l = open_log(&(struct log_anchor){0}, count_batch, &(uint32_t){0}, &found);
    assert_int_equal(log_durable_seq(l), 0);
    write_batch(l, 1, 2);
    assert_fine(l->ops->reader_open(l, 0, &reader));
    assert_fine(l->ops->reader_next(reader, &batch, &more));
    assert_true(more);
    assert_int_equal(batch.first_seq, 1);
    assert_int_equal(batch.count, 2);
    assert_int_equal(batch.at_ms, 1);
    assert_int_equal(batch.bytes[batch.size - 1], 1);
    assert_fine(l->ops->reader_next(reader, &batch, &more));
    assert_false(more);
    write_batch(l, 2, 1);
    assert_int_equal(log_durable_seq(l), 3);
    assert_fine(l->ops->reader_next(reader, &batch, &more));
    assert_true(more);
    assert_int_equal(batch.first_seq, 3);
    l->ops->reader_close(reader);
    log_close(l);
}

static void the_next_start_replays_what_the_book_lacks(void **state)
{
    (void)state;
    struct log_recovery found;
    uint32_t count = 0;
    struct log *l = open_log(&(struct log_anchor){0}, count_batch, &count, &found);
    struct log_anchor own = {.has_id = true};
    memcpy(own.id, found.id, sizeof(own.id));
    write_batch(l, 1, 2);
    write_batch(l, 2, 1);
    assert_fine(l->ops->seal(l, 7));
    log_close(l);

    log_close(open_log(&own, count_batch, &count, &found));
    assert_int_equal(count, 2);
    assert_int_equal(found.last_seq, 3);
    assert_int_equal(found.last_at_ms, 7);
    assert_true(found.sealed);
    assert_false(found.torn);
    assert_memory_equal(found.id, own.id, sizeof(own.id));

    count = 1; /* the book has the first batch */
    own.seq = 2;
    assert_fine(log_verify_files(journal, &own, count_batch, &count, &found));
    assert_int_equal(count, 2);
    own.id[0] ^= 1;
    assert_int_equal(log_verify_files(journal, &own, NULL, NULL, &found).kind, STATUS_CORRUPT);
}

static void inline_queries_match_the_journal(void **state)
{
    (void)state;
    struct log_recovery found;
    struct log *l = open_log(&(struct log_anchor){0}, count_batch, &(uint32_t){0}, &found);
    assert_int_equal(log_bytes(l), SEGMENT);
    assert_int_equal(log_room(l), LOG_ROOM_OK);
    while (log_bytes(l) < 4 * SEGMENT) {
        if (l->ops->prepare_due(l))
            assert_fine(l->ops->prepare(l));
        write_batch(l, 1, 1);
    }
    uint64_t last = log_durable_seq(l);
    assert_true(l->ops->exceeds(l, 1, 3 * SEGMENT));
    assert_false(l->ops->exceeds(l, last, 0));
    assert_int_equal(l->ops->oldest_seq(l), 1);
    assert_fine(l->ops->free_upto(l, last, 0));
    assert_int_equal(log_bytes(l), 2 * SEGMENT);
    assert_true(l->ops->oldest_seq(l) > 1);
    log_close(l);
}

static void copies_of_torn_batches_are_removed_with_an_erasure(void **state)
{
    (void)state;
    struct log_recovery found;
    char copy[SCRATCH_FILE + 64];
    struct log *l = open_log(&(struct log_anchor){0}, count_batch, &(uint32_t){0}, &found);
    write_batch(l, 1, 5);
    snprintf(copy, sizeof(copy), "%s/00000000000000000001.segment.torn-3", journal);
    FILE *torn = fopen(copy, "w");
    assert_non_null(torn);
    fclose(torn);
    assert_fine(l->ops->free_upto(l, 5, 0));
    torn = fopen(copy, "r");
    assert_non_null(torn);
    fclose(torn);
    assert_fine(l->ops->free_upto(l, 5, 4));
    assert_null(fopen(copy, "r"));
    log_close(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_reader_gets_what_is_durable_and_no_more, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(the_next_start_replays_what_the_book_lacks, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(inline_queries_match_the_journal, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(copies_of_torn_batches_are_removed_with_an_erasure, make_folder,
                                        remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
