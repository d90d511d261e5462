/* SPDX-License-Identifier: Apache-2.0 */
/* record_payment.c — part of encode.h: rows of the ledger, and the provider's events about them. */
#include "http/record/record.h"

/* Without `none`, which is shown as null. */
static const char *discrepancy_shown(unsigned index)
{
    return discrepancy_word(index + 1);
}

/* clang-format off */
#define PAYMENT_ROW(F) \
    F(TEXT, payment_ref, "pi_123", "The payment provider's reference.", p->ref) \
    F(ID_OR_NULL, reservation_id, "res_01JX5M0Q6H8Z3V7T2R9K4C1W0E", \
      "The reservation it belongs to, fixed once money is received; before that the last one that named it; null: none.", \
      ENCODE_RESERVATION, p->reservation) \
    F(WORD, status, "received", "Only `received` means that there is money.", payment_status_word, \
      payment_status_name(payment_status(p))) \
    F(INT, received, 4500, "The amount received, in minor units.", p->received) \
    F(WORD_OR_NULL, received_by, "provider", \
      "The source of the amount: the provider, the app, or assumed (the amount that was missing then); null: no money yet.", \
      payment_source_word, source) \
    F(INT, kept, 4500, "The part that pays for the reservation.", p->kept) \
    F(INT, returned, 0, "The amount paid back.", p->returned) \
    F(INT, owed, 0, "The amount to pay back: the open refund due.", p->owed) \
    F(WORD_OR_NULL, discrepancy, null, "What does not match; null: nothing.", discrepancy_shown, discrepancy) \
    F(STRING, currency, "EUR", "The currency (ISO 4217) of all amounts.", p->currency) \
    F(INSTANT, first_at, "2030-06-03T08:02:11.000Z", "When it was first recorded.", p->first_at_ms) \
    F(INSTANT, last_at, "2030-06-03T08:04:30.000Z", "When it last changed.", p->last_at_ms)
RECORD(payment_row, "A payment: a row of the ledger. kept + returned + owed is the greater of received and returned.", PAYMENT_ROW)

#define ROW_EVENT(F) \
    F(TEXT_OR_NULL, id, "evt_1", "The provider's id of the event; null: it came with a refused hold.", event->event_id) \
    F(TEXT, type, "payment_intent.succeeded", "The provider's event type; `hold` for a refused hold.", event->type) \
    F(INSTANT, at, "2030-06-03T08:02:11.000Z", "When it arrived.", event->received_at_ms) \
    F(WORD, result, "confirmed", "Its result.", payment_result_word, payment_result_name(event->result))
RECORD(payment_row_event, "An event of a payment.", ROW_EVENT)

#define PAYMENT_SHOWN(F) PAYMENT_ROW(F) \
    F(LIST, events, , "The events about it, oldest first.", payment_row_event, 0)
RECORD(payment_shown, "A payment with its events.", PAYMENT_SHOWN)

#define AMOUNT(F) \
    F(INT, amount, 4500, "The amount in minor units, such as cents.", event->amount.amount) \
    F(STRING, currency, "EUR", "The currency (ISO 4217).", event->amount.currency)
RECORD(payment_amount, "The amount in the event.", AMOUNT)

#define EVENT(F) \
    F(TEXT_OR_NULL, event_id, "evt_1", "The provider's id of the event; null: it came with a refused hold.", \
      event->event_id) \
    F(TEXT, type, "payment_intent.succeeded", "The provider's event type; `hold` for a refused hold.", event->type) \
    F(TEXT_OR_NULL, payment_ref, "pi_123", "The payment provider's reference.", event->payment_ref) \
    F(ID_OR_NULL, reservation_id, "res_01JX5M0Q6H8Z3V7T2R9K4C1W0E", "The reservation that it names.", \
      ENCODE_RESERVATION, event->reservation) \
    F(ONE_OR_NULL, amount, , "The amount that it names; null: none.", payment_amount, write_amount(w, event)) \
    F(WORD, result, "confirmed", "Its result.", payment_result_word, payment_result_name(event->result)) \
    F(TEXT_OR_NULL, refund_due, null, "The refund due of the payment that was open after it.", refund) \
    F(INSTANT, received_at, "2030-06-03T08:02:11.000Z", "When it arrived.", event->received_at_ms)
RECORD(payment_event, "A signed event of the payment provider, or the payment of a refused hold, and its result.", EVENT)
/* clang-format on */

static void write_amount(struct json_writer *w, const struct payment_event_image *event)
{
    if (event->amount.given)
        WRITE_RECORD(AMOUNT);
    else
        json_null(w);
}

/* The words of a row that may be null. */
static const char *source_of(const struct payment_image *p)
{
    enum payment_source source;
    return payment_source(p, &source) ? payment_source_name(source) : NULL;
}

static const char *discrepancy_of(const struct payment_image *p)
{
    return p->discrepancy == DISCREPANCY_NONE ? NULL : discrepancy_name(p->discrepancy);
}

void encode_payment(struct json_writer *w, const struct payment_image *p)
{
    const char *source = source_of(p), *discrepancy = discrepancy_of(p);
    WRITE_RECORD(PAYMENT_ROW);
}

void encode_payment_begin(struct json_writer *w, const struct payment_image *p)
{
    const char *source = source_of(p), *discrepancy = discrepancy_of(p);
    json_object_begin(w);
    PAYMENT_ROW(WRITE)
    json_key(w, "events");
    json_array_begin(w);
}

void encode_payment_add_event(struct json_writer *w, const struct payment_event_image *event)
{
    WRITE_RECORD(ROW_EVENT);
}

void encode_payment_end(struct json_writer *w)
{
    json_array_end(w);
    json_object_end(w);
}

void encode_payment_event(struct json_writer *w, const struct payment_event_image *event)
{
    char id[ENCODE_REFUND_SIZE];
    struct text refund = {0};
    if (event->refund) {
        encode_refund_id(event->refund, id);
        refund = (struct text){id, strlen(id)};
    }
    WRITE_RECORD(EVENT);
}
