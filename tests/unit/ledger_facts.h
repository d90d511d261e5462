/* SPDX-License-Identifier: Apache-2.0 */
/* ledger_facts.h — reports about one or two payments for a reservation of two seats, as facts, and the ledger computed
 * from them as the contract (docs/payments.md) says: for core_ledger_orders.c. */
#ifndef TESTS_UNIT_LEDGER_FACTS_H
#define TESTS_UNIT_LEDGER_FACTS_H

#include "../lib/core_fixture.h"

#define SEATS 4
#define PAYMENTS 2
#define NOBODY (-1)

enum what {
    BEGUN,
    COMMIT_AMOUNT,
    COMMIT,
    SUCCESS,
    FAILED,
    GONE_BACK,
    DONE,
    OF_PAYMENTS,
    EXPIRY = OF_PAYMENTS,
    RELEASE,
    ITEM_BACK,
    MOVE
};
static const char *const names[] = {"begun", "commit+amount", "commit",  "success",   "failed", "refunded",
                                    "done",  "expiry",        "release", "item back", "move"};

struct step_told {
    enum what what;
    int payment;
};

/* What each of them reports. */
struct telling {
    const char *title;
    uint32_t payments, steps;
    bool late_refund;
    int64_t app[PAYMENTS], success[PAYMENTS], back[PAYMENTS];
    const char *currency[PAYMENTS]; /* of the provider */
};
static const struct telling *now; /* the one that is tried */
static const int64_t seat_prices[SEATS] = {100, 200, 50, 350};

/* ---- Facts ---- */

struct told_of {
    bool known; /* it has been named */
    bool said, assumed, succeeded, failed;
    int64_t app, success;    /* reported amount, amount of the success */
    int64_t provider, staff; /* totals returned */
    int rank;                /* in order of first money: 1, 2; 0: it has none */
};

struct facts {
    enum reservation_status status;
    uint32_t items;
    int seat;         /* of the first item */
    int confirmed_by; /* or NOBODY */
    struct told_of payments[PAYMENTS];
};

/* The computed row. */
struct row {
    enum payment_status status;
    bool sourced;
    enum payment_source source;
    int64_t received, kept, returned, owed;
    enum discrepancy discrepancy;
    bool foreign;
};

struct ledger {
    struct row rows[PAYMENTS];
};

static int64_t more(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t total_of(const struct facts *f)
{
    return seat_prices[f->seat] + (f->items > 1 ? seat_prices[1] : 0);
}

static struct row row_of(const struct told_of *p, const char *currency)
{
    struct row r = {.status = p->failed && !p->succeeded ? PAYMENT_ROW_FAILED
                              : p->rank                  ? PAYMENT_ROW_RECEIVED
                                                         : PAYMENT_ROW_BEGUN,
                    .sourced = p->rank != 0,
                    .source = p->succeeded || p->failed || !p->said ? PAYMENT_BY_PROVIDER
                              : p->assumed                          ? PAYMENT_ASSUMED
                                                                    : PAYMENT_BY_APP,
                    .received = p->succeeded            ? p->success
                                : p->failed || !p->said ? 0
                                                        : p->app,
                    .returned = more(p->provider, p->staff)};
    r.foreign = (p->succeeded || p->provider) && strcmp(currency, "EUR") != 0;
    return r;
}

static enum discrepancy discrepancy_of(const struct facts *f, int payment, const struct row *r,
                                       int64_t balance)
{
    const struct told_of *p = &f->payments[payment];
    if (r->returned > r->received)
        return DISCREPANCY_OVER_RETURNED;
    if (f->status != RESERVATION_CONFIRMED)
        return DISCREPANCY_NONE;
    if (r->foreign && f->confirmed_by == payment)
        return DISCREPANCY_CURRENCY;
    if (balance && p->said && p->app > r->received)
        return DISCREPANCY_SHORT;
    return balance && r->returned ? DISCREPANCY_GONE_BACK : DISCREPANCY_NONE;
}

/* The ledger, from the facts alone. Returns the balance. */
static int64_t add_up(const struct facts *f, struct ledger *l)
{
    int64_t missing = f->status == RESERVATION_CONFIRMED ? total_of(f) : 0;
    *l = (struct ledger){0};
    for (int i = 0; i < PAYMENTS; i++)
        if (f->payments[i].known)
            l->rows[i] = row_of(&f->payments[i], now->currency[i]);
    /* The one that confirmed comes first, then by first money. */
    for (int turn = 0; turn <= PAYMENTS; turn++)
        for (int i = 0; f->status == RESERVATION_CONFIRMED && i < PAYMENTS; i++) {
            bool confirmed = f->confirmed_by == i;
            struct row *r = &l->rows[i];
            int64_t there = more(0, r->received - r->returned);
            if (turn == 0 ? !confirmed : confirmed || f->payments[i].rank != turn)
                continue;
            r->kept = r->foreign ? (confirmed ? there : 0) : there < missing ? there : missing;
            missing -= r->foreign ? 0 : r->kept;
        }
    for (int i = 0; i < PAYMENTS; i++) {
        struct row *r = &l->rows[i];
        r->owed = more(0, r->received - r->kept - r->returned);
        if (f->payments[i].known)
            r->discrepancy = discrepancy_of(f, i, r, missing);
        assert_int_equal(r->kept + r->returned + r->owed, more(r->received, r->returned));
    }
    return missing;
}

/* ---- What a step makes of the facts ---- */

/* Besides the facts: state that is not part of the ledger. */
struct tried {
    struct facts facts;
    bool paying;
};

static void first_money(struct facts *f, int payment)
{
    int before = 0;
    for (int i = 0; i < PAYMENTS; i++)
        before += f->payments[i].rank != 0;
    if (!f->payments[payment].rank)
        f->payments[payment].rank = before + 1;
}

/* A payment has arrived, with the money it has now; `owed` is what it owed before. */
static void arrive(struct facts *f, int payment, int64_t owed)
{
    struct row r = row_of(&f->payments[payment], now->currency[payment]);
    bool open = f->status == RESERVATION_HELD || (f->status == RESERVATION_EXPIRED && !now->late_refund);
    first_money(f, payment);
    if (open && !r.foreign && r.received - r.returned - owed >= total_of(f)) {
        f->status = RESERVATION_CONFIRMED;
        f->confirmed_by = payment;
    }
}

static void commit(struct facts *f, int payment, bool amount, int64_t balance, int64_t owed)
{
    struct told_of *p = &f->payments[payment];
    p->known = true;
    if (amount || !p->said) {
        p->app = amount ? now->app[payment] : balance ? balance : total_of(f);
        p->assumed = !amount;
    }
    p->said = true;
    arrive(f, payment, owed);
}

static void of_payment(struct tried *t, const struct step_told *s)
{
    struct facts *f = &t->facts;
    struct told_of *p = &f->payments[s->payment];
    struct ledger before;
    int64_t balance = add_up(f, &before);
    const struct row *r = &before.rows[s->payment];
    switch (s->what) {
    case BEGUN:
        p->known = p->known || f->status == RESERVATION_HELD;
        t->paying = t->paying || f->status == RESERVATION_HELD;
        break;
    case COMMIT_AMOUNT:
    case COMMIT:
        commit(f, s->payment, s->what == COMMIT_AMOUNT, balance, r->owed);
        break;
    case SUCCESS:
        p->known = p->succeeded = true;
        p->success = now->success[s->payment];
        arrive(f, s->payment, r->owed);
        break;
    case FAILED:
        p->known = p->failed = true;
        break;
    case GONE_BACK:
        p->known = true;
        p->provider = now->back[s->payment];
        first_money(f, s->payment);
        break;
    default: /* DONE: the open one */
        p->staff = r->owed ? r->returned + r->owed : p->staff;
        break;
    }
}

static void of_reservation(struct tried *t, const struct step_told *s)
{
    struct facts *f = &t->facts;
    bool held = f->status == RESERVATION_HELD, sold = f->status == RESERVATION_CONFIRMED;
    if (s->what == EXPIRY && held)
        f->status = RESERVATION_EXPIRED;
    if (s->what == RELEASE && held)
        f->status = RESERVATION_RELEASED;
    if (s->what == ITEM_BACK && sold && --f->items == 0) {
        f->status = RESERVATION_REFUNDED;
        f->items = 1; /* it is still shown with the last one */
    }
    if (s->what == MOVE && (sold || (held && !t->paying)))
        f->seat = f->seat == 0 ? 2 : f->seat == 2 ? 3 : 0;
}

static void tell_model(struct tried *t, const struct step_told *s)
{
    (s->what < OF_PAYMENTS ? of_payment : of_reservation)(t, s);
}

#endif
