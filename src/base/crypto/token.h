/* SPDX-License-Identifier: Apache-2.0 */
/* token.h — JSON Web Tokens, HS256 and nothing else.
 *
 * The algorithm is pinned: a header that says anything but HS256 is refused before the signature is looked
 * at. Base64 must be canonical, no claim may appear twice, and `exp` must be an integer or a plain number.
 */
#ifndef BASE_TOKEN_H
#define BASE_TOKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/crypto/base64.h"

#define TOKEN_SIZE_MAX 4096
#define TOKEN_SECRET_SIZE_MIN 32

enum token_verdict {
    TOKEN_OK,
    TOKEN_INVALID, /* malformed, another algorithm, or invalid claims */
    TOKEN_FORGED,  /* well formed, but signed with another secret */
    TOKEN_EXPIRED,
    TOKEN_NOT_YET,
};

struct token_claims {
    char subject[129];     /* `sub`, 1..128 bytes of UTF-8 without control characters, NUL-terminated */
    size_t subject_size;   /* 0: none, which is allowed only with a visitor */
    int64_t expires_at_ms; /* `exp`: now >= exp is expired */
    int64_t not_before_ms; /* `nbf`, or 0 */
};

struct json_member; /* base/json/json_reader.h */

/* `aud` must be `audience` or a list that contains it. For tokens with more claims, `visit` (or NULL) gets every
 * claim, including those of token_claims, once the signature is verified, and can refuse the token by returning
 * false. With a visitor the caller decides whether a `sub` is required. */
enum token_verdict token_verify(const char *token, size_t size, const void *secret, size_t secret_size,
                                const char *audience, int64_t now_ms, struct token_claims *claims,
                                bool (*visit)(void *owner, const struct json_member *claim), void *owner);
/* Writes a token of at most TOKEN_SIZE_MAX bytes; returns its size. exp is in whole seconds, rounded down. */
size_t token_sign(const void *secret, size_t secret_size, const char *audience, const char *subject,
                  int64_t expires_at_ms, char out[TOKEN_SIZE_MAX]);
/* The same for claims that are already a JSON object, of at most TOKEN_CLAIMS_SIZE_MAX bytes; writes
 * TOKEN_SIZE(size) bytes. */
#define TOKEN_CLAIMS_SIZE_MAX 3008
#define TOKEN_SIZE(claims_size) (36 + 1 + BASE64URL_SIZE(claims_size) + 1 + 43)
size_t token_sign_claims(const void *secret, size_t secret_size, const char *claims, size_t size, char *out);

#endif
