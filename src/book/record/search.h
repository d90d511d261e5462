/* SPDX-License-Identifier: Apache-2.0 */
/* search.h — the full-text index of reservations (the table `search`): written with each reservation, and used by lists.
 *
 * A word is defined by SQLite's unicode61: letters and digits, ignoring case and accents.
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
/* The texts of a reservation that are indexed. */
struct book_search_words {
    struct text user_id, attributes; /* attributes.at may be NULL */
    const struct book_item *items;   /* in any order */
    uint32_t item_count;
};
void book_search_prepare(struct book_search *b, struct sql *s);
void book_search_release(struct book_search *b);
bool book_search_same(const struct book_search_words *a, const struct book_search_words *b);
/* book_search_remove needs the same texts as book_search_add. */
void book_search_add(struct book_search *b, uint64_t number, const struct book_search_words *words);
void book_search_remove(struct book_search *b, uint64_t number, const struct book_search_words *words);

/* Converts the user's input into an FTS5 query: each part between blanks is a phrase, and all must match. Appends to
 * `out`. */
void book_search_phrase(struct text asked, struct buf *out);

#endif
