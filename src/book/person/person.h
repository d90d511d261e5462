/* SPDX-License-Identifier: Apache-2.0 */
/* person.h — what the book knows about one person, except the list of their reservations; and whether they were erased. */
#ifndef BOOK_PERSON_H
#define BOOK_PERSON_H

#include "base/memory/arena.h"
#include "book/record/query.h"
#include "book/file/sql.h"

struct book_person {
    struct sql *sql;
    struct sql_statement *queue, *list, *given, *refunds, *payments, *events, *erasure, *drivers, *offers;
};

void book_person_prepare(struct book_person *b, struct sql *s);
/* Entries in waiting rooms and lists, and reservations transferred to others. Walks all entries: for queries that may take
 * long. */
void book_person_entries(struct book_person *b, struct text user_id, query_row_fn row, void *ctx);
/* Their driver records. The arena is reset for each row. */
void book_person_drivers(struct book_person *b, struct text user_id, struct arena *arena, query_row_fn row,
                         void *ctx);
/* The offers made to them with a number below `below`, newest first. */
void book_person_offers(struct book_person *b, const struct query *q, uint64_t below, query_row_fn row,
                        void *ctx, struct query_result *result);
/* The refunds due and the payments of one reservation. */
void book_person_money(struct book_person *b, struct id reservation, query_row_fn row, void *ctx);
/* The last erasure under this mark, if there is one. */
void book_person_erasure(struct book_person *b, const struct query *q, query_row_fn row, void *ctx);

#endif
