/* SPDX-License-Identifier: Apache-2.0 */
/* report.h — sums over the book: what was sold, what was given up, how far checkouts got.
 *
 * Made of the views of the schema, which people read too. A report reads as much of the book as it has to, so it has a
 * longer budget than a list and is asked on a connection of its own. SQLite sorts in temporary files: its memory does
 * not grow with the book.
 */
#ifndef BOOK_REPORT_H
#define BOOK_REPORT_H

#include "book/record/query.h"
#include "book/file/sql.h"

struct book_report {
    struct sql *sql;
    struct sql_statement *all[REPORTS_COUNT], *of_event[REPORTS_COUNT], *paid;
};

void book_report_prepare(struct book_report *b, struct sql *s);
/* The rows of a QUERY_REPORT, by day. */
void book_report_list(struct book_report *b, const struct query *q, query_row_fn row, void *ctx,
                      struct query_result *result);
/* The row of a QUERY_TTL. */
void book_report_ttl(struct book_report *b, const struct query *q, query_row_fn row, void *ctx);

#endif
