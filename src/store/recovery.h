/* SPDX-License-Identifier: Apache-2.0 */
/* recovery.h — rebuilds the state: from the book first, then from the changes in the log that the book lacks.
 *
 * No logic runs again: decisions are replayed as they were made, so a new version reads an old folder. Contradictions are
 * damage, and refused.
 */
#ifndef STORE_RECOVERY_H
#define STORE_RECOVERY_H

#include "core/state.h"
#include "log/log.h"
#include "log/log_pg.h"
#include "store/folder.h"

struct recovery {
    uint64_t book_seq;        /* the last change in the book */
    uint64_t last_seq;        /* the last change in the log */
    int64_t last_at_ms;       /* the latest instant in the book or the log */
    struct log_anchor anchor; /* how the book identifies its log */
    struct log_recovery log;
};

/* Which log: in the journal folder, or in PostgreSQL. */
struct recovery_log {
    uint64_t segment_size;           /* of the journal; 0: the default */
    const struct log_pg_options *pg; /* NULL: the journal */
};

/* To serve: cuts off a torn tail, opens the log for writing, loads the time zones. Even after a fault *state may be set;
 * release it. */
struct status recovery_run(const struct folder *f, const struct recovery_log *from, struct state **state,
                           struct log **log, struct recovery *found);
/* To check: read-only, and without time zones. from: NULL, or a log in PostgreSQL. */
struct status recovery_check(const struct folder *f, const struct recovery_log *from, struct state **state,
                             struct recovery *found);

#endif
