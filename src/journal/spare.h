/* SPDX-License-Identifier: Apache-2.0 */
/* spare.h — the segments made in advance: the next one, and the reserve for a full disk.
 *
 *   (nothing) ──fill──► ready-N.spare ──begin──► SEQ.segment
 *
 *   fill    zeros written to ready-N.tmp and synced, renamed, folder synced
 *   begin   header written and synced, renamed, folder synced
 *
 * The zeros are actually written: the sync of a batch then never has to record new blocks, and a batch inside a
 * segment finds its space already there. The header comes last because the first seq is not known before.
 *
 * A place is empty, ready, or taken (while it is turned into a segment). Any thread may fill empty places,
 * one at a time under `filling`; only the writer takes and begins. Unless the disk was found full, the writer
 * fills a place itself, or waits for the thread that does, before it leaves less than the reserve, counting
 * the one it takes. So a full disk is noticed while all of the reserve but one segment is still there,
 * however fast segments are used up. With a reserve of one segment the writer waits only when no place is
 * ready, and the other thread must be in time.
 */
#ifndef JOURNAL_SPARE_H
#define JOURNAL_SPARE_H

#include <pthread.h>
#include <stdatomic.h>

#include "journal/segment.h"

enum spare_status { SPARE_EMPTY, SPARE_READY, SPARE_TAKEN };

struct spare {
    const struct disk *disk;
    const char *folder;
    uint64_t size;
    int count; /* places: the next segment and the reserve */
    pthread_mutex_t filling;
    _Atomic int *places; /* enum spare_status */
    _Atomic bool full;   /* the last attempt to fill found no space */
};

/* Keeps the pointers. The reserve is as many segments as hold `reserve` bytes, at least one. Spare files of
 * an earlier life are taken up when the place is filled. */
void spare_init(struct spare *s, const struct disk *disk, const char *folder, uint64_t size,
                uint64_t reserve);
void spare_release(struct spare *s);

/* Fills every empty place. No space is not a fault but sets `full`, until a later call finds space again. */
struct status spare_fill(struct spare *s);
int spare_ready(const struct spare *s); /* how many are */

/* Turns a ready place into the segment of this header and opens it; fills some first when too few are ready.
 * All is durable when it returns OK. FULL when there is none and no space; nothing was changed then. */
struct status spare_begin(struct spare *s, const struct segment_header *header, int *handle);

/* Unlinks what a crash left half made (*.tmp). */
struct status spare_sweep(const struct disk *d, const char *folder);

#endif
