/* SPDX-License-Identifier: Apache-2.0 */
/* sim_money.c — core's answers and changes about payments, refunds and tickets, against the model. */
#include <stdio.h>

#include "sim.h"

bool sim_late(struct sim *s, const struct ask *a)
{
    bool pays = (a->kind == COMMAND_COMMIT && a->role != ROLE_USER && a->role != ROLE_ORDER && a->ref) ||
                (a->kind == COMMAND_PAYMENT_EVENT && a->told.news == NEWS_SUCCEEDED);
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
    const struct model_row *row = &s->model.money.rows[m->row];
    if (c->number != m->number || !id_equal(c->reservation, row->is.reservation) || c->amount != m->amount ||
        model_ref_differs(c->payment_ref, row->ref) || c->done_at_ms != m->done_at ||
        c->status != (enum refund_status)m->status || (c->told_seq != c->number) != m->changed ||
        c->disputed != (row->now.discrepancy == DISCREPANCY_DISPUTED))
        sim_fail(s, "A refund due differs.");
}

/* The rows in the answer are all rows of the reservation, by first money. */
void sim_check_rows(struct sim *s, const struct model_reservation *r, const struct reservation_image *c)
{
    uint32_t count = 0, rank = 0;
    for (uint32_t i = 0; i < s->model.money.row_count; i++)
        count += s->model.money.rows[i].slot == r - s->model.reservations;
    if (count != c->payment_count)
        sim_fail(s, "%u payments are shown, expected %u.", c->payment_count, count);
    for (uint32_t i = 0; i < c->payment_count; i++) {
        const struct model_row *row = model_row_by_text(&s->model, c->payments[i].ref);
        const char *wrong =
            !row ? "a payment has no known reservation" : model_row_differs(row, &c->payments[i]);
        if (!wrong && row->is.rank && row->is.rank < rank)
            wrong = "payments are not by first money";
        if (wrong)
            sim_fail(s, "In an answer %s.", wrong);
        rank = row->is.rank ? row->is.rank : rank;
    }
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
    const char *wrong = expected->paid.row ? model_row_differs(expected->paid.row, &out->payment) : NULL;
    if (wrong)
        sim_fail(s, "Looked at, %s.", wrong);
    if (out->code == OUTCOME_PAYMENT_USED && !id_equal(out->payment_owner, expected->paid.used_by))
        sim_fail(s, "A payment is used by another.");
    if (a->kind == COMMAND_PAYMENT_EVENT && out->payment_event.result != expected->paid.result)
        sim_fail(s, "A payment is %s, expected %s.", payment_result_name(out->payment_event.result),
                 payment_result_name(expected->paid.result));
    struct tally_money *t = &s->tally->money;
    bool done = a->kind == COMMAND_REFUND_DONE && out->code == OUTCOME_OK;
    t->outside += done && a->outside;
    t->done_withdrawn += done && expected->paid.withdrawn;
    t->paid_back += a->kind == COMMAND_REFUND && out->code == OUTCOME_OK && a->paid_back;
    s->paid = expected->paid;
    s->scan = expected->changes ? a : NULL;
}

void sim_check_ledger(struct sim *s)
{
    uint64_t open = 0, discrepancies = 0;
    const char *wrong = model_money_check(&s->model);
    for (uint32_t i = 0; i < s->model.money.count; i++)
        open += s->model.money.refunds[i].status == REFUND_OPEN;
    for (uint32_t i = 0; i < s->model.money.row_count; i++) {
        const struct model_row *row = &s->model.money.rows[i];
        const struct payment *p = payment_find(s->state, translate_ref(row->ref));
        discrepancies += row->now.discrepancy != DISCREPANCY_NONE;
        if (p && !wrong)
            wrong = model_row_differs(row, payment_image(p));
    }
    if (!wrong && (open != ledger_open(s->state) || discrepancies != ledger_discrepancies(s->state)))
        wrong = "open refunds due or discrepancies are counted otherwise";
    if (wrong)
        sim_fail(s, "In the ledger %s.", wrong);
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
        sim_fail(s, "An event of the provider is recorded wrongly, or twice.");
    s->paid.told->refund = e->refund;
    s->paid.told = NULL;
    s->tally->money.told[e->result]++;
}

void sim_follow_scan(struct sim *s, const struct change *c)
{
    if (!s->scan)
        sim_fail(s, "A scan is recorded that was not answered, or twice.");
    s->scan = NULL;
    s->tally->money.scans[c->check_in.result]++;
}

void sim_money_told(struct sim *s, const struct ask *a, const struct outcome *out)
{
    const char *wrong = model_money_told(&s->model);
    if (!wrong)
        wrong = model_cancelling_told(&s->model);
    if (wrong)
        sim_fail(s, "After a step %s.", wrong);
    if (!a)
        return;
    if (s->paid.again) {
        if (out->payment_event.refund != s->paid.told->refund)
            sim_fail(s, "A repeated event gets another refund due.");
        s->tally->money.again++;
    } else if (s->paid.told || s->paid.rejected || s->scan) {
        sim_fail(s, "Command %d: a payment or a scan is not written down.", a->kind);
    }
    const struct model_row *row = s->paid.due_ref ? model_row_of(&s->model, s->paid.due_ref) : NULL;
    const struct model_refund *due = row ? model_open_due(&s->model, (int)(row - s->model.money.rows)) : NULL;
    for (uint32_t i = s->model.money.count; s->paid.due_ended && row && !due && i-- > 0;)
        if (s->model.money.refunds[i].row == row - s->model.money.rows &&
            s->model.money.refunds[i].status == REFUND_DONE &&
            (!due || s->model.money.refunds[i].number > due->number))
            due = &s->model.money.refunds[i];
    if (!s->paid.again && out->refund_due != (due ? due->number : 0))
        sim_fail(s, "Command %d: %s a refund due, or another.", a->kind,
                 out->refund_due ? "there is" : "there is not");
    if (a->kind == COMMAND_PAYMENT_EVENT && !s->paid.again && out->payment_event.refund != out->refund_due)
        sim_fail(s, "An event gets the wrong refund due.");
    s->tally->money.late += s->paid.late;
    s->paid = (struct model_settled){0};
}
