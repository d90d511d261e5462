/* SPDX-License-Identifier: Apache-2.0 */
/* tokens.h — user tokens, signed before the clock starts.
 *
 * Token i belongs to user "u" + eight digits of i. All have one size, so that a request with another user's token has
 * the same length. Signed here and not by base/crypto/token, so that the server is checked against a second
 * implementation.
 */
#ifndef BENCH_TOKENS_H
#define BENCH_TOKENS_H

#include <stddef.h>
#include <stdint.h>

#define TOKENS_USER_DIGITS 8

struct tokens {
    char *bytes; /* count times size */
    size_t size; /* of one */
    uint64_t first, count;
};

/* Of the users first … first + count - 1: HS256 over the secret, aud "holdfast", until `expires_at` (epoch
 * seconds), or for a day if that is 0. */
void tokens_sign(struct tokens *t, uint64_t first, uint64_t count, const char *secret, int64_t expires_at);
static inline const char *tokens_at(const struct tokens *t, uint64_t user)
{
    return t->bytes + (user - t->first) * t->size;
}
void tokens_release(struct tokens *t);

#endif
