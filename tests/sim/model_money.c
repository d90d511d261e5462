/* SPDX-License-Identifier: Apache-2.0 */
/* model_money.c — reports of app, staff and the provider about payments, as facts, and their effect on a reservation.
 * The ledger is computed in model_ledger.c. */
#include <string.h>

#include "base/assertion.h"
#include "model.h"

static bool trusted(const struct ask *a)
{
    return a->role == ROLE_APP || a->role == ROLE_ADMIN || a->role == ROLE_PAYMENT;
}

void model_rejected(const struct ask *a, struct model_answer *out)
{
    bool pays = a->kind == COMMAND_HOLD && a->commit;
    out->paid.rejected = pays && trusted(a) && a->ref && out->code != OUTCOME_OK;
}

static int slot_of(const struct model *m, const struct model_reservation *r)
{
    return r ? (int)(r - m->reservations) : -1;
}

static enum outcome_code used(const struct model_row *row, struct model_answer *out)
{
    out->paid.used_by = row->is.reservation;
    return OUTCOME_PAYMENT_USED;
}

/* What was received, less what was returned or is owed; another currency pays for nothing. */
static bool pays_for(const struct model_row *row, char currency, int64_t total)
{
    int64_t left = model_received(&row->is) - model_returned(&row->is) - row->now.owed;
    return model_row_currency(&row->is) == currency && (left > 0 ? left : 0) >= total;
}

/* ---- What becomes of a reservation ---- */

static void sell(struct model *m, const struct ask *a, struct model_reservation *r, int ref,
                 struct model_answer *out)
{
    r->ref = (int16_t)ref;
    r->status = RESERVATION_CONFIRMED;
    r->confirmed_at = m->now;
    r->version++;
    if (a->kind == COMMAND_COMMIT && a->attributes >= 0)
        r->attributes = (int8_t)a->attributes;
    r->key[0] = a->id.low;
    r->key[1] = 0;
    model_list_ended(m, r);
    model_sold_since(m, r);
    for (int i = 0; i < r->item_count; i++)
        if (r->items[i].kind != ITEM_SLOT)
            model_bought(m, r->items[i].event, r->user);
    model_show(m, r, out);
}

/* The payment has arrived; its facts are recorded. True: it confirms the reservation. */
static bool arrived(struct model *m, const struct ask *a, struct model_reservation *r, struct model_row *row,
                    struct model_answer *out)
{
    enum reservation_status status = model_status(m, r);
    bool covers = pays_for(row, r->currency, model_total(r));
    model_first_money(m, row);
    out->paid.due_ref = row->ref;
    if (covers && status == RESERVATION_EXPIRED && model_late(m, r, out)) {
        r->ended_at = 0;
        r->fence = 0; /* a new one: core chooses it */
        /* What it left alone ended with the hold, and no user chooses now. */
        memset(r->left_since, 0, sizeof(r->left_since));
        out->paid.late = true;
    } else if (!covers || status != RESERVATION_HELD) {
        out->code = status == RESERVATION_HELD        ? OUTCOME_PAYMENT_REQUIRED
                    : status == RESERVATION_CONFIRMED ? OUTCOME_OK
                                                      : model_ended_code(status);
        out->paid.due_ended = status != RESERVATION_HELD && status != RESERVATION_CONFIRMED;
        if (status == RESERVATION_CONFIRMED)
            model_show(m, r, out);
        return false;
    }
    sell(m, a, r, row->ref, out);
    return true;
}

/* ---- Commit ---- */

static void unpaid(struct model *m, const struct ask *a, struct model_reservation *r,
                   struct model_answer *out)
{
    enum reservation_status status = model_status(m, r);
    if (status == RESERVATION_CONFIRMED) {
        model_show(m, r, out);
        return;
    }
    out->code = model_ended_code(status);
    if (out->code == OUTCOME_OK && a->role == ROLE_USER && r->payment_required && model_total(r) > 0)
        out->code = OUTCOME_PAYMENT_REQUIRED;
    if (out->code == OUTCOME_OK)
        out->code = model_singles(m, r, out);
    if (out->code == OUTCOME_OK)
        sell(m, a, r, 0, out);
}

/* The app's report; without an amount the missing amount is assumed, once. */
static void say(struct model_row *row, const struct ask_amount *amount, int64_t missing, char currency)
{
    if (!amount->given && row->is.said)
        return;
    row->is.said = true;
    row->is.assumed = !amount->given;
    row->is.app = amount->given ? amount->amount : missing;
    row->is.app_currency = amount->given ? amount->currency : currency;
}

void model_commit(struct model *m, const struct ask *a, struct model_reservation *r, struct model_answer *out)
{
    int ref = trusted(a) ? a->ref : 0;
    struct model_row *row = ref ? model_row_of(m, ref) : NULL;
    if (!ref) {
        unpaid(m, a, r, out);
        return;
    }
    if (!model_row_free(row, r->id)) {
        out->code = used(row, out);
        return;
    }
    int64_t balance = model_balance(m, r);
    row = model_row_named(m, ref, r->id, slot_of(m, r));
    say(row, &a->amount, balance ? balance : model_total(r), r->currency);
    arrived(m, a, r, row, out);
}

/* ---- Begun ---- */

void model_payment(struct model *m, const struct ask *a, struct model_reservation *r,
                   struct model_answer *out)
{
    int ref = trusted(a) ? a->ref : 0;
    out->code = model_ended_code(model_status(m, r));
    if (out->code == OUTCOME_OK && !r->paid_at && r->payment_ttl_s == 0)
        out->code = OUTCOME_PAYMENT_WINDOW_OFF;
    if (out->code == OUTCOME_OK && !r->paid_at)
        out->code = model_singles(m, r, out);
    if (out->code == OUTCOME_OK && ref && !model_row_free(model_row_of(m, ref), r->id))
        out->code = used(model_row_of(m, ref), out);
    if (out->code != OUTCOME_OK)
        return;
    if (ref)
        model_row_named(m, ref, r->id, slot_of(m, r));
    if (!r->paid_at) {
        int64_t deadline = m->now + (int64_t)r->payment_ttl_s * 1000;
        r->paid_at = m->now;
        r->version++;
        if (deadline > r->expires_at)
            r->expires_at = deadline;
        if (r->expires_at > r->max_at)
            r->max_at = r->expires_at;
    }
    model_show(m, r, out);
}

/* ---- Buying in one step ---- */

enum outcome_code model_pay_hold(struct model *m, const struct ask *a, char currency, int64_t total,
                                 struct model_answer *out)
{
    struct model_row *row = model_row_of(m, a->ref), word = {0};
    if (!model_row_free(row, (struct id){0}))
        return used(row, out);
    if (row)
        word = *row;
    say(&word, &a->amount, total, currency);
    ASSERT(total >= 0 || (!a->amount.given && !word.is.failed)); /* then it is what is missing */
    return total < 0 || pays_for(&word, currency, total) ? OUTCOME_OK : OUTCOME_PAYMENT_REQUIRED;
}

void model_paid_hold(struct model *m, const struct ask *a, struct model_reservation *r)
{
    if (!a->commit || !a->ref || !trusted(a))
        return;
    struct model_row *row = model_row_named(m, a->ref, r->id, slot_of(m, r));
    say(row, &a->amount, model_total(r), r->currency);
    model_first_money(m, row);
    r->ref = (int16_t)a->ref;
}

/* ---- The provider's events ---- */

/* The result of a success that confirmed nothing. */
static enum payment_result result_of_success(struct model *m, const struct model_reservation *r,
                                             const struct model_row *row, int64_t owed_before)
{
    enum reservation_status status = model_status(m, r);
    bool sold = status == RESERVATION_CONFIRMED,
         open = status == RESERVATION_HELD || status == RESERVATION_EXPIRED;
    if ((sold || open) && row->now.currency != r->currency)
        return PAYMENT_CURRENCY;
    if ((open && row->now.received < model_total(r)) ||
        (sold && row->is.said && row->now.received < row->is.app))
        return PAYMENT_AMOUNT;
    return row->now.owed > (sold ? owed_before : 0) ? PAYMENT_REFUND_DUE : PAYMENT_RECORDED;
}

static enum payment_result succeeded(struct model *m, const struct ask *a, struct model_reservation *r,
                                     struct model_answer *out)
{
    struct model_row *row = model_row_of(m, a->ref);
    bool mine = model_row_free(row, a->id);
    bool nobodys = !r && (mine || (row->is.unknown && id_equal(row->is.reservation, a->id)));
    row = model_row_named(m, a->ref, a->id, slot_of(m, r));
    bool better = !row->is.succeeded || a->told.amount > row->is.paid;
    int64_t owed = row->now.owed;
    if (better) {
        row->is.succeeded = true;
        row->is.paid = a->told.amount;
        row->is.paid_currency = a->told.currency;
    }
    bool confirmed = r && mine && arrived(m, a, r, row, out);
    model_first_money(m, row);
    row->is.unknown = row->is.unknown || nobodys;
    out->paid.due_ref = a->ref;
    model_settle(m, NULL);
    return confirmed           ? PAYMENT_CONFIRMED
           : !nobodys && !mine ? PAYMENT_USED
           : !better           ? PAYMENT_REPEATED
           : nobodys           ? PAYMENT_UNKNOWN
                               : result_of_success(m, r, row, owed);
}

static enum payment_result failed(struct model *m, const struct ask *a, struct model_reservation *r,
                                  struct model_answer *out)
{
    struct model_row *row = model_row_of(m, a->ref);
    struct id named = r ? a->id : (struct id){0}; /* only a success can be for an unknown one */
    bool mine = model_row_free(row, named);
    if (!r && !row)
        return PAYMENT_UNKNOWN;
    row = model_row_named(m, a->ref, named, slot_of(m, r));
    bool again = row->is.failed || row->is.succeeded;
    row->is.failed = true;
    out->paid.due_ref = a->ref;
    return !mine ? PAYMENT_USED : again ? PAYMENT_REPEATED : PAYMENT_FAILED;
}

/* The highest total reported. */
static enum payment_result refunded(struct model *m, const struct ask *a, struct model_reservation *r,
                                    struct model_answer *out)
{
    struct model_row *row = model_row_of(m, a->ref);
    if (!r && !row)
        return PAYMENT_IGNORED;
    if (a->told.amount <= (row ? row->is.refunded : 0))
        return PAYMENT_REPEATED;
    row = model_row_named(m, a->ref, a->told.named && r ? a->id : (struct id){0}, slot_of(m, r));
    row->is.refunded = a->told.amount;
    row->is.back_currency = a->told.currency;
    model_first_money(m, row);
    out->paid.due_ref = a->ref;
    return PAYMENT_RETURNED;
}

static enum payment_result other(struct model *m, const struct ask *a, struct model_reservation *r,
                                 struct model_answer *out)
{
    struct model_row *row = model_row_of(m, a->ref);
    enum payment_news news = a->told.news;
    if (!row)
        return PAYMENT_IGNORED;
    row = model_row_named(m, a->ref, a->told.named && r ? a->id : (struct id){0}, slot_of(m, r));
    int64_t owed = row->now.owed, amount = a->told.amount;
    row->is.refund_failed += news == NEWS_REFUND_FAILED ? amount : 0;
    row->is.disputed += news == NEWS_FUNDS_WITHDRAWN ? amount : 0;
    row->is.reinstated += news == NEWS_FUNDS_REINSTATED ? amount : 0;
    row->is.disputes += news == NEWS_DISPUTED;
    row->is.disputes_over += news == NEWS_DISPUTE_OVER || news == NEWS_FUNDS_REINSTATED;
    if (news == NEWS_FUNDS_WITHDRAWN) {
        row->is.back_currency = a->told.currency;
        if (row->is.disputed)
            model_first_money(m, row);
    }
    out->paid.due_ref = a->ref;
    model_settle(m, NULL);
    return news == NEWS_FUNDS_WITHDRAWN ? PAYMENT_RETURNED
           : row->now.owed > owed       ? PAYMENT_REFUND_DUE
                                        : PAYMENT_RECORDED;
}

static bool counted(const struct model_money *money, uint32_t once)
{
    for (int i = 0; once && i < MODEL_ONCE; i++)
        if (money->once[i] == once)
            return true;
    return false;
}

static enum payment_result take(struct model *m, const struct ask *a, struct model_answer *out)
{
    const struct ask_told *t = &a->told;
    struct model_reservation *r = t->named ? model_find(m, a->id) : NULL;
    bool plain = t->news == NEWS_FAILED || t->news == NEWS_DISPUTED || t->news == NEWS_DISPUTE_OVER;
    bool must_name = t->news == NEWS_SUCCEEDED || t->news == NEWS_FAILED;
    if (t->news == NEWS_NONE || !a->ref || (must_name && !t->named) ||
        (!plain && (!t->has_amount || t->amount < 0)))
        return PAYMENT_IGNORED;
    return (t->news == NEWS_SUCCEEDED  ? succeeded
            : t->news == NEWS_FAILED   ? failed
            : t->news == NEWS_REFUNDED ? refunded
                                       : other)(m, a, r, out);
}

void model_told(struct model *m, const struct ask *a, struct model_answer *out)
{
    const struct ask_told *t = &a->told;
    struct model_money *money = &m->money;
    for (int i = 0; i < MODEL_TOLD; i++)
        if (money->told[i].number == t->number) {
            out->paid.told = &money->told[i];
            out->paid.again = true;
            out->paid.result = (enum payment_result)money->told[i].result;
            return;
        }
    if (counted(money, t->once)) {
        out->paid.result = PAYMENT_REPEATED;
    } else {
        out->paid.result = take(m, a, out);
        if (t->once && out->paid.result != PAYMENT_IGNORED)
            money->once[money->once_count++ % MODEL_ONCE] = t->once;
    }
    out->code = OUTCOME_OK;
    out->reservation = -1; /* the provider gets only the result of the payment */
    out->paid.told = &money->told[money->told_count++ % MODEL_TOLD];
    *out->paid.told = (struct model_event_told){.number = t->number, .result = (uint8_t)out->paid.result};
}

/* ---- Paid back by staff ---- */

static enum outcome_code done(struct model *m, const struct ask *a, struct model_refund *d)
{
    struct model_row *row = &m->money.rows[d->row];
    bool withdrawn = d->status == REFUND_WITHDRAWN;
    if (d->status == REFUND_DONE)
        return OUTCOME_OK;
    if (a->amount.given && a->amount.currency != d->currency)
        return OUTCOME_INVALID;
    if (!a->amount.given && d->changed)
        return OUTCOME_REFUND_CHANGED;
    int64_t amount = a->amount.given ? a->amount.amount : d->amount;
    if (a->outside)
        row->is.outside += amount;
    else
        row->is.staff = row->now.returned - row->is.outside + amount;
    if (withdrawn) {
        row->aside += amount;
        d->status = REFUND_DONE;
        d->done_at = m->now;
        d->amount = amount;
        d->untold = true;
    }
    model_settle(m, NULL);
    return OUTCOME_OK;
}

void model_refund_done(struct model *m, const struct ask *a, struct model_answer *out)
{
    out->code = OUTCOME_NO_SUCH_REFUND;
    for (uint32_t i = 0; i < m->money.count; i++) {
        struct model_refund *d = &m->money.refunds[i];
        if (d->number != a->refund)
            continue;
        out->paid.withdrawn = a->kind == COMMAND_REFUND_DONE && d->status == REFUND_WITHDRAWN;
        out->code = a->kind == COMMAND_REFUND_DONE ? done(m, a, d) : OUTCOME_OK;
        out->paid.refund = d;
        return;
    }
}

void model_payment_look(struct model *m, const struct ask *a, struct model_answer *out)
{
    out->code = OUTCOME_NO_SUCH_PAYMENT;
    for (uint32_t i = 0; i < m->money.row_count; i++)
        if (m->money.rows[i].number == a->refund) {
            out->code = OUTCOME_OK;
            out->paid.row = &m->money.rows[i];
        }
}
