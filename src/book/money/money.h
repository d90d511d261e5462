/* SPDX-License-Identifier: Apache-2.0 */
/* money.h — reads payments, their events and refunds due: a part of the reader.
 *
 * core/money/ledger.h computes everything that follows from the facts; this only reads what was recorded.
 */
#ifndef BOOK_MONEY_H
#define BOOK_MONEY_H

#include "base/memory/arena.h"
#include "book/record/query.h"
#include "book/file/sql.h"

struct book_money {
    struct sql *sql;
    struct sql_statement *event, *once, *events_of, *events[2], *payment, *payment_numbered,
        *payment_of_refund, *payments_of_reservation, *refunds_of, *refund, *refunds[4], *moves, *exists;
    struct sql_statement *payments[2][2]; /* [of one reservation][with a discrepancy] */
};

/* The owner of a payment: a reservation, or none, and then the row itself with its refunds due. */
struct book_owner {
    struct id reservation;
    struct account account; /* empty if there is a reservation */
};

/* clang-format off */
/* Refunds due, with the source of their amounts, and whether they are disputed. */
#define BOOK_REFUNDS "SELECT {read $}, (SELECT p.received_by FROM payments p WHERE p.payment_ref = @.payment_ref), " \
    "(SELECT p.discrepancy = 'disputed' FROM payments p WHERE p.payment_ref = @.payment_ref) FROM @ "
/* clang-format on */

void book_money_prepare(struct book_money *b, struct sql *s);
/* By its id, or by `once`, which all events that count as one share (none: not by that). Texts are in the arena. False:
 * there is none, or it cannot be read. */
bool book_money_find_event(struct book_money *b, struct text event_id, struct text once, struct arena *arena,
                           struct payment_event_image *out);
/* A reservation that ended before ended_since_ms does not count as an owner. */
bool book_money_find_owner(struct book_money *b, const struct payment_key *key, int64_t ended_since_ms,
                           struct arena *arena, struct book_owner *out);
/* The payments of a reservation, in the order in which money first arrived. */
void book_money_rows(struct book_money *b, struct id reservation, struct arena *arena, struct account *out);
/* The same, with their refunds due. */
void book_money_account(struct book_money *b, struct id reservation, struct arena *arena,
                        struct account *out);

/* QUERY_PAYMENTS, QUERY_PAYMENT_EVENTS and QUERY_REFUNDS, page by page; QUERY_PAYMENT: the row and its events. */
void book_money_list_payments(struct book_money *b, const struct query *q, query_row_fn row, void *ctx,
                              struct query_result *result);
void book_money_show_payment(struct book_money *b, const struct query *q, query_row_fn row, void *ctx,
                             struct query_result *result);
void book_money_list_events(struct book_money *b, const struct query *q, query_row_fn row, void *ctx,
                            struct query_result *result);
/* One row of BOOK_REFUNDS. */
void book_money_read_refund(struct sql *s, struct sql_statement *t, struct refund_image *out);
void book_money_list_refunds(struct book_money *b, const struct query *q, query_row_fn row, void *ctx,
                             struct query_result *result);
/* QUERY_MONEY: the changes of the ledger, by day in query->timezone and currency. */
void book_money_report(struct book_money *b, const struct query *q, query_row_fn row, void *ctx,
                       struct query_result *result);

#endif
