/* SPDX-License-Identifier: Apache-2.0 */
#include "journal/scan.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/memory/bytes.h"
#include "base/memory/memory.h"

#define WINDOW_SIZE (256u << 10)

void scan_init(struct scan *s, const struct disk *disk)
{
    *s = (struct scan){.disk = disk, .handle = -1};
}

static void scan_close(struct scan *s)
{
    if (s->handle >= 0)
        s->disk->close(s->disk->owner, s->handle);
    s->handle = -1;
}

void scan_release(struct scan *s)
{
    scan_close(s);
    free(s->window);
    s->window = NULL;
    s->window_capacity = 0;
    s->window_size = 0;
}

void scan_refresh(struct scan *s)
{
    s->window_size = 0;
}

struct status scan_corrupt(const struct scan *s, uint64_t offset, uint64_t seq, const char *reason)
{
    return status_make(STATUS_CORRUPT, "journal %s, offset %" PRIu64 ", seq %" PRIu64 ": %s", s->name, offset,
                       seq, reason);
}

static struct status fill_window(struct scan *s, uint64_t offset, size_t size)
{
    uint64_t left = s->header.size - offset;
    /* A large batch is read whole, so that its payload is in one piece; small ones share a read. */
    size_t want = size > WINDOW_SIZE ? size : WINDOW_SIZE;
    if (want > left)
        want = (size_t)left;
    ASSERT(want >= size);
    if (want > s->window_capacity) {
        s->window_capacity = want;
        s->window = memory_grow(s->window, s->window_capacity, 1);
    }
    s->window_size = 0; /* a read that fails leaves no window, not half of one */
    int64_t n = disk_read_all(s->disk, s->handle, s->window, want, offset);
    if (n < 0)
        return disk_fault((int)n, "read", s->name);
    if ((uint64_t)n < size)
        return scan_corrupt(s, offset + (uint64_t)n, 0, "the file is too short");
    s->window_at = offset;
    s->window_size = (size_t)n;
    return status_none();
}

struct status scan_bytes(struct scan *s, uint64_t offset, size_t size, const uint8_t **bytes)
{
    ASSERT(s->handle >= 0);
    ASSERT(size <= BATCH_EXTENT_MAX);
    ASSERT(offset <= s->header.size && size <= s->header.size - offset);
    bool there = offset >= s->window_at && offset - s->window_at <= s->window_size &&
                 size <= s->window_size - (size_t)(offset - s->window_at);
    if (!there) {
        struct status status = fill_window(s, offset, size);
        if (!status_ok(&status))
            return status;
    }
    *bytes = s->window + (offset - s->window_at);
    return status_none();
}

static struct status open_file(struct scan *s, const char *folder, uint64_t first_seq)
{
    char path[DISK_PATH_MAX];
    scan_close(s);
    segment_name(s->name, first_seq);
    s->missing = false;
    disk_path(path, folder, s->name);
    s->handle = disk_open(s->disk, path, DISK_READ);
    if (s->handle >= 0)
        return status_none();
    int error = s->handle;
    s->handle = -1;
    s->missing = error == -ENOENT;
    return s->missing ? scan_corrupt(s, 0, first_seq, "the segment is missing")
                      : disk_fault(error, "open", path);
}

static struct status refuse_version(const struct scan *s, uint64_t first_seq, uint32_t version)
{
    char reason[64];
    snprintf(reason, sizeof reason, "its format version is %u, expected %u", version, SEGMENT_VERSION);
    return scan_corrupt(s, 0, first_seq, reason);
}

static struct status read_header(struct scan *s, uint64_t first_seq)
{
    const uint8_t *block;
    int64_t size = s->disk->size(s->disk->owner, s->handle);
    if (size < 0)
        return disk_fault((int)size, "get the size of", s->name);
    if (size < (int64_t)SEGMENT_SIZE_MIN)
        return scan_corrupt(s, 0, first_seq, "the segment is too short");
    scan_refresh(s);
    /* Until the header is verified nothing behind it may be read, and its size may not be believed. */
    s->header = (struct segment_header){.size = SEGMENT_HEADER_SIZE};
    struct status status = scan_bytes(s, 0, SEGMENT_HEADER_SIZE, &block);
    if (!status_ok(&status))
        return status;
    uint32_t version = segment_header_version(block);
    if (version && version != SEGMENT_VERSION)
        return refuse_version(s, first_seq, version);
    const char *reason = segment_header_decode(&s->header, block);
    scan_refresh(s);
    if (!reason && s->header.size != (uint64_t)size)
        reason = "the size of the file is not the one in its header";
    if (!reason && s->header.first_seq != first_seq)
        reason = "the segment has another segment's name";
    return reason ? scan_corrupt(s, 0, first_seq, reason) : status_none();
}

static const char *link_segment(const struct segment_header *h, struct chain *chain)
{
    ASSERT(h->first_seq > 0);
    if (!chain->begun) {
        *chain = (struct chain){.begun = true,
                                .next_seq = h->first_seq,
                                .durable_seq = h->first_seq - 1,
                                .at_ms = h->at_ms,
                                .prev_crc = h->prev_crc,
                                .sealed = true};
        memcpy(chain->journal_id, h->journal_id, sizeof chain->journal_id);
        return NULL;
    }
    bool same = memcmp(chain->journal_id, h->journal_id, sizeof chain->journal_id) == 0;
    if (!same && memcmp(chain->journal_id, h->parent_id, sizeof chain->journal_id) != 0)
        return "the segment belongs to another journal";
    if (h->first_seq != chain->next_seq)
        return "the segment does not start where the previous one ends";
    if (h->prev_crc != chain->prev_crc)
        return "the segment does not continue the previous one";
    chain->closed = false;
    memcpy(chain->journal_id, h->journal_id, sizeof chain->journal_id); /* forked: from here on its own */
    return NULL;
}

struct status scan_open(struct scan *s, struct chain *chain, const char *folder, uint64_t first_seq)
{
    struct status status = open_file(s, folder, first_seq);
    if (status_ok(&status))
        status = read_header(s, first_seq);
    if (!status_ok(&status))
        return status;
    const char *reason = link_segment(&s->header, chain);
    s->offset = SEGMENT_HEADER_SIZE;
    return reason ? scan_corrupt(s, 0, chain->next_seq, reason) : status_none();
}

static bool is_closing(const struct batch_header *h)
{
    return h->count == 0 && h->size == BATCH_CLOSING_SIZE;
}

/* Why a header with a right checksum does not belong here; NULL when it does. */
static const char *header_reason(const struct scan *s, const struct chain *chain,
                                 const struct batch_header *h)
{
    uint64_t left = s->header.size - s->offset;
    uint64_t seal = h->count > 0 ? batch_extent(0) : 0;
    if (h->first_seq != chain->next_seq)
        return "the batch does not have the next seq";
    if (h->prev_crc != chain->prev_crc)
        return "the batch does not continue the previous one";
    /* A batch is written after the one before is synced, so what it knows to be durable never goes back. */
    if (h->durable_seq >= h->first_seq || h->durable_seq < chain->durable_seq)
        return "the batch's durable_seq is invalid";
    if (h->count > UINT64_MAX - h->first_seq || (h->count == 0 && h->size != 0 && !is_closing(h)))
        return "the batch's count is invalid";
    if (chain->closed)
        return "a batch follows the end of its segment";
    if (batch_extent(h->size) + seal > left)
        return "the batch does not fit its segment";
    return NULL;
}

static const char *fault_reason(enum batch_fault fault)
{
    switch (fault) {
    case BATCH_FINE:
        return NULL;
    case BATCH_NOT_A_BATCH:
        return "neither a batch nor zeros";
    case BATCH_BAD_LENGTH:
        return "the batch is too long";
    }
    ASSERT(false);
    return NULL;
}

/* A closing seal is no link of the chain: the next segment was begun before it was written. */
static void advance(struct scan *s, struct chain *chain, const struct batch_header *h)
{
    ASSERT(!chain->closed && h->first_seq == chain->next_seq && h->prev_crc == chain->prev_crc);
    ASSERT(batch_extent(h->size) <= s->header.size - s->offset);
    s->offset += batch_extent(h->size);
    chain->closed = is_closing(h);
    if (chain->closed)
        return;
    chain->next_seq += h->count;
    chain->durable_seq = h->durable_seq;
    if (h->at_ms > chain->at_ms)
        chain->at_ms = h->at_ms;
    ASSERT(chain->durable_seq < chain->next_seq);
    chain->prev_crc = h->header_crc;
    chain->sealed = h->count == 0;
    chain->batches++;
}

static struct status read_payload(struct scan *s, struct chain *chain, const struct batch_header *h,
                                  struct batch *batch, enum scan_found *found)
{
    const uint8_t *block;
    struct batch_place place = segment_place(&s->header, s->offset);
    s->extent = batch_extent(h->size);
    struct status status = scan_bytes(s, s->offset, (size_t)s->extent, &block);
    if (!status_ok(&status))
        return status;
    size_t used = BATCH_HEADER_SIZE + h->size;
    if (!batch_payload_fine(h, &place, block + BATCH_HEADER_SIZE)) {
        /* Torn or damaged: only what lies behind it can tell, and that is for tail_judge. */
        s->reason = "the batch's payload is damaged";
        *found = SCAN_INCOMPLETE;
    } else if (!batch_is_zero(block + used, (size_t)s->extent - used)) {
        s->reason = "the padding after a whole batch is not zero";
        *found = SCAN_DAMAGED;
    } else if (is_closing(h) && bytes_load_u64(block + BATCH_HEADER_SIZE) != chain->next_seq) {
        s->reason = "the segment's end does not name the next segment";
        *found = SCAN_DAMAGED;
    } else {
        *batch = (struct batch){.first_seq = h->first_seq,
                                .count = h->count,
                                .closing = is_closing(h),
                                .at_ms = h->at_ms,
                                .durable_seq = h->durable_seq,
                                .crc = h->header_crc,
                                .payload = block + BATCH_HEADER_SIZE,
                                .size = h->size};
        *found = SCAN_BATCH;
        advance(s, chain, h);
    }
    return status_none();
}

struct status scan_next(struct scan *s, struct chain *chain, struct batch *batch, enum scan_found *found)
{
    ASSERT(chain->begun);
    ASSERT(s->offset >= SEGMENT_HEADER_SIZE && s->offset % BATCH_ALIGNMENT == 0 &&
           s->offset <= s->header.size);
    *found = SCAN_END;
    s->reason = "the journal ends here";
    if (s->header.size - s->offset < BATCH_ALIGNMENT)
        return status_none();
    const uint8_t *block;
    struct status status = scan_bytes(s, s->offset, BATCH_ALIGNMENT, &block);
    /* A sector, not a block: of a torn batch the first sector may be missing and later ones be there. Whether
     * they are is tail_judge's question. */
    if (!status_ok(&status) || batch_is_zero(block, BATCH_SECTOR))
        return status;
    struct batch_header h;
    struct batch_place place = segment_place(&s->header, s->offset);
    s->reason = fault_reason(batch_decode(&h, &place, block));
    if (!s->reason)
        s->reason = header_reason(s, chain, &h);
    if (!s->reason)
        return read_payload(s, chain, &h, batch, found);
    *found = SCAN_DAMAGED;
    return status_none();
}
