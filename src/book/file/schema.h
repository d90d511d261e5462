/* SPDX-License-Identifier: Apache-2.0 */
/* schema.h — the tables of the book and their versions.
 *
 * The files of schema/ are in the program one after another, each starting with the line `-- migration N`, with
 * growing numbers: the first one makes the tables, a later one changes them. PRAGMA user_version of a book is the last of them
 * that it has; the writer runs the later ones in order, all in one transaction. A file that was released is never edited: a
 * change is a new file.
 */
#ifndef BOOK_SCHEMA_H
#define BOOK_SCHEMA_H

#include "book/file/sql.h"

#define BOOK_APPLICATION_ID 0x48466264 /* "HFbd" */

/* INVALID if this program cannot read tables of this version. The text continues "written by". */
struct status book_schema_readable(int64_t version);

/* Refuses a database that is not ours or of a version that cannot be read, before anything is written into it. An
 * empty one may become a book. */
void book_schema_recognise(struct sql *s);
/* Brings a recognised book up to date, or makes a new one: wholly or not at all. */
void book_schema_upgrade(struct sql *s);
/* The same with other migrations than this program's, in one text: for tests. A fault leaves the book as it was, once the
 * connection is closed. */
void book_schema_migrate(struct sql *s, const char *migrations);
/* Refuses a database that is not a book of exactly this version. */
void book_schema_expect(struct sql *s);
/* Refuses a database that is not a book or of a version that cannot be read. Returns whether the writer must upgrade
 * it. */
bool book_schema_older(struct sql *s);

#endif
