/* SPDX-License-Identifier: Apache-2.0 */
#include "book/book_money.h"

#include "book/book_columns.h"
#include "book/book_row.h"

void book_money_prepare(struct book_money *b, struct sql *s)
{
    *b = (struct book_money){.sql = s};
    b->payment_event = book_record_prepare(s, &payment_event_record, BOOK_SELECT "WHERE event_id = ?");
    b->payments = book_record_prepare(s, &payment_event_record,
                                      BOOK_SELECT "WHERE number > ?1 ORDER BY number LIMIT ?2");
    b->payments_of =
        book_record_prepare(s, &payment_event_record,
                            BOOK_SELECT "WHERE payment_ref = ?3 AND number > ?1 ORDER BY number LIMIT ?2");
    b->refund = book_record_prepare(s, &refund_record, BOOK_SELECT "WHERE number = ?");
    b->refund_of = book_record_prepare(
        s, &refund_record,
        BOOK_SELECT "WHERE reservation = ?1 AND payment_ref = ?2 AND withdrawn = 0 ORDER BY number LIMIT 1");
    b->refund_done = book_record_prepare(
        s, &refund_record,
        BOOK_SELECT "WHERE payment_ref = ?2 AND done_at IS NOT NULL AND number > ?1 ORDER BY number LIMIT 1");
    b->refunds[REFUNDS_OPEN] = book_record_prepare(s, &refund_record,
                                                   BOOK_SELECT "WHERE done_at IS NULL AND withdrawn = 0 "
                                                               "AND number > ?1 ORDER BY number LIMIT ?2");
    b->refunds[REFUNDS_DONE] = book_record_prepare(
        s, &refund_record, BOOK_SELECT "WHERE done_at IS NOT NULL AND number > ?1 ORDER BY number LIMIT ?2");
    b->refunds[REFUNDS_ALL] = book_record_prepare(
        s, &refund_record, BOOK_SELECT "WHERE withdrawn = 0 AND number > ?1 ORDER BY number LIMIT ?2");
}

bool book_money_find_event(struct book_money *b, struct text event_id, struct arena *arena,
                           struct payment_event_image *out)
{
    struct sql_statement *t = b->payment_event;
    sql_bind_text(t, 1, event_id);
    bool found = sql_next(t);
    if (found) {
        book_record_read(b->sql, t, &payment_event_record, out, NULL);
        book_record_keep(&payment_event_record, out, arena);
    }
    sql_reset(t);
    return found && sql_sound(b->sql);
}

bool book_money_find_refund(struct book_money *b, const struct refund_key *key, struct arena *arena,
                            struct refund_image *out)
{
    struct sql_statement *t = key->done_of ? b->refund_done : key->number ? b->refund : b->refund_of;
    if (key->done_of || key->number)
        sql_bind_int(t, 1, (int64_t)key->number);
    else
        book_row_bind_id(t, 1, key->reservation);
    if (key->done_of || !key->number)
        sql_bind_text(t, 2, key->payment_ref);
    bool found = sql_next(t);
    if (found) {
        book_record_read(b->sql, t, &refund_record, out, NULL);
        book_record_keep(&refund_record, out, arena);
    }
    sql_reset(t);
    return found && sql_sound(b->sql);
}

void book_money_list_payments(struct book_money *b, const struct query *q, query_row_fn row, void *ctx,
                              struct query_result *result)
{
    struct sql_statement *t = q->payment_ref.at ? b->payments_of : b->payments;
    sql_bind_ints(t, q->after.low & INT64_MAX, (int64_t)q->limit + 1);
    if (q->payment_ref.at)
        sql_bind_text(t, 3, q->payment_ref);
    for (uint32_t rows = 0; sql_next(t) && query_has_place(q, rows, result); rows++) {
        struct payment_event_image payment;
        book_record_read(b->sql, t, &payment_event_record, &payment, NULL);
        if (!sql_sound(b->sql))
            break;
        row(ctx, &(struct query_row){.payment = &payment});
    }
    sql_reset(t);
}

void book_money_list_refunds(struct book_money *b, const struct query *q, query_row_fn row, void *ctx,
                             struct query_result *result)
{
    struct sql_statement *t = b->refunds[q->refunds];
    sql_bind_ints(t, q->after.low & INT64_MAX, (int64_t)q->limit + 1);
    for (uint32_t rows = 0; sql_next(t) && query_has_place(q, rows, result); rows++) {
        struct refund_image refund;
        book_record_read(b->sql, t, &refund_record, &refund, NULL);
        if (!sql_sound(b->sql))
            break;
        row(ctx, &(struct query_row){.refund = &refund});
    }
    sql_reset(t);
}
