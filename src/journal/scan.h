/* SPDX-License-Identifier: Apache-2.0 */
/* scan.h — walks the batches of segments in order and verifies each against the one before.
 *
 * The one reader of the format: recovery, the live reader, the check and the copy all use it. It only reads,
 * and reports why the next bytes are not a valid batch; the caller judges what that means
 * (tail.h).
 */
#ifndef JOURNAL_SCAN_H
#define JOURNAL_SCAN_H

#include "journal/segment.h"

/* What the batches so far say about the next one. Passed on from segment to segment. */
struct chain {
    bool begun; /* the rest means nothing before */
    uint8_t journal_id[16];
    uint64_t next_seq;
    uint64_t durable_seq; /* the greatest that a batch knew of */
    int64_t at_ms;        /* the greatest */
    uint32_t prev_crc;
    bool sealed;      /* the last batch is a seal, or there is none */
    bool closed;      /* the segment was closed: the next one must be there */
    uint64_t batches; /* verified so far */
};

struct scan {
    const struct disk *disk;
    int handle;   /* -1: closed */
    bool missing; /* scan_open failed because there is no such file */
    char name[SEGMENT_NAME_MAX];
    struct segment_header header;
    uint64_t offset;    /* of the next batch */
    uint64_t extent;    /* of the batch that SCAN_INCOMPLETE found */
    const char *reason; /* why it was not SCAN_BATCH */
    /* A piece of the file, read ahead. */
    uint8_t *window;
    size_t window_capacity;
    uint64_t window_at;
    size_t window_size;
};

enum scan_found {
    SCAN_BATCH,      /* a whole batch that continues the chain */
    SCAN_END,        /* no space for a batch, or the first sector where one would begin is zero */
    SCAN_INCOMPLETE, /* a header that continues the chain, but not with the payload it was written for */
    SCAN_DAMAGED     /* anything else */
};

void scan_init(struct scan *s, const struct disk *disk);
void scan_release(struct scan *s);

/* Opens the segment of this name and verifies its header, name and size, and that it continues the chain (or
 * begins it). Closes the one open before. CORRUPT when anything is wrong; when there is no such file,
 * `missing` is set. */
struct status scan_open(struct scan *s, struct chain *chain, const char *folder, uint64_t first_seq);

/* Looks at the next batch; moves on and updates the chain only when it answers SCAN_BATCH. The batch points
 * into the window and is valid until the next call. A read that fails is a fault. */
struct status scan_next(struct scan *s, struct chain *chain, struct batch *batch, enum scan_found *found);

/* Drops what was read ahead: the file may have changed since. */
void scan_refresh(struct scan *s);

/* `size` bytes at `offset`, inside the segment; valid until the next call. */
struct status scan_bytes(struct scan *s, uint64_t offset, size_t size, const uint8_t **bytes);

/* The fault that names the file, the offset and the seq. */
struct status scan_corrupt(const struct scan *s, uint64_t offset, uint64_t seq, const char *reason);

#endif
