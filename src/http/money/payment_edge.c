/* SPDX-License-Identifier: Apache-2.0 */
#include "http/money/payment_edge.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/assertion.h"
#include "base/text/digits.h"
#include "base/crypto/hash.h"

const struct payment_edge *payment_edge(enum payment_provider provider)
{
#define EDGE(constant, number, word, name) [constant] = &payment_edge_##name,
    static const struct payment_edge *const edges[] = {PAYMENT_PROVIDERS(EDGE)};
#undef EDGE
    ASSERT(provider >= PAYMENT_PROVIDER_FIRST && provider <= PAYMENT_PROVIDER_LAST);
    return edges[provider];
}

bool payment_cut_prefix(struct text *text, const char *prefix)
{
    size_t size = strlen(prefix);
    if (text->size < size || memcmp(text->at, prefix, size) != 0)
        return false;
    *text = (struct text){text->at + size, text->size - size};
    return true;
}

static bool is_recent(struct text time, int64_t now_ms)
{
    uint64_t then_s;
    if (!time.at || !digits_read(time.at, time.size, &then_s) || then_s > INT64_MAX / 1000)
        return false;
    int64_t age_s = now_ms / 1000 - (int64_t)then_s;
    return age_s <= PAYMENT_SIGNATURE_WINDOW_S && age_s >= -PAYMENT_SIGNATURE_WINDOW_S;
}

static bool signature_matches(enum payment_provider provider, struct text secret, const struct request *r)
{
    const struct payment_edge *edge = payment_edge(provider);
    struct payment_claim claim = {0};
    char mac[2 * PAYMENT_MAC_SIZE];
    bool found = false;
    edge->claim(r, &claim);
    if (!claim.count || !is_recent(claim.time, r->now_ms))
        return false;
    size_t size = edge->sign(secret, claim.id, claim.time, r->body, mac);
    for (uint32_t i = 0; i < claim.count; i++)
        found |= claim.given[i].size == size && hash_equal(claim.given[i].at, mac, size);
    return found;
}

bool payment_signature_valid(const struct provider_image *provider, const struct request *r,
                             enum payment_provider *by)
{
    if (!provider->number)
        return false;
    *by = provider->provider;
    if (signature_matches(*by, provider->secret, r))
        return true;
    *by = provider->old_provider;
    return provider->old_secret.at && r->now_ms < provider->old_until_ms &&
           signature_matches(*by, provider->old_secret, r);
}

size_t payment_signature_write(const struct provider_image *provider, const char *id, int64_t time_s,
                               const struct buf *body, char out[PAYMENT_HEADERS_MAX][PAYMENT_HEADER_SIZE_MAX])
{
    const struct payment_edge *edge = payment_edge(provider->provider);
    char time[24], mac[2 * PAYMENT_MAC_SIZE];
    ASSERT(provider->number);
    snprintf(time, sizeof time, "%" PRId64, time_s);
    size_t size =
        edge->sign(provider->secret, (struct text){id, strlen(id)}, (struct text){time, strlen(time)},
                   (struct text){(const char *)body->data, body->size}, mac);
    return edge->headers(id, time, (struct text){mac, size}, out);
}
