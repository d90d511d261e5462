/* SPDX-License-Identifier: Apache-2.0 */
/* model_money.c — what becomes of a payment, by the contract: a sale, a refund due or a recorded rejection, and of
 * these exactly one. */
#include <string.h>

#include "base/assertion.h"
#include "model.h"

/* What is told of a payment. */
struct payment {
    int ref;
    bool has_amount;
    int64_t amount;
    char currency;
};

int64_t model_total(const struct model_reservation *r)
{
    int64_t total = 0;
    for (int i = 0; i < r->item_count; i++)
        total += r->items[i].price;
    return total;
}

/* ---- Refunds due ---- */

struct model_refund *model_refund_of(struct model *m, struct id reservation, int ref)
{
    for (uint32_t i = 0; i < m->money.count; i++) {
        struct model_refund *d = &m->money.refunds[i];
        if (id_equal(d->reservation, reservation) && d->ref == ref && d->state != MODEL_WITHDRAWN)
            return d;
    }
    return NULL;
}

void model_owe(struct model *m, const struct model_reservation *r, int ref, int64_t amount, char currency)
{
    ASSERT(m->money.count < MODEL_REFUNDS && ref);
    m->money.refunds[m->money.count++] = (struct model_refund){
        .reservation = r->id, .ref = (int16_t)ref, .amount = amount, .currency = currency};
}

static struct model_paid *paid_of(struct model_reservation *r, int ref)
{
    for (int i = 0; i < MODEL_PAID; i++)
        if (r->paid[i].ref == ref || !r->paid[i].ref)
            return &r->paid[i];
    ASSERT(false);
    return NULL;
}

/* It counts from now on. */
static void note(struct model_reservation *r, int ref)
{
    if (ref)
        *paid_of(r, ref) = (struct model_paid){.ref = (int16_t)ref};
}

static void never_paid(struct model_reservation *r, int ref)
{
    *paid_of(r, ref) = (struct model_paid){.ref = (int16_t)ref, .never = true};
}

void model_sold_for(struct model_reservation *r, int ref)
{
    r->ref = (int16_t)ref;
    note(r, ref);
}

void model_unsold(struct model *m, struct model_reservation *r)
{
    if (r->ref && !model_refund_of(m, r->id, r->ref))
        model_owe(m, r, r->ref, model_total(r), r->currency);
}

static bool trusted(const struct ask *a)
{
    return a->role == ROLE_APP || a->role == ROLE_ADMIN || a->role == ROLE_PAYMENT;
}

void model_rejected(const struct ask *a, struct model_answer *out)
{
    bool pays =
        a->kind == COMMAND_COMMIT || a->kind == COMMAND_PAYMENT || (a->kind == COMMAND_HOLD && a->commit);
    out->paid.rejected = pays && trusted(a) && a->ref && out->code != OUTCOME_OK;
}

/* ---- What becomes of a payment ---- */

static void say_due(const struct model_reservation *r, int ref, struct model_answer *out)
{
    out->paid.due = true;
    out->paid.due_of = r->id;
    out->paid.due_ref = ref;
    out->paid.result = PAYMENT_REFUND_DUE;
}

/* Nothing is bought with it: owed, once, unless it was sold for this very payment. */
static void refuse(struct model *m, struct model_reservation *r, const struct payment *p,
                   struct model_answer *out)
{
    out->paid.result = PAYMENT_REPEATED;
    if (!p->ref)
        return;
    note(r, p->ref);
    bool owed = model_refund_of(m, r->id, p->ref), sold_for = r->confirmed_at && r->ref == p->ref;
    if (!owed && sold_for)
        return;
    if (!owed)
        model_owe(m, r, p->ref, p->has_amount ? p->amount : model_total(r),
                  p->has_amount ? p->currency : r->currency);
    say_due(r, p->ref, out);
}

/* What was recorded before is owed; what is recorded now is not. */
static void record(struct model *m, struct model_reservation *r, int ref)
{
    int before = r->ref;
    struct model_refund *due = ref ? model_refund_of(m, r->id, ref) : NULL;
    if (!ref || ref == before)
        return;
    note(r, ref);
    r->ref = (int16_t)ref;
    if (before && !model_refund_of(m, r->id, before))
        model_owe(m, r, before, model_total(r), r->currency);
    if (due)
        due->state = MODEL_WITHDRAWN;
}

/* What was paid over the total goes back, once. */
static bool over(struct model *m, struct model_reservation *r, const struct payment *p,
                 struct model_answer *out)
{
    int64_t more = p->has_amount ? p->amount - model_total(r) - r->returned : 0;
    if (more <= 0)
        return false;
    r->returned += more;
    r->back += more;
    r->back_count++;
    model_owe(m, r, p->ref, more, r->currency);
    out->paid.due = true;
    out->paid.due_of = r->id;
    out->paid.due_ref = p->ref;
    return true;
}

static void sell(struct model *m, const struct ask *a, struct model_reservation *r, const struct payment *p,
                 struct model_answer *out)
{
    record(m, r, p->ref);
    struct model_refund *due = p->ref ? model_refund_of(m, r->id, p->ref) : NULL;
    if (due)
        due->state = MODEL_WITHDRAWN;
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
    over(m, r, p, out);
    out->paid.result = PAYMENT_CONFIRMED;
    model_show(m, r, out);
}

static void of_held(struct model *m, const struct ask *a, struct model_reservation *r,
                    const struct payment *p, struct model_answer *out)
{
    struct model_refund *due = p->ref ? model_refund_of(m, r->id, p->ref) : NULL;
    if (a->role == ROLE_USER && r->payment_required && model_total(r) > 0 && !r->ref)
        out->code = OUTCOME_PAYMENT_REQUIRED;
    else if (!r->paid_at)
        out->code = model_singles(m, a, r, out);
    if (out->code != OUTCOME_OK)
        return;
    if (due && due->state == MODEL_DONE) { /* money that went back buys nothing */
        out->code = OUTCOME_PAYMENT_REQUIRED;
        say_due(r, p->ref, out);
        return;
    }
    sell(m, a, r, p, out);
}

static void of_confirmed(struct model *m, struct model_reservation *r, const struct payment *p,
                         struct model_answer *out)
{
    if (!r->ref && !model_refund_of(m, r->id, p->ref)) { /* the first that is told */
        model_sold_for(r, p->ref);
        r->version++;
        over(m, r, p, out);
        out->paid.result = PAYMENT_CONFIRMED;
    } else {
        refuse(m, r, p, out);
    }
    model_show(m, r, out);
}

static void of_expired(struct model *m, const struct ask *a, struct model_reservation *r,
                       const struct payment *p, struct model_answer *out)
{
    const struct model_refund *due = p->ref ? model_refund_of(m, r->id, p->ref) : NULL;
    if (!p->ref || (due && due->state == MODEL_DONE) || !model_late(m, r, out)) {
        out->code = OUTCOME_EXPIRED;
        refuse(m, r, p, out);
        return;
    }
    r->ended_at = 0;
    r->fence = 0; /* a new one: core tells */
    out->paid.late = true;
    sell(m, a, r, p, out);
}

/* Nothing is bought with it, and what it was recorded for is not paid. */
static void mismatch(struct model *m, struct model_reservation *r, const struct payment *p,
                     enum payment_result result, struct model_answer *out)
{
    bool held = model_status(m, r) == RESERVATION_HELD;
    if (held && r->ref == p->ref) {
        r->ref = 0;
        r->version++;
        never_paid(r, p->ref);
    }
    if (p->amount > 0 || model_refund_of(m, r->id, p->ref))
        refuse(m, r, p, out);
    out->paid.result = result;
}

static void arrived(struct model *m, const struct ask *a, struct model_reservation *r,
                    const struct payment *p, struct model_answer *out)
{
    enum reservation_status status = model_status(m, r);
    if (status == RESERVATION_CONFIRMED && (!p->ref || p->ref == r->ref)) {
        bool more = p->has_amount && p->currency == r->currency && over(m, r, p, out);
        r->version += more;
        out->paid.result = more ? PAYMENT_REFUND_DUE : PAYMENT_REPEATED;
        model_show(m, r, out);
        return;
    }
    if (status != RESERVATION_HELD && status != RESERVATION_CONFIRMED && status != RESERVATION_EXPIRED) {
        out->code = model_ended_code(status);
        refuse(m, r, p, out);
    } else if (p->has_amount && p->currency != r->currency) {
        mismatch(m, r, p, PAYMENT_CURRENCY, out);
    } else if (p->has_amount && p->amount < model_total(r)) {
        mismatch(m, r, p, PAYMENT_AMOUNT, out);
    } else if (status == RESERVATION_CONFIRMED) {
        of_confirmed(m, r, p, out);
    } else {
        (status == RESERVATION_HELD ? of_held : of_expired)(m, a, r, p, out);
    }
}

void model_commit(struct model *m, const struct ask *a, struct model_reservation *r, struct model_answer *out)
{
    arrived(m, a, r, &(struct payment){.ref = trusted(a) ? a->ref : 0}, out);
}

/* The buyer's own payment_ref never counts; one of app or admin is recorded, once each. */
void model_payment(struct model *m, const struct ask *a, struct model_reservation *r,
                   struct model_answer *out)
{
    int ref = trusted(a) ? a->ref : 0;
    const struct model_refund *due = ref ? model_refund_of(m, r->id, ref) : NULL;
    out->code = model_ended_code(model_status(m, r));
    if (out->code != OUTCOME_OK) {
        refuse(m, r, &(struct payment){.ref = ref}, out);
        return;
    }
    if (!r->paid_at && r->payment_ttl_s == 0)
        out->code = OUTCOME_PAYMENT_WINDOW_OFF;
    else if (!r->paid_at)
        out->code = model_singles(m, a, r, out);
    if (out->code != OUTCOME_OK) {
        model_rejected(a, out);
        return;
    }
    if (due && due->state == MODEL_DONE) {
        out->code = OUTCOME_PAYMENT_REQUIRED;
        say_due(r, ref, out);
        return;
    }
    if (!r->paid_at || (ref && ref != r->ref))
        r->version++;
    record(m, r, ref);
    if (!r->paid_at) {
        int64_t deadline = m->now + (int64_t)r->payment_ttl_s * 1000;
        r->paid_at = m->now;
        if (deadline > r->expires_at)
            r->expires_at = deadline;
        if (r->expires_at > r->max_at)
            r->max_at = r->expires_at;
    }
    model_show(m, r, out);
}

/* ---- The provider's events ---- */

static void failed(struct model *m, const struct ask *a, struct model_reservation *r)
{
    if (!r || !a->ref || model_status(m, r) != RESERVATION_HELD || r->ref != a->ref)
        return;
    r->ref = 0;
    r->version++;
    never_paid(r, a->ref);
}

/* So much of it has gone back by now: those that this covers are done, from the oldest on. */
static void gone_back(struct model *m, const struct ask *a, struct model_answer *out)
{
    int64_t left = a->told.amount;
    if (!a->ref || !a->told.has_amount)
        return;
    for (uint32_t i = 0; i < m->money.count; i++)
        if (m->money.refunds[i].ref == a->ref && m->money.refunds[i].state == MODEL_DONE)
            left -= m->money.refunds[i].amount;
    for (uint32_t i = 0; i < m->money.count; i++) {
        struct model_refund *d = &m->money.refunds[i];
        if (d->ref != a->ref || d->state != MODEL_OPEN || d->amount > left || d->currency != a->told.currency)
            continue;
        left -= d->amount;
        d->state = MODEL_DONE;
        d->done_at = m->now;
        out->paid.due = out->paid.last = true;
        out->paid.number = d->number;
        out->paid.result = PAYMENT_REFUND_DUE;
    }
}

void model_told(struct model *m, const struct ask *a, struct model_answer *out)
{
    struct model_reservation *r = model_find(m, a->id);
    const struct ask_told *t = &a->told;
    struct model_money *money = &m->money;
    for (int i = 0; i < MODEL_TOLD; i++)
        if (money->told[i].number == t->number) {
            out->paid.told = &money->told[i];
            out->paid.again = true;
            out->paid.result = (enum payment_result)money->told[i].result;
            return;
        }
    out->paid.result = PAYMENT_IGNORED;
    if (t->type == ASK_SUCCEEDED && !r)
        out->paid.result = PAYMENT_UNKNOWN;
    else if (t->type == ASK_SUCCEEDED && a->ref && t->has_amount && t->amount >= 0)
        arrived(m, a, r,
                &(struct payment){
                    .ref = a->ref, .has_amount = true, .amount = t->amount, .currency = t->currency},
                out);
    else if (t->type == ASK_FAILED)
        failed(m, a, r);
    else if (t->type == ASK_REFUNDED)
        gone_back(m, a, out);
    out->code = OUTCOME_OK;
    out->reservation = -1; /* the provider is told what became of the payment, and no more */
    out->paid.told = &money->told[money->told_count++ % MODEL_TOLD];
    *out->paid.told = (struct model_event_told){.number = t->number, .result = (uint8_t)out->paid.result};
}

void model_refund_done(struct model *m, const struct ask *a, struct model_answer *out)
{
    out->code = OUTCOME_NO_SUCH_REFUND;
    for (uint32_t i = 0; i < m->money.count; i++) {
        struct model_refund *d = &m->money.refunds[i];
        if (d->number != a->refund || d->state == MODEL_WITHDRAWN)
            continue;
        if (a->kind == COMMAND_REFUND_DONE && d->state == MODEL_OPEN) {
            d->state = MODEL_DONE;
            d->done_at = m->now;
        }
        out->code = OUTCOME_OK;
        out->paid.refund = d;
    }
}

/* ---- What is written down ---- */

const char *model_refund_told(struct model *m, const struct refund_image *image, bool made)
{
    for (uint32_t i = 0; i < m->money.count; i++) {
        struct model_refund *d = &m->money.refunds[i];
        bool same = made ? !d->number && id_equal(d->reservation, image->reservation) &&
                               d->amount == image->amount && d->currency == image->currency[0] &&
                               d->told == MODEL_OPEN
                         : d->number == image->number;
        if (!same || model_ref_differs(image->payment_ref, d->ref))
            continue;
        if (made) {
            d->number = image->number;
            return image->done_at_ms || image->withdrawn ? "a refund due is over before it is due" : NULL;
        }
        enum model_due state = image->withdrawn    ? MODEL_WITHDRAWN
                               : image->done_at_ms ? MODEL_DONE
                                                   : MODEL_OPEN;
        if (d->state != state || d->told != MODEL_OPEN || image->done_at_ms != d->done_at)
            return "a refund due is written down as what it is not";
        d->told = (uint8_t)state;
        return NULL;
    }
    return made ? "something is owed to nobody, or twice" : "a refund due is over that never was";
}

const char *model_refunds_told(const struct model *m)
{
    for (uint32_t i = 0; i < m->money.count; i++) {
        if (!m->money.refunds[i].number)
            return "a payment has to go back, and that is not written down";
        if (m->money.refunds[i].told != m->money.refunds[i].state)
            return "a refund due is over, and that is not written down";
    }
    return NULL;
}

/* ---- No payment vanishes, and none counts twice ---- */

static const char *check_paid(struct model *m, const struct model_reservation *r, const struct model_paid *p)
{
    uint32_t count = 0;
    int64_t sum = 0;
    for (uint32_t i = 0; i < m->money.count; i++) {
        const struct model_refund *d = &m->money.refunds[i];
        bool of = id_equal(d->reservation, r->id) && d->ref == p->ref && d->state != MODEL_WITHDRAWN;
        count += of;
        sum += of ? d->amount : 0;
    }
    bool recorded = r->ref == p->ref;
    if (p->never)
        return NULL;
    if (recorded && r->confirmed_at)
        return count == r->back_count && sum == r->back ? NULL
                                                        : "what it was sold for is owed, or owed twice";
    if (recorded && r->status == RESERVATION_HELD)
        return count == 0 ? NULL : "what a hold was paid with is owed as well";
    return count == 1 ? NULL : count ? "a payment is owed twice" : "a payment has vanished";
}

const char *model_money_check(struct model *m)
{
    const char *wrong = NULL;
    for (int i = 0; i < MODEL_RESERVATIONS; i++)
        for (int k = 0; !wrong && m->reservations[i].used && k < MODEL_PAID && m->reservations[i].paid[k].ref;
             k++)
            wrong = check_paid(m, &m->reservations[i], &m->reservations[i].paid[k]);
    return wrong;
}
