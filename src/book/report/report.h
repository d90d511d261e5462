/* SPDX-License-Identifier: Apache-2.0 */
/* report.h — reports: what was sold, what was abandoned, how far checkouts got; and the audit log.
 *
 * Based on the views of the schema, which people can query, too. A report may read much of the book, so it has a longer time
 * budget than a list, and a connection of its own. SQLite sorts in temporary files: its memory does not grow with the book.
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

/* ---- The audit log, written by book/report/audit.c ---- */
struct book_audit_log {
    struct sql_statement *rows;
};
void book_audit_log_prepare(struct book_audit_log *b, struct sql *s);
/* A query of the kind AUDIT: newest first. */
void book_audit_log_list(struct book_audit_log *b, const struct query *q, query_row_fn row, void *ctx,
                         struct query_result *result);

#endif
