/* SPDX-License-Identifier: Apache-2.0 */
/* search.h — the index of words in reservations (the table `search`): written with each one, and asked by
 * lists.
 *
 * A word is what SQLite's unicode61 takes for one: letters and digits, without regard to case and accents.
 */
#ifndef BOOK_SEARCH_H
#define BOOK_SEARCH_H

#include "base/memory/buf.h"
#include "book/record/columns.h"
#include "book/file/sql.h"

struct book_search {
    struct sql_statement *add, *remove;
    struct buf words; /* scratch: of attributes */
};
/* What a reservation says about itself. */
struct book_search_words {
    struct text user_id, attributes; /* attributes.at may be NULL */
    const struct book_item *items;   /* in any order */
    uint32_t item_count;
};
void book_search_prepare(struct book_search *b, struct sql *s);
void book_search_release(struct book_search *b);
bool book_search_same(const struct book_search_words *a, const struct book_search_words *b);
/* To take it out, what it said when it was put in. */
void book_search_add(struct book_search *b, uint64_t number, const struct book_search_words *words);
void book_search_remove(struct book_search *b, uint64_t number, const struct book_search_words *words);

/* What people type, as FTS5 wants it: every part between blanks, each a phrase. Appended to `out`. */
void book_search_phrase(struct text asked, struct buf *out);

#endif
