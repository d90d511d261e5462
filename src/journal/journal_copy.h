/* SPDX-License-Identifier: Apache-2.0 */
/* journal_copy.h — copies a journal, also one that is being written, for a backup.
 *
 * Only whole, verified batches are copied; the copy ends before the first incomplete one of the newest
 * segment and opens cleanly. Its last batch may be one that was written but not yet acknowledged.
 */
#ifndef JOURNAL_JOURNAL_COPY_H
#define JOURNAL_JOURNAL_COPY_H

#include "journal/disk.h"
#include "journal/journal.h"

/* Copies the segments that have after_seq or later changes (at least the newest) into `destination`, which
 * is made and must hold no segment (INVALID otherwise). All is synced when it returns. Take the book's copy
 * first, and its last seq as after_seq. BUSY when a segment was freed during the copy: take a newer copy of the
 * book and call again with an empty destination. CORRUPT for damage, and when the journal ends before
 * after_seq. `report` may be NULL. */
struct status journal_copy(const struct disk *disk, const char *source, const char *destination,
                           uint64_t after_seq, struct journal_recovery *report);

#endif
