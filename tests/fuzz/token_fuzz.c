/* SPDX-License-Identifier: Apache-2.0 */
/* token_verify with any bytes: as a whole token, and as header and payload under a valid signature, so that the code
 * after the signature check is reached too. An accepted token must keep the promises of token.h. */
#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/crypto/hash.h"
#include "base/json/json_reader.h"
#include "base/crypto/token.h"
#include "base/text/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char fuzz_secret[] = "0123456789abcdef0123456789abcdef";
#define FUZZ_NOW_MS ((int64_t)1800000000000)

static size_t fuzz_base64(const uint8_t *bytes, size_t size, char *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    size_t written = 0;
    for (size_t bit = 0; bit < size * 8; bit += 6) {
        unsigned pair = (unsigned)bytes[bit / 8] << 8 | (bit / 8 + 1 < size ? bytes[bit / 8 + 1] : 0u);
        out[written++] = digits[pair >> (10 - bit % 8) & 63];
    }
    return written;
}

static bool fuzz_judge(const void *token, size_t size)
{
    struct token_claims claims;
    enum token_verdict verdict =
        token_verify(token, size, fuzz_secret, 32, "holdfast", FUZZ_NOW_MS, &claims, NULL, NULL);
    if (verdict == TOKEN_INVALID || verdict == TOKEN_FORGED)
        return false;
    ASSERT(claims.subject_size >= 1 && claims.subject_size <= 128);
    ASSERT(strlen(claims.subject) == claims.subject_size);
    ASSERT(utf8_valid(claims.subject, claims.subject_size));
    ASSERT(!utf8_has_control(claims.subject, claims.subject_size));
    ASSERT(claims.expires_at_ms >= 0 && claims.not_before_ms >= 0);
    ASSERT((verdict == TOKEN_EXPIRED) == (claims.expires_at_ms <= FUZZ_NOW_MS));
    ASSERT(verdict != TOKEN_NOT_YET || claims.not_before_ms > FUZZ_NOW_MS);
    ASSERT(verdict != TOKEN_OK || claims.not_before_ms <= FUZZ_NOW_MS);
    return true;
}

/* Each claim has a name, and a size that fits its kind; claims of forged tokens are never seen. */
static bool fuzz_visit(void *owner, const struct json_member *claim)
{
    unsigned *shown = owner;
    ++*shown;
    ASSERT(claim->name && claim->kind <= JSON_MEMBER_OTHER);
    ASSERT(claim->kind != JSON_MEMBER_TEXT || utf8_valid(claim->text, claim->size));
    return strcmp(claim->name, "no") != 0;
}

static void fuzz_shown(const void *token, size_t size, bool genuine)
{
    struct token_claims claims;
    unsigned shown = 0;
    enum token_verdict verdict =
        token_verify(token, size, fuzz_secret, 32, "holdfast-pass", FUZZ_NOW_MS, &claims, fuzz_visit, &shown);
    bool bad = verdict == TOKEN_INVALID || verdict == TOKEN_FORGED;
    ASSERT(genuine ? verdict != TOKEN_FORGED : bad && shown == 0);
    ASSERT(bad || shown >= 3);
}

/* The input up to its first zero byte is the header, the rest the payload. */
static void fuzz_signed(const uint8_t *data, size_t size)
{
    const uint8_t *zero = memchr(data, 0, size);
    size_t header_size = zero ? (size_t)(zero - data) : size;
    const uint8_t *payload = zero ? zero + 1 : data + size;
    size_t payload_size = size - (size_t)(payload - data);
    if (size > TOKEN_SIZE_MAX / 2)
        return;
    char *token = malloc(TOKEN_SIZE_MAX);
    size_t at = fuzz_base64(data, header_size, token);
    token[at++] = '.';
    at += fuzz_base64(payload, payload_size, token + at);
    uint8_t signature[32];
    hash_hmac_sha256(fuzz_secret, 32, token, at, signature);
    token[at++] = '.';
    at += fuzz_base64(signature, sizeof signature, token + at);
    fuzz_judge(token, at);
    fuzz_shown(token, at, true);
    token[at - 40] = token[at - 40] == 'A' ? 'B' : 'A';
    ASSERT(!fuzz_judge(token, at));
    fuzz_shown(token, at, false);
    free(token);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_judge(data, size);
    fuzz_signed(data, size);
    return 0;
}
