/* SPDX-License-Identifier: Apache-2.0 */
/* payment_stripe.c — of payment_edge.h: Stripe.
 *
 *   Stripe-Signature: t=<seconds>,v1=<hex>[,v1=<hex>]      hmac_sha256(secret, t.body)
 *
 * Events are about a payment intent, or about a charge, refund or dispute that names its payment intent.
 */
#include <ctype.h>
#include <stdio.h>

#include "base/text/digits.h"
#include "base/crypto/hash.h"
#include "core/command.h"
#include "http/money/payment_edge.h"
#include "http/record/encode.h"

/* ---- The signature ---- */

static bool secret_sound(struct text secret)
{
    for (size_t i = 0; i < secret.size; i++)
        if (secret.at[i] <= ' ' || secret.at[i] > '~')
            return false;
    return secret.size >= PROVIDER_SECRET_SIZE_MIN && secret.size <= PROVIDER_SECRET_SIZE_MAX;
}

/* Those of a scheme that is not ours are passed over. */
static void claim(const struct request_headers *headers, struct payment_claim *out)
{
    struct text rest = headers->stripe_signature;
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

/* ---- What an event says ---- */

/* Where it has its payment and its amount; `once`: what of its object counts once, beside the event's own id. */
static const struct statement {
    const char *type;
    enum payment_news news;
    const char *payment, *amount, *amount_fallback;
    const char *status; /* that its object must have; NULL: any */
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
/* Of a type that says nothing of money only the payment is kept, for people. */
static const struct statement nothing = {"", NEWS_NONE, "id", "amount", NULL, NULL, NULL};

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

static void read_amount(const struct json_scan *s, const struct json_token *object,
                        const struct statement *of, struct money *out)
{
    *out = (struct money){0};
    out->given = integer_of(s, member(s, object, of->amount), &out->amount) ||
                 (of->amount_fallback && integer_of(s, member(s, object, of->amount_fallback), &out->amount));
    struct text currency = text_of(s, member(s, object, "currency"));
    memcpy(out->currency, NO_CURRENCY, sizeof(out->currency));
    bool letters = out->given && currency.size == 3;
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
    if (token && token->kind == JSON_TOKEN_OBJECT)
        token = member(s, token, "id"); /* expanded */
    if (token && token->kind == JSON_TOKEN_TEXT)
        ref.at = json_scan_text(s, token, &ref.size);
    if (ref.size > PAYMENT_TEXT_SIZE_MAX)
        return mark_of(r, TEXT("sha256:"), ref);
    return ref.size ? ref : (struct text){0};
}

static const struct statement *statement_of(const struct json_scan *s, struct text type,
                                            const struct json_token *object)
{
    for (size_t i = 0; i < sizeof(statements) / sizeof(*statements); i++)
        if (text_equal(type, (struct text){statements[i].type, strlen(statements[i].type)})) {
            struct text status = text_of(s, member(s, object, "status"));
            const char *must = statements[i].status;
            return !must || text_equal(status, (struct text){must, strlen(must)}) ? &statements[i] : &nothing;
        }
    return &nothing;
}

/* "re_123 failed": of one refund or dispute, whichever event tells it. */
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
    const struct json_token *data = member(s, s->tokens, "data"), *object = member(s, data, "object");
    if (!object || object->kind != JSON_TOKEN_OBJECT)
        object = data;
    struct text id = text_of(s, member(s, s->tokens, "id"));
    e->event_id = id.at ? id : mark_of(r, TEXT(""), r->body); /* known by what it says */
    e->type = text_of(s, member(s, s->tokens, "type"));
    if (!e->type.at)
        e->type = TEXT("unknown");
    const struct statement *news = statement_of(s, e->type, object);
    command->payment_event.news = news->news;
    e->payment_ref = reference_of(r, s, member(s, object, news->payment));
    e->once = once_of(r, text_of(s, member(s, object, "id")), news->once);
    read_amount(s, object, news, &e->amount);
    struct text reservation = text_of(s, member(s, member(s, object, "metadata"), "reservation_id"));
    command->payment_event.named = reservation.at != NULL;
    if (!reservation.at || !encode_id_read(ENCODE_RESERVATION, reservation, &command->reservation))
        command->reservation = (struct id){0};
}

const struct payment_edge payment_edge_stripe = {
    .secret_sound = secret_sound,
    .secret_form = "Invalid secret: expected printable ASCII without spaces.",
    .claim = claim,
    .sign = sign,
    .headers = headers,
    .read = read_event,
};
