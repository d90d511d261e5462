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

struct text translate_told(enum ask_payment type)
{
    static const char *const types[] = {"payment_intent.succeeded", "payment_intent.payment_failed",
                                        "charge.refunded", "customer.created"};
    return (struct text){types[type], strlen(types[type])};
}

void translate_currency(char letter, char currency[4])
{
    memcpy(currency, letter == 'E' ? "EUR" : "USD", 4);
}

static void translate_event_told(const struct ask *a, struct translation *out)
{
    struct command *c = &out->command;
    struct payment_event_image image = {.type = translate_told(a->told.type),
                                        .payment_ref = translate_ref(a->ref),
                                        .has_amount = a->told.has_amount,
                                        .amount = a->told.amount};
    image.event_id = (struct text){
        out->number, (size_t)snprintf(out->number, sizeof(out->number), "evt_%u", a->told.number)};
    translate_currency(a->told.currency, image.currency);
    c->payment_event.image = image;
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
