/* SPDX-License-Identifier: Apache-2.0 */
#include "journal/journal_copy.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "journal/scan.h"
#include "journal/tail.h"

#define COPY_CHUNK (1u << 20)
/* A batch that is being written can look like damage for a moment: so it is read again, this often. */
#define COPY_LOOKS_MAX 1000

struct copy {
    const struct disk *disk;
    const char *source;
    const char *destination;
    struct scan scan;
    struct chain chain;
    uint8_t *chunk;
};

/* Verifies the batches of the open segment up to its end. In the newest one, what does not look like an end
 * is read again, since the server goes on writing. */
static struct status find_end(struct copy *c, bool newest)
{
    for (int looks = 0;;) {
        struct batch batch;
        struct tail tail;
        enum scan_found found;
        struct status status = scan_next(&c->scan, &c->chain, &batch, &found);
        if (status_ok(&status) && found == SCAN_BATCH && batch.closing && newest) {
            /* The next segment is not copied: with this seal the copy would be taken for one that lost it. */
            c->scan.offset -= batch_extent(batch.size);
            ASSERT(c->scan.offset >= SEGMENT_HEADER_SIZE);
            return status;
        }
        if (status_ok(&status) && found == SCAN_BATCH) {
            looks = 0;
            continue;
        }
        if (status_ok(&status))
            status = tail_judge(&tail, &c->scan, &c->chain, found, newest);
        /* An older segment no longer changes: what looks damaged there is damaged. */
        if (status.kind != STATUS_CORRUPT || !newest || ++looks == COPY_LOOKS_MAX)
            return status;
        scan_refresh(&c->scan);
    }
}

/* The verified part as it is, then zeros: a segment is always whole. */
static struct status write_copy(struct copy *c, int handle)
{
    uint64_t end = c->scan.offset;
    ASSERT(end >= SEGMENT_HEADER_SIZE && end % BATCH_ALIGNMENT == 0 && end <= c->scan.header.size);
    for (uint64_t at = 0; at < c->scan.header.size; at += COPY_CHUNK) {
        uint64_t left = c->scan.header.size - at;
        size_t size = left < COPY_CHUNK ? (size_t)left : COPY_CHUNK;
        size_t used = at >= end ? 0 : end - at < size ? (size_t)(end - at) : size;
        int64_t n = disk_read_all(c->disk, c->scan.handle, c->chunk, used, at);
        if (n != (int64_t)used)
            return disk_fault(n < 0 ? (int)n : -EIO, "read", c->scan.name);
        memset(c->chunk + used, 0, size - used);
        int result = disk_write_all(c->disk, handle, c->chunk, size, at);
        if (result < 0)
            return disk_fault(result, "write", c->scan.name);
    }
    int result = c->disk->sync(c->disk->owner, handle);
    return result < 0 ? disk_fault(result, "sync", c->scan.name) : status_none();
}

static struct status copy_segment(struct copy *c)
{
    char temporary[DISK_PATH_MAX];
    char final[DISK_PATH_MAX];
    disk_path(temporary, c->destination, "copy.tmp");
    disk_path(final, c->destination, c->scan.name);
    int handle = disk_open(c->disk, temporary, DISK_CREATE);
    if (handle < 0)
        return disk_fault(handle, "create", temporary);
    struct status status = write_copy(c, handle);
    c->disk->close(c->disk->owner, handle);
    if (!status_ok(&status))
        return status;
    int result = c->disk->rename(c->disk->owner, temporary, final);
    if (result >= 0)
        result = c->disk->sync_folder(c->disk->owner, c->destination);
    return result < 0 ? disk_fault(result, "rename", final) : status_none();
}

static struct status copy_segments(struct copy *c, const struct segment_list *list, size_t from)
{
    ASSERT(from < list->count);
    for (size_t i = from; i < list->count; i++) {
        /* The newest when the list was read. A later one may be there by now; it is left out. */
        bool newest = i + 1 == list->count;
        ASSERT(c->chain.begun == (i > from)); /* one chain runs through all segments */
        struct status status = scan_open(&c->scan, &c->chain, c->source, list->entries[i].first_seq);
        if (!status_ok(&status) && c->scan.missing)
            return status_make(STATUS_BUSY, "journal %s was freed while it was copied", c->scan.name);
        if (status_ok(&status))
            status = find_end(c, newest);
        if (status_ok(&status))
            status = copy_segment(c);
        if (!status_ok(&status))
            return status;
    }
    return status_none();
}

static struct status prepare_destination(const struct disk *d, const char *folder)
{
    struct segment_list there;
    int made = d->make_folder(d->owner, folder);
    if (made < 0 && made != -EEXIST)
        return disk_fault(made, "create", folder);
    struct status status = segment_list_read(&there, d, folder);
    if (status_ok(&status) && there.count > 0)
        status = status_make(STATUS_INVALID, "%s already holds a journal", folder);
    segment_list_release(&there);
    return status;
}

static void report_copy(const struct copy *c, const struct segment_list *list, size_t from,
                        struct journal_recovery *report)
{
    ASSERT(c->chain.begun && c->chain.next_seq >= list->entries[list->count - 1].first_seq);
    *report = (struct journal_recovery){.first_seq = list->entries[from].first_seq,
                                        .last_seq = c->chain.next_seq - 1,
                                        .last_at_ms = c->chain.at_ms,
                                        .segments = list->count - from,
                                        .batches = c->chain.batches,
                                        .end_offset = c->scan.offset,
                                        .sealed = c->chain.sealed};
}

static struct status copy_list(struct copy *c, const struct segment_list *list, uint64_t after_seq,
                               struct journal_recovery *report)
{
    if (list->count == 0)
        return status_make(STATUS_CORRUPT, "%s holds no journal", c->source);
    /* A backup copies the book first, and meanwhile a running server may free segments: it must try again. */
    if (list->entries[0].first_seq - 1 > after_seq)
        return status_make(STATUS_BUSY, "the journal does not reach back to seq %" PRIu64, after_seq + 1);
    size_t from = 0;
    /* Keeps the segment with the batch that ends at after_seq: the copy must contain the book's anchor. */
    while (from + 1 < list->count && list->entries[from + 1].first_seq <= after_seq)
        from++;
    ASSERT(list->entries[from].first_seq <= after_seq + 1); /* the copy goes on where the book ends */
    struct status status = copy_segments(c, list, from);
    if (!status_ok(&status))
        return status;
    if (c->chain.next_seq - 1 < after_seq)
        return scan_corrupt(&c->scan, c->scan.offset, c->chain.next_seq, "the journal ends before the book");
    if (report)
        report_copy(c, list, from, report);
    return status;
}

struct status journal_copy(const struct disk *disk, const char *source, const char *destination,
                           uint64_t after_seq, struct journal_recovery *report)
{
    struct segment_list list;
    ASSERT(after_seq < UINT64_MAX);
    struct status status = prepare_destination(disk, destination);
    if (!status_ok(&status))
        return status;
    struct copy c = {.disk = disk, .source = source, .destination = destination};
    scan_init(&c.scan, disk);
    c.chunk = memory_get(COPY_CHUNK);
    status = segment_list_read(&list, disk, source);
    if (status_ok(&status))
        status = copy_list(&c, &list, after_seq, report);
    segment_list_release(&list);
    free(c.chunk);
    scan_release(&c.scan);
    return status;
}
