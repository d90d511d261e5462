/* SPDX-License-Identifier: Apache-2.0 */
/* recovery.h — the state as it was: the book first, then the changes that the log has beyond it.
 *
 * Logic is not run again: what was decided stands, so a new version reads an old folder. Whatever does not
 * fit together is damage and refused.
 */
#ifndef STORE_RECOVERY_H
#define STORE_RECOVERY_H

#include "core/state.h"
#include "log/anchor.h"
#include "log/log.h"
#include "store/folder.h"

struct recovery {
    uint64_t book_seq;        /* what the book has */
    uint64_t last_seq;        /* with the log */
    int64_t last_at_ms;       /* the last instant anybody remembers */
    struct log_anchor anchor; /* what the book says of its log */
    struct log_recovery log;
};

/* To serve: cuts a torn tail, opens the log for writing, gives the calendars their zones. On a fault
 * *state may be set; release it. */
struct status recovery_run(const struct folder *f, uint64_t segment_size, struct state **state,
                           struct log **log, struct recovery *found);
/* To check: changes nothing, and needs no zones. */
struct status recovery_look(const struct folder *f, struct state **state, struct recovery *found);

#endif
