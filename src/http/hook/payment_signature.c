/* SPDX-License-Identifier: Apache-2.0 */
#include "http/hook/payment_signature.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/assertion.h"
#include "base/base64.h"
#include "base/digits.h"
#include "base/hash.h"
#include "http/hook/hook_signature.h"

#define GIVEN_MAX 8 /* signatures in one header; a provider that changes its secret sends two */
#define MAC_SIZE 32

/* What a request claims. */
struct claim {
    struct text id;   /* standard; at == NULL: not signed */
    struct text time; /* seconds, as written */
    struct text given[GIVEN_MAX];
    uint32_t count;
};

bool payment_secret_sound(enum payment_provider provider, struct text secret)
{
    if (provider == PROVIDER_STANDARD)
        return hook_secret_sound(secret);
    for (size_t i = 0; i < secret.size; i++)
        if (secret.at[i] <= ' ' || secret.at[i] > '~')
            return false;
    return secret.size >= PROVIDER_SECRET_SIZE_MIN && secret.size <= PROVIDER_SECRET_SIZE_MAX;
}

static bool cut_prefix(struct text *text, const char *prefix)
{
    size_t size = strlen(prefix);
    if (text->size < size || memcmp(text->at, prefix, size) != 0)
        return false;
    *text = (struct text){text->at + size, text->size - size};
    return true;
}

/* Those of a scheme that is not ours are passed over. */
static void claim_read(enum payment_provider provider, const struct request_headers *headers,
                       struct claim *claim)
{
    bool stripe = provider == PROVIDER_STRIPE;
    struct text rest = stripe ? headers->stripe_signature : headers->webhook_signature;
    *claim = (struct claim){.id = stripe ? (struct text){0} : headers->webhook_id,
                            .time = stripe ? (struct text){0} : headers->webhook_timestamp};
    while (rest.size && claim->count < GIVEN_MAX) {
        struct text part = request_next_part(&rest, stripe ? ',' : ' ');
        if (stripe && cut_prefix(&part, "t="))
            claim->time = part;
        else if (cut_prefix(&part, stripe ? "v1=" : "v1,"))
            claim->given[claim->count++] = part;
    }
}

static bool timely(struct text time, int64_t now_ms)
{
    uint64_t then_s;
    if (!time.at || !digits_read(time.at, time.size, &then_s) || then_s > INT64_MAX / 1000)
        return false;
    int64_t age_s = now_ms / 1000 - (int64_t)then_s;
    return age_s <= PAYMENT_SIGNATURE_WINDOW_S && age_s >= -PAYMENT_SIGNATURE_WINDOW_S;
}

/* Over t.body or id.t.body, as the header has it. Returns its size. */
static size_t sign(enum payment_provider provider, struct text secret, struct text id, struct text time,
                   struct text body, char out[2 * MAC_SIZE])
{
    static const char digits_of_hex[] = "0123456789abcdef";
    /* Where they stand: a body may be a megabyte. */
    const struct hash_part parts[] = {
        {id.at, id.size}, {".", 1}, {time.at, time.size}, {".", 1}, {body.at, body.size}};
    uint8_t key[HOOK_KEY_SIZE_MAX], mac[MAC_SIZE];
    if (provider == PROVIDER_STANDARD) {
        size_t size = hook_secret_key(secret, key);
        ASSERT(size); /* it was judged when it came */
        hash_hmac_sha256_parts(key, size, parts, 5, mac);
        base64_write(mac, sizeof mac, out);
        return BASE64_SIZE(sizeof mac);
    }
    hash_hmac_sha256_parts(secret.at, secret.size, parts + 2, 3, mac); /* without an id */
    for (size_t i = 0; i < sizeof mac; i++) {
        out[2 * i] = digits_of_hex[mac[i] >> 4];
        out[2 * i + 1] = digits_of_hex[mac[i] & 15];
    }
    return 2 * sizeof mac;
}

static bool holds(enum payment_provider provider, struct text secret, const struct request_headers *headers,
                  struct text body, int64_t now_ms)
{
    struct claim claim;
    char mac[2 * MAC_SIZE];
    bool found = false;
    claim_read(provider, headers, &claim);
    if (!claim.count || !timely(claim.time, now_ms) || (provider == PROVIDER_STANDARD && !claim.id.size))
        return false;
    size_t size = sign(provider, secret, claim.id, claim.time, body, mac);
    for (uint32_t i = 0; i < claim.count; i++)
        found |= claim.given[i].size == size && hash_equal(claim.given[i].at, mac, size);
    return found;
}

bool payment_signature_holds(const struct provider_image *provider, const struct request_headers *headers,
                             struct text body, int64_t now_ms, enum payment_provider *by)
{
    if (!provider->number)
        return false;
    *by = provider->provider;
    if (holds(*by, provider->secret, headers, body, now_ms))
        return true;
    *by = provider->old_provider;
    return provider->old_secret.at && now_ms < provider->old_until_ms &&
           holds(*by, provider->old_secret, headers, body, now_ms);
}

size_t payment_signature_write(const struct provider_image *provider, const char *id, int64_t time_s,
                               const struct buf *body, char out[PAYMENT_HEADERS_MAX][PAYMENT_HEADER_SIZE_MAX])
{
    char time[24], mac[2 * MAC_SIZE];
    ASSERT(provider->number);
    snprintf(time, sizeof time, "%" PRId64, time_s);
    size_t size =
        sign(provider->provider, provider->secret, (struct text){id, strlen(id)},
             (struct text){time, strlen(time)}, (struct text){(const char *)body->data, body->size}, mac);
    if (provider->provider == PROVIDER_STRIPE) {
        snprintf(out[0], PAYMENT_HEADER_SIZE_MAX, "Stripe-Signature: t=%s,v1=%.*s", time, (int)size, mac);
        return 1;
    }
    snprintf(out[0], PAYMENT_HEADER_SIZE_MAX, "webhook-id: %s", id);
    snprintf(out[1], PAYMENT_HEADER_SIZE_MAX, "webhook-timestamp: %s", time);
    snprintf(out[2], PAYMENT_HEADER_SIZE_MAX, "webhook-signature: v1,%.*s", (int)size, mac);
    return 3;
}
