/* SPDX-License-Identifier: Apache-2.0 */
/* tail.h — judges the bytes after the last whole batch: a clean end, one torn batch, or damage.
 *
 * The rule follows from how batches are written: one at a time, each by one write at the end of the one before,
 * into zeros, and the next only after the sync of this one. A device writes a sector of 512 bytes whole or
 * not at all. So a crash leaves, behind the last whole batch and nowhere else, any subset of the sectors of
 * one batch; the others are still zero. It is torn, and was never acknowledged, if and only if all of this
 * holds:
 *
 *   1. the segment is the newest;
 *   2. the first sector is zero, or it holds a valid header that continues the chain;
 *   3. with a header: the payload's checksum is wrong, at least one sector that should hold payload is zero,
 *      and all behind the batch's extent is zero; without: all that is not zero lies within the greatest
 *      extent a batch can have in this segment;
 *   4. no valid batch header begins on any later boundary (one would prove that the batch before it was
 *      synced).
 *
 * A flipped bit therefore does not pass for a torn batch unless the batch also has a sector of zeros; where
 * it does, the batch was the very last and no seal followed.
 */
#ifndef JOURNAL_TAIL_H
#define JOURNAL_TAIL_H

#include "journal/scan.h"

struct tail {
    bool torn;       /* else clean */
    uint64_t offset; /* of the end: where the next batch will be written */
    uint64_t bytes;  /* of the torn batch, a multiple of BATCH_ALIGNMENT */
};

/* Judges what scan_next answered, which was not SCAN_BATCH. CORRUPT is damage; it names the place. `newest`
 * is rule 1. */
struct status tail_judge(struct tail *tail, struct scan *s, const struct chain *chain, enum scan_found found,
                         bool newest);

#define TAIL_NAME_MAX DISK_NAME_MAX

/* Keeps a copy of the torn bytes as SEGMENT.torn-SEQ beside the segment, then writes zeros over them;
 * `handle` is the segment, open for writing. All is durable when it returns, in this order. A crash in
 * between leaves one torn batch again. */
struct status tail_cut(const struct tail *tail, const struct disk *d, const char *folder, const char *segment,
                       int handle, uint64_t seq, char name[TAIL_NAME_MAX]);

/* Unlinks the copies of torn batches that began with this seq or an earlier one: they may hold what was to be forgotten. */
struct status tail_drop_copies(const struct disk *d, const char *folder, uint64_t upto_seq);

#endif
