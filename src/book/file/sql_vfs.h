/* SPDX-License-Identifier: Apache-2.0 */
/* sql_vfs.h — between SQLite and the file of a book: puts a checksum into each page that is written and
 * verifies it in each that is read (page_sum.h).
 *
 *   SQLite ──write──► sql_vfs: sum ──► SQLite's own access to files
 *          ◄──read── sql_vfs: verify ◄──
 *
 * A page gets its sum before it goes into SQLite's write-ahead log, and once more when it comes into the
 * database itself, so that it has one even if another program moves it there. Only pages of the database are
 * verified: the log has checksums of SQLite's own, verified when the log of a process that was killed is read
 * (wal_check.h has what they do not find); then all of it is moved. A page that is not as it was written is
 * SQLITE_IOERR_DATA, and nothing is read from it; one that the disk does not give is SQLITE_IOERR_READ.
 */
#ifndef BOOK_SQL_VFS_H
#define BOOK_SQL_VFS_H

#include <sqlite3.h>
#include <stdint.h>

/* The name to open a database with; registered once. */
const char *sql_vfs_name(void);

/* Of the database of this connection: */
uint32_t sql_vfs_damaged(sqlite3 *handle);       /* the page that was found damaged last; 0: none */
int sql_vfs_unreadable(sqlite3 *handle);         /* whether a read of it or its log has failed */
int sql_vfs_sums(sqlite3 *handle);               /* whether its pages have checksums */
void sql_vfs_set_sums(sqlite3 *handle, int yes); /* of a new file, before anything is written */
/* A copy of the whole file reads pages, too, that SQLite never wrote because they are free: all zeros. */
void sql_vfs_allow_holes(sqlite3 *handle, int yes);
void sql_vfs_trust(sqlite3 *handle); /* nothing is verified: to look at what is damaged */

/* A URI that makes SQLite treat the file as one that nobody changes: it creates no files and takes no locks.
 * The caller frees it. */
char *sql_vfs_still_uri(const char *path);

#endif
