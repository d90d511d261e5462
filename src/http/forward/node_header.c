/* SPDX-License-Identifier: Apache-2.0 */
#include "http/forward/node_header.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/assertion.h"
#include "base/crypto/base64.h"
#include "base/crypto/hash.h"
#include "base/text/digits.h"

#define PURPOSE "Holdfast-Node"
#define PROOF_SIZE BASE64URL_SIZE(32)

static void derive(const char *secret, uint8_t out[32])
{
    hash_hmac_sha256(secret, strlen(secret), PURPOSE, strlen(PURPOSE), out);
}

void node_keys_init(struct node_keys *keys, const struct credentials *credentials)
{
    const char *old = credentials->secret_old;
    derive(credentials->secret, keys->current);
    derive(old[0] ? old : credentials->secret, keys->old);
}

void node_digest(struct text body, char out[NODE_DIGEST_SIZE + 1])
{
    uint8_t hash[32];
    hash_sha256(body.at, body.size, hash);
    out[base64url_write(hash, sizeof hash, out)] = '\0';
}

/* `signed_part` is the header without its proof. No line break can be in any of the three. */
static void prove(const uint8_t key[32], struct text signed_part, const char *method, struct text target,
                  char out[PROOF_SIZE])
{
    uint8_t hash[32];
    const struct hash_part parts[] = {{signed_part.at, signed_part.size},
                                      {"\n", 1},
                                      {method, strlen(method)},
                                      {"\n", 1},
                                      {target.at, target.size}};
    hash_hmac_sha256_parts(key, 32, parts, sizeof parts / sizeof *parts, hash);
    base64url_write(hash, sizeof hash, out);
}

void node_header_write(const struct node_keys *keys, const struct node_claim *claim, const char *method,
                       struct text target, char out[NODE_HEADER_SIZE_MAX])
{
    char address[ADDRESS_TEXT_SIZE], proof[PROOF_SIZE];
    address_write(claim->address, address);
    int size = snprintf(out, NODE_HEADER_SIZE_MAX, "%.*s, %" PRId64 ", %s, %.*s", (int)claim->node.size,
                        claim->node.at, claim->at_ms, address, (int)claim->digest.size, claim->digest.at);
    ASSERT(size > 0 && (size_t)size + 2 + PROOF_SIZE < NODE_HEADER_SIZE_MAX);
    prove(keys->current, (struct text){out, (size_t)size}, method, target, proof);
    snprintf(out + size, NODE_HEADER_SIZE_MAX - (size_t)size, ", %.*s", (int)sizeof proof, proof);
}

/* Cuts the part after the last ", " off: a node's id may have a comma. False: there is none. */
static bool cut_last(struct text *rest, struct text *part)
{
    size_t at = rest->size;
    while (at >= 2 && (rest->at[at - 2] != ',' || rest->at[at - 1] != ' '))
        at--;
    if (at < 2)
        return false;
    *part = (struct text){rest->at + at, rest->size - at};
    rest->size = at - 2;
    return true;
}

static bool is_proof(const uint8_t key[32], struct text given, struct text signed_part, const char *method,
                     struct text target)
{
    char proof[PROOF_SIZE];
    prove(key, signed_part, method, target, proof);
    return given.size == sizeof proof && hash_equal(given.at, proof, sizeof proof);
}

bool node_header_read(const struct node_keys *keys, struct text header, const char *method,
                      struct text target, int64_t now_ms, struct node_claim *out)
{
    struct text rest = header, proof, at_ms, address;
    uint64_t ms;
    if (header.size >= NODE_HEADER_SIZE_MAX || !cut_last(&rest, &proof))
        return false;
    if (!is_proof(keys->current, proof, rest, method, target) &&
        !is_proof(keys->old, proof, rest, method, target))
        return false;
    if (!cut_last(&rest, &out->digest) || !cut_last(&rest, &address) || !cut_last(&rest, &at_ms))
        return false;
    out->node = rest;
    if (!digits_read_u64(at_ms.at, at_ms.size, &ms) || !address_read(address, &out->address))
        return false;
    out->at_ms = (int64_t)ms;
    return out->at_ms >= now_ms - NODE_HEADER_MS && out->at_ms <= now_ms + NODE_HEADER_MS;
}
