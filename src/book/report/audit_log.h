/* SPDX-License-Identifier: Apache-2.0 */
/* audit_log.h — the audit log as the reader hands it out. Its rows are written by book/report/audit.c. */
#ifndef BOOK_AUDIT_LOG_H
#define BOOK_AUDIT_LOG_H

#include "book/record/query.h"
#include "book/file/sql.h"

struct book_audit_log {
    struct sql_statement *rows;
};
void book_audit_log_prepare(struct book_audit_log *b, struct sql *s);
/* A query of the kind AUDIT: newest first. */
void book_audit_log_list(struct book_audit_log *b, const struct query *q, query_row_fn row, void *ctx,
                         struct query_result *result);

#endif
