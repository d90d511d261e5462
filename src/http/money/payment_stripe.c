/* SPDX-License-Identifier: Apache-2.0 */
/* payment_stripe.c — part of payment_edge.h: Stripe.
 *
 *   Stripe-Signature: t=<seconds>,v1=<hex>[,v1=<hex>]      hmac_sha256(secret, t.body)
 *
 * Events are about a payment intent, or about a charge, refund or dispute that names its payment intent.
 */
#include <stdio.h>

#include "base/crypto/hash.h"
#include "core/command.h"
#include "http/money/payment_json.h"
#include "http/money/payment_edge.h"
#include "http/record/encode.h"

/* ---- The signature ---- */

static bool secret_valid(struct text secret)
{
    for (size_t i = 0; i < secret.size; i++)
        if (secret.at[i] <= ' ' || secret.at[i] > '~')
            return false;
    return secret.size >= PROVIDER_SECRET_SIZE_MIN && secret.size <= PROVIDER_SECRET_SIZE_MAX;
}

/* Signatures of other schemes are ignored. */
static void stripe_claim(const struct request *r, struct payment_claim *out)
{
    struct text rest = request_header(r, "Stripe-Signature");
    while (rest.size && out->count < PAYMENT_SIGNATURES_MAX) {
        struct text part = request_next_part(&rest, ',');
        if (payment_cut_prefix(&part, "t="))
            out->time = part;
        else if (payment_cut_prefix(&part, "v1="))
            out->given[out->count++] = part;
    }
}

static size_t sign(struct text secret, struct text id, struct text time, struct text body,
                   char out[2 * PAYMENT_MAC_SIZE])
{
    static const char digits_of_hex[] = "0123456789abcdef";
    const struct hash_part parts[] = {{time.at, time.size}, {".", 1}, {body.at, body.size}};
    uint8_t mac[PAYMENT_MAC_SIZE];
    (void)id; /* it is in the body */
    hash_hmac_sha256_parts(secret.at, secret.size, parts, 3, mac);
    for (size_t i = 0; i < sizeof mac; i++) {
        out[2 * i] = digits_of_hex[mac[i] >> 4];
        out[2 * i + 1] = digits_of_hex[mac[i] & 15];
    }
    return 2 * sizeof mac;
}

static size_t headers(const char *id, const char *time, struct text signature,
                      char out[PAYMENT_HEADERS_MAX][PAYMENT_HEADER_SIZE_MAX])
{
    (void)id;
    snprintf(out[0], PAYMENT_HEADER_SIZE_MAX, "Stripe-Signature: t=%s,v1=%.*s", time, (int)signature.size,
             signature.at);
    return 1;
}

/* ---- Reading an event ---- */

/* The members with the payment and the amount; `once`: names what happened to the object, which must count only once
 * even if several events report it. */
static const struct statement {
    const char *type;
    enum payment_news news;
    const char *payment, *amount, *amount_fallback;
    const char *status; /* the required status of its object; NULL: any */
    const char *once;
} statements[] = {
    {"payment_intent.succeeded", NEWS_SUCCEEDED, "id", "amount_received", "amount", NULL, NULL},
    {"payment_intent.payment_failed", NEWS_FAILED, "id", "amount", NULL, NULL, NULL},
    {"payment_intent.canceled", NEWS_FAILED, "id", "amount", NULL, NULL, NULL},
    {"charge.refunded", NEWS_REFUNDED, "payment_intent", "amount_refunded", NULL, NULL, NULL},
    {"refund.failed", NEWS_REFUND_FAILED, "payment_intent", "amount", NULL, NULL, "failed"},
    {"charge.refund.updated", NEWS_REFUND_FAILED, "payment_intent", "amount", NULL, "failed", "failed"},
    {"charge.dispute.created", NEWS_DISPUTED, "payment_intent", "amount", NULL, NULL, "opened"},
    {"charge.dispute.closed", NEWS_DISPUTE_OVER, "payment_intent", "amount", NULL, "warning_closed",
     "closed"},
    {"charge.dispute.funds_withdrawn", NEWS_FUNDS_WITHDRAWN, "payment_intent", "amount", NULL, NULL,
     "withdrawn"},
    {"charge.dispute.funds_reinstated", NEWS_FUNDS_REINSTATED, "payment_intent", "amount", NULL, NULL,
     "reinstated"},
};
/* For event types that do not concern money only the payment is recorded, for information. */
static const struct statement nothing = {"", NEWS_NONE, "id", "amount", NULL, NULL, NULL};

static void read_amount(const struct json_scan *s, const struct json_token *object,
                        const struct statement *of, struct money *out)
{
    *out = (struct money){0};
    out->given = payment_json_integer(s, payment_json_member(s, object, of->amount), &out->amount) ||
                 (of->amount_fallback &&
                  payment_json_integer(s, payment_json_member(s, object, of->amount_fallback), &out->amount));
    struct text currency = payment_json_text(s, payment_json_member(s, object, "currency"));
    payment_json_currency(out->given ? currency : (struct text){0}, out->currency);
}

static const struct statement *statement_of(const struct json_scan *s, struct text type,
                                            const struct json_token *object)
{
    for (size_t i = 0; i < sizeof(statements) / sizeof(*statements); i++)
        if (text_equal(type, (struct text){statements[i].type, strlen(statements[i].type)})) {
            struct text status = payment_json_text(s, payment_json_member(s, object, "status"));
            const char *must = statements[i].status;
            return !must || text_equal(status, (struct text){must, strlen(must)}) ? &statements[i] : &nothing;
        }
    return &nothing;
}

/* "re_123 failed": the same for all events that report this about one refund or dispute. */
static struct text once_of(struct request *r, struct text object_id, const char *what)
{
    if (!what || !object_id.at || object_id.size + strlen(what) + 1 > PAYMENT_EVENT_TEXT_SIZE_MAX)
        return (struct text){0};
    size_t size = object_id.size + 1 + strlen(what);
    char *text = arena_take(&r->arena, size + 1);
    snprintf(text, size + 1, "%.*s %s", (int)object_id.size, object_id.at, what);
    return (struct text){text, size};
}

static void read_event(struct request *r, const struct json_scan *s, struct command *command)
{
    struct payment_event_image *e = &command->payment_event.image;
    const struct json_token *data = payment_json_member(s, s->tokens, "data"),
                            *object = payment_json_member(s, data, "object");
    if (!object || object->kind != JSON_TOKEN_OBJECT)
        object = data;
    struct text id = payment_json_text(s, payment_json_member(s, s->tokens, "id"));
    e->event_id = id.at ? id : payment_json_hash(r, TEXT(""), r->body); /* without an id, identified by its contents */
    e->type = payment_json_text(s, payment_json_member(s, s->tokens, "type"));
    if (!e->type.at)
        e->type = TEXT("unknown");
    const struct statement *news = statement_of(s, e->type, object);
    command->payment_event.news = news->news;
    e->payment_ref = payment_json_reference(r, s, payment_json_member(s, object, news->payment));
    e->once = once_of(r, payment_json_text(s, payment_json_member(s, object, "id")), news->once);
    read_amount(s, object, news, &e->amount);
    struct text reservation = payment_json_text(
        s, payment_json_member(s, payment_json_member(s, object, "metadata"), "reservation_id"));
    command->payment_event.named = reservation.at != NULL;
    if (!reservation.at || !encode_id_read(ENCODE_RESERVATION, reservation, &command->reservation))
        command->reservation = (struct id){0};
}

const struct payment_edge payment_edge_stripe = {
    .secret_valid = secret_valid,
    .secret_form = "Invalid secret: expected printable ASCII without spaces.",
    .claim = stripe_claim,
    .sign = sign,
    .headers = headers,
    .read = read_event,
};
