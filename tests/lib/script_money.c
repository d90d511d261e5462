/* SPDX-License-Identifier: Apache-2.0 */
/* script_money.c — the verbs of a script about payments and refunds due. */
#include <stdio.h>
#include <stdlib.h>

#include "script.h"

/* refund R by WHO: options item E/A1 (one of them), reason W; flag paidback. cancel R by WHO. */
static void verb_refund(struct script *s, struct outcome *out)
{
    uint32_t item;
    struct command c = script_command(s, COMMAND_REFUND);
    const char *which = script_option(&s->line, "item");
    item = which ? script_item_id(s, c.reservation, which) : 0;
    c.refund.reason = script_text(script_option(&s->line, "reason"));
    c.refund.items = &item;
    c.refund.count = which != NULL;
    c.refund.paid_back = script_flag(&s->line, "paidback");
    world_apply(&s->world, &c, out);
}

struct money script_amount(const struct script *s)
{
    const char *amount = script_option(&s->line, "amount"), *currency = script_option(&s->line, "currency");
    struct money money = {.given = amount != NULL, .amount = amount ? atoll(amount) : 0};
    snprintf(money.currency, sizeof(money.currency), "%s", currency ? currency : "EUR");
    return money;
}

/* tells ID for R|none|unknown: options ref P, amount N, currency C, news W (succeeded), once K. */
static void verb_event(struct script *s, struct outcome *out)
{
    const char *news = script_option(&s->line, "news"), *of = script_option(&s->line, "for");
    struct command c = {.kind = COMMAND_PAYMENT_EVENT, .actor = {.role = ROLE_PAYMENT}};
    struct payment_event_image *e = &c.payment_event.image;
    c.payment_event.named = of && strcmp(of, "none") != 0;
    if (c.payment_event.named)
        c.reservation = strcmp(of, "unknown") == 0 ? (struct id){1, 2} : script_name(s, of)->id;
    c.payment_event.news = NEWS_SUCCEEDED;
    if (news && !payment_news_read(script_text(news), &c.payment_event.news))
        script_wrong(s, "There are no such news.");
    e->event_id = script_text(s->line.words[1]);
    e->type = script_text(news ? news : "succeeded");
    e->once = script_text(script_option(&s->line, "once"));
    e->payment_ref = script_text(script_option(&s->line, "ref"));
    e->amount = script_amount(s);
    c.payment_event.ticket_key[0] = s->world.st->seq + 1;
    c.payment_event.ticket_key[1] = 77;
    world_apply(&s->world, &c, out);
}

/* The row of this payment, from memory or else the book; *of is where. NULL: there is none. */
static const struct payment *row_of(const struct script *s, struct text ref, const struct state **of)
{
    const struct payment *p = payment_find(s->world.st, ref);
    *of = p ? s->world.st : s->world.book.st;
    return p ? p : payment_find(s->world.book.st, ref);
}

/* provider stripe|standard secret S: the answer has the previous secret, and until when it is valid. */
static void verb_provider(struct script *s, struct outcome *out)
{
    struct command c = {.kind = COMMAND_PROVIDER_PUT, .actor = {.role = ROLE_ADMIN}};
    payment_provider_read(script_text(s->line.words[1]), &c.provider.provider);
    c.provider.secret = script_text(script_option(&s->line, "secret"));
    world_apply(&s->world, &c, out);
}

/* calloff E: cancels the event, option reason W. undoing E: the progress. */
static bool verb_event_cancel(struct script *s, struct outcome *out)
{
    bool looks = strcmp(s->line.words[0], "undoing") == 0;
    struct command c = {.kind = looks ? COMMAND_EVENT_CANCEL_LOOK : COMMAND_EVENT_CANCEL,
                        .actor = {.role = ROLE_ADMIN}};
    if (!looks && strcmp(s->line.words[0], "calloff") != 0)
        return false;
    c.event_cancel.event = script_text(s->line.words[1]);
    c.event_cancel.reason = script_text(script_option(&s->line, "reason"));
    world_apply(&s->world, &c, out);
    return true;
}

/* payback R ref P: the last refund due of this payment, in memory or not, or with `first` its first: options amount N,
 * currency C; flag outside. */
static void verb_payback(struct script *s, struct outcome *out)
{
    const struct state *of;
    struct command c = {.kind = COMMAND_REFUND_DONE, .actor = {.role = ROLE_ADMIN}};
    const struct payment *p = row_of(s, script_text(script_option(&s->line, "ref")), &of);
    c.refund_done.number = s->world.st->seq; /* one that does not exist */
    for (const struct refund *r = p ? refunds_first(of, p) : NULL; r; r = refund_next(of, r)) {
        c.refund_done.number = refund_image(r)->number;
        if (script_flag(&s->line, "first"))
            break;
    }
    c.refund_done.amount = script_amount(s);
    c.refund_done.outside = script_flag(&s->line, "outside");
    world_apply(&s->world, &c, out);
}

bool script_money_verb(struct script *s, struct outcome *out)
{
    if (strcmp(s->line.words[0], "refund") == 0) {
        verb_refund(s, out);
        return true;
    }
    if (strcmp(s->line.words[0], "tells") == 0) {
        verb_event(s, out);
        return true;
    }
    if (strcmp(s->line.words[0], "provider") == 0) {
        verb_provider(s, out);
        return true;
    }
    if (strcmp(s->line.words[0], "cancel") == 0) {
        struct command c = script_command(s, COMMAND_CANCEL);
        world_apply(&s->world, &c, out);
        return true;
    }
    if (verb_event_cancel(s, out))
        return true;
    if (strcmp(s->line.words[0], "payback") != 0)
        return false;
    verb_payback(s, out);
    return true;
}

/* ledger P status W by W received=N kept=N returned=N owed=N discrepancy W in C of R: the row of a payment; `missing`:
 * there is none. */
static void query_ledger(struct script *s)
{
    const struct state *of;
    const struct payment *p = row_of(s, script_text(s->line.words[1]), &of);
    const char *status = script_option(&s->line, "status"), *by = script_option(&s->line, "by"),
               *discrepancy = script_option(&s->line, "discrepancy"),
               *currency = script_option(&s->line, "in"), *owner = script_option(&s->line, "of");
    enum payment_source source;
    if (script_flag(&s->line, "missing") || !p) {
        if (p || !script_flag(&s->line, "missing"))
            script_wrong(s, "There is %s such payment.", p ? "a" : "no");
        return;
    }
    const struct payment_image *row = payment_image(p);
    if (status && strcmp(status, payment_status_name(payment_status(row))) != 0)
        script_wrong(s, "It is %s.", payment_status_name(payment_status(row)));
    if (by && (!payment_source(row, &source) || strcmp(by, payment_source_name(source)) != 0))
        script_wrong(s, "It was received by %s.",
                     payment_source(row, &source) ? payment_source_name(source) : "nobody");
    if (discrepancy && strcmp(discrepancy, discrepancy_name(row->discrepancy)) != 0)
        script_wrong(s, "The discrepancy is %s.", discrepancy_name(row->discrepancy));
    if (currency && strcmp(currency, row->currency) != 0)
        script_wrong(s, "It is in %s.", row->currency);
    if (owner && !id_equal(row->reservation, script_name(s, owner)->id))
        script_wrong(s, "It belongs to another reservation.");
    script_must_be(s, "received", (uint64_t)row->received);
    script_must_be(s, "kept", (uint64_t)row->kept);
    script_must_be(s, "returned", (uint64_t)row->returned);
    script_must_be(s, "owed", (uint64_t)row->owed);
}

/* owed R ref P amount=N open=N, owed R ref P reason W: its open refunds due; without `ref` those of all payments. */
static void query_owed(struct script *s)
{
    struct id id = script_name(s, s->line.words[1])->id;
    struct text ref = script_text(script_option(&s->line, "ref"));
    const char *reason = script_option(&s->line, "reason");
    const struct refund_image *due = NULL;
    const struct state *states[] = {s->world.st, s->world.book.st};
    uint64_t amount = 0, open = 0;
    for (int k = 0; k < 2; k++)
        for (uint32_t i = 0; payment_at(states[k], i); i++) {
            const struct payment_image *row = payment_at(states[k], i);
            if (!row->number || !id_equal(row->reservation, id) || (ref.at && !text_equal(row->ref, ref)) ||
                (k == 1 && payment_find(s->world.st, row->ref)))
                continue; /* if both have it, memory is ahead */
            const struct refund *r = refund_open(states[k], payment_find(states[k], row->ref));
            due = r ? refund_image(r) : due;
            open += r != NULL;
            amount += r ? (uint64_t)refund_image(r)->amount : 0;
        }
    script_must_be(s, "amount", amount);
    script_must_be(s, "open", open);
    if (reason && (!due || !text_equal(due->reason, script_text(reason))))
        script_wrong(s, "The reason is %.*s.", due ? (int)due->reason.size : 4,
                     due ? due->reason.at : "none");
}

bool script_money_query(struct script *s)
{
    if (strcmp(s->line.words[0], "undo") == 0) {
        s->tally = world_cancel(&s->world);
        if (s->line.expected_count && script_number(s->line.expected[0]) != s->tally)
            script_wrong(s, "%lld", (long long)s->tally);
        return true;
    }
    bool owed = strcmp(s->line.words[0], "owed") == 0, ledger = strcmp(s->line.words[0], "ledger") == 0;
    if (owed)
        query_owed(s);
    if (ledger)
        query_ledger(s);
    return owed || ledger;
}

void script_money_write(struct buf *out, const struct outcome *o)
{
    const struct refund_image *r = &o->refund;
    if (o->cancel_state)
        buf_printf(out, " %s refunded %u left %u", cancel_state_name(o->cancel_state), o->cancel_refunded,
                   o->cancel_left);
    if (o->refund_due)
        buf_printf(out, " due %llu", (unsigned long long)o->refund_due);
    if (o->payment_event.number)
        buf_printf(out, " event %llu %s", (unsigned long long)o->payment_event.number,
                   payment_result_name(o->payment_event.result));
    if (o->provider)
        buf_printf(out, " provider %s until %lld", payment_provider_name(o->provider->provider),
                   (long long)o->provider->old_until_ms);
    if (r->number)
        buf_printf(out, " refund %llu of %.*s %lld %s %.*s done %lld", (unsigned long long)r->number,
                   (int)r->payment_ref.size, r->payment_ref.at, (long long)r->amount, r->currency,
                   (int)r->reason.size, r->reason.at, (long long)r->done_at_ms);
}

void script_money_check(struct script *s, const struct outcome *o)
{
    const char *due = script_expected(&s->line, "due"), *result = script_expected(&s->line, "became"),
               *old = script_expected(&s->line, "old");
    const char *became = o->payment_event.number ? payment_result_name(o->payment_event.result) : "none";
    const char *state = script_expected(&s->line, "state");
    if (state && strcmp(state, cancel_state_name(o->cancel_state)) != 0)
        script_wrong(s, "It is %s.", cancel_state_name(o->cancel_state));
    script_expect_number(s, "refunded", o->cancel_refunded);
    script_expect_number(s, "left", o->cancel_left);
    if (result && strcmp(result, became) != 0)
        script_wrong(s, "The result is %s.", became);
    if (old && (!o->provider || !text_equal(o->provider->old_secret, script_text(old))))
        script_wrong(s, "The secret before is another one.");
    if (o->has_reservation) {
        script_expect_number(s, "balance", (uint64_t)reservation_image_balance(&o->reservation));
        script_expect_number(s, "kept", (uint64_t)reservation_image_kept(&o->reservation));
    }
    script_expect_number(s, "pays", (uint64_t)o->refund.amount);
    if (due && (strcmp(due, "none") == 0) != (o->refund_due == 0))
        script_wrong(s, "%s is due.", o->refund_due ? "A refund" : "Nothing");
}
