/* SPDX-License-Identifier: Apache-2.0 */
#include "journal/tail.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/memory/memory.h"

/* Everything from the end of the last whole batch to the end of the segment. */
struct rest {
    uint64_t end;   /* after the last block that is not zero; the tail's offset when all are */
    uint64_t valid; /* a later boundary with a valid header, 0 when none */
};

static struct status survey(struct rest *rest, struct scan *s)
{
    *rest = (struct rest){.end = s->offset};
    for (uint64_t at = s->offset; at < s->header.size; at += BATCH_ALIGNMENT) {
        const uint8_t *block;
        struct batch_header h;
        struct status status = scan_bytes(s, at, BATCH_ALIGNMENT, &block);
        if (!status_ok(&status))
            return status;
        if (batch_is_zero(block, BATCH_ALIGNMENT))
            continue;
        rest->end = at + BATCH_ALIGNMENT;
        /* One with an impossible length counts as well: its checksum is right, so it was written behind a synced batch. */
        struct batch_place place = segment_place(&s->header, at);
        if (at > s->offset && rest->valid == 0 && batch_decode(&h, &place, block) != BATCH_NOT_A_BATCH)
            rest->valid = at;
    }
    return status_none();
}

/* Whether a sector that should hold payload is zero, so that it may never have been written. The header's own
 * sector is there. Sectors of only padding prove nothing; an extent with one payload byte in a sector counts
 * that sector. */
static struct status find_missing_sector(struct scan *s, bool *missing)
{
    const uint8_t *block;
    struct status status = scan_bytes(s, s->offset, (size_t)s->extent, &block);
    *missing = false;
    if (!status_ok(&status))
        return status;
    struct batch_header h;
    struct batch_place place = segment_place(&s->header, s->offset);
    if (batch_decode(&h, &place, block) != BATCH_FINE)
        return status; /* the file changed under us: not a torn batch */
    for (size_t at = BATCH_SECTOR; at < BATCH_HEADER_SIZE + h.size && !*missing; at += BATCH_SECTOR)
        *missing = batch_is_zero(block + at, BATCH_SECTOR);
    return status;
}

static struct status judge_incomplete(struct tail *tail, struct scan *s, const struct chain *chain,
                                      const struct rest *rest)
{
    bool missing;
    ASSERT(s->extent > 0 && s->extent % BATCH_ALIGNMENT == 0);
    struct status status = find_missing_sector(s, &missing);
    if (!status_ok(&status))
        return status;
    if (!missing)
        return scan_corrupt(s, s->offset, chain->next_seq,
                            "the batch is damaged, not torn: every sector was written");
    if (rest->end > s->offset + s->extent)
        return scan_corrupt(s, s->offset, chain->next_seq, "more than a torn batch follows the last batch");
    *tail = (struct tail){.torn = true, .offset = s->offset, .bytes = s->extent};
    return status_none();
}

struct status tail_judge(struct tail *tail, struct scan *s, const struct chain *chain, enum scan_found found,
                         bool newest)
{
    ASSERT(found != SCAN_BATCH);
    struct rest rest;
    *tail = (struct tail){.offset = s->offset};
    if (found == SCAN_DAMAGED)
        return scan_corrupt(s, s->offset, chain->next_seq, s->reason);
    struct status status = survey(&rest, s);
    if (!status_ok(&status))
        return status;
    if (found == SCAN_END && rest.end == s->offset)
        return status_none();
    if (!newest)
        return scan_corrupt(s, s->offset, chain->next_seq, "a batch is damaged, and a later segment follows");
    if (rest.valid != 0)
        return scan_corrupt(s, s->offset, chain->next_seq, "a batch is damaged, and a whole one follows");
    if (found == SCAN_INCOMPLETE)
        return judge_incomplete(tail, s, chain, &rest);
    /* Without a header the extent is unknown: at most what one write could have reached. */
    if (rest.end - s->offset > batch_extent(segment_payload_max(s->header.size)))
        return scan_corrupt(s, s->offset, chain->next_seq, "more than a torn batch follows the last batch");
    ASSERT(rest.end > s->offset);
    *tail = (struct tail){.torn = true, .offset = s->offset, .bytes = rest.end - s->offset};
    return status_none();
}

/* The first name that is not taken: an older copy is never written over. */
static struct status free_name(char name[TAIL_NAME_MAX], const struct disk *d, const char *folder,
                               const char *segment, uint64_t seq)
{
    for (unsigned i = 1;; i++) {
        char path[DISK_PATH_MAX];
        int n = snprintf(name, TAIL_NAME_MAX, "%s.torn-%" PRIu64, segment, seq);
        /* A crash after the copy and before the zeros makes the same cut again at the next start. */
        if (i > 1)
            snprintf(name + n, TAIL_NAME_MAX - (size_t)n, "-%u", i);
        disk_path(path, folder, name);
        int handle = disk_open(d, path, DISK_READ);
        if (handle == -ENOENT)
            return status_none();
        if (handle < 0)
            return disk_fault(handle, "open", path);
        d->close(d->owner, handle);
    }
}

static struct status keep_copy(const uint8_t *bytes, size_t size, const struct disk *d, const char *folder,
                               const char *name)
{
    char path[DISK_PATH_MAX];
    char final[DISK_PATH_MAX];
    disk_path(path, folder, "torn.tmp");
    disk_path(final, folder, name);
    /* Under a temporary name first: a .torn file is always whole. */
    int handle = disk_open(d, path, DISK_CREATE);
    if (handle < 0)
        return disk_fault(handle, "create", path);
    int result = disk_write_all(d, handle, bytes, size, 0);
    if (result >= 0)
        result = d->sync(d->owner, handle);
    d->close(d->owner, handle);
    if (result >= 0)
        result = d->rename(d->owner, path, final);
    if (result >= 0)
        result = d->sync_folder(d->owner, folder);
    return result < 0 ? disk_fault(result, "write", final) : status_none();
}

static struct status write_zeros(const struct tail *tail, const struct disk *d, const char *segment,
                                 int handle)
{
    uint8_t *zeros = memory_zeroed(1, (size_t)tail->bytes);
    int result = disk_write_all(d, handle, zeros, (size_t)tail->bytes, tail->offset);
    free(zeros);
    if (result >= 0)
        result = d->sync(d->owner, handle);
    return result < 0 ? disk_fault(result, "truncate", segment) : status_none();
}

struct status tail_cut(const struct tail *tail, const struct disk *d, const char *folder, const char *segment,
                       int handle, uint64_t seq, char name[TAIL_NAME_MAX])
{
    ASSERT(tail->torn);
    ASSERT(tail->offset >= SEGMENT_HEADER_SIZE && tail->offset % BATCH_ALIGNMENT == 0);
    ASSERT(tail->bytes > 0 && tail->bytes <= BATCH_EXTENT_MAX);
    struct status status = free_name(name, d, folder, segment, seq);
    if (!status_ok(&status))
        return status;
    /* The copy is durable before the first zero is written, so a crash at any point loses no byte of it. */
    uint8_t *bytes = memory_get((size_t)tail->bytes);
    int64_t n = disk_read_all(d, handle, bytes, (size_t)tail->bytes, tail->offset);
    if (n == (int64_t)tail->bytes)
        status = keep_copy(bytes, (size_t)tail->bytes, d, folder, name);
    else
        status = disk_fault(n < 0 ? (int)n : -EIO, "read", segment);
    free(bytes);
    return status_ok(&status) ? write_zeros(tail, d, segment, handle) : status;
}

struct copies {
    uint64_t upto_seq;
    char name[TAIL_NAME_MAX]; /* one of them; "": there is none */
};

static void copy_name(void *ctx, const char *name)
{
    struct copies *c = ctx;
    const char *at = strstr(name, ".torn-");
    if (at && strlen(name) < TAIL_NAME_MAX && strtoull(at + strlen(".torn-"), NULL, 10) <= c->upto_seq)
        snprintf(c->name, sizeof c->name, "%s", name);
}

struct status tail_drop_copies(const struct disk *d, const char *folder, uint64_t upto_seq)
{
    for (;;) {
        struct copies c = {.upto_seq = upto_seq};
        char path[DISK_PATH_MAX];
        int result = d->list(d->owner, folder, copy_name, &c);
        if (result < 0)
            return disk_fault(result, "list", folder);
        if (!c.name[0])
            return status_none();
        disk_path(path, folder, c.name);
        result = d->unlink(d->owner, path);
        if (result >= 0)
            result = d->sync_folder(d->owner, folder);
        if (result < 0)
            return disk_fault(result, "delete", path);
    }
}
