/* SPDX-License-Identifier: Apache-2.0 */
/* A token is good only if it is signed with our secret by HS256, for our audience and within its time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <stdio.h>

#include "base/crypto/hash.h"
#include "base/json/json_reader.h"
#include "base/crypto/token.h"

static const char token_secret[] = "0123456789abcdef0123456789abcdef";
#define TOKEN_NOW_MS ((int64_t)1800000000500)
#define HEADER "{\"alg\":\"HS256\",\"typ\":\"JWT\"}"
#define CLAIMS "{\"sub\":\"ann\",\"aud\":\"holdfast\",\"exp\":1800000001}"

static size_t token_base64(const void *bytes, size_t size, char *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const uint8_t *at = bytes;
    size_t written = 0;
    for (size_t bit = 0; bit < size * 8; bit += 6) {
        unsigned pair = (unsigned)at[bit / 8] << 8 | (bit / 8 + 1 < size ? at[bit / 8 + 1] : 0u);
        out[written++] = digits[pair >> (10 - bit % 8) & 63];
    }
    return written;
}

/* Signs any header and payload, valid or not. */
static size_t token_forge(const char *header, const char *payload, char *out)
{
    size_t size = token_base64(header, strlen(header), out);
    out[size++] = '.';
    size += token_base64(payload, strlen(payload), out + size);
    uint8_t signature[32];
    hash_hmac_sha256(token_secret, 32, out, size, signature);
    out[size++] = '.';
    size += token_base64(signature, sizeof signature, out + size);
    return size;
}

/* Verified from an exact copy, so that the sanitizer sees a read past the end. */
static enum token_verdict token_judge(const char *token, size_t size, struct token_claims *claims)
{
    char *copy = malloc(size ? size : 1);
    memcpy(copy, token, size);
    enum token_verdict verdict =
        token_verify(copy, size, token_secret, 32, "holdfast", TOKEN_NOW_MS, claims, NULL, NULL);
    free(copy);
    return verdict;
}

static const struct {
    const char *header, *payload, *subject;
} token_good[] = {
    {HEADER, CLAIMS, "ann"},
    {"{\"alg\":\"HS256\"}", CLAIMS, "ann"},
    {" {\"typ\":\"JWT\", \"alg\" : \"HS256\"} ", CLAIMS, "ann"},
    {"{\"alg\":\"HS256\",\"kid\":\"../../dev/null\",\"jku\":\"http://x\",\"jwk\":{\"k\":\"x\"}}", CLAIMS,
     "ann"},
    {HEADER, "{\"sub\":\"ann\",\"aud\":[\"other\",\"holdfast\"],\"exp\":1800000001}", "ann"},
    {HEADER, "{\"sub\":\"ann\",\"aud\":[\"holdfast\"],\"exp\":1800000000.501}", "ann"},
    {HEADER, "{\"sub\":\"ann\",\"aud\":\"holdfast\",\"exp\":1.8e10}", "ann"},
    {HEADER, "{\"sub\":\"ann\",\"aud\":\"holdfast\",\"exp\":253402300799}", "ann"},
    {HEADER, "{\"sub\":\"J\\u00fcrg \xf0\x9f\x98\x80\",\"aud\":\"holdfast\",\"exp\":1800000001}",
     "J\xc3\xbcrg \xf0\x9f\x98\x80"},
    {HEADER, "{\"sub\":\"ann\",\"aud\":\"holdfast\",\"exp\":1800000001,\"nbf\":1800000000}", "ann"},
    {HEADER, "{\"sub\":\"ann\",\"aud\":\"holdfast\",\"exp\":1800000001,\"nbf\":1800000000.5,\"iat\":\"x\"}",
     "ann"},
    {HEADER,
     "{\"sub\":\"ann\",\"aud\":\"holdfast\",\"exp\":1800000001,\"iss\":5,\"roles\":[[{}]],\"admin\":true}",
     "ann"},
};

static void token_accepts_good_ones(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof token_good / sizeof *token_good; i++) {
        char token[TOKEN_SIZE_MAX];
        struct token_claims claims;
        size_t size = token_forge(token_good[i].header, token_good[i].payload, token);
        enum token_verdict verdict = token_judge(token, size, &claims);
        if (verdict != TOKEN_OK)
            fail_msg("verdict %d on %s", verdict, token_good[i].payload);
        assert_string_equal(claims.subject, token_good[i].subject);
        assert_int_equal(claims.subject_size, strlen(token_good[i].subject));
    }
}

#define S128                                                                                                 \
    "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef012345" \
    "6789abcdef0123456789abcdef"
#define WITH_SUB(sub) "{\"sub\":" sub ",\"aud\":\"holdfast\",\"exp\":1800000001}"
#define WITH_AUD(aud) "{\"sub\":\"ann\",\"aud\":" aud ",\"exp\":1800000001}"
#define WITH_EXP(exp) "{\"sub\":\"ann\",\"aud\":\"holdfast\",\"exp\":" exp "}"
#define WITH_NBF(nbf) "{\"sub\":\"ann\",\"aud\":\"holdfast\",\"exp\":1800000001,\"nbf\":" nbf "}"

/* Properly signed, but still invalid. */
static const struct {
    const char *header, *payload;
    enum token_verdict verdict;
} token_bad[] = {
    {"{\"alg\":\"none\"}", CLAIMS, TOKEN_INVALID},
    {"{\"alg\":\"None\"}", CLAIMS, TOKEN_INVALID},
    {"{\"alg\":\"nOnE\"}", CLAIMS, TOKEN_INVALID},
    {"{\"alg\":\"\"}", CLAIMS, TOKEN_INVALID},
    {"{\"alg\":null}", CLAIMS, TOKEN_INVALID},
    {"{\"alg\":256}", CLAIMS, TOKEN_INVALID},
    {"{\"alg\":[\"HS256\"]}", CLAIMS, TOKEN_INVALID},
    {"{\"alg\":[]}", CLAIMS, TOKEN_INVALID},
    {"{\"alg\":\"hs256\"}", CLAIMS, TOKEN_INVALID},
    {"{\"alg\":\"HS256 \"}", CLAIMS, TOKEN_INVALID},
    {"{\"alg\":\"HS256\\u0000\"}", CLAIMS, TOKEN_INVALID},
    {"{\"alg\":\"HS384\"}", CLAIMS, TOKEN_INVALID},
    {"{\"alg\":\"HS512\"}", CLAIMS, TOKEN_INVALID},
    {"{\"alg\":\"RS256\"}", CLAIMS, TOKEN_INVALID},
    {"{\"alg\":\"ES256\"}", CLAIMS, TOKEN_INVALID},
    {"{\"alg\":\"HS256\",\"alg\":\"none\"}", CLAIMS, TOKEN_INVALID},
    {"{\"alg\":\"none\",\"alg\":\"HS256\"}", CLAIMS, TOKEN_INVALID},
    {"{\"alg\":\"HS256\",\"crit\":[\"exp\"]}", CLAIMS, TOKEN_INVALID},
    {"{\"alg\":\"HS256\",\"crit\":[]}", CLAIMS, TOKEN_INVALID},
    {"{\"crit\":null,\"alg\":\"HS256\"}", CLAIMS, TOKEN_INVALID},
    {"{\"typ\":\"JWT\"}", CLAIMS, TOKEN_INVALID},
    {"{\"ALG\":\"HS256\"}", CLAIMS, TOKEN_INVALID},
    {"{}", CLAIMS, TOKEN_INVALID},
    {"", CLAIMS, TOKEN_INVALID},
    {"[\"HS256\"]", CLAIMS, TOKEN_INVALID},
    {"\"HS256\"", CLAIMS, TOKEN_INVALID},
    {"{\"alg\":\"HS256\"}x", CLAIMS, TOKEN_INVALID},
    {"{\"alg\":\"HS256\"", CLAIMS, TOKEN_INVALID},
    {HEADER, "", TOKEN_INVALID},
    {HEADER, "{}", TOKEN_INVALID},
    {HEADER, "[]", TOKEN_INVALID},
    {HEADER, "null", TOKEN_INVALID},
    {HEADER, CLAIMS "x", TOKEN_INVALID},
    {HEADER, "{\"aud\":\"holdfast\",\"exp\":1800000001}", TOKEN_INVALID},
    {HEADER, "{\"sub\":\"ann\",\"exp\":1800000001}", TOKEN_INVALID},
    {HEADER, "{\"sub\":\"ann\",\"aud\":\"holdfast\"}", TOKEN_INVALID},
    {HEADER, "{\"sub\":\"ann\",\"sub\":\"bob\",\"aud\":\"holdfast\",\"exp\":1800000001}", TOKEN_INVALID},
    {HEADER, "{\"sub\":\"ann\",\"aud\":\"holdfast\",\"exp\":1,\"exp\":1800000001}", TOKEN_INVALID},
    {HEADER, WITH_SUB("\"\""), TOKEN_INVALID},
    {HEADER, WITH_SUB("5"), TOKEN_INVALID},
    {HEADER, WITH_SUB("null"), TOKEN_INVALID},
    {HEADER, WITH_SUB("[\"ann\"]"), TOKEN_INVALID},
    {HEADER, WITH_SUB("[]"), TOKEN_INVALID},
    {HEADER, WITH_SUB("\"a\\nb\""), TOKEN_INVALID},
    {HEADER, WITH_SUB("\"a\\u007f\""), TOKEN_INVALID},
    {HEADER, WITH_SUB("\"a\\u0085\""), TOKEN_INVALID},
    {HEADER, WITH_SUB("\"a\\u0000b\""), TOKEN_INVALID},
    {HEADER, WITH_SUB("\"\xff\""), TOKEN_INVALID},
    {HEADER, WITH_SUB("\"" S128 "x\""), TOKEN_INVALID},
    {HEADER, WITH_AUD("\"holdfast-pass\""), TOKEN_INVALID},
    {HEADER, WITH_AUD("\"Holdfast\""), TOKEN_INVALID},
    {HEADER, WITH_AUD("\"\""), TOKEN_INVALID},
    {HEADER, WITH_AUD("null"), TOKEN_INVALID},
    {HEADER, WITH_AUD("[]"), TOKEN_INVALID},
    {HEADER, WITH_AUD("[\"other\"]"), TOKEN_INVALID},
    {HEADER, WITH_AUD("[\"holdfast\",5]"), TOKEN_INVALID},
    {HEADER, WITH_AUD("[[\"holdfast\"]]"), TOKEN_INVALID},
    {HEADER, WITH_AUD("{\"holdfast\":true}"), TOKEN_INVALID},
    {HEADER, WITH_EXP("\"1800000001\""), TOKEN_INVALID},
    {HEADER, WITH_EXP("null"), TOKEN_INVALID},
    {HEADER, WITH_EXP("true"), TOKEN_INVALID},
    {HEADER, WITH_EXP("[1800000001]"), TOKEN_INVALID},
    {HEADER, WITH_EXP("{}"), TOKEN_INVALID},
    {HEADER, WITH_EXP("-1"), TOKEN_INVALID},
    {HEADER, WITH_EXP("1e30"), TOKEN_INVALID},
    {HEADER, WITH_EXP("1e999"), TOKEN_INVALID},
    {HEADER, WITH_EXP("NaN"), TOKEN_INVALID},
    {HEADER, WITH_EXP("Infinity"), TOKEN_INVALID},
    {HEADER, WITH_EXP("1800000001000"), TOKEN_INVALID}, /* milliseconds by mistake */
    {HEADER, WITH_EXP("9223372036854775807"), TOKEN_INVALID},
    {HEADER, WITH_EXP("99999999999999999999"), TOKEN_INVALID},
    {HEADER, WITH_EXP("1800000000"), TOKEN_EXPIRED},
    {HEADER, WITH_EXP("1800000000.5"), TOKEN_EXPIRED},
    {HEADER, WITH_EXP("0"), TOKEN_EXPIRED},
    {HEADER, WITH_NBF("1800000000.501"), TOKEN_NOT_YET},
    {HEADER, WITH_NBF("1800000001"), TOKEN_NOT_YET},
    {HEADER, WITH_NBF("\"0\""), TOKEN_INVALID},
    {HEADER, WITH_NBF("null"), TOKEN_INVALID},
    {HEADER, WITH_NBF("[]"), TOKEN_INVALID},
    {HEADER, WITH_NBF("-5"), TOKEN_INVALID},
    {HEADER, WITH_NBF("1e30"), TOKEN_INVALID},
    {HEADER,
     "{\"sub\":\"ann\",\"aud\":\"holdfast\",\"exp\":1800000001,\"x\":[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]}",
     TOKEN_INVALID},
};

static void token_refuses_signed_nonsense(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof token_bad / sizeof *token_bad; i++) {
        char token[TOKEN_SIZE_MAX];
        struct token_claims claims;
        size_t size = token_forge(token_bad[i].header, token_bad[i].payload, token);
        enum token_verdict verdict = token_judge(token, size, &claims);
        if (verdict != token_bad[i].verdict)
            fail_msg("verdict %d on %s . %s", verdict, token_bad[i].header, token_bad[i].payload);
    }
}

static void token_takes_a_subject_of_128_bytes(void **state)
{
    (void)state;
    char token[TOKEN_SIZE_MAX];
    struct token_claims claims;
    size_t size = token_forge(HEADER, WITH_SUB("\"" S128 "\""), token);
    assert_int_equal(token_judge(token, size, &claims), TOKEN_OK);
    assert_string_equal(claims.subject, S128);
    assert_int_equal(claims.expires_at_ms, 1800000001000);
    assert_int_equal(claims.not_before_ms, 0);
}

/* Each byte of a good token replaced by every other digit, a dot and some other bytes: never good again. */
static void token_refuses_every_changed_byte(void **state)
{
    (void)state;
    char token[TOKEN_SIZE_MAX];
    struct token_claims claims;
    size_t size = token_forge(HEADER, CLAIMS, token);
    for (size_t i = 0; i < size; i++) {
        char was = token[i];
        for (const char *c = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.+/= \n"; *c;
             c++) {
            token[i] = *c;
            enum token_verdict verdict = token_judge(token, size, &claims);
            if (*c == was)
                assert_int_equal(verdict, TOKEN_OK);
            else
                assert_true(verdict == TOKEN_INVALID || verdict == TOKEN_FORGED);
        }
        static const char strangers[] = {'\0', (char)0xc3};
        for (unsigned k = 0; k < 2; k++) {
            token[i] = strangers[k];
            enum token_verdict verdict = token_judge(token, size, &claims);
            assert_true(verdict == TOKEN_INVALID || verdict == TOKEN_FORGED);
        }
        token[i] = was;
    }
}

static void token_refuses_other_shapes(void **state)
{
    (void)state;
    char good[TOKEN_SIZE_MAX], bad[TOKEN_SIZE_MAX + 100];
    struct token_claims claims;
    size_t size = token_forge(HEADER, CLAIMS, good);
    for (size_t cut = 0; cut < size; cut++) {
        assert_int_equal(token_judge(good, cut, &claims), TOKEN_INVALID);
        assert_int_equal(token_judge(good + size - cut, cut, &claims), TOKEN_INVALID);
    }
    memcpy(bad, good, size);
    for (const char *c = "A.= \n"; *c; c++) {
        bad[size] = *c;
        assert_int_equal(token_judge(bad, size + 1, &claims), TOKEN_INVALID);
    }
    memcpy(bad + size, "..", 2);
    assert_int_equal(token_judge(bad, size + 2, &claims), TOKEN_INVALID);
    assert_int_equal(token_judge("..", 2, &claims), TOKEN_INVALID);
    assert_int_equal(token_judge("...", 3, &claims), TOKEN_INVALID);
    memset(bad, 'A', sizeof bad);
    assert_int_equal(token_judge(bad, TOKEN_SIZE_MAX, &claims), TOKEN_INVALID);
    assert_int_equal(token_judge(bad, TOKEN_SIZE_MAX + 1, &claims), TOKEN_INVALID);
    memset(bad, '.', sizeof bad);
    assert_int_equal(token_judge(bad, TOKEN_SIZE_MAX, &claims), TOKEN_INVALID);
}

/* The same signed text with wrong signatures: none, empty, of another secret, of another token. */
static void token_refuses_other_signatures(void **state)
{
    (void)state;
    char token[TOKEN_SIZE_MAX], other[TOKEN_SIZE_MAX];
    struct token_claims claims;
    size_t size = token_forge(HEADER, CLAIMS, token);
    assert_int_equal(token_judge(token, size - 43, &claims), TOKEN_INVALID);
    assert_int_equal(token_judge(token, size - 44, &claims), TOKEN_INVALID);

    size_t other_size = token_forge(HEADER, WITH_SUB("\"bob\""), other);
    memcpy(token + size - 43, other + other_size - 43, 43);
    assert_int_equal(token_judge(token, size, &claims), TOKEN_FORGED);

    size = token_sign("ANOTHER_SECRET_ANOTHER_SECRET_32", 32, "holdfast", "ann", TOKEN_NOW_MS + 5000, token);
    assert_int_equal(token_judge(token, size, &claims), TOKEN_FORGED);
    memset(token + size - 43, 'A', 43);
    assert_int_equal(token_judge(token, size, &claims), TOKEN_FORGED);
}

/* The last unpadded digit has unused bits, which must be zero. */
static void token_refuses_a_second_spelling(void **state)
{
    (void)state;
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    char token[TOKEN_SIZE_MAX];
    struct token_claims claims;
    size_t size = token_forge(HEADER, CLAIMS, token);
    size_t digit = (size_t)(strchr(digits, token[size - 1]) - digits);
    assert_int_equal(digit % 4, 0);
    for (size_t k = 1; k < 4; k++) {
        token[size - 1] = digits[digit + k];
        assert_int_equal(token_judge(token, size, &claims), TOKEN_INVALID);
    }
}

static void token_signed_by_us_is_good(void **state)
{
    (void)state;
    char token[TOKEN_SIZE_MAX];
    struct token_claims claims;
    const char *subjects[] = {"guest_1", "a\"b\\c", "J\xc3\xbcrg", S128};
    for (int i = 0; i < 4; i++) {
        size_t size = token_sign(token_secret, 32, "holdfast", subjects[i], TOKEN_NOW_MS + 1999, token);
        assert_true(size <= TOKEN_SIZE_MAX);
        assert_int_equal(token_judge(token, size, &claims), TOKEN_OK);
        assert_string_equal(claims.subject, subjects[i]);
        assert_int_equal(claims.expires_at_ms, 1800000002000);
        assert_int_equal(
            token_verify(token, size, token_secret, 32, "holdfast", 1800000001999, &claims, NULL, NULL),
            TOKEN_OK);
        assert_int_equal(
            token_verify(token, size, token_secret, 32, "holdfast", 1800000002000, &claims, NULL, NULL),
            TOKEN_EXPIRED);
        assert_int_equal(
            token_verify(token, size, token_secret, 32, "holdfast-pass", TOKEN_NOW_MS, &claims, NULL, NULL),
            TOKEN_INVALID);
    }
}

struct seen {
    unsigned claims;
    const char *refused; /* the claim to refuse, or NULL */
};

static bool token_see(void *owner, const struct json_member *claim)
{
    struct seen *seen = owner;
    seen->claims++;
    return !seen->refused || strcmp(claim->name, seen->refused) != 0;
}

static void token_claims_are_visited_and_can_be_refused(void **state)
{
    (void)state;
    static const char claims[] = "{\"sub\":\"ann\",\"aud\":[\"holdfast\"],\"exp\":1800000001,\"jti\":\"x\"}";
    char token[TOKEN_SIZE_MAX];
    struct token_claims read;
    size_t size = token_sign_claims(token_secret, 32, claims, sizeof claims - 1, token);
    struct seen seen = {0};
    assert_int_equal(
        token_verify(token, size, token_secret, 32, "holdfast", TOKEN_NOW_MS, &read, token_see, &seen),
        TOKEN_OK);
    assert_int_equal(seen.claims, 5); /* both the list and its element */
    static const char *const names[] = {"sub", "aud", "exp", "jti"};
    for (size_t i = 0; i < 4; i++) {
        seen = (struct seen){.refused = names[i]};
        assert_int_equal(
            token_verify(token, size, token_secret, 32, "holdfast", TOKEN_NOW_MS, &read, token_see, &seen),
            TOKEN_INVALID);
    }
    seen = (struct seen){0};
    token[size - 1] = token[size - 1] == 'A' ? 'E' : 'A';
    token_verify(token, size, token_secret, 32, "holdfast", TOKEN_NOW_MS, &read, token_see, &seen);
    assert_int_equal(seen.claims, 0); /* a forged token is not even read */
}

static void token_of_the_largest_claims_fits(void **state)
{
    (void)state;
    char claims[TOKEN_CLAIMS_SIZE_MAX + 1], token[TOKEN_SIZE_MAX];
    struct token_claims read;
    int size = snprintf(claims, sizeof claims,
                        "{\"sub\":\"ann\",\"aud\":\"holdfast\",\"exp\":1800000001,\"x\":\"%0*d\"}",
                        TOKEN_CLAIMS_SIZE_MAX - 57, 0);
    assert_in_range(size, TOKEN_CLAIMS_SIZE_MAX - 4, TOKEN_CLAIMS_SIZE_MAX);
    size_t token_size = token_sign_claims(token_secret, 32, claims, (size_t)size, token);
    assert_true(token_size <= TOKEN_SIZE_MAX);
    assert_int_equal(token_judge(token, token_size, &read), TOKEN_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(token_accepts_good_ones),
        cmocka_unit_test(token_refuses_signed_nonsense),
        cmocka_unit_test(token_takes_a_subject_of_128_bytes),
        cmocka_unit_test(token_refuses_every_changed_byte),
        cmocka_unit_test(token_refuses_other_shapes),
        cmocka_unit_test(token_refuses_other_signatures),
        cmocka_unit_test(token_refuses_a_second_spelling),
        cmocka_unit_test(token_signed_by_us_is_good),
        cmocka_unit_test(token_claims_are_visited_and_can_be_refused),
        cmocka_unit_test(token_of_the_largest_claims_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
