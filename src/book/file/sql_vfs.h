/* SPDX-License-Identifier: Apache-2.0 */
/* sql_vfs.h — a layer between SQLite and the book's file: adds a checksum to each page that is written, and verifies it in
 * each page that is read (page_sum.h).
 *
 *   SQLite ──write──► sql_vfs: sum ──► SQLite's own access to files
 *          ◄──read── sql_vfs: verify ◄──
 *
 * A page gets its sum before it goes into SQLite's write-ahead log, and again when it goes into the database file, so that it
 * has one even if another program moves it there. Only pages of the database are verified: the log has SQLite's own
 * checksums, which are verified when the log of a killed process is read (wal_check.h finds what they miss); then all of it
 * is moved. A page with a wrong checksum is SQLITE_IOERR_DATA, and its content is not used; a page that the disk cannot
 * read is SQLITE_IOERR_READ.
 */
#ifndef BOOK_SQL_VFS_H
#define BOOK_SQL_VFS_H

#include <sqlite3.h>
#include <stdint.h>

/* The name to open a database with; registered once. */
const char *sql_vfs_name(void);

/* About the database of this connection: */
uint32_t sql_vfs_damaged(sqlite3 *handle);       /* the last page found damaged; 0: none */
int sql_vfs_unreadable(sqlite3 *handle);         /* whether a read of it or its log has failed */
int sql_vfs_sums(sqlite3 *handle);               /* whether its pages have checksums */
void sql_vfs_set_sums(sqlite3 *handle, int yes); /* for a new file, before anything is written */
/* Accepts pages of zeros: a copy of the whole file also reads free pages that SQLite never wrote. */
void sql_vfs_allow_holes(sqlite3 *handle, int yes);
void sql_vfs_trust(sqlite3 *handle); /* verifies nothing: to describe damage */

/* A URI that makes SQLite treat the file as immutable: it creates no files and takes no locks. The caller frees it. */
char *sql_vfs_immutable_uri(const char *path);

#endif
