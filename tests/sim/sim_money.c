/* SPDX-License-Identifier: Apache-2.0 */
/* sim_money.c — what core says and writes down of payments, refunds and tickets, against the model. */
#include <stdio.h>

#include "sim.h"

bool sim_late(struct sim *s, const struct ask *a)
{
    bool pays = (a->kind == COMMAND_COMMIT && a->role != ROLE_USER && a->role != ROLE_ORDER && a->ref) ||
                (a->kind == COMMAND_PAYMENT_EVENT && a->told.type == ASK_SUCCEEDED);
    const struct model_reservation *r = pays ? model_find(&s->model, a->id) : NULL;
    return r && model_status(&s->model, r) == RESERVATION_EXPIRED;
}

/* ---- Answers ---- */

static void check_scan(struct sim *s, const struct ask *a, const struct model_scanned *m,
                       const struct outcome *out)
{
    const struct check_in_image *c = &out->check_in;
    if (out->has_check_in != m->shown)
        sim_fail(s, "Command %d: a ticket is shown or not.", a->kind);
    if (!m->shown)
        return;
    if (c->result != m->result)
        sim_fail(s, "A ticket is %s, expected %d.", c->result ? check_in_result_name(c->result) : "not used",
                 m->result);
    if (m->has_use && (c->at_ms != m->at || !text_equal(c->gate, translate_gate(m->gate))))
        sim_fail(s, "A ticket was used at another time or gate.");
    if (c->reissue != m->reissue)
        sim_fail(s, "A ticket has the reissue number %llu, expected %llu.", (unsigned long long)c->reissue,
                 (unsigned long long)m->reissue);
}

static void check_refund(struct sim *s, const struct model_refund *m, const struct refund_image *c)
{
    if (c->number != m->number || !id_equal(c->reservation, m->reservation) || c->amount != m->amount ||
        c->currency[0] != m->currency || model_ref_differs(c->payment_ref, m->ref) ||
        c->done_at_ms != m->done_at || c->withdrawn)
        sim_fail(s, "A refund due differs.");
}

void sim_check_money(struct sim *s, const struct ask *a, const struct model_answer *expected,
                     const struct outcome *out)
{
    if (a->kind == COMMAND_EVENT_CANCEL || a->kind == COMMAND_EVENT_CANCEL_LOOK)
        sim_check_progress(s, a, expected, out);
    if (ask_of_door(a->kind))
        check_scan(s, a, &expected->scanned, out);
    if (out->code == OUTCOME_NOT_CANCELLABLE &&
        (out->cancel_rule != expected->cancel_rule ||
         (!expected->cancel_gone && out->cancel_until_ms != expected->cancel_until)))
        sim_fail(s, "Not cancellable by another rule, or until another instant.");
    if (expected->paid.refund && out->code == OUTCOME_OK)
        check_refund(s, expected->paid.refund, &out->refund);
    if (a->kind == COMMAND_PAYMENT_EVENT && out->payment_event.result != expected->paid.result)
        sim_fail(s, "A payment is %s, expected %s.", payment_result_name(out->payment_event.result),
                 payment_result_name(expected->paid.result));
    s->paid = expected->paid;
    s->scan = expected->changes ? a : NULL;
}

/* ---- What is written down ---- */

void sim_follow_event(struct sim *s, const struct change *c)
{
    const struct payment_event_image *e = &c->payment_event;
    if (!e->event_id.at) {
        if (!s->paid.rejected || e->result != PAYMENT_REJECTED)
            sim_fail(s, "A payment is rejected that is not.");
        s->paid.rejected = false;
        s->tally->money.rejected++;
        return;
    }
    if (!s->paid.told || s->paid.again || e->result != s->paid.result)
        sim_fail(s, "An event of the provider is written down as what it is not, or twice.");
    s->paid.told->refund = e->refund;
    s->paid.told = NULL;
    s->tally->money.told[e->result]++;
}

void sim_follow_scan(struct sim *s, const struct change *c)
{
    if (!s->scan)
        sim_fail(s, "A scan is written down of which nobody is told, or twice.");
    s->scan = NULL;
    s->tally->money.scans[c->check_in.result]++;
}

/* The refund due that the answer names is one of the payment's own. */
static bool names_due(struct sim *s, const struct model_settled *p, uint64_t number)
{
    if (p->last)
        return number == p->number;
    for (uint32_t i = 0; i < s->model.money.count; i++) {
        const struct model_refund *d = &s->model.money.refunds[i];
        if (d->number == number)
            return id_equal(d->reservation, p->due_of) && d->ref == p->due_ref && d->state != MODEL_WITHDRAWN;
    }
    return false;
}

void sim_money_told(struct sim *s, const struct ask *a, const struct outcome *out)
{
    const char *wrong = model_refunds_told(&s->model);
    if (!wrong)
        wrong = model_cancelling_told(&s->model);
    if (wrong)
        sim_fail(s, "After a step %s.", wrong);
    if (!a)
        return;
    if (s->paid.again) {
        if (out->payment_event.refund != s->paid.told->refund)
            sim_fail(s, "An event that comes again is told of another refund due.");
        s->tally->money.again++;
    } else if (s->paid.told || s->paid.rejected || s->scan) {
        sim_fail(s, "Command %d: a payment or a scan is not written down.", a->kind);
    }
    bool pays = a->kind == COMMAND_COMMIT || a->kind == COMMAND_PAYMENT || a->kind == COMMAND_PAYMENT_EVENT;
    if (pays && !s->paid.again && (out->refund_due != 0) != s->paid.due)
        sim_fail(s, "Command %d: %s a refund due.", a->kind, out->refund_due ? "there is" : "there is not");
    if (out->refund_due && !s->paid.again && !names_due(s, &s->paid, out->refund_due))
        sim_fail(s, "Command %d: the refund due is another's.", a->kind);
    if (a->kind == COMMAND_PAYMENT_EVENT && !s->paid.again && out->payment_event.refund != out->refund_due)
        sim_fail(s, "An event is told of another refund due than it has.");
    s->tally->money.late += s->paid.late;
    s->paid = (struct model_settled){0};
}
