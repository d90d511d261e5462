/* SPDX-License-Identifier: Apache-2.0 */
/* aside.h — entries in the history of a reservation for events that do not change its record: a scan at the door, money that
 * must be returned.
 *
 * Used by the writer's parts. Such an entry repeats the status, deadline and version of the record, so the last entry of a
 * history still matches the record. It does not count as a version: `book/record/check.c` recognises it by its action.
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
/* Fills *out with the entry for this change, for the caller to complete. False: the book does not have the reservation. */
bool book_aside_begin(struct book_aside *b, const struct change *c, struct id reservation, enum action action,
                      struct book_history *out);
void book_aside_put(struct book_aside *b, const struct book_history *entry);

#endif
