/* SPDX-License-Identifier: Apache-2.0 */
/* log_files.h — the log of one process: the files of journal/ in a folder. */
#ifndef LOG_LOG_FILES_H
#define LOG_LOG_FILES_H

#include "log/anchor.h"
#include "log/log.h"

/* Recovers the journal in this folder and opens it for writing; for a new book makes it first. Gives the batches that the
 * anchor's book lacks to fn, cuts a torn last batch, and makes all that it read durable before it returns. CORRUPT: damage,
 * or not the journal that the book was made from. segment_size 0: the default. The folder's name must stay valid. */
struct status log_open_files(struct log **out, const char *folder, uint64_t segment_size,
                             const struct log_anchor *after, log_replay_fn fn, void *ctx,
                             struct log_recovery *found);
/* The same verification and replay of a journal that nobody writes; changes nothing. fn may be NULL. */
struct status log_verify_files(const char *folder, const struct log_anchor *after, log_replay_fn fn,
                               void *ctx, struct log_recovery *found);
/* INVALID: the files are of a version that this program cannot read. An absent or empty folder is fine. */
struct status log_files_readable(const char *folder);

/* For a backup, which copies the files themselves. */
struct journal_anchor;
void log_files_anchor(const struct log_anchor *anchor, struct journal_anchor *out);

#endif
