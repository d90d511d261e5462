/* SPDX-License-Identifier: Apache-2.0 */
/* book_money.h — payments and refunds due, as the book has them: a part of the reader.
 *
 * What becomes of a payment is judged in core; this only finds what was told of, and what is owed.
 */
#ifndef BOOK_BOOK_MONEY_H
#define BOOK_BOOK_MONEY_H

#include "base/arena.h"
#include "book/query.h"
#include "book/sql.h"

struct book_money {
    struct sql *sql;
    struct sql_statement *payment_event, *payments, *payments_of, *refund, *refund_of, *refund_done,
        *refunds[3];
};

void book_money_prepare(struct book_money *b, struct sql *s);
/* One record, with texts in the arena. False: there is none, or it cannot be read. */
bool book_money_find_event(struct book_money *b, struct text event_id, struct arena *arena,
                           struct payment_event_image *out);
bool book_money_find_refund(struct book_money *b, const struct refund_key *key, struct arena *arena,
                            struct refund_image *out);
/* A page of QUERY_PAYMENTS or QUERY_REFUNDS, by number. */
void book_money_list_payments(struct book_money *b, const struct query *q, query_row_fn row, void *ctx,
                              struct query_result *result);
void book_money_list_refunds(struct book_money *b, const struct query *q, query_row_fn row, void *ctx,
                             struct query_result *result);

#endif
