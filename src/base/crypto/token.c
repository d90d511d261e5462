/* SPDX-License-Identifier: Apache-2.0 */
#include "base/crypto/token.h"

#include <math.h>
#include <string.h>

#include "base/assertion.h"
#include "base/crypto/base64.h"
#include "base/frame.h"
#include "base/crypto/hash.h"
#include "base/json/json_reader.h"
#include "base/json/json_writer.h"
#include "base/text/utf8.h"

#define TOKEN_SIGNATURE_SIZE 32
#define TOKEN_SIGNATURE_TEXT_SIZE 43
#define TOKEN_SUBJECT_SIZE_MAX 128
#define TOKEN_PLAIN_CLAIMS_SIZE_MAX 1024 /* audience, subject with every byte escaped, expiry */
#define TOKEN_SECONDS_MAX 253402300799.0 /* the end of the year 9999 */

/* {"alg":"HS256","typ":"JWT"}, as nearly every library writes it. */
static const char token_usual_header[] = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9";

static bool token_visit_header(void *owner, const struct json_member *m)
{
    bool *pinned = owner;
    if (strcmp(m->name, "crit") == 0)
        return false; /* it lists extensions we would have to understand, and we support none */
    if (strcmp(m->name, "alg") != 0)
        return true;
    *pinned = m->kind == JSON_MEMBER_TEXT && !m->listed && m->size == 5 && memcmp(m->text, "HS256", 5) == 0;
    return *pinned;
}

LARGE_FRAME("not zeroed, and used only for unusual headers")
static bool token_header_good(const char *text, size_t size)
{
    if (size == sizeof token_usual_header - 1 && memcmp(text, token_usual_header, size) == 0)
        return true;
    uint8_t header[TOKEN_SIZE_MAX] __attribute__((uninitialized));
    size_t header_size;
    bool pinned = false;
    return base64url_read(text, size, header, &header_size) &&
           json_visit((const char *)header, header_size, token_visit_header, &pinned) && pinned;
}
LARGE_FRAME_END

struct token_reading {
    const char *audience;
    struct token_claims *claims;
    bool (*visit)(void *owner, const struct json_member *claim); /* or NULL */
    void *owner;
    bool audience_found, subject_found, expiry_found;
};

static bool token_take_seconds(const struct json_member *m, int64_t *at_ms)
{
    if (m->kind != JSON_MEMBER_NUMBER || m->listed || !(m->number >= 0 && m->number <= TOKEN_SECONDS_MAX))
        return false;
    *at_ms = (int64_t)floor(m->number * 1000);
    return true;
}

static bool token_take_subject(const struct json_member *m, struct token_claims *claims)
{
    if (m->kind != JSON_MEMBER_TEXT || m->listed || m->size < 1 || m->size > TOKEN_SUBJECT_SIZE_MAX)
        return false;
    if (!utf8_valid(m->text, m->size) || utf8_has_control(m->text, m->size))
        return false;
    memcpy(claims->subject, m->text, m->size);
    claims->subject[m->size] = '\0';
    claims->subject_size = m->size;
    return true;
}

static bool token_visit_audience(struct token_reading *r, const struct json_member *m)
{
    if (m->kind == JSON_MEMBER_LIST && !m->listed)
        return true;
    if (m->kind != JSON_MEMBER_TEXT)
        return false;
    if (m->size == strlen(r->audience) && memcmp(m->text, r->audience, m->size) == 0)
        r->audience_found = true;
    return true;
}

static bool token_visit_claim(void *owner, const struct json_member *m)
{
    struct token_reading *r = owner;
    if (r->visit && !r->visit(r->owner, m))
        return false;
    if (strcmp(m->name, "aud") == 0)
        return token_visit_audience(r, m);
    if (strcmp(m->name, "sub") == 0)
        return r->subject_found = token_take_subject(m, r->claims);
    if (strcmp(m->name, "exp") == 0)
        return r->expiry_found = token_take_seconds(m, &r->claims->expires_at_ms);
    if (strcmp(m->name, "nbf") == 0)
        return token_take_seconds(m, &r->claims->not_before_ms);
    return true;
}

LARGE_FRAME("not zeroed, and touched only up to the token's length")
static bool token_claims_read(const char *text, size_t size, struct token_reading *r)
{
    uint8_t payload[TOKEN_SIZE_MAX] __attribute__((uninitialized));
    size_t payload_size;
    *r->claims = (struct token_claims){0};
    return base64url_read(text, size, payload, &payload_size) &&
           json_visit((const char *)payload, payload_size, token_visit_claim, r) && r->audience_found &&
           (r->subject_found || r->visit) && r->expiry_found;
}
LARGE_FRAME_END

static enum token_verdict token_signature_judge(const char *text, size_t size, const char *signed_text,
                                                size_t signed_size, const void *secret, size_t secret_size)
{
    uint8_t given[TOKEN_SIGNATURE_SIZE], wanted[TOKEN_SIGNATURE_SIZE];
    size_t given_size;
    if (size != TOKEN_SIGNATURE_TEXT_SIZE || !base64url_read(text, size, given, &given_size))
        return TOKEN_INVALID;
    ASSERT(given_size == sizeof given);
    hash_hmac_sha256(secret, secret_size, signed_text, signed_size, wanted);
    return hash_equal(given, wanted, sizeof wanted) ? TOKEN_OK : TOKEN_FORGED;
}

enum token_verdict token_verify(const char *token, size_t size, const void *secret, size_t secret_size,
                                const char *audience, int64_t now_ms, struct token_claims *claims,
                                bool (*visit)(void *owner, const struct json_member *claim), void *owner)
{
    ASSERT(secret && secret_size >= TOKEN_SECRET_SIZE_MIN);
    if (size == 0 || size > TOKEN_SIZE_MAX)
        return TOKEN_INVALID;
    const char *end = token + size;
    const char *first = memchr(token, '.', size);
    const char *second = first ? memchr(first + 1, '.', (size_t)(end - first - 1)) : NULL;
    if (!second) /* a third dot is caught later: it is not a base64url digit */
        return TOKEN_INVALID;
    if (!token_header_good(token, (size_t)(first - token)))
        return TOKEN_INVALID;
    enum token_verdict verdict = token_signature_judge(second + 1, (size_t)(end - second - 1), token,
                                                       (size_t)(second - token), secret, secret_size);
    if (verdict != TOKEN_OK)
        return verdict;
    struct token_reading r = {.audience = audience, .claims = claims, .visit = visit, .owner = owner};
    if (!token_claims_read(first + 1, (size_t)(second - first - 1), &r))
        return TOKEN_INVALID;
    if (now_ms >= claims->expires_at_ms)
        return TOKEN_EXPIRED;
    return now_ms < claims->not_before_ms ? TOKEN_NOT_YET : TOKEN_OK;
}

size_t token_sign_claims(const void *secret, size_t secret_size, const char *claims, size_t claims_size,
                         char *out)
{
    ASSERT(secret && secret_size >= TOKEN_SECRET_SIZE_MIN && claims_size <= TOKEN_CLAIMS_SIZE_MAX);
    size_t size = sizeof token_usual_header - 1;
    memcpy(out, token_usual_header, size);
    out[size++] = '.';
    size += base64url_write((const uint8_t *)claims, claims_size, out + size);
    uint8_t signature[TOKEN_SIGNATURE_SIZE];
    hash_hmac_sha256(secret, secret_size, out, size, signature);
    out[size++] = '.';
    size += base64url_write(signature, sizeof signature, out + size);
    ASSERT(size == TOKEN_SIZE(claims_size));
    return size;
}

size_t token_sign(const void *secret, size_t secret_size, const char *audience, const char *subject,
                  int64_t expires_at_ms, char out[TOKEN_SIZE_MAX])
{
    ASSERT(expires_at_ms >= 0);
    uint8_t storage[TOKEN_PLAIN_CLAIMS_SIZE_MAX];
    struct buf payload = {.data = storage, .capacity = sizeof storage, .limit = sizeof storage};
    struct json_writer w = json_writer_make(&payload);
    json_object_begin(&w);
    json_key(&w, "aud");
    json_string(&w, audience);
    json_key(&w, "sub");
    json_string(&w, subject);
    json_key(&w, "exp");
    json_int(&w, expires_at_ms / 1000);
    json_object_end(&w);
    return token_sign_claims(secret, secret_size, (const char *)payload.data, payload.size, out);
}
