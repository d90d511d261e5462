/* SPDX-License-Identifier: Apache-2.0 */
/* ed25519.h — signatures of RFC 8032, by OpenSSL. A key is its seed, 32 random bytes. */
#ifndef BASE_ED25519_H
#define BASE_ED25519_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ED25519_KEY_SIZE 32 /* of a seed, and of the public key */
#define ED25519_SIGNATURE_SIZE 64

void ed25519_public(const uint8_t seed[ED25519_KEY_SIZE], uint8_t out[ED25519_KEY_SIZE]);
void ed25519_sign(const uint8_t seed[ED25519_KEY_SIZE], const void *bytes, size_t size,
                  uint8_t out[ED25519_SIGNATURE_SIZE]);
/* False also if `public` is not a valid public key. */
bool ed25519_verify(const uint8_t public[ED25519_KEY_SIZE], const void *bytes, size_t size,
                    const uint8_t signature[ED25519_SIGNATURE_SIZE]);

#endif
