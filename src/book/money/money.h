/* SPDX-License-Identifier: Apache-2.0 */
/* money.h — payments, their events and refunds due, as the book has them: a part of the reader.
 *
 * What follows from the facts is computed in core (core/money/ledger.h); this only finds what was written down.
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

/* Who has a row: the reservation, or nobody, and then the row itself with its refunds due. */
struct book_owner {
    struct id reservation;
    struct account account; /* empty: it is a reservation's */
};

/* clang-format off */
/* Refunds due with whose word their amounts rest on, and whether they are disputed. */
#define BOOK_REFUNDS "SELECT {read $}, (SELECT p.received_by FROM payments p WHERE p.payment_ref = @.payment_ref), " \
    "(SELECT p.discrepancy = 'disputed' FROM payments p WHERE p.payment_ref = @.payment_ref) FROM @ "
/* clang-format on */

void book_money_prepare(struct book_money *b, struct sql *s);
/* By its id, or what it counts once for (at == NULL: not by that). Texts are in the arena. False: there is none, or it cannot
 * be read. */
bool book_money_find_event(struct book_money *b, struct text event_id, struct text once, struct arena *arena,
                           struct payment_event_image *out);
/* A reservation that ended before ended_since_ms counts as none. */
bool book_money_find_owner(struct book_money *b, const struct payment_key *key, int64_t ended_since_ms,
                           struct arena *arena, struct book_owner *out);
/* The rows of a reservation by their first money. */
void book_money_rows(struct book_money *b, struct id reservation, struct arena *arena, struct account *out);
/* And with them their refunds due. */
void book_money_account(struct book_money *b, struct id reservation, struct arena *arena,
                        struct account *out);

/* Pages of QUERY_PAYMENTS, QUERY_PAYMENT_EVENTS and QUERY_REFUNDS; the one row of QUERY_PAYMENT, and its events. */
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
/* QUERY_MONEY: what changed in the ledger, by day of query->timezone and currency. */
void book_money_report(struct book_money *b, const struct query *q, query_row_fn row, void *ctx,
                       struct query_result *result);

#endif
