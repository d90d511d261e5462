/* SPDX-License-Identifier: Apache-2.0 */
/* ledger.c — writes payments and refunds due, the amounts that each change moved in the ledger, and entries in the histories
 * of their reservations. */
#include "base/assertion.h"
#include "base/memory/memory.h"
#include "book/record/aside.h"
#include "book/record/kept.h"
#include "book/record/row.h"

struct book_ledger {
    struct sql *sql;
    struct sql_statement *before, *put_payment, *move, *put_refund, *refund_before, *sold_now;
    struct book_aside aside;
};

struct book_ledger *book_ledger_make(struct sql *s)
{
    struct book_ledger *b = memory_zeroed(1, sizeof(*b));
    b->sql = s;
    b->before = book_record_prepare(s, &payment_record, BOOK_SELECT "WHERE payment_ref = ?");
    b->put_payment = book_record_prepare(s, &payment_record, BOOK_UPSERT);
    b->move = sql_prepare(s, "INSERT INTO payment_moves (seq, currency, at, received, kept, returned, owed) "
                             "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
    b->put_refund = book_record_prepare(s, &refund_record, BOOK_UPSERT);
    b->refund_before = sql_prepare(s, "SELECT amount FROM refunds WHERE number = ?");
    b->sold_now =
        sql_prepare(s, "SELECT 1 FROM reservations WHERE id = ?1 AND confirmed_at = ?2 AND payment_ref = ?3");
    book_aside_prepare(&b->aside, s);
    return b;
}

/* ---- Payments ---- */

/* `from` or `to` is NULL if the payment is new, or turns out to be in another currency. */
static void move(struct book_ledger *b, const struct change *c, const struct payment_image *from,
                 const struct payment_image *to)
{
    const struct payment_image none = {0};
    ASSERT(from || to);
    const char *currency = to ? to->currency : from->currency;
    from = from ? from : &none;
    to = to ? to : &none;
    if (to->received == from->received && to->kept == from->kept && to->returned == from->returned &&
        to->owed == from->owed)
        return;
    sql_bind_int(b->move, 1, (int64_t)c->seq);
    sql_bind_text(b->move, 2, (struct text){currency, 3});
    sql_bind_int(b->move, 3, c->at_ms);
    sql_bind_int(b->move, 4, to->received - from->received);
    sql_bind_int(b->move, 5, to->kept - from->kept);
    sql_bind_int(b->move, 6, to->returned - from->returned);
    sql_bind_int(b->move, 7, to->owed - from->owed);
    sql_do(b->move);
}

/* Whether the reservation was sold with this payment in the same step: its history has an entry for that. */
static bool sold_now(struct book_ledger *b, const struct change *c)
{
    book_row_bind_id(b->sold_now, 1, c->payment.reservation);
    sql_bind_int(b->sold_now, 2, c->at_ms);
    sql_bind_text(b->sold_now, 3, c->payment.ref);
    bool sold = sql_next(b->sold_now);
    sql_reset(b->sold_now);
    return sold;
}

/* Records in the history that money arrived without a sale, or that the payment failed. */
static void write_history(struct book_ledger *b, const struct change *c, const struct payment_image *before)
{
    const struct payment_image *now = &c->payment;
    bool failed = now->failed && !now->paid.given && !(before && before->failed);
    bool more = now->received > (before ? before->received : 0);
    struct book_history entry;
    if ((!failed && !more) || id_none(now->reservation) || (more && sold_now(b, c)))
        return;
    if (book_aside_begin(&b->aside, c, now->reservation,
                         failed ? ACTION_PAYMENT_FAILED : ACTION_PAYMENT_RECEIVED, &entry))
        book_aside_put(&b->aside, &entry);
}

void book_ledger_put_payment(struct book_parts *parts, const struct change *c)
{
    struct book_ledger *b = parts->ledger;
    const struct payment_image *p = &c->payment;
    struct payment_image before;
    ASSERT(c->kind == CHANGE_PAYMENT && p->number && p->number <= c->seq && p->ref.size);
    /* All money is kept, returned or owed: computed by core, and a CHECK of the table. */
    ASSERT(p->kept + p->returned + p->owed == (p->received > p->returned ? p->received : p->returned));
    sql_bind_text(b->before, 1, p->ref);
    bool known = sql_next(b->before);
    if (known)
        book_record_read(b->sql, b->before, &payment_record, &before, NULL);
    before.ref = (struct text){0}; /* invalid after the reset */
    sql_reset(b->before);
    bool same = known && memcmp(before.currency, p->currency, 3) == 0;
    if (known && !same)
        move(b, c, &before, NULL);
    move(b, c, same ? &before : NULL, p);
    book_record_put(b->put_payment, &payment_record, p);
    write_history(b, c, known ? &before : NULL);
}

/* ---- Refunds due ---- */

/* The action for the history. False: no entry is needed. */
static bool action_of(struct book_ledger *b, const struct refund_image *refund, enum action *action)
{
    static const enum action actions[] = {[REFUND_OPEN] = ACTION_REFUND_DUE,
                                          [REFUND_DONE] = ACTION_REFUND_DONE,
                                          [REFUND_WITHDRAWN] = ACTION_REFUND_WITHDRAWN};
    _Static_assert(sizeof(actions) / sizeof(actions[0]) == REFUND_STATUS_LAST + 1,
                   "an action for each status");
    ASSERT(refund->status >= REFUND_STATUS_FIRST && refund->status <= REFUND_STATUS_LAST);
    sql_bind_int(b->refund_before, 1, (int64_t)refund->number);
    bool known = sql_next(b->refund_before);
    bool same = known && sql_int(b->refund_before, 0) == refund->amount && refund->status == REFUND_OPEN;
    sql_reset(b->refund_before);
    *action = actions[refund->status];
    return !same;
}

void book_ledger_put_refund(struct book_parts *parts, const struct change *c)
{
    struct book_ledger *b = parts->ledger;
    const struct refund_image *refund = &c->refund;
    struct book_history entry;
    enum action action;
    ASSERT(c->kind == CHANGE_REFUND && refund->number && refund->number <= c->seq);
    bool has_entry = action_of(b, refund, &action);
    book_record_put(b->put_refund, &refund_record, refund);
    /* The reservation may be unknown, or pruned before its refund is done: then it has no history. */
    if (!has_entry || id_none(refund->reservation) ||
        !book_aside_begin(&b->aside, c, refund->reservation, action, &entry))
        return;
    entry.view.refund.number = refund->number;
    entry.reason = refund->reason;
    book_aside_put(&b->aside, &entry);
}
