/* SPDX-License-Identifier: Apache-2.0 */
/* replay.h — reads a whole journal in order: every segment, every batch, every byte. Only reads.
 *
 * Recovery (journal_open) and the offline check (journal_verify, also here) are built on it.
 */
#ifndef JOURNAL_REPLAY_H
#define JOURNAL_REPLAY_H

#include "journal/journal.h"
#include "journal/scan.h"
#include "journal/tail.h"

struct replay {
    struct segment_list segments; /* with their sizes */
    struct segment_header newest;
    struct chain chain; /* at the end; not begun when there are no segments */
    struct tail tail;   /* of the newest segment */
};

/* OK for a clean or a torn end; the decision table is in README.md. Release it in any case. */
struct status replay_run(struct replay *r, const struct disk *disk, const char *folder,
                         const struct journal_anchor *after, journal_replay_fn fn, void *ctx);
void replay_release(struct replay *r);

/* What was found, for the caller of the journal; torn_name is left empty. */
void replay_report(const struct replay *r, uint64_t after_seq, struct journal_recovery *report);

#endif
