/* SPDX-License-Identifier: Apache-2.0 */
#include "journal/journal_reader.h"

#include <stdlib.h>
#include <stdio.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "journal/scan.h"

struct journal_reader {
    char folder[DISK_PATH_MAX];
    uint64_t after_seq;
    struct scan scan;
    struct chain chain;
};

/* The newest segment that begins at or before `seq`; 0 when there is none. */
static struct status find_segment(const struct disk *d, const char *folder, uint64_t seq, uint64_t *first_seq)
{
    struct segment_list list;
    struct status status = segment_list_read(&list, d, folder);
    *first_seq = 0;
    for (size_t i = 0; status_ok(&status) && i < list.count; i++)
        if (list.entries[i].first_seq <= seq)
            *first_seq = list.entries[i].first_seq;
    segment_list_release(&list);
    return status;
}

struct status journal_reader_open(struct journal_reader **out, const struct disk *disk, const char *folder,
                                  uint64_t after_seq)
{
    uint64_t first_seq;
    ASSERT(after_seq < UINT64_MAX);
    *out = NULL;
    struct status status = find_segment(disk, folder, after_seq + 1, &first_seq);
    if (!status_ok(&status))
        return status;
    if (first_seq == 0)
        return status_make(STATUS_CORRUPT, "the journal in %s does not reach back to seq %llu", folder,
                           (unsigned long long)after_seq + 1);
    ASSERT(first_seq <= after_seq + 1);
    struct journal_reader *r = memory_zeroed(1, sizeof *r);
    snprintf(r->folder, sizeof r->folder, "%s", folder);
    r->after_seq = after_seq;
    scan_init(&r->scan, disk);
    status = scan_open(&r->scan, &r->chain, folder, first_seq);
    if (!status_ok(&status)) {
        journal_reader_close(r);
        return status;
    }
    *out = r;
    return status;
}

/* One batch forward, seals included; the caller knows that there is one. The read-ahead may be older than the
 * batch, so an apparent end is read again. */
static struct status step(struct journal_reader *r, struct batch *batch)
{
    enum scan_found found;
    struct status status = scan_next(&r->scan, &r->chain, batch, &found);
    if (status_ok(&status) && found != SCAN_BATCH) {
        scan_refresh(&r->scan);
        status = scan_next(&r->scan, &r->chain, batch, &found);
    }
    if (!status_ok(&status) || found == SCAN_BATCH)
        return status;
    /* The segment ends here, so the batch is in the next one. An empty segment is never followed by
     * another. */
    if (found != SCAN_END || r->scan.header.first_seq == r->chain.next_seq)
        return scan_corrupt(&r->scan, r->scan.offset, r->chain.next_seq,
                            found == SCAN_END ? "a durable batch is missing" : r->scan.reason);
    status = scan_open(&r->scan, &r->chain, r->folder, r->chain.next_seq);
    if (!status_ok(&status))
        return status;
    status = scan_next(&r->scan, &r->chain, batch, &found);
    if (status_ok(&status) && found != SCAN_BATCH)
        status = scan_corrupt(&r->scan, r->scan.offset, r->chain.next_seq, r->scan.reason);
    return status;
}

struct status journal_reader_next(struct journal_reader *r, uint64_t upto_seq, struct batch *batch,
                                  bool *found)
{
    *found = false;
    while (r->chain.next_seq <= upto_seq) {
        struct status status = step(r, batch);
        if (!status_ok(&status))
            return status;
        if (batch->count > 0 && batch->first_seq + batch->count - 1 > r->after_seq) {
            ASSERT(batch->first_seq <= upto_seq);
            ASSERT(batch->first_seq + batch->count == r->chain.next_seq);
            *found = true;
            return status;
        }
    }
    return status_none();
}

void journal_reader_close(struct journal_reader *r)
{
    if (!r)
        return;
    scan_release(&r->scan);
    free(r);
}
