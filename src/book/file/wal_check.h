/* SPDX-License-Identifier: Apache-2.0 */
/* wal_check.h — tells a torn end of SQLite's write-ahead log from damage.
 *
 * SQLite reads a log up to the first frame whose checksum does not fit and takes that for the end. If a frame
 * is damaged that was whole before, what follows it is cut off in silence, while a checkpoint may have moved
 * pages of it into the database already: the rest would be a mixture. Transactions are synced one after the
 * other, so a frame that does not fit is damage if, behind the end of a transaction that it belongs to, there
 * are frames of another one.
 */
#ifndef BOOK_WAL_CHECK_H
#define BOOK_WAL_CHECK_H

#include "base/status.h"

/* The name of the log beside a database; to be freed. */
char *wal_path(const char *path);
/* Looks at the log beside the database at `path`, which nobody writes. OK: none, empty, or it ends where
 * SQLite will think that it ends. CORRUPT names the frame. *begun: there is a log, if only its header: SQLite
 * begins one when all of the one before is in the database, and synced. */
struct status wal_check(const char *path, bool *begun);

#endif
