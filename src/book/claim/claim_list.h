/* SPDX-License-Identifier: Apache-2.0 */
/* claim_list.h — lists the live claims of one event's seats, with fence and user. */
#ifndef BOOK_CLAIM_LIST_H
#define BOOK_CLAIM_LIST_H

#include "book/file/sql.h"
#include "book/record/query.h"

struct book_claim_list {
    struct sql *sql;
    struct sql_statement *claims;
};

void book_claim_list_prepare(struct book_claim_list *l, struct sql *s);
/* A query of the kind CLAIMS. */
void book_claim_list_rows(struct book_claim_list *l, const struct query *q, query_row_fn row, void *ctx,
                          struct query_result *result);

#endif
