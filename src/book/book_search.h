/* SPDX-License-Identifier: Apache-2.0 */
/* book_search.h — the index of words in reservations (the table `search`): written with each one, and asked by
 * lists.
 *
 * A word is what SQLite's unicode61 takes for one: letters and digits, without regard to case and accents.
 */
#ifndef BOOK_BOOK_SEARCH_H
#define BOOK_BOOK_SEARCH_H

#include "base/buf.h"
#include "book/sql.h"

struct book_search {
    struct sql_statement *add, *remove;
};
void book_search_prepare(struct book_search *b, struct sql *s);
/* What a reservation says; to take it out, what it said when it was put in. attributes.at may be NULL. */
void book_search_add(struct book_search *b, uint64_t number, struct text user_id, struct text attributes);
void book_search_remove(struct book_search *b, uint64_t number, struct text user_id, struct text attributes);

/* What people type, as FTS5 wants it: every part between blanks, each a phrase. Appended to `out`. */
void book_search_phrase(struct text asked, struct buf *out);

#endif
