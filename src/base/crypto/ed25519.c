/* SPDX-License-Identifier: Apache-2.0 */
#include "base/crypto/ed25519.h"

#include <openssl/evp.h>

#include "base/assertion.h"

static EVP_PKEY *key_of(const uint8_t seed[ED25519_KEY_SIZE])
{
    EVP_PKEY *key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, seed, ED25519_KEY_SIZE);
    ASSERT(key); /* any 32 bytes are a seed */
    return key;
}

void ed25519_public(const uint8_t seed[ED25519_KEY_SIZE], uint8_t out[ED25519_KEY_SIZE])
{
    EVP_PKEY *key = key_of(seed);
    size_t size = ED25519_KEY_SIZE;
    int good = EVP_PKEY_get_raw_public_key(key, out, &size);
    ASSERT(good == 1 && size == ED25519_KEY_SIZE);
    EVP_PKEY_free(key);
}

void ed25519_sign(const uint8_t seed[ED25519_KEY_SIZE], const void *bytes, size_t size,
                  uint8_t out[ED25519_SIGNATURE_SIZE])
{
    EVP_PKEY *key = key_of(seed);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    size_t written = ED25519_SIGNATURE_SIZE;
    ASSERT(context);
    int good = EVP_DigestSignInit(context, NULL, NULL, NULL, key) == 1 &&
               EVP_DigestSign(context, out, &written, bytes, size) == 1;
    ASSERT(good && written == ED25519_SIGNATURE_SIZE);
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(key);
}

bool ed25519_verify(const uint8_t public[ED25519_KEY_SIZE], const void *bytes, size_t size,
                    const uint8_t signature[ED25519_SIGNATURE_SIZE])
{
    EVP_PKEY *key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, public, ED25519_KEY_SIZE);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    ASSERT(context);
    bool good = key && EVP_DigestVerifyInit(context, NULL, NULL, NULL, key) == 1 &&
                EVP_DigestVerify(context, signature, ED25519_SIGNATURE_SIZE, bytes, size) == 1;
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(key);
    return good;
}
