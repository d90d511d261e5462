/* SPDX-License-Identifier: Apache-2.0 */
/* aside.h — entries in a reservation's history about what left its record as it was: a scan at the door, money that has to go
 * back.
 *
 * A part of writers. Such an entry has the status, deadline and version that the record has, so the end of a history is still the
 * record, and it does not count among its versions: `book/record/check.c` knows them by their actions.
 */
#ifndef BOOK_ASIDE_H
#define BOOK_ASIDE_H

#include "book/record/columns.h"
#include "book/file/sql.h"
#include "core/change.h"

struct book_aside {
    struct sql *sql;
    struct sql_statement *find, *insert;
};
void book_aside_prepare(struct book_aside *b, struct sql *s);
/* The entry of this change, for the caller to complete; *out is all of it. False: the book does not have the reservation. */
bool book_aside_begin(struct book_aside *b, const struct change *c, struct id reservation, enum action action,
                      struct book_history *out);
void book_aside_put(struct book_aside *b, const struct book_history *entry);

#endif
