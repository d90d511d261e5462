/* SPDX-License-Identifier: Apache-2.0 */
/* book_schema.h — the tables of the book and their versions.
 *
 * The files of schema/ stand one after another in the program, each begun by the line `-- migration N`. A
 * book knows by PRAGMA user_version which of them it has had; the writer runs the others in order, each in a
 * transaction of its own. A file that was released is never edited: a change is a new file.
 */
#ifndef BOOK_BOOK_SCHEMA_H
#define BOOK_BOOK_SCHEMA_H

#include "book/sql.h"

/* Refuses a database that is not ours, before anything is written into it. An empty one may become a book. */
void book_schema_recognise(struct sql *s);
/* Brings the book up to date, or makes a new one. Refuses one that is newer than the program. */
void book_schema_upgrade(struct sql *s);
/* Refuses a database that is not a book of exactly this version. */
void book_schema_expect(struct sql *s);
/* Refuses a database that is not a book of this version or an older one. Returns whether it is older. */
bool book_schema_older(struct sql *s);

#endif
