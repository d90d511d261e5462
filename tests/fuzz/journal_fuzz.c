/* SPDX-License-Identifier: Apache-2.0 */
/* Feeds bytes to recovery as the one segment of a journal. For any bytes nothing crashes, and what opens once opens
 * again with the batch written in between.
 *
 * The first byte says what is repaired first, so that checksums do not stop the fuzzer: 1 the segment's header, 2 the
 * checksums of the batches, 4 their seqs and chain. The second byte is after_seq.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/after.h"
#include "../lib/fake_disk.h"
#include "base/assertion.h"
#include "base/memory/bytes.h"
#include "base/logging.h"
#include "journal/journal.h"
#include "journal/journal_copy.h"
#include "journal/journal_reader.h"
#include "journal/segment.h"

#define FOLDER "/data/journal"
#define SEGMENT (32u << 10)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum fix { FIX_SEGMENT = 1, FIX_CHECKSUMS = 2, FIX_CHAIN = 4 };

static void fix_segment(uint8_t *file, struct segment_header *h)
{
    *h = (struct segment_header){.size = SEGMENT, .first_seq = 1, .salt = 7, .at_ms = 1};
    segment_header_encode(h, file);
}

/* Gives each batch the right checksums, and on request the right seq and chain. */
static void fix_batches(uint8_t *file, const struct segment_header *segment, bool chain)
{
    uint64_t next_seq = 1;
    uint32_t prev_crc = 0;
    for (uint64_t at = SEGMENT_HEADER_SIZE; at + BATCH_ALIGNMENT <= SEGMENT;) {
        uint8_t *block = file + at;
        uint64_t left = SEGMENT - at;
        struct batch_place place = segment_place(segment, at);
        struct batch_header h = {.size = bytes_load_u32(block + 8) & 0x3FFF,
                                 .count = bytes_load_u32(block + 12) & 0xFF,
                                 .first_seq = bytes_load_u64(block + 16),
                                 .durable_seq = bytes_load_u64(block + 24),
                                 .at_ms = (int64_t)bytes_load_u64(block + 32),
                                 .prev_crc = bytes_load_u32(block + 40)};
        if (batch_is_zero(block, BATCH_SECTOR) || batch_extent(h.size) > left)
            return;
        if (h.count == 0)
            h.size = 0;
        if (chain) {
            h.first_seq = next_seq;
            h.durable_seq = next_seq - 1;
            h.prev_crc = prev_crc;
        }
        /* A byte that is always zero on disk requests a payload that does not fit its checksum. */
        bool torn = block[50] == 0xAA;
        batch_encode(&h, &place, block);
        if (torn)
            memset(block + BATCH_SECTOR, 0, (size_t)batch_extent(h.size) - BATCH_SECTOR);
        next_seq += h.count;
        prev_crc = h.header_crc;
        at += batch_extent(h.size);
    }
}

static struct status count_batch(void *ctx, const struct batch *batch)
{
    uint64_t *sum = ctx;
    for (size_t i = 0; i < batch->size; i++)
        *sum += batch->payload[i];
    *sum += batch->count;
    return status_none();
}

static void read_along(struct fake_disk *f, uint64_t after_seq, uint64_t upto_seq)
{
    struct journal_reader *reader;
    struct status s = journal_reader_open(&reader, fake_disk_table(f), FOLDER, after_seq);
    bool found = status_ok(&s);
    while (found) {
        struct batch batch;
        s = journal_reader_next(reader, upto_seq, &batch, &found);
        ASSERT(status_ok(&s));
    }
    journal_reader_close(reader);
}

static void open_and_go_on(struct fake_disk *f, uint64_t after_seq)
{
    struct journal_options options = {.segment_size = SEGMENT};
    struct journal_recovery report;
    struct journal *j;
    uint64_t sum = 0;
    struct status s =
        journal_open(&j, fake_disk_table(f), FOLDER, &options, AFTER(after_seq), count_batch, &sum, &report);
    if (!status_ok(&s)) {
        ASSERT(s.kind == STATUS_CORRUPT && s.text[0] != '\0');
        return;
    }
    uint64_t next_seq = journal_next_seq(j);
    if (next_seq > UINT64_MAX / 2) {
        journal_close(j);
        return;
    }
    s = journal_seal(j, 5);
    ASSERT(status_ok(&s));
    s = journal_write(j, "change", 6, 1, 5);
    ASSERT(status_ok(&s));
    read_along(f, after_seq, journal_durable_seq(j));
    journal_close(j);
    s = journal_open(&j, fake_disk_table(f), FOLDER, &options, AFTER(after_seq), count_batch, &sum, &report);
    ASSERT(status_ok(&s) && !report.torn && report.last_seq == next_seq);
    journal_close(j);
    ASSERT(fake_disk_open_handles(f) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t file[SEGMENT];
    if (size < 2)
        return 0;
    uint8_t fixes = data[0];
    uint64_t after_seq = data[1] % 16;
    data += 2;
    size = size - 2 < SEGMENT ? size - 2 : SEGMENT;
    memset(file, 0, sizeof file);
    memcpy(file, data, size);
    struct segment_header h;
    if (fixes & FIX_SEGMENT) {
        memset(file, 0, SEGMENT);
        size_t room = SEGMENT - SEGMENT_HEADER_SIZE;
        memcpy(file + SEGMENT_HEADER_SIZE, data, size < room ? size : room);
        fix_segment(file, &h);
        if (fixes & FIX_CHECKSUMS)
            fix_batches(file, &h, fixes & FIX_CHAIN);
    }
    log_set_level(LOG_LEVEL_ERROR);
    struct fake_disk *f = fake_disk_make(1);
    const struct disk *d = fake_disk_table(f);
    d->make_folder(d->owner, FOLDER);
    fake_disk_put(f, FOLDER "/00000000000000000001.segment", file,
                  fixes & FIX_SEGMENT || size >= SEGMENT ? SEGMENT : size);
    fake_disk_settle(f);
    struct journal_recovery report;
    struct status copied = journal_copy(d, FOLDER, "/copy", after_seq, &report);
    if (status_ok(&copied)) {
        struct status s = journal_verify(d, "/copy", AFTER(after_seq), NULL, NULL, &report);
        ASSERT(status_ok(&s) && !report.torn);
    }
    open_and_go_on(f, after_seq);
    fake_disk_free(f);
    return 0;
}
