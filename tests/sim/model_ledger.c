/* SPDX-License-Identifier: Apache-2.0 */
/* model_ledger.c — the ledger, computed from the facts as the contract says, and the refunds due that follow. */
#include <string.h>

#include "base/assertion.h"
#include "model.h"

static int64_t more(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

int64_t model_total(const struct model_reservation *r)
{
    int64_t total = 0;
    for (int i = 0; i < r->item_count; i++)
        total += r->items[i].price;
    return total;
}

/* ---- Rows ---- */

struct model_row *model_row_of(struct model *m, int ref)
{
    for (uint32_t i = 0; i < m->money.row_count; i++)
        if (m->money.rows[i].ref == ref)
            return &m->money.rows[i];
    return NULL;
}

struct model_row *model_row_by_text(struct model *m, struct text ref)
{
    for (uint32_t i = 0; i < m->money.row_count; i++)
        if (!model_ref_differs(ref, m->money.rows[i].ref))
            return &m->money.rows[i];
    return NULL;
}

bool model_row_free(const struct model_row *row, struct id reservation)
{
    return !row || !row->is.rank || (!row->is.unknown && id_equal(row->is.reservation, reservation));
}

struct model_row *model_row_named(struct model *m, int ref, struct id reservation, int slot)
{
    struct model_row *row = model_row_of(m, ref);
    if (!row) {
        ASSERT(m->money.row_count < MODEL_ROWS && ref);
        row = &m->money.rows[m->money.row_count++];
        memset(row, 0, sizeof(*row));
        row->ref = (int16_t)ref;
        row->slot = -1;
    }
    if (!row->is.rank && !id_none(reservation)) {
        row->is.reservation = reservation;
        row->slot = (int16_t)slot;
        row->gone.status = 0;
    }
    return row;
}

void model_first_money(struct model *m, struct model_row *row)
{
    if (!row->is.rank)
        row->is.rank = ++m->money.next_rank;
}

int64_t model_received(const struct model_facts *f)
{
    return f->succeeded ? f->paid : f->failed || !f->said ? 0 : f->app;
}

int64_t model_returned(const struct model_facts *f)
{
    int64_t provider = more(0, f->refunded - f->refund_failed) + more(0, f->disputed - f->reinstated);
    return more(provider, f->staff) + f->outside;
}

char model_row_currency(const struct model_facts *f)
{
    return f->succeeded       ? f->paid_currency
           : f->back_currency ? f->back_currency
           : f->said          ? f->app_currency
                              : 0;
}

bool model_has_rows(const struct model *m, const struct model_reservation *r)
{
    for (uint32_t i = 0; i < m->money.row_count; i++)
        if (m->money.rows[i].slot == r - m->reservations)
            return true;
    return false;
}

bool model_received_any(struct model *m, const struct model_reservation *r)
{
    for (uint32_t i = 0; i < m->money.row_count; i++)
        if (m->money.rows[i].slot == r - m->reservations && model_received(&m->money.rows[i].is))
            return true;
    return false;
}

int64_t model_balance(struct model *m, const struct model_reservation *r)
{
    int64_t missing = model_total(r);
    for (uint32_t i = 0; i < m->money.row_count; i++)
        if (m->money.rows[i].slot == r - m->reservations && m->money.rows[i].now.currency == r->currency)
            missing -= m->money.rows[i].now.kept;
    return r->status == RESERVATION_CONFIRMED ? missing : 0;
}

/* ---- Adding up ---- */

static bool same_sums(const struct model_sums *a, const struct model_sums *b)
{
    return a->received == b->received && a->kept == b->kept && a->returned == b->returned &&
           a->owed == b->owed && a->discrepancy == b->discrepancy && a->currency == b->currency;
}

/* The state of the reservation of some rows. */
struct reservation_state {
    bool exists, confirmed;
    char currency;
    int16_t with; /* the payment that confirmed; 0: none */
    int64_t total;
};

static struct model_sums sums_of(const struct model_facts *f, const struct reservation_state *r)
{
    char currency = model_row_currency(f);
    return (struct model_sums){.received = model_received(f),
                               .returned = model_returned(f),
                               .currency = currency    ? currency
                                           : r->exists ? r->currency
                                                       : 0};
}

static enum discrepancy discrepancy_of(const struct model_row *row, const struct model_sums *s,
                                       const struct reservation_state *r, int64_t balance)
{
    const struct model_facts *f = &row->is;
    if (!f->rank)
        return DISCREPANCY_NONE;
    if (f->unknown && s->owed)
        return DISCREPANCY_UNKNOWN;
    if (s->returned > s->received)
        return DISCREPANCY_OVER_RETURNED;
    if (f->disputes > f->disputes_over)
        return DISCREPANCY_DISPUTED;
    if (!r->confirmed)
        return DISCREPANCY_NONE;
    if (s->currency != r->currency && r->with == row->ref)
        return DISCREPANCY_CURRENCY;
    if (balance && f->said && f->app > s->received)
        return DISCREPANCY_SHORT;
    return balance && s->returned ? DISCREPANCY_GONE_BACK : DISCREPANCY_NONE;
}

/* All rows of one reservation: by first money, but the one that confirmed comes first. */
static void fill(struct model_row *const *rows, struct model_sums *sums, int count,
                 const struct reservation_state *r)
{
    int64_t missing = r->confirmed ? r->total : 0;
    bool filled[MODEL_ROWS] = {0};
    for (int i = 0; i < count; i++)
        sums[i] = sums_of(&rows[i]->is, r);
    for (int turn = 0; r->confirmed && turn < count; turn++) {
        int next = -1;
        for (int i = 0; i < count; i++)
            if (!filled[i] && rows[i]->is.rank &&
                (next < 0 || rows[i]->ref == r->with ||
                 (rows[next]->ref != r->with && rows[i]->is.rank < rows[next]->is.rank)))
                next = i;
        if (next < 0)
            break;
        struct model_sums *s = &sums[next];
        int64_t there = more(0, s->received - s->returned);
        bool own = s->currency == r->currency;
        filled[next] = true;
        s->kept = own ? (there < missing ? there : missing) : rows[next]->ref == r->with ? there : 0;
        missing -= own ? s->kept : 0;
    }
    for (int i = 0; i < count; i++) {
        sums[i].owed = more(0, sums[i].received - sums[i].kept - sums[i].returned);
        sums[i].discrepancy = (uint8_t)discrepancy_of(rows[i], &sums[i], r, missing);
    }
}

/* ---- Refunds due ---- */

struct model_refund *model_open_due(struct model *m, int row)
{
    for (uint32_t i = m->money.count; i-- > 0;)
        if (m->money.refunds[i].row == row && m->money.refunds[i].status == REFUND_OPEN)
            return &m->money.refunds[i];
    return NULL;
}

/* The amount follows under the same id until any of it is returned; the rest is another. */
static void due_follows(struct model *m, int index)
{
    const struct model_row *row = &m->money.rows[index];
    const struct model_sums *s = &row->now;
    struct model_refund *due = model_open_due(m, index);
    if (due) {
        due->returned_at += row->aside;
        if (due->returned_at > s->returned)
            due->returned_at = s->returned;
        if (s->returned > due->returned_at) {
            due->status = REFUND_DONE;
            due->done_at = m->now;
            due->amount = s->returned - due->returned_at;
            due->untold = true;
        } else if (!s->owed) {
            due->status = REFUND_WITHDRAWN;
            due->untold = true;
        } else if (s->owed != due->amount || s->currency != due->currency) {
            due->amount = s->owed;
            due->currency = s->currency;
            due->changed = due->untold = true;
        }
        if (due->status == REFUND_OPEN)
            return;
    }
    if (!s->owed || (due && due->status == REFUND_WITHDRAWN))
        return;
    ASSERT(m->money.count < MODEL_REFUNDS);
    m->money.refunds[m->money.count++] = (struct model_refund){.amount = s->owed,
                                                               .currency = s->currency,
                                                               .returned_at = s->returned,
                                                               .row = (int16_t)index,
                                                               .status = REFUND_OPEN,
                                                               .untold = true};
}

/* ---- After every request ---- */

/* Staff has paid back what the request made owed. */
static void pay_back(struct model_row *row, struct model_sums *s)
{
    int64_t grown = s->owed - row->now.owed;
    if (grown <= 0)
        return;
    row->is.staff = s->returned - row->is.outside + grown;
    s->returned += grown;
    s->owed -= grown;
    row->aside += grown;
}

static void settle_rows(struct model *m, struct model_row *const *rows, int count,
                        const struct reservation_state *r, bool paid_back)
{
    struct model_sums sums[MODEL_ROWS];
    fill(rows, sums, count, r);
    for (int i = 0; i < count; i++) {
        if (paid_back)
            pay_back(rows[i], &sums[i]);
        if (same_sums(&rows[i]->now, &sums[i]) && !rows[i]->aside)
            continue;
        rows[i]->now = sums[i];
        due_follows(m, (int)(rows[i] - m->money.rows));
        rows[i]->aside = 0;
    }
}

void model_settle(struct model *m, const struct model_reservation *paid_back)
{
    int16_t first[MODEL_RESERVATIONS], next[MODEL_ROWS];
    memset(first, -1, sizeof(first));
    for (int i = (int)m->money.row_count; i-- > 0;) {
        struct model_row *row = &m->money.rows[i];
        if (row->slot >= 0) {
            next[i] = first[row->slot];
            first[row->slot] = (int16_t)i;
            continue;
        }
        bool confirmed = row->gone.status == RESERVATION_CONFIRMED;
        struct reservation_state gone = {row->gone.status != 0, confirmed, row->gone.currency,
                                         row->gone.confirmed_with ? row->ref : 0, row->gone.total};
        settle_rows(m, &row, 1, &gone, false);
    }
    for (int slot = 0; slot < MODEL_RESERVATIONS; slot++) {
        const struct model_reservation *r = &m->reservations[slot];
        struct model_row *rows[MODEL_ROWS];
        int count = 0;
        for (int i = first[slot]; i >= 0; i = next[i])
            rows[count++] = &m->money.rows[i];
        if (count)
            settle_rows(m, rows, count,
                        &(struct reservation_state){true, r->status == RESERVATION_CONFIRMED, r->currency,
                                                    r->ref, model_total(r)},
                        r == paid_back);
    }
}

/* A sale with several payments depends on all of them. */
bool model_may_lose(const struct model *m, const struct model_reservation *r)
{
    int count = 0;
    for (uint32_t i = 0; i < m->money.row_count; i++)
        count += m->money.rows[i].slot == r - m->reservations;
    return count < 2 || r->status != RESERVATION_CONFIRMED;
}

void model_rows_lose(struct model *m, const struct model_reservation *r)
{
    for (uint32_t i = 0; i < m->money.row_count; i++) {
        struct model_row *row = &m->money.rows[i];
        if (row->slot != r - m->reservations)
            continue;
        row->slot = -1;
        row->gone.status = r->status;
        row->gone.currency = r->currency;
        row->gone.confirmed_with = r->ref == row->ref;
        row->gone.total = model_total(r);
    }
}

/* ---- What is written down ---- */

static bool same_money(const struct money *c, bool given, int64_t amount, char currency)
{
    return c->given == given && (!given || (c->amount == amount && c->currency[0] == currency));
}

const char *model_row_differs(const struct model_row *row, const struct payment_image *c)
{
    const struct model_facts *f = &row->is;
    const struct model_sums *s = &row->now;
    if (!id_equal(c->reservation, f->reservation) || c->unknown != f->unknown)
        return "a payment is another reservation's";
    if (!same_money(&c->app, f->said, f->app, f->app_currency) || c->assumed != f->assumed ||
        !same_money(&c->paid, f->succeeded, f->paid, f->paid_currency) || c->failed != f->failed)
        return "app or provider have said something else of a payment";
    if (c->refunded != f->refunded || c->refund_failed != f->refund_failed || c->disputed != f->disputed ||
        c->reinstated != f->reinstated || c->disputes != f->disputes ||
        c->disputes_over != f->disputes_over || c->staff_returned != f->staff || c->outside != f->outside)
        return "something else went back of a payment";
    if ((c->money_seq != 0) != (f->rank != 0))
        return "a payment has money, or none";
    if (c->received != s->received || c->kept != s->kept || c->returned != s->returned || c->owed != s->owed)
        return "a payment is added up otherwise";
    if (c->discrepancy != (enum discrepancy)s->discrepancy)
        return "a payment has another discrepancy";
    if (model_row_currency(f) && c->currency[0] != s->currency)
        return "a payment is in another currency";
    return NULL;
}

const char *model_row_told(struct model *m, const struct payment_image *image)
{
    struct model_row *row = model_row_by_text(m, image->ref);
    if (!row)
        return "a payment is recorded that was never reported";
    if (row->number && row->number != image->number)
        return "a payment is there twice";
    row->number = image->number;
    memcpy(&row->told, &row->is, sizeof(row->is));
    row->told_sums = row->now;
    return model_row_differs(row, image);
}

bool model_refund_grown(const struct model *m, const struct refund_image *image)
{
    for (uint32_t i = 0; i < m->money.count; i++)
        if (m->money.refunds[i].number == image->number)
            return m->money.refunds[i].told_amount < image->amount;
    return true;
}

bool model_refund_news(const struct model *m, const struct refund_image *image)
{
    for (uint32_t i = 0; i < m->money.count; i++)
        if (m->money.refunds[i].number == image->number)
            return m->money.refunds[i].told_amount != image->amount ||
                   m->money.refunds[i].told_currency != image->currency[0];
    return true;
}

const char *model_refund_told(struct model *m, const struct refund_image *image, bool made)
{
    for (uint32_t i = 0; i < m->money.count; i++) {
        struct model_refund *d = &m->money.refunds[i];
        if (d->number != (made ? 0 : image->number) ||
            model_ref_differs(image->payment_ref, m->money.rows[d->row].ref))
            continue;
        if (d->amount != image->amount || d->status != (uint8_t)image->status ||
            d->changed != (image->told_seq != image->number) || d->done_at != image->done_at_ms ||
            d->currency != image->currency[0])
            return "a refund due is recorded wrongly";
        d->number = image->number;
        d->told_amount = d->amount;
        d->told_currency = d->currency;
        d->untold = false;
        return NULL;
    }
    return made ? "a refund due has no payment, or is recorded twice"
                : "a refund due ended that never existed";
}

const char *model_money_told(const struct model *m)
{
    for (uint32_t i = 0; i < m->money.row_count; i++) {
        const struct model_row *row = &m->money.rows[i];
        if (memcmp(&row->is, &row->told, sizeof(row->is)) != 0 || !same_sums(&row->now, &row->told_sums))
            return "a report about a payment is not recorded";
    }
    for (uint32_t i = 0; i < m->money.count; i++)
        if (m->money.refunds[i].untold)
            return "a refund due was created, changed or ended without a record";
    return NULL;
}

const char *model_money_check(struct model *m)
{
    int64_t due[MODEL_ROWS] = {0};
    for (uint32_t i = 0; i < m->money.count; i++)
        if (m->money.refunds[i].status == REFUND_OPEN) {
            if (due[m->money.refunds[i].row])
                return "two refunds are due of one payment";
            due[m->money.refunds[i].row] = m->money.refunds[i].amount;
        }
    for (uint32_t i = 0; i < m->money.row_count; i++) {
        const struct model_sums *s = &m->money.rows[i].now;
        if (s->kept + s->returned + s->owed != more(s->received, s->returned) || s->owed != due[i])
            return "a payment does not add up";
    }
    return NULL;
}
