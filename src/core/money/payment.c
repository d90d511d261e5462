/* SPDX-License-Identifier: Apache-2.0 */
#include "core/money/payment.h"

#include "base/assertion.h"
#include "core/claim/reservation_command.h"
#include "core/claim/single_seats.h"

struct text payment_trusted(const struct state *st, struct text ref)
{
    bool trusted =
        st->actor.role == ROLE_APP || st->actor.role == ROLE_ADMIN || st->actor.role == ROLE_PAYMENT;
    return trusted && ref.size ? ref : (struct text){0};
}

static struct text recorded(const struct reservation *r)
{
    return r->extra ? r->extra->payment_ref : (struct text){0};
}

bool payment_record(struct state *st, struct reservation *r, struct text method, struct text ref,
                    struct text *replaced)
{
    struct text before = recorded(r);
    bool another = ref.at && !(before.at && text_equal(before, ref));
    *replaced = another ? text_own(before) : (struct text){0};
    bool recorded_anew = reservation_record_payment(st, r, method, ref);
    ASSERT(recorded_anew == another);
    return another;
}

void payment_replaced(struct state *st, uint32_t handle, struct text replaced)
{
    struct reservation *r = reservation_at(st, handle);
    ASSERT(!replaced.at || !text_equal(replaced, recorded(r)));
    if (replaced.at && !refund_of(st, r->id, replaced))
        refund_due(st, r, replaced, reservation_total(r, NULL), REFUND_REPLACED, (struct text){0});
    text_free(replaced);
    /* What is recorded now may be owed: it was replaced itself, or less of it was told of, or it came too late. */
    const struct refund_image *due = recorded(r).at ? refund_of(st, r->id, recorded(r)) : NULL;
    ASSERT(!due || !due->done_at_ms);
    if (due)
        refund_withdraw(st, due->number);
}

bool payment_went_back(struct state *st, const struct reservation *r, struct text ref, struct outcome *out)
{
    ASSERT(r->status == RESERVATION_HELD); /* memory has all of a hold's */
    const struct refund_image *due = ref.at ? refund_of(st, r->id, ref) : NULL;
    if (!due || !due->done_at_ms)
        return false;
    out->refund_due = due->number;
    state_saw(out, due->number);
    return true;
}

static enum refund_cause cause_of(const struct reservation *r)
{
    static const enum refund_cause causes[] = {
        [RESERVATION_CONFIRMED] = REFUND_PAID_TWICE, [RESERVATION_RELEASED] = REFUND_RELEASED,
        [RESERVATION_EXPIRED] = REFUND_EXPIRED,      [RESERVATION_CANCELLED] = REFUND_CANCELLED,
        [RESERVATION_REFUNDED] = REFUND_REFUNDED,
    };
    ASSERT(r->status > RESERVATION_HELD && r->status <= RESERVATION_STATUS_LAST);
    return causes[r->status];
}

/* The refund due of this payment, as memory or the book has it. OK: *found, or NULL: there is none. */
static enum outcome_code find_due(struct step *step, const struct reservation *r, struct text ref,
                                  const struct refund_image **found, struct outcome *out)
{
    struct state *st = step->state;
    ASSERT(ref.size >= 1);
    *found = refund_of(st, r->id, ref);
    /* Of a hold that has lapsed just now, in this step, memory has them all. */
    bool held_before = st->change_count > 0;
    if (*found || held_before || step->command->refund_checked)
        return OUTCOME_OK;
    out->fetch = FETCH_REFUND;
    out->fetch_refund = (struct refund_key){.reservation = r->id, .payment_ref = ref};
    return OUTCOME_FETCH;
}

/* What it says was paid; a payment that says nothing is taken for the total. */
static uint64_t owe(struct state *st, struct reservation *r, const struct payment *p, enum refund_cause cause)
{
    int64_t amount = p->has_amount ? p->amount : reservation_total(r, NULL);
    ASSERT(!refund_of(st, r->id, p->ref)); /* once for each reservation and payment */
    return refund_due_over(st, r->id, p->ref, amount, p->has_amount ? p->currency : r->currency, cause,
                           (struct text){0});
}

enum outcome_code payment_refuse(struct step *step, uint32_t handle, const struct payment *p,
                                 enum outcome_code code, struct outcome *out)
{
    struct state *st = step->state;
    struct reservation *r = reservation_at(st, handle);
    const struct refund_image *due;
    ASSERT(r->status != RESERVATION_HELD); /* a hold could still be paid for */
    if (!p->ref.at)
        return code;
    enum outcome_code found = find_due(step, r, p->ref, &due, out);
    if (found != OUTCOME_OK)
        return found;
    /* What it was sold for is accounted for: there was a sale, and whoever ended it has seen to the payment. */
    bool sold_for = r->extra && r->extra->confirmed_at_ms && text_equal(p->ref, recorded(r));
    if (due)
        out->refund_due = due->number;
    else if (!sold_for)
        out->refund_due = owe(st, r, p, cause_of(r));
    state_saw(out, out->refund_due);
    return code;
}

/* How much more it is than what it has to pay for: what is there, and what went back already. Called when the payment
 * is about to be on record of a sale, or is; the change that follows keeps that it is owed, so that it is once. */
static int64_t take_over(struct reservation *r, const struct payment *p)
{
    struct reservation_extra *x = reservation_extra(r);
    int64_t paid_for = reservation_total(r, NULL) + x->returned;
    ASSERT(paid_for >= 0 && x->returned >= 0);
    if (!p->has_amount || p->amount <= paid_for)
        return 0;
    x->returned += p->amount - paid_for;
    return p->amount - paid_for;
}

static void owe_over(struct state *st, const struct reservation *r, const struct payment *p, int64_t over,
                     struct outcome *out)
{
    ASSERT(over >= 0 && r->status == RESERVATION_CONFIRMED);
    if (!over)
        return;
    ASSERT(text_equal(p->ref, recorded(r)));
    out->refund_due = refund_due(st, r, p->ref, over, REFUND_OVERPAID, (struct text){0});
    state_saw(out, out->refund_due);
}

static enum outcome_code late(struct step *step, uint32_t handle, const struct payment *p,
                              struct outcome *out)
{
    struct state *st = step->state;
    struct reservation *r = reservation_at(st, handle);
    const struct refund_image *due;
    struct text replaced;
    ASSERT(r->status == RESERVATION_EXPIRED);
    enum outcome_code code = p->ref.at ? find_due(step, r, p->ref, &due, out) : OUTCOME_OK;
    if (code != OUTCOME_OK)
        return code;
    /* Money that went back buys nothing. */
    if (!p->ref.at || (due && due->done_at_ms) || !payment_welcome_late(step, handle, &code))
        return code == OUTCOME_OK ? payment_refuse(step, handle, p, OUTCOME_EXPIRED, out) : code;
    if (p->attributes.at)
        reservation_set_attributes(r, p->attributes);
    /* What was on record when it expired is owed since then, or paid back, and only the book may know of that. */
    payment_record(st, r, p->method, p->ref, &replaced);
    text_free(replaced);
    reservation_confirm_late(st, handle, p->ticket_key);
    ASSERT(r->status == RESERVATION_CONFIRMED && text_equal(p->ref, recorded(r)));
    int64_t over = take_over(r, p);
    reservation_command_changed(step, handle, ACTION_CONFIRMED, out);
    payment_replaced(st, handle, (struct text){0});
    owe_over(st, r, p, over, out);
    reservation_finish_entries(st, handle);
    return OUTCOME_OK;
}

/* The answer to the first one may have been lost. */
static enum outcome_code of_confirmed(struct step *step, uint32_t handle, const struct payment *p,
                                      struct outcome *out)
{
    struct reservation *r = reservation_at(step->state, handle);
    struct text replaced;
    ASSERT(r->status == RESERVATION_CONFIRMED);
    const struct refund_image *due;
    enum outcome_code known = recorded(r).at ? OUTCOME_OK : find_due(step, r, p->ref, &due, out);
    if (known != OUTCOME_OK)
        return known;
    if (!recorded(r).at && !due) { /* what is owed already stays so */
        payment_record(step->state, r, (struct text){0}, p->ref, &replaced);
        int64_t over = take_over(r, p);
        reservation_command_changed(step, handle, ACTION_PAYMENT_RECEIVED, out);
        owe_over(step->state, r, p, over, out);
        return OUTCOME_OK;
    }
    enum outcome_code code = payment_refuse(step, handle, p, OUTCOME_OK, out);
    return code == OUTCOME_OK ? step_answer(step, handle, out) : code;
}

/* What is on record is told of again, now with its amount perhaps. */
static enum outcome_code told_again(struct step *step, uint32_t handle, const struct payment *p,
                                    struct outcome *out)
{
    struct reservation *r = reservation_at(step->state, handle);
    bool comparable = p->has_amount && memcmp(p->currency, r->currency, sizeof(r->currency)) == 0;
    int64_t over = comparable ? take_over(r, p) : 0;
    ASSERT(r->status == RESERVATION_CONFIRMED);
    if (!over)
        return step_answer(step, handle, out);
    reservation_command_changed(step, handle, ACTION_PAYMENT_RECEIVED, out);
    owe_over(step->state, r, p, over, out);
    return OUTCOME_OK;
}

static enum outcome_code of_held(struct step *step, uint32_t handle, const struct payment *p,
                                 struct outcome *out)
{
    struct state *st = step->state;
    struct reservation *r = reservation_at(st, handle);
    struct text replaced;
    bool paying = r->extra && r->extra->payment_started_at_ms;
    enum outcome_code code;
    ASSERT(r->status == RESERVATION_HELD && r->expires_at_ms > st->now_ms);
    /* App, admin and the provider vouch for the payment; a buyer must have one on record, and free items need none. */
    if (st->actor.role == ROLE_USER && r->payment_required && reservation_total(r, NULL) > 0 &&
        !recorded(r).at)
        return OUTCOME_PAYMENT_REQUIRED;
    /* Who has begun to pay was judged then, and has changed nothing since. */
    if (!paying && (code = single_seats_judge_reservation(step, handle, out)) != OUTCOME_OK)
        return code;
    if (payment_went_back(st, r, p->ref, out))
        return OUTCOME_PAYMENT_REQUIRED;
    if (p->attributes.at)
        reservation_set_attributes(r, p->attributes);
    payment_record(st, r, p->method, p->ref, &replaced);
    reservation_confirm(st, handle, p->ticket_key);
    ASSERT(r->status == RESERVATION_CONFIRMED);
    int64_t over = take_over(r, p);
    reservation_command_changed(step, handle, ACTION_CONFIRMED, out);
    payment_replaced(st, handle, replaced);
    owe_over(st, r, p, over, out);
    reservation_finish_entries(st, handle); /* after the sale that finishes them */
    return OUTCOME_OK;
}

/* Too little, or in another currency: it buys nothing, and the reservation stays as it is. If it was on record of a hold
 * it is no longer: nobody buys with what has to go back. */
static enum outcome_code mismatch(struct step *step, uint32_t handle, const struct payment *p,
                                  enum refund_cause cause, struct outcome *out)
{
    struct reservation *r = reservation_at(step->state, handle);
    const struct refund_image *due;
    enum outcome_code code = find_due(step, r, p->ref, &due, out);
    ASSERT(p->has_amount && p->amount >= 0);
    if (code != OUTCOME_OK)
        return code;
    if (r->status == RESERVATION_HELD && recorded(r).at && text_equal(p->ref, recorded(r))) {
        reservation_clear_payment(r);
        reservation_command_changed(step, handle, ACTION_PAYMENT_FAILED, out);
    }
    if (due)
        out->refund_due = due->number;
    else if (p->amount > 0)
        out->refund_due = owe(step->state, r, p, cause);
    out->mismatch = cause;
    state_saw(out, out->refund_due);
    return OUTCOME_OK;
}

enum outcome_code payment_arrived(struct step *step, uint32_t handle, const struct payment *p,
                                  struct outcome *out)
{
    struct reservation *r = reservation_at(step->state, handle);
    bool told_before = !p->ref.at || text_equal(p->ref, recorded(r));
    ASSERT(!reservation_lapsed(r, step->state->now_ms));
    if (r->status == RESERVATION_CONFIRMED && told_before)
        return told_again(step, handle, p, out);
    if (r->status != RESERVATION_HELD && r->status != RESERVATION_CONFIRMED &&
        r->status != RESERVATION_EXPIRED)
        return payment_refuse(step, handle, p, reservation_command_state(r), out);
    if (p->has_amount && memcmp(p->currency, r->currency, sizeof(r->currency)) != 0)
        return mismatch(step, handle, p, REFUND_CURRENCY, out);
    if (p->has_amount && p->amount < reservation_total(r, NULL))
        return mismatch(step, handle, p, REFUND_AMOUNT, out);
    if (r->status == RESERVATION_CONFIRMED)
        return of_confirmed(step, handle, p, out);
    return r->status == RESERVATION_EXPIRED ? late(step, handle, p, out) : of_held(step, handle, p, out);
}

void payment_ended(struct state *st, uint32_t handle, enum refund_cause cause, struct text said)
{
    struct reservation *r = reservation_at(st, handle);
    ASSERT(!reservation_live(r));
    /* One that was found wrong before, by its amount say, is due already. */
    if (recorded(r).at && !refund_of(st, r->id, recorded(r)))
        refund_due(st, r, recorded(r), reservation_total(r, NULL), cause, said);
}
