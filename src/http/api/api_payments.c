/* SPDX-License-Identifier: Apache-2.0 */
/* api_payments.c — the payment provider: its secret, its events, and what became of them. */
#include <ctype.h>
#include <stdio.h>

#include "base/assertion.h"
#include "base/digits.h"
#include "base/hash.h"
#include "base/json_scan.h"
#include "base/random.h"
#include "http/api/call.h"
#include "http/api/listing.h"
#include "http/api/page.h"
#include "http/api/text_check.h"
#include "http/access/admission.h"
#include "http/hook/payment_signature.h"
#include "http/record/encode.h"
#include "http/record/record.h"
#include "http/wire/reply.h"

enum { QUERY_REF, QUERY_LIMIT, QUERY_CURSOR };
#define AMOUNT_MAX 1000000000000000LL /* what is beyond is no amount of money */

/* ---- Records ---- */

/* What an event can end in; a rejection is of a request. */
WORDS_OF_ENUM(event_results, payment_result, PAYMENT_CONFIRMED, PAYMENT_REFUND_DUE, PAYMENT_REPEATED,
              PAYMENT_IGNORED, PAYMENT_UNKNOWN, PAYMENT_AMOUNT, PAYMENT_CURRENCY)

static void write_amount(struct json_writer *w, const struct payment_event_image *payment);

/* clang-format off */
#define PROVIDER(F) \
    F(WORD, provider, "stripe", "Whose events are taken.", payment_provider_word, payment_provider_name(p->provider)) \
    F(TIME, changed_at, "2030-05-01T08:00:00.000Z", "When it was last changed.", p->changed_at_ms) \
    F(TIME_OR_NULL, old_secret_until, null, "Until when the previous secret is good too; null: it is not.", \
      now_ms < p->old_until_ms ? p->old_until_ms : 0)
RECORD(payment_provider, "Who tells of payments, without its secret.", PROVIDER)

#define RESULT(F) \
    F(WORD, result, "confirmed", "What became of the payment.", event_results, payment_result_name(result))
RECORD(payment_result, "What became of an event.", RESULT)

#define PAID(F) \
    F(INT, amount, 4500, "The amount in minor units, such as cents.", payment->amount) \
    F(STRING, currency, "EUR", "The currency (ISO 4217).", payment->currency)
RECORD(payment_amount, "How much was told of.", PAID)

#define PAYMENT(F) \
    F(TEXT_OR_NULL, event_id, "evt_1", "The provider's id of the event; null: it came with a request that was refused.", \
      payment->event_id) \
    F(TEXT, type, "payment_intent.succeeded", \
      "The provider's word; of a request that was refused: `hold`, `payment` or `commit`.", payment->type) \
    F(TEXT_OR_NULL, payment_ref, "pi_123", "The provider's reference of the payment.", payment->payment_ref) \
    F(ID_OR_NULL, reservation_id, "res_01JX5M0Q6H8Z3V7T2R9K4C1W0E", "The reservation that it names.", \
      ENCODE_RESERVATION, payment->reservation) \
    F(ONE_OR_NULL, amount, , "How much was told of; null: nothing.", payment_amount, write_amount(w, payment)) \
    F(WORD, result, "confirmed", "What became of it.", payment_result_word, payment_result_name(payment->result)) \
    F(TEXT_OR_NULL, refund_due, null, "The refund due that it ended in, or that was paid back.", refund) \
    F(INSTANT, received_at, "2030-06-03T08:02:11.000Z", "When it came.", payment->received_at_ms)
RECORD(payment_event, "A payment that was told of, and what became of it.", PAYMENT)
/* clang-format on */

static void write_amount(struct json_writer *w, const struct payment_event_image *payment)
{
    if (payment->has_amount)
        WRITE_RECORD(PAID);
    else
        json_null(w);
}

/* ---- The provider ---- */

struct provider_body {
    struct json_text_value provider, secret;
};

const struct json_field api_provider_fields[] = {
    JSON_TEXT(struct provider_body, provider, 1, 16, JSON_REQUIRED, .word = payment_provider_word,
              .about = "Whose events are taken."),
    JSON_TEXT(struct provider_body, secret, PROVIDER_SECRET_SIZE_MIN, PROVIDER_SECRET_SIZE_MAX, JSON_REQUIRED,
              .about = "Signs the events, and is never shown. The previous one stays good for a day."),
    JSON_END,
};

static void provider_was_put(struct call *call, const struct outcome *outcome)
{
    struct request *r = call->request;
    const struct provider_image *p = outcome->provider;
    int64_t now_ms = r->now_ms;
    struct json_writer *w = reply_json(r, 200);
    WRITE_RECORD(PROVIDER);
    reply_finish(r);
}

HANDLER(api_provider_put)
{
    struct provider_body body;
    if (!request_decode(r, &body, sizeof(body)))
        return;
    struct call *call = call_make(r, COMMAND_PROVIDER_PUT);
    struct provider_image *p = &call->command.provider;
    payment_provider_read(text_given(body.provider), &p->provider);
    p->secret = text_given(body.secret);
    if (!payment_secret_sound(p->provider, p->secret)) {
        reply_invalid(r, "/secret",
                      p->provider == PROVIDER_STANDARD
                          ? "Invalid secret: expected whsec_ and base64 of 24 to 64 bytes."
                          : "Invalid secret: expected printable ASCII without spaces.");
        return;
    }
    call_submit(call, provider_was_put);
}

/* ---- Its events: what is not understood is passed over, and nothing that is signed is refused ---- */

/* NULL: there is none of this name. */
static const struct json_token *member(const struct json_scan *s, const struct json_token *object,
                                       const char *name)
{
    if (!object || object->kind != JSON_TOKEN_OBJECT)
        return NULL;
    const struct json_token *at = object + 1;
    for (uint32_t i = 0; i < object->count; i++) {
        size_t size;
        const char *text = json_scan_text(s, at, &size);
        if (size == strlen(name) && memcmp(text, name, size) == 0)
            return at + 1;
        at += 1 + at[1].span;
    }
    return NULL;
}

/* at == NULL: it is no text, or too long to be one of those that are meant. */
static struct text text_of(const struct json_scan *s, const struct json_token *token)
{
    struct text text = {0};
    if (token && token->kind == JSON_TOKEN_TEXT)
        text.at = json_scan_text(s, token, &text.size);
    return text.size && text.size <= PAYMENT_EVENT_TEXT_SIZE_MAX ? text : (struct text){0};
}

/* An integer, or the digits of one as text: what was paid is not lost over its form. */
static bool integer_of(const struct json_scan *s, const struct json_token *token, int64_t *out)
{
    uint64_t digits;
    struct text text = text_of(s, token);
    if (token && token->kind == JSON_TOKEN_INTEGER)
        *out = json_scan_integer(s, token);
    else if (text.at && digits_read(text.at, text.size, &digits) && digits <= AMOUNT_MAX)
        *out = (int64_t)digits;
    else
        return false;
    return *out <= AMOUNT_MAX && *out >= -AMOUNT_MAX;
}

static void read_amount(const struct json_scan *s, const struct json_token *object, bool charge,
                        struct payment_event_image *out)
{
    const char *name = charge ? "amount_refunded" : "amount_received";
    out->has_amount = integer_of(s, member(s, object, name), &out->amount) ||
                      (!charge && integer_of(s, member(s, object, "amount"), &out->amount));
    struct text currency = text_of(s, member(s, object, "currency"));
    memcpy(out->currency, NO_CURRENCY, sizeof(out->currency));
    if (!out->has_amount)
        return;
    bool letters = currency.size == 3;
    for (size_t i = 0; letters && i < 3; i++)
        letters = isalpha((unsigned char)currency.at[i]);
    for (size_t i = 0; letters && i < 3; i++)
        out->currency[i] = (char)toupper((unsigned char)currency.at[i]);
}

/* After the prefix the SHA-256 of these bytes, in hex. */
static struct text mark_of(struct request *r, struct text prefix, struct text bytes)
{
    uint8_t hash[32];
    char *mark = arena_take(&r->arena, prefix.size + 2 * sizeof(hash) + 1);
    memcpy(mark, prefix.at, prefix.size);
    hash_sha256(bytes.at, bytes.size, hash);
    for (size_t i = 0; i < sizeof(hash); i++)
        snprintf(mark + prefix.size + 2 * i, 3, "%02x", hash[i]);
    return (struct text){mark, prefix.size + 2 * sizeof(hash)};
}

/* A reference that is too long to be kept goes by its hash, so that the payment counts all the same: cut, it might be
 * another's. */
static struct text reference_of(struct request *r, const struct json_scan *s, const struct json_token *token)
{
    struct text ref = {0};
    if (token && token->kind == JSON_TOKEN_TEXT)
        ref.at = json_scan_text(s, token, &ref.size);
    if (ref.size > PAYMENT_TEXT_SIZE_MAX)
        return mark_of(r, TEXT("sha256:"), ref);
    return ref.size ? ref : (struct text){0};
}

static void read_event(struct request *r, enum payment_provider by, const struct json_scan *s,
                       struct command *command)
{
    struct payment_event_image *e = &command->payment_event.image;
    const struct json_token *data = member(s, s->tokens, "data"), *object = member(s, data, "object");
    if (!object || object->kind != JSON_TOKEN_OBJECT)
        object = data;
    /* By whose signature holds: only that covers it. */
    struct text id = by == PROVIDER_STANDARD ? r->headers.webhook_id : text_of(s, member(s, s->tokens, "id"));
    e->event_id = id.size && id.size <= PAYMENT_EVENT_TEXT_SIZE_MAX
                      ? id
                      : mark_of(r, TEXT(""), r->body); /* known by what it says */
    e->type = text_of(s, member(s, s->tokens, "type"));
    if (!e->type.at)
        e->type = TEXT("unknown");
    bool charge = text_equal(e->type, TEXT("charge.refunded"));
    e->payment_ref = reference_of(r, s, member(s, object, charge ? "payment_intent" : "id"));
    read_amount(s, object, charge, e);
    struct text reservation = text_of(s, member(s, member(s, object, "metadata"), "reservation_id"));
    if (!reservation.at || !encode_id_read(ENCODE_RESERVATION, reservation, &command->reservation))
        command->reservation = (struct id){0};
}

static void event_was_taken(struct call *call, const struct outcome *outcome)
{
    enum payment_result result = outcome->payment_event.result;
    struct json_writer *w = reply_json(call->request, 200);
    WRITE_RECORD(RESULT);
    reply_finish(call->request);
}

HANDLER(api_payment_webhook)
{
    struct json_scan scan;
    enum payment_provider by;
    const struct provider_image *provider = state_provider(store_state(r->store));
    if (!payment_signature_holds(provider, &r->headers, r->body, r->now_ms, &by)) {
        struct fault fault = {0};
        /* Only these are counted: who has the secret is never told to come later. */
        if (admission_take(r, LANE_UNSIGNED, &fault)) {
            fault_set(&fault, FAULT_UNAUTHENTICATED,
                      provider->number ? "Missing or invalid signature, or not of the last five minutes."
                                       : "No payment provider is set: see PUT /v1/payments/provider.");
            r->limit.lane = LANE_NONE; /* no 401 tells of limits */
        }
        reply_fault(r, &fault);
        return;
    }
    if (!json_scan_foreign(&scan, r->body.at, r->body.size, &r->arena)) {
        reply_invalid(r, "", "Not JSON.");
        return;
    }
    struct call *call = call_make(r, COMMAND_PAYMENT_EVENT);
    call->command.actor = (struct actor){.role = ROLE_PAYMENT};
    call->command.payment_event.ticket_key[0] = random_u64();
    call->command.payment_event.ticket_key[1] = random_u64();
    read_event(r, by, &scan, &call->command);
    call_submit(call, event_was_taken);
}

/* ---- What came ---- */

void encode_payment_event(struct json_writer *w, const struct payment_event_image *payment)
{
    char id[ENCODE_REFUND_SIZE];
    struct text refund = {0};
    if (payment->refund) {
        encode_refund_id(payment->refund, id);
        refund = (struct text){id, strlen(id)};
    }
    WRITE_RECORD(PAYMENT);
}

static void payment_row(void *ctx, const struct query_row *row)
{
    struct listing *listing = ctx;
    encode_payment_event(&listing->writer, row->payment);
    listing->last = (struct id){0, row->payment->number}; /* in the form of an id */
}

HANDLER(api_payment_list)
{
    struct listing *listing = listing_make(r);
    struct query *query = &listing->query;
    query->kind = QUERY_PAYMENTS;
    query->payment_ref = r->query[QUERY_REF];
    if (page_limit(r, QUERY_LIMIT, &query->limit) && page_cursor(r, QUERY_CURSOR, &query->after))
        listing_submit(listing, payment_row);
}
