/* SPDX-License-Identifier: Apache-2.0 */
#include "core/money/payment_news.h"

#include "base/assertion.h"
#include "core/claim/expiry.h"
#include "core/claim/reservation.h"
#include "core/money/ledger.h"
#include "core/money/pay.h"
#include "core/money/refund.h"

/* An event that is being applied. */
struct news {
    struct step *step;
    struct money reported;
    uint32_t handle;          /* of the reservation it names; TABLE_NONE: none */
    bool known;               /* the payment had a row before */
    bool own;                 /* its money does not belong to another reservation */
    struct payment_image row; /* with the new facts */
    struct payment_image before;
    struct outcome *out;
};

static int64_t sum(int64_t a, int64_t b)
{
    int64_t result;
    ASSERT(a >= 0 && b >= 0);
    return __builtin_add_overflow(a, b, &result) || result > INT64_MAX / 8 ? INT64_MAX / 8 : result;
}

/* The row's own reservation; for a new row the one that the event names. */
static uint32_t owner(const struct news *n)
{
    const struct payment *p = payment_find(n->step->state, n->row.ref);
    bool by_row = p && (n->row.money_seq || n->handle == TABLE_NONE);
    return n->row.unknown ? TABLE_NONE : by_row ? payment_reservation(p) : n->handle;
}

/* Records the new facts of the row. The outcome shows what it owes then. */
static void record_facts(struct news *n)
{
    struct state *st = n->step->state;
    ledger_record(st, owner(n), n->row, &(struct ledger_why){0});
    const struct payment *p = payment_find(st, n->row.ref);
    const struct refund *due = refund_open(st, p);
    n->out->refund_due = due ? refund_image(due)->number : 0;
    n->row = *payment_image(p);
    state_saw(n->out, payment_seq(p));
}

static bool grown(const struct news *n)
{
    return n->row.owed > n->before.owed;
}

/* ---- Successes ---- */

/* The result of a success that confirmed nothing. */
static enum payment_result result_of_success(const struct news *n)
{
    const struct payment_image *row = &n->row;
    struct reservation *r = reservation_at(n->step->state, n->handle);
    bool sold = r->status == RESERVATION_CONFIRMED,
         open = r->status == RESERVATION_HELD || r->status == RESERVATION_EXPIRED;
    if ((sold || open) && memcmp(row->currency, r->currency, 3) != 0)
        return PAYMENT_CURRENCY;
    if (open && row->received < reservation_total(r, NULL))
        return PAYMENT_AMOUNT;
    if (sold && n->before.app.given && row->received < n->before.app.amount)
        return PAYMENT_AMOUNT; /* the app reported more */
    return sold        ? (grown(n) ? PAYMENT_REFUND_DUE : PAYMENT_RECORDED)
           : row->owed ? PAYMENT_REFUND_DUE
                       : PAYMENT_RECORDED;
}

static enum outcome_code succeeded(struct news *n, enum payment_result *result)
{
    struct state *st = n->step->state;
    const struct command *c = n->step->command;
    bool more = !n->row.paid.given || n->reported.amount > n->row.paid.amount, confirmed;
    if (more)
        n->row.paid = n->reported; /* final: only a greater one replaces it */
    *result = PAYMENT_REPEATED;
    if (n->handle == TABLE_NONE || !n->own) {
        bool same = id_equal(n->row.reservation, c->reservation);
        /* If its reservation was pruned since, it is still the same payment. */
        n->row.unknown = n->row.unknown || !n->row.money_seq;
        bool nobodys = n->row.unknown && same;
        record_facts(n);
        *result = !same && !nobodys ? PAYMENT_USED /* the provider still says whose it is */
                  : !more           ? PAYMENT_REPEATED
                  : nobodys         ? PAYMENT_UNKNOWN
                  : grown(n)        ? PAYMENT_REFUND_DUE
                                    : PAYMENT_RECORDED;
        return OUTCOME_OK;
    }
    struct pay p = {.ref = n->row.ref, .ticket_key = c->payment_event.ticket_key};
    enum outcome_code code = pay_arrived(n->step, n->handle, &n->row, &p, &confirmed, n->out);
    if (code == OUTCOME_RETRY || code == OUTCOME_FETCH)
        return code;
    n->row = *payment_image(payment_find(st, n->row.ref));
    if (confirmed)
        *result = PAYMENT_CONFIRMED; /* the excess over the total is owed anyway */
    else if (more)
        *result = result_of_success(n);
    return OUTCOME_OK;
}

static enum payment_result failed(struct news *n)
{
    if (n->handle == TABLE_NONE && !n->known)
        return PAYMENT_UNKNOWN; /* nothing was paid, and nothing waits for it */
    bool again = n->row.failed || n->row.paid.given;
    n->row.failed = true;
    record_facts(n);
    return !n->own ? PAYMENT_USED : again ? PAYMENT_REPEATED : PAYMENT_FAILED;
}

/* ---- Money returned ---- */

static enum payment_result refunded(struct news *n)
{
    if (!n->known && n->handle == TABLE_NONE)
        return PAYMENT_IGNORED; /* not our payment */
    if (n->reported.amount <= n->row.refunded)
        return PAYMENT_REPEATED;
    n->row.refunded = n->reported.amount;
    memcpy(n->row.returned_currency, n->reported.currency, sizeof(n->row.returned_currency));
    record_facts(n);
    return PAYMENT_RETURNED;
}

static enum payment_result other(struct news *n, enum payment_news said)
{
    if (!n->known)
        return PAYMENT_IGNORED;
    n->row.refund_failed = sum(n->row.refund_failed, said == NEWS_REFUND_FAILED ? n->reported.amount : 0);
    n->row.disputed = sum(n->row.disputed, said == NEWS_FUNDS_WITHDRAWN ? n->reported.amount : 0);
    n->row.reinstated = sum(n->row.reinstated, said == NEWS_FUNDS_REINSTATED ? n->reported.amount : 0);
    n->row.disputes += said == NEWS_DISPUTED;
    n->row.disputes_over += said == NEWS_DISPUTE_OVER || said == NEWS_FUNDS_REINSTATED;
    if (said == NEWS_FUNDS_WITHDRAWN)
        memcpy(n->row.returned_currency, n->reported.currency, sizeof(n->row.returned_currency));
    record_facts(n);
    return said == NEWS_FUNDS_WITHDRAWN ? PAYMENT_RETURNED : grown(n) ? PAYMENT_REFUND_DUE : PAYMENT_RECORDED;
}

/* ---- All events ---- */

static bool is_complete(const struct command *c)
{
    const struct payment_event_image *e = &c->payment_event.image;
    enum payment_news said = c->payment_event.news;
    bool needs_amount = said != NEWS_FAILED && said != NEWS_DISPUTED && said != NEWS_DISPUTE_OVER;
    bool names = said != NEWS_SUCCEEDED && said != NEWS_FAILED;
    return said != NEWS_NONE && e->payment_ref.size && (names || c->payment_event.named) &&
           (!needs_amount || (e->amount.given && e->amount.amount >= 0 && e->amount.amount <= AMOUNT_MAX));
}

enum outcome_code payment_news_look_up(struct step *step, struct outcome *out)
{
    const struct command *c = step->command;
    /* An event without payment, amount and purpose is not ours, or no news. */
    if (!is_complete(c))
        return OUTCOME_OK;
    bool missing = !id_none(c->reservation) && !c->reservation_checked &&
                   reservation_find(step->state, c->reservation) == TABLE_NONE;
    if (missing)
        outcome_lacks(out, &(struct record_key){.kind = FETCH_RESERVATION, .id = c->reservation});
    enum outcome_code code = pay_look_up(step, out);
    return missing ? OUTCOME_FETCH : code;
}

/* Reservation and row are in memory, if they exist; anything settled on the way stays settled. OK or FETCH. */
static enum outcome_code look_up(struct news *n)
{
    struct step *step = n->step;
    const struct command *c = step->command;
    enum outcome_code code = payment_news_look_up(step, n->out);
    if (code != OUTCOME_OK)
        return code;
    n->handle = id_none(c->reservation) ? TABLE_NONE : reservation_find(step->state, c->reservation);
    if (n->handle != TABLE_NONE)
        settle_reservation(step->state, n->handle);
    /* Only a success can be for a reservation that does not exist. */
    bool names = n->handle != TABLE_NONE || c->payment_event.news == NEWS_SUCCEEDED;
    n->known = payment_find(step->state, c->payment_event.image.payment_ref) != NULL;
    n->own = pay_row(step->state, c->payment_event.image.payment_ref, names ? c->reservation : (struct id){0},
                     &n->row);
    n->before = n->row;
    return OUTCOME_OK;
}

enum outcome_code payment_news_take(struct step *step, enum payment_result *result, struct outcome *out)
{
    const struct command *c = step->command;
    enum payment_news said = c->payment_event.news;
    struct news n = {.step = step, .reported = c->payment_event.image.amount, .out = out};
    ASSERT(step->state->actor.role == ROLE_PAYMENT);
    *result = PAYMENT_IGNORED;
    if (!is_complete(c))
        return OUTCOME_OK;
    enum outcome_code code = look_up(&n);
    if (code != OUTCOME_OK)
        return code;
    if (said == NEWS_SUCCEEDED)
        return succeeded(&n, result);
    *result = said == NEWS_FAILED ? failed(&n) : said == NEWS_REFUNDED ? refunded(&n) : other(&n, said);
    return OUTCOME_OK;
}
