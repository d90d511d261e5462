/* SPDX-License-Identifier: Apache-2.0 */
#include "core/money/pay.h"

#include "base/assertion.h"
#include "core/claim/reservation.h"
#include "core/claim/reservation_command.h"
#include "core/claim/single_seats.h"
#include "core/money/ledger.h"
#include "core/money/refund.h"

struct text pay_trusted(const struct state *st, struct text ref)
{
    bool trusted =
        st->actor.role == ROLE_APP || st->actor.role == ROLE_ADMIN || st->actor.role == ROLE_PAYMENT;
    return trusted && ref.size ? ref : (struct text){0};
}

/* The reference in the command. */
static struct text command_ref(const struct command *c)
{
    switch (c->kind) {
    case COMMAND_HOLD:
        return c->hold.commit ? c->hold.payment_ref : (struct text){0};
    case COMMAND_PAYMENT:
    case COMMAND_COMMIT:
        return c->commit.payment_ref;
    case COMMAND_PAYMENT_EVENT:
        return c->payment_event.image.payment_ref;
    default:
        return (struct text){0};
    }
}

enum outcome_code pay_look_up(struct step *step, struct outcome *out)
{
    struct text ref = pay_trusted(step->state, command_ref(step->command));
    if (!ref.at || payment_find(step->state, ref))
        return OUTCOME_OK;
    return payment_fetch(step->state, step->command, (struct payment_key){.ref = ref}, OUTCOME_OK, out);
}

bool pay_row(const struct state *st, struct text ref, struct id reservation, struct payment_image *row)
{
    const struct payment *p = payment_find(st, ref);
    *row = p ? *payment_image(p) : payment_image_new(st, ref, reservation);
    if (row->money_seq)
        return !row->unknown && id_equal(row->reservation, reservation);
    if (!id_none(reservation))
        row->reservation = reservation; /* a payment without money is not bound to a reservation */
    return true;
}

static enum outcome_code used(const struct state *st, const struct payment_image *row, struct outcome *out)
{
    out->payment_owner = row->reservation;
    state_saw(out, payment_seq(payment_find(st, row->ref)));
    return OUTCOME_PAYMENT_USED;
}

/* Sets the app's amount: as given, or what was missing if none was given. */
static void set_app_amount(struct payment_image *row, const struct money *named, int64_t missing,
                           const char currency[3])
{
    if (named->given) {
        row->app = *named;
        row->assumed = false;
    } else if (!row->app.given) {
        row->app = (struct money){.given = true, .amount = missing};
        memcpy(row->app.currency, currency, 3);
        row->assumed = true;
    }
}

static int64_t missing(const struct state *st, uint32_t handle)
{
    int64_t balance = ledger_balance(st, handle);
    return balance ? balance : reservation_total(reservation_at(st, handle), NULL);
}

/* Shows what the row owes now along with a refusal; `ended`: or what it owed last and was returned since, so that a
 * repeated request gets the same refusal. */
static void show_due(struct state *st, struct text ref, bool ended, struct outcome *out)
{
    const struct payment *p = payment_find(st, ref);
    const struct refund *due = p ? refund_open(st, p) : NULL;
    for (const struct refund *r = p && !due && ended ? refunds_first(st, p) : NULL; r; r = refund_next(st, r))
        if (refund_image(r)->status == REFUND_DONE)
            due = r;
    out->refund_due = due ? refund_image(due)->number : 0;
    state_saw(out, p ? payment_seq(p) : 0);
}

/* ---- A sale ---- */

static enum outcome_code sell(struct step *step, uint32_t handle, const struct pay *p,
                              const struct payment_image *row, bool late, struct outcome *out)
{
    struct state *st = step->state;
    struct reservation *r = reservation_at(st, handle);
    if (p->attributes.at)
        reservation_set_attributes(r, p->attributes);
    reservation_record_payment(st, r, p->method, p->ref);
    if (late)
        reservation_confirm_late(st, handle, p->ticket_key);
    else
        reservation_confirm(st, handle, p->ticket_key);
    reservation_command_changed(step, handle, ACTION_CONFIRMED, out);
    if (row)
        ledger_record(st, handle, *row, &(struct ledger_why){0});
    else
        ledger_settle(st, handle, &(struct ledger_why){0}); /* money received before covers it */
    ASSERT(r->status == RESERVATION_CONFIRMED);
    step_answer(step, handle, out);
    reservation_finish_entries(st, handle); /* after the sale that finishes them */
    return OUTCOME_OK;
}

enum outcome_code pay_arrived(struct step *step, uint32_t handle, const struct payment_image *row,
                              const struct pay *p, bool *confirmed, struct outcome *out)
{
    struct state *st = step->state;
    struct reservation *r = reservation_at(st, handle);
    bool late = r->status == RESERVATION_EXPIRED;
    bool covers = ledger_covers(row, r->currency, reservation_total(r, NULL));
    enum outcome_code code = OUTCOME_OK;
    ASSERT(!reservation_lapsed(r, st->now_ms) && p->ref.at);
    *confirmed =
        covers && (late ? late_payment_acceptable(step, handle, &code) : r->status == RESERVATION_HELD);
    if (code != OUTCOME_OK)
        return code;
    if (*confirmed) {
        sell(step, handle, p, row, late, out);
        show_due(st, p->ref, false, out); /* the excess */
        return OUTCOME_OK;
    }
    ledger_record(st, handle, *row, &(struct ledger_why){0});
    show_due(st, p->ref, !reservation_live(r), out);
    if (r->status == RESERVATION_CONFIRMED)
        return step_answer(step, handle, out);
    return r->status == RESERVATION_HELD ? OUTCOME_PAYMENT_REQUIRED : reservation_command_state(r);
}

/* ---- Commit ---- */

static enum outcome_code commit_unpaid(struct step *step, uint32_t handle, const struct pay *p,
                                       struct outcome *out)
{
    struct state *st = step->state;
    struct reservation *r = reservation_at(st, handle);
    if (r->status == RESERVATION_CONFIRMED)
        return step_answer(step, handle, out);
    enum outcome_code code = reservation_command_state(r);
    if (code != OUTCOME_OK)
        return code;
    /* With the money received it would be confirmed already; app and admin vouch for money they take themselves. */
    if (st->actor.role == ROLE_USER && r->payment_required && reservation_total(r, NULL) > 0)
        return OUTCOME_PAYMENT_REQUIRED;
    if ((code = single_seats_judge(step, handle, out)) != OUTCOME_OK)
        return code;
    return sell(step, handle, p, NULL, false, out);
}

enum outcome_code pay_commit(struct step *step, uint32_t handle, const struct pay *p, struct outcome *out)
{
    struct state *st = step->state;
    struct reservation *r = reservation_at(st, handle);
    struct payment_image row;
    bool confirmed;
    if (!p->ref.at)
        return commit_unpaid(step, handle, p, out);
    if (!pay_row(st, p->ref, r->id, &row))
        return used(st, &row, out);
    set_app_amount(&row, &p->amount, missing(st, handle), r->currency);
    return pay_arrived(step, handle, &row, p, &confirmed, out);
}

bool pay_received_any(const struct state *st, uint32_t handle)
{
    for (const struct payment *p = payments_first(st, handle); p; p = payment_next(st, p))
        if (payment_image(p)->received)
            return true;
    return false;
}

/* ---- Begin ---- */

enum outcome_code pay_begin(struct step *step, uint32_t handle, struct text ref, struct outcome *out)
{
    struct state *st = step->state;
    struct payment_image row;
    if (!ref.at)
        return OUTCOME_OK;
    if (!pay_row(st, ref, reservation_at(st, handle)->id, &row))
        return used(st, &row, out);
    ledger_record(st, handle, row, &(struct ledger_why){0});
    return OUTCOME_OK;
}

/* ---- Hold with commit ---- */

/* False: there is no payment, or it belongs to another reservation. */
static bool hold_row(struct step *step, int64_t total, const char currency[3], struct payment_image *row)
{
    const struct command *c = step->command;
    bool own = pay_row(step->state, c->hold.payment_ref, c->reservation, row);
    set_app_amount(row, &c->hold.amount, total, currency);
    return own;
}

enum outcome_code pay_judge_hold(struct step *step, int64_t total, const char currency[3],
                                 struct outcome *out)
{
    struct payment_image row;
    if (!step->command->hold.commit || !pay_trusted(step->state, step->command->hold.payment_ref).at)
        return OUTCOME_OK;
    if (!hold_row(step, total, currency, &row))
        return used(step->state, &row, out);
    return ledger_covers(&row, currency, total) ? OUTCOME_OK : OUTCOME_PAYMENT_REQUIRED;
}

void pay_for_hold(struct step *step, uint32_t handle)
{
    struct payment_image row;
    struct reservation *r = reservation_at(step->state, handle);
    if (!pay_trusted(step->state, step->command->hold.payment_ref).at)
        return;
    bool own = hold_row(step, reservation_total(r, NULL), r->currency, &row);
    ASSERT(own && r->status == RESERVATION_CONFIRMED);
    ledger_record(step->state, handle, row, &(struct ledger_why){0});
}
