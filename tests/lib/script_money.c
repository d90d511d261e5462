/* SPDX-License-Identifier: Apache-2.0 */
/* script_money.c — the verbs of a script about refunds due. */
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

/* tells ID for R|none: options ref P, amount N, currency C, type T (a word of the provider; default: a success); flag
 * unpriced. */
static void verb_event(struct script *s, struct outcome *out)
{
    const char *type = script_option(&s->line, "type"), *amount = script_option(&s->line, "amount"),
               *currency = script_option(&s->line, "currency"), *of = script_option(&s->line, "for");
    struct command c = {.kind = COMMAND_PAYMENT_EVENT, .actor = {.role = ROLE_PAYMENT}};
    struct payment_event_image *e = &c.payment_event.image;
    if (of && strcmp(of, "none") != 0)
        c.reservation = script_name(s, of)->id;
    e->event_id = script_text(s->line.words[1]);
    e->type = script_text(type ? type : "payment_intent.succeeded");
    e->payment_ref = script_text(script_option(&s->line, "ref"));
    e->has_amount = amount != NULL;
    e->amount = amount ? atoll(amount) : 0;
    snprintf(e->currency, sizeof(e->currency), "%s", currency ? currency : "EUR");
    c.payment_event.ticket_key[0] = s->world.st->seq + 1;
    c.payment_event.ticket_key[1] = 77;
    world_apply(&s->world, &c, out);
}

/* provider stripe|standard secret S: the answer says which secret was before, and until when it is good. */
static void verb_provider(struct script *s, struct outcome *out)
{
    struct command c = {.kind = COMMAND_PROVIDER_PUT, .actor = {.role = ROLE_ADMIN}};
    payment_provider_read(script_text(s->line.words[1]), &c.provider.provider);
    c.provider.secret = script_text(script_option(&s->line, "secret"));
    world_apply(&s->world, &c, out);
}

/* calloff E: the event is cancelled, option reason W. undoing E: how far that is. */
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

/* payback R ref P: the refund due of this reservation and payment, whether or not memory still has it. */
bool script_money_verb(struct script *s, struct outcome *out)
{
    struct command c = {.kind = COMMAND_REFUND_DONE, .actor = {.role = ROLE_ADMIN}};
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
        c = script_command(s, COMMAND_CANCEL);
        world_apply(&s->world, &c, out);
        return true;
    }
    if (verb_event_cancel(s, out))
        return true;
    if (strcmp(s->line.words[0], "payback") != 0)
        return false;
    world_record(&s->world);
    const struct refund_image *due = refund_of(s->world.book.st, script_name(s, s->line.words[1])->id,
                                               script_text(script_option(&s->line, "ref")));
    c.refund_done.number = due ? due->number : s->world.st->seq; /* one that is none */
    world_apply(&s->world, &c, out);
    return true;
}

/* The open one, or NULL. Of several of one payment the first that is found. */
static const struct refund_image *open_of(const struct script *s, struct id id, struct text ref)
{
    const struct refund_image *due;
    for (uint32_t i = 0; (due = refund_at(s->world.st, i)); i++)
        if (due->number && id_equal(due->reservation, id) && text_equal(due->payment_ref, ref) &&
            !due->done_at_ms && !due->withdrawn)
            return due;
    return NULL;
}

/* owed R ref P amount=N open=N, owed R ref P reason W: what is open of them. */
bool script_money_looks(struct script *s)
{
    if (strcmp(s->line.words[0], "undo") == 0) {
        s->tally = world_cancel(&s->world);
        if (s->line.expected_count && script_number(s->line.expected[0]) != s->tally)
            script_wrong(s, "%lld", (long long)s->tally);
        return true;
    }
    if (strcmp(s->line.words[0], "owed") != 0)
        return false;
    struct id id = script_name(s, s->line.words[1])->id;
    struct text ref = script_text(script_option(&s->line, "ref"));
    const char *reason = script_option(&s->line, "reason");
    const struct refund_image *due;
    uint64_t amount = 0, open = 0;
    for (uint32_t i = 0; (due = refund_at(s->world.st, i)); i++) {
        bool counts = due->number && id_equal(due->reservation, id) && !due->done_at_ms && !due->withdrawn &&
                      (!ref.at || text_equal(due->payment_ref, ref));
        open += counts;
        amount += counts ? (uint64_t)due->amount : 0;
    }
    script_must_be(s, "amount", amount);
    script_must_be(s, "open", open);
    due = open_of(s, id, ref);
    if (reason && (!due || !text_equal(due->reason, script_text(reason))))
        script_wrong(s, "The reason is %.*s.", due ? (int)due->reason.size : 4,
                     due ? due->reason.at : "none");
    return true;
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
    if (due && (strcmp(due, "none") == 0) != (o->refund_due == 0))
        script_wrong(s, "%s is due.", o->refund_due ? "A refund" : "Nothing");
}
