/* SPDX-License-Identifier: Apache-2.0 */
#include "base/crypto/hash.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>

#include "base/assertion.h"
#include "base/memory/bytes.h"
#include "base/memory/memory.h"

static uint64_t hash_rotate(uint64_t v, int bits)
{
    return v << bits | v >> (64 - bits);
}

struct hash_sip_state {
    uint64_t v0, v1, v2, v3;
};

static inline void hash_sip_round(struct hash_sip_state *s)
{
    s->v0 += s->v1;
    s->v2 += s->v3;
    s->v1 = hash_rotate(s->v1, 13) ^ s->v0;
    s->v3 = hash_rotate(s->v3, 16) ^ s->v2;
    s->v0 = hash_rotate(s->v0, 32) + s->v3;
    s->v2 += s->v1;
    s->v3 = hash_rotate(s->v3, 21) ^ s->v0;
    s->v1 = hash_rotate(s->v1, 17) ^ s->v2;
    s->v2 = hash_rotate(s->v2, 32);
}

static inline void hash_sip_word(struct hash_sip_state *s, uint64_t word)
{
    s->v3 ^= word;
    hash_sip_round(s);
    hash_sip_round(s);
    s->v0 ^= word;
}

uint64_t hash_sip(struct hash_key key, const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    struct hash_sip_state s = {
        .v0 = key.a ^ 0x736f6d6570736575,
        .v1 = key.b ^ 0x646f72616e646f6d,
        .v2 = key.a ^ 0x6c7967656e657261,
        .v3 = key.b ^ 0x7465646279746573,
    };
    uint64_t last = (uint64_t)size << 56;
    for (; size >= 8; size -= 8, at += 8)
        hash_sip_word(&s, bytes_load_u64(at));
    for (size_t i = 0; i < size; i++)
        last |= (uint64_t)at[i] << (8 * i);
    hash_sip_word(&s, last);
    s.v2 ^= 0xff;
    for (int i = 0; i < 4; i++)
        hash_sip_round(&s);
    return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}

/* Looking up an algorithm costs more than hashing a short message, so each thread keeps its contexts
 * ready. */
struct hash_contexts {
    EVP_MD *sha256;
    EVP_MD_CTX *digest;
    EVP_MAC *hmac;
    EVP_MAC_CTX *mac;
    /* The key of the last message, which `mac` still holds: setting a key costs as much as a short message. */
    uint8_t key[64];
    size_t key_size; /* 0: none, or too long to keep */
};

static _Thread_local struct hash_contexts *hash_own;
static pthread_once_t hash_once = PTHREAD_ONCE_INIT;
static pthread_key_t hash_at_thread_end;

static void hash_contexts_free(void *contexts)
{
    struct hash_contexts *c = contexts;
    EVP_MAC_CTX_free(c->mac);
    EVP_MAC_free(c->hmac);
    EVP_MD_CTX_free(c->digest);
    EVP_MD_free(c->sha256);
    OPENSSL_cleanse(c, sizeof *c);
    free(c);
}

static void hash_setup(void)
{
    int failed = pthread_key_create(&hash_at_thread_end, hash_contexts_free);
    ASSERT(!failed);
}

static struct hash_contexts *hash_contexts_make(void)
{
    struct hash_contexts *c = memory_zeroed(1, sizeof *c);
    c->sha256 = EVP_MD_fetch(NULL, "SHA256", NULL);
    c->digest = EVP_MD_CTX_new();
    c->hmac = EVP_MAC_fetch(NULL, "HMAC", NULL);
    ASSERT(c->sha256 && c->digest && c->hmac);
    c->mac = EVP_MAC_CTX_new(c->hmac);
    ASSERT(c->mac);
    char digest[] = "SHA256";
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
        OSSL_PARAM_construct_end(),
    };
    int done = EVP_MAC_CTX_set_params(c->mac, parameters);
    ASSERT(done == 1);
    pthread_once(&hash_once, hash_setup);
    pthread_setspecific(hash_at_thread_end, c);
    return c;
}

static struct hash_contexts *hash_contexts(void)
{
    if (!hash_own)
        hash_own = hash_contexts_make();
    return hash_own;
}

void hash_sha256(const void *bytes, size_t size, uint8_t out[32])
{
    struct hash_contexts *c = hash_contexts();
    unsigned written = 0;
    int done = EVP_DigestInit_ex2(c->digest, c->sha256, NULL) && EVP_DigestUpdate(c->digest, bytes, size) &&
               EVP_DigestFinal_ex(c->digest, out, &written);
    ASSERT(done && written == 32);
}

static bool hash_hmac_begin(struct hash_contexts *c, const void *key, size_t key_size)
{
    /* Not constant time: both keys are our own, and callers do not choose them byte by byte. */
    if (key_size == c->key_size && memcmp(key, c->key, key_size) == 0)
        return EVP_MAC_init(c->mac, NULL, 0, NULL);
    c->key_size = key_size <= sizeof c->key ? key_size : 0;
    memcpy(c->key, key, c->key_size);
    return EVP_MAC_init(c->mac, key, key_size, NULL);
}

void hash_hmac_sha256_parts(const void *key, size_t key_size, const struct hash_part *parts, size_t count,
                            uint8_t out[32])
{
    ASSERT(key && key_size > 0);
    struct hash_contexts *c = hash_contexts();
    size_t written = 0;
    int done = hash_hmac_begin(c, key, key_size);
    for (size_t i = 0; done && i < count; i++)
        done = EVP_MAC_update(c->mac, parts[i].bytes, parts[i].size);
    done = done && EVP_MAC_final(c->mac, out, &written, 32);
    ASSERT(done && written == 32);
}

void hash_hmac_sha256(const void *key, size_t key_size, const void *bytes, size_t size, uint8_t out[32])
{
    hash_hmac_sha256_parts(key, key_size, &(struct hash_part){bytes, size}, 1, out);
}

bool hash_equal(const void *a, const void *b, size_t size)
{
    return CRYPTO_memcmp(a, b, size) == 0;
}
