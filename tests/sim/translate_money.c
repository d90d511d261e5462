/* SPDX-License-Identifier: Apache-2.0 */
/* translate_money.c — payments, refunds and scans of tickets as core's commands. */
#include <stdio.h>
#include <stdlib.h>

#include "base/assertion.h"
#include "model.h"
#include "translate.h"

struct text translate_ref(int ref)
{
    static char names[ASK_REFS + 1][8];
    ASSERT(ref >= 0 && ref <= ASK_REFS);
    int size = ref ? snprintf(names[ref], sizeof(names[ref]), "pi_%d", ref) : 0;
    return ref ? (struct text){names[ref], (size_t)size} : (struct text){0};
}

bool model_ref_differs(struct text found, int ref)
{
    return !text_equal(found, translate_ref(ref));
}

struct text translate_gate(int gate)
{
    return !gate ? (struct text){0} : gate == 1 ? TEXT("north") : TEXT("the gate at the back of the house");
}

struct text translate_reason(int reason)
{
    return !reason ? (struct text){0} : reason == 1 ? TEXT("rain") : TEXT("The hall is flooded.");
}

void translate_currency(char letter, char currency[4])
{
    memcpy(currency, letter == 'E' ? "EUR" : "USD", 4);
}

struct money translate_amount(const struct ask_amount *amount)
{
    struct money money = {.given = amount->given, .amount = amount->amount};
    translate_currency(amount->currency, money.currency);
    return money;
}

static void translate_event_told(const struct ask *a, struct translation *out)
{
    struct command *c = &out->command;
    const char *type = payment_news_name(a->told.news);
    struct payment_event_image image = {.type = {type, strlen(type)}, .payment_ref = translate_ref(a->ref)};
    image.event_id = (struct text){
        out->number, (size_t)snprintf(out->number, sizeof(out->number), "evt_%u", a->told.number)};
    if (a->told.once)
        image.once =
            (struct text){out->once, (size_t)snprintf(out->once, sizeof(out->once), "re_%u", a->told.once)};
    image.amount =
        translate_amount(&(struct ask_amount){a->told.has_amount, a->told.amount, a->told.currency});
    c->payment_event.image = image;
    c->payment_event.news = a->told.news;
    c->payment_event.named = a->told.named;
    if (!a->told.named)
        c->reservation = (struct id){0};
    c->payment_event.ticket_key[0] = a->id.low;
}

static void translate_scan(const struct ask *a, struct translation *out)
{
    const struct ask_scan *s = &a->scan;
    struct command *c = &out->command;
    ticket_code_write(s->code.key, s->code.item_id, s->code.unit, out->ticket);
    c->check_in.code = (struct text){out->ticket, TICKET_CODE_SIZE};
    if (a->kind == COMMAND_TICKET_LOOK)
        return;
    if (s->event >= 0)
        c->check_in.event = translate_event(s->event);
    c->check_in.gate = translate_gate(s->gate);
    if (s->nonce)
        c->check_in.nonce =
            (struct text){out->number, (size_t)snprintf(out->number, sizeof(out->number), "n%u", s->nonce)};
    c->check_in.undo = s->undo;
    c->check_in.printed = s->printed;
    c->check_in.reissue = s->reissue;
    c->check_in.scanned_at_ms = s->at;
}

void translate_money(const struct ask *a, struct translation *out)
{
    struct command *c = &out->command;
    if (a->kind == COMMAND_PAYMENT_EVENT) {
        translate_event_told(a, out);
    } else if (a->kind == COMMAND_REFUND_DONE || a->kind == COMMAND_REFUND_LOOK) {
        c->refund_done.number = a->refund;
        c->refund_done.amount = translate_amount(&a->amount);
        c->refund_done.outside = a->outside;
    } else if (a->kind == COMMAND_PAYMENT_LOOK) {
        c->payment_look = a->refund;
    } else if (a->kind == COMMAND_REFUND) {
        c->refund.items = a->back;
        c->refund.count = a->back_count;
        c->refund.paid_back = a->paid_back;
        c->refund.reason = a->attributes > 0 ? TEXT("rain") : (struct text){0};
    } else if (a->kind == COMMAND_EVENT_CANCEL || a->kind == COMMAND_EVENT_CANCEL_LOOK) {
        c->event_cancel.event = translate_event(a->event);
        if (a->kind == COMMAND_EVENT_CANCEL)
            c->event_cancel.reason = translate_reason(a->reason);
    } else if (a->kind == COMMAND_CHECK_IN || a->kind == COMMAND_TICKET_LOOK) {
        translate_scan(a, out);
    }
}
