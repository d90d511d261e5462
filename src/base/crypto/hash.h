/* SPDX-License-Identifier: Apache-2.0 */
/* hash.h — hashes: SipHash for tables and codes, SHA-256 and HMAC-SHA-256 for keys, tokens and request
 * bodies. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hash_key {
    uint64_t a, b;
};

uint64_t hash_sip(struct hash_key key, const void *bytes, size_t size); /* SipHash-2-4 */
void hash_sha256(const void *bytes, size_t size, uint8_t out[32]);
/* The key is at least one byte. */
void hash_hmac_sha256(const void *key, size_t key_size, const void *bytes, size_t size, uint8_t out[32]);
/* The same over several pieces, as if they were concatenated. */
struct hash_part {
    const void *bytes;
    size_t size;
};
void hash_hmac_sha256_parts(const void *key, size_t key_size, const struct hash_part *parts, size_t count,
                            uint8_t out[32]);
bool hash_equal(const void *a, const void *b, size_t size); /* constant time */

#endif
