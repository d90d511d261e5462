/* SPDX-License-Identifier: Apache-2.0 */
#include "core/money/ledger.h"

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/claim/reservation.h"
#include "core/money/refund.h"
#include "core/state_check_parts.h"

/* ---- From the facts of one payment ---- */

int64_t ledger_received(const struct payment_image *p)
{
    if (p->paid.given)
        return p->paid.amount;
    return p->failed || !p->app.given ? 0 : p->app.amount;
}

static int64_t at_least_0(int64_t amount)
{
    return amount > 0 ? amount : 0;
}

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t returned_of(const struct payment_image *p)
{
    int64_t provider = at_least_0(p->refunded - p->refund_failed) + at_least_0(p->disputed - p->reinstated);
    return (provider > p->staff_returned ? provider : p->staff_returned) + p->outside;
}

static bool currency_known(const char currency[3])
{
    return memcmp(currency, NO_CURRENCY, 3) != 0;
}

/* From the provider, else from the app, else from its reservation. */
static const char *currency_of(const struct payment_image *p, const struct reservation *r)
{
    if (p->paid.given)
        return p->paid.currency;
    if (currency_known(p->returned_currency))
        return p->returned_currency;
    return p->app.given ? p->app.currency : r ? r->currency : NO_CURRENCY;
}

static bool has_money(const struct payment_image *p)
{
    return p->paid.given || p->app.given || p->refunded || p->disputed || p->staff_returned || p->outside;
}

bool ledger_covers(const struct payment_image *p, const char currency[3], int64_t total)
{
    return memcmp(currency_of(p, NULL), currency, 3) == 0 &&
           at_least_0(ledger_received(p) - returned_of(p) - p->owed) >= total;
}

/* ---- All rows of a reservation ---- */

static bool confirmed_with(const struct reservation *r, const struct payment_image *p)
{
    return r && r->extra && r->extra->payment_ref.at && text_equal(r->extra->payment_ref, p->ref);
}

/* `left` is what the items still cost. */
static void fill(const struct reservation *r, struct payment_image *p, int64_t *left)
{
    int64_t there = at_least_0(p->received - p->returned);
    if (memcmp(p->currency, r->currency, 3) == 0) {
        p->kept = lesser(there, *left);
        *left -= p->kept;
    } else {
        p->kept = confirmed_with(r, p)
                      ? there
                      : 0; /* only staff can confirm with what turns out to be another currency */
    }
}

static enum discrepancy discrepancy_of(const struct reservation *r, const struct payment_image *p,
                                       int64_t balance)
{
    bool confirmed = r && r->status == RESERVATION_CONFIRMED;
    if (!p->money_seq) /* no money is involved, and it can still become another reservation's */
        return DISCREPANCY_NONE;
    if (p->unknown && p->owed)
        return DISCREPANCY_UNKNOWN;
    if (p->returned > p->received)
        return DISCREPANCY_OVER_RETURNED;
    if (p->disputes > p->disputes_over)
        return DISCREPANCY_DISPUTED;
    if (confirmed && confirmed_with(r, p) && memcmp(p->currency, r->currency, 3) != 0)
        return DISCREPANCY_CURRENCY;
    if (confirmed && balance > 0 && p->app.given && p->app.amount > p->received)
        return DISCREPANCY_SHORT;
    return confirmed && balance > 0 && p->returned ? DISCREPANCY_GONE_BACK : DISCREPANCY_NONE;
}

/* Everything but discrepancy_seq. r NULL: its reservation does not exist. */
static void compute(const struct reservation *r, int64_t total, struct payment_image *rows, uint32_t count)
{
    bool confirmed = r && r->status == RESERVATION_CONFIRMED;
    int64_t left = confirmed ? total : 0;
    for (uint32_t i = 0; i < count; i++) {
        struct payment_image *p = &rows[i];
        p->received = ledger_received(p);
        p->returned = returned_of(p);
        memcpy(p->currency, currency_of(p, r), 3); /* a reservation stores no NUL after its letters */
        /* What was kept for a sale that was pruned stays kept. */
        p->kept = r ? 0 : lesser(p->kept, at_least_0(p->received - p->returned));
    }
    for (uint32_t first = 2; confirmed && first-- > 0;) /* the one that confirmed, then the others */
        for (uint32_t i = 0; i < count; i++)
            if (rows[i].money_seq && confirmed_with(r, &rows[i]) == (first == 1))
                fill(r, &rows[i], &left);
    for (uint32_t i = 0; i < count; i++) {
        rows[i].owed = at_least_0(rows[i].received - rows[i].kept - rows[i].returned);
        rows[i].discrepancy = discrepancy_of(r, &rows[i], left);
    }
}

int64_t ledger_balance(const struct state *st, uint32_t handle)
{
    struct reservation *r = reservation_at(st, handle);
    int64_t kept = 0;
    if (r->status != RESERVATION_CONFIRMED)
        return 0;
    for (const struct payment *p = payments_first(st, handle); p; p = payment_next(st, p))
        kept += memcmp(payment_image(p)->currency, r->currency, 3) == 0 ? payment_image(p)->kept : 0;
    return at_least_0(reservation_total(r, NULL) - kept);
}

/* ---- Refunds due ---- */

/* Why a payment owes money, from the row and its reservation alone. */
static enum refund_cause cause_of(const struct reservation *r, int64_t total, const struct payment_image *p)
{
    static const enum refund_cause causes[] = {
        [RESERVATION_HELD] = REFUND_AMOUNT,       [RESERVATION_RELEASED] = REFUND_RELEASED,
        [RESERVATION_EXPIRED] = REFUND_EXPIRED,   [RESERVATION_CANCELLED] = REFUND_CANCELLED,
        [RESERVATION_REFUNDED] = REFUND_REFUNDED,
    };
    if (p->unknown)
        return REFUND_UNKNOWN;
    if (!r) /* pruned */
        return REFUND_REFUNDED;
    bool open = r->status == RESERVATION_HELD || r->status == RESERVATION_EXPIRED ||
                r->status == RESERVATION_CONFIRMED; /* it could have bought something */
    if (open && !p->kept && memcmp(p->currency, r->currency, 3) != 0)
        return REFUND_CURRENCY;
    if (r->status == RESERVATION_CONFIRMED)
        return p->kept || confirmed_with(r, p) ? REFUND_OVERPAID : REFUND_PAID_TWICE;
    return r->status == RESERVATION_EXPIRED && p->received < total ? REFUND_AMOUNT : causes[r->status];
}

static struct text reason_of(enum refund_cause cause, struct text said)
{
    const char *name = refund_cause_name(cause);
    return said.at ? said : (struct text){name, strlen(name)};
}

/* The row is emitted: updates its refund due to what it owes. */
static void follow(struct state *st, const struct payment *p, struct text reason, int64_t aside)
{
    const struct payment_image *row = payment_image(p);
    const struct refund *open = refund_open(st, p);
    struct refund_image due = open ? *refund_image(open) : (struct refund_image){0};
    int64_t amount_before = due.amount;
    if (open) {
        due.returned_before = lesser(due.returned_before + aside, row->returned);
        int64_t went_back = row->returned - due.returned_before;
        if (!went_back && row->owed == due.amount && memcmp(row->currency, due.currency, 3) == 0) {
            if (due.returned_before != refund_image(open)->returned_before)
                refund_save(st, &due);
            return;
        }
        if (went_back) {
            due.status = REFUND_DONE;
            due.done_at_ms = st->now_ms;
            due.amount = went_back;
        } else if (!row->owed) {
            due.status = REFUND_WITHDRAWN;
        } else {
            due.told_seq = state_next_seq(st);
            due.reason = row->owed > due.amount ? reason : due.reason;
            due.amount = row->owed;
            memcpy(due.currency, row->currency,
                   sizeof(due.currency)); /* the provider can know better than the app */
        }
        refund_save(st, &due);
        if (due.status != REFUND_DONE || !row->owed)
            return;
        if (row->owed <= amount_before) /* the rest of it keeps its reason */
            reason = refund_image(refund_find(st, due.number))->reason;
    }
    if (!row->owed)
        return;
    struct refund_image rest = {.number = state_next_seq(st),
                                .told_seq = state_next_seq(st),
                                .reservation = row->reservation,
                                .payment_ref = row->ref,
                                .amount = row->owed,
                                .reason = reason,
                                .created_at_ms = st->now_ms,
                                .status = REFUND_OPEN,
                                .returned_before = row->returned};
    memcpy(rest.currency, row->currency, sizeof(rest.currency));
    refund_save(st, &rest);
}

/* ---- After every change ---- */

static void add_row(struct state *st, const struct payment_image *image)
{
    st->rows = memory_room(st->rows, st->row_count, &st->row_capacity, 4, sizeof(*st->rows));
    st->rows[st->row_count++] = *image;
}

/* Collects the rows as they are, with `new` in place of its own; if it has its first money now, it comes last. */
static void collect_rows(struct state *st, uint32_t handle, const struct payment_image *new)
{
    st->row_count = 0;
    bool placed = false;
    for (const struct payment *p = handle == TABLE_NONE ? NULL : payments_first(st, handle); p;
         p = payment_next(st, p)) {
        bool same = new &&text_equal(payment_image(p)->ref, new->ref);
        if (same && !payment_image(p)->money_seq)
            continue;
        placed = placed || same;
        add_row(st, same ? new : payment_image(p));
    }
    if (new && !placed)
        add_row(st, new);
}

void ledger_show(struct state *st, uint32_t handle, struct reservation_image *out)
{
    out->payment_count = 0;
    for (const struct payment *p = payments_first(st, handle); p; p = payment_next(st, p)) {
        st->rows_shown = memory_room(st->rows_shown, out->payment_count, &st->rows_shown_capacity, 4,
                                     sizeof(*st->rows_shown));
        st->rows_shown[out->payment_count++] = *payment_image(p);
    }
    out->payments = st->rows_shown;
}

/* Staff has paid back what the change made owed. */
static int64_t pay_back(struct payment_image *row, int64_t owed_before)
{
    int64_t grown = at_least_0(row->owed - owed_before);
    if (grown) {
        row->staff_returned = row->returned - row->outside + grown;
        row->returned += grown;
        row->owed -= grown;
    }
    return grown;
}

static void settle(struct state *st, uint32_t handle, const struct payment_image *new,
                   const struct ledger_why *why)
{
    struct reservation *r = handle == TABLE_NONE ? NULL : reservation_at(st, handle);
    int64_t total = r ? reservation_total(r, NULL) : 0;
    collect_rows(st, handle, new);
    compute(r, total, st->rows, st->row_count);
    for (uint32_t i = 0; i < st->row_count; i++) {
        struct payment_image *row = &st->rows[i];
        const struct payment *p = payment_find(st, row->ref);
        bool is_told = new &&text_equal(row->ref, new->ref);
        int64_t aside = is_told ? why->aside : 0;
        if (why->paid_back)
            aside += pay_back(row, p ? payment_image(p)->owed : 0);
        enum discrepancy before = p ? payment_image(p)->discrepancy : DISCREPANCY_NONE;
        if (row->discrepancy != before)
            row->discrepancy_seq = row->discrepancy == DISCREPANCY_NONE ? 0 : state_next_seq(st);
        if (p && payment_image_same(row, payment_image(p)))
            continue;
        row->number = p ? row->number : state_next_seq(st);
        row->last_at_ms = st->now_ms;
        enum refund_cause cause = why->cause        ? why->cause
                                  : is_told || !new ? cause_of(r, total, row)
                                                    : REFUND_REPLACED;
        follow(st, payment_save(st, row), reason_of(cause, why->said), aside);
    }
}

void ledger_settle(struct state *st, uint32_t handle, const struct ledger_why *why)
{
    ASSERT(handle != TABLE_NONE);
    if (payments_first(st, handle))
        settle(st, handle, NULL, why);
}

void ledger_record(struct state *st, uint32_t handle, struct payment_image new, const struct ledger_why *why)
{
    const struct payment *p = payment_find(st, new.ref);
    ASSERT(!p || payment_image(p)->number == new.number);
    if (!new.money_seq && has_money(&new))
        new.money_seq = state_next_seq(st);
    settle(st, handle, &new, why);
}

/* ---- Paid back, by staff ---- */

enum outcome_code refund_done(struct state *st, const struct command *c, struct outcome *out)
{
    uint64_t number = c->refund_done.number;
    const struct money *said = &c->refund_done.amount;
    enum outcome_code code = refund_known(st, c, out);
    if (code != OUTCOME_OK)
        return code;
    struct refund_image due = *refund_image(refund_find(st, number));
    const struct payment *p = payment_find(st, due.payment_ref);
    struct payment_image row = *payment_image(p);
    if (due.status == REFUND_DONE) /* the answer to the first one could have been lost */
        return refund_answer(st, number, out);
    state_saw(out, payment_seq(p));
    if (said->given && memcmp(said->currency, due.currency, 3) != 0)
        return state_invalid(out, "Invalid currency: must be that of the refund due.", "/amount/currency");
    if (!said->given && due.told_seq != due.number) /* its amount was different before */
        return OUTCOME_REFUND_CHANGED;
    int64_t amount = said->given ? said->amount : due.amount;
    ASSERT(amount > 0 && amount <= AMOUNT_MAX);
    if (c->refund_done.outside)
        row.outside += amount;
    else
        row.staff_returned = row.returned - row.outside + amount;
    bool withdrawn = due.status == REFUND_WITHDRAWN;
    ledger_record(st, payment_reservation(p), row, &(struct ledger_why){.aside = withdrawn ? amount : 0});
    if (withdrawn) { /* the money was returned anyway */
        due.status = REFUND_DONE;
        due.done_at_ms = st->now_ms;
        due.amount = amount;
        refund_save(st, &due);
    }
    return refund_answer(st, number, out);
}

/* ---- For state_check ---- */

void ledger_check(struct check *c, const struct payment *p)
{
    struct state *st = c->st;
    uint32_t handle = payment_reservation(p);
    if (handle == TABLE_NONE || payments_first(st, handle) != p)
        return; /* the first one checks them all */
    struct reservation *r = reservation_at(st, handle);
    collect_rows(st, handle, NULL);
    compute(r, reservation_total(r, NULL), st->rows, st->row_count);
    for (uint32_t i = 0; i < st->row_count; i++) {
        const struct payment_image *row = &st->rows[i], *is = payment_image(payment_find(st, row->ref));
        check_expect(c, payment_image_same(row, is),
                     "Payment %.*s of %s has kept %lld, returned %lld and owed %lld; its facts give %lld, "
                     "%lld and %lld.",
                     TEXT_ARGS(is->ref), check_id_text(c, is->reservation), (long long)is->kept,
                     (long long)is->returned, (long long)is->owed, (long long)row->kept,
                     (long long)row->returned, (long long)row->owed);
    }
}
