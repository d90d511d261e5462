/* SPDX-License-Identifier: Apache-2.0 */
/* wal_check.h — distinguishes a torn end of SQLite's write-ahead log from damage.
 *
 * SQLite reads a log up to the first frame with a wrong checksum and takes that for the end. If a frame was damaged after it
 * was written, everything after it is silently dropped, although a checkpoint may already have moved some of those pages into
 * the database: the result would be a mixture. Transactions are synced one after the other, so a bad frame is damage if the
 * log continues after its transaction with frames of another one.
 */
#ifndef BOOK_WAL_CHECK_H
#define BOOK_WAL_CHECK_H

#include "base/status.h"

/* The path of the log beside a database. The caller frees it. */
char *wal_path(const char *path);
/* Checks the log beside the database at `path`, which must not be open. OK: there is none, it is empty, or it ends where
 * SQLite will take it to end. CORRUPT names the frame. *begun: there is a log, at least its header: SQLite restarts it once
 * everything before is in the database, synced. */
struct status wal_check(const char *path, bool *begun);

#endif
