/* SPDX-License-Identifier: Apache-2.0 */
/* log_files.h — a log in the files of journal/, for a single process. */
#ifndef LOG_LOG_FILES_H
#define LOG_LOG_FILES_H

#include "log/log.h"

/* Recovers the journal in this folder and opens it for writing; creates it for a new book. Passes the batches that the
 * book lacks to fn, cuts off a torn last batch, and makes everything it read durable before it returns. CORRUPT: damage, or
 * not the journal of this book. segment_size 0: the default. `folder` must stay valid until the log is closed. */
struct status log_open_files(struct log **out, const char *folder, uint64_t segment_size,
                             const struct log_anchor *after, log_replay_fn fn, void *ctx,
                             struct log_recovery *found);
/* The same verification and replay, read-only, of a journal that no process writes. fn may be NULL. */
struct status log_verify_files(const char *folder, const struct log_anchor *after, log_replay_fn fn,
                               void *ctx, struct log_recovery *found);
/* INVALID: this program cannot read the version of the files. A missing or empty folder is OK. */
struct status log_files_readable(const char *folder);

/* For a backup, which copies the files directly. */
struct journal_anchor;
void log_files_anchor(const struct log_anchor *anchor, struct journal_anchor *out);

#endif
