/* SPDX-License-Identifier: Apache-2.0 */
/* Only a pass that we issued is valid: no login is a pass, no pass a login, and the reasons for refusing one are not
 * distinguished. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "http/access/auth.h"
#include "http/access/pass.h"

#define NOW_MS 1800000000000
#define ENTRY "ent_00000000000000000000000001"

static struct credentials credentials = {.secret = "0123456789abcdef0123456789abcdef"};
static struct arena arena;

static int begin(void **state)
{
    (void)state;
    arena_init(&arena, 4096);
    return 0;
}

static int end(void **state)
{
    (void)state;
    arena_release(&arena);
    return 0;
}

static struct queue_entry_image admitted(void)
{
    return (struct queue_entry_image){
        .id = {0, 1},
        .user_id = TEXT("ann"),
        .event_id = TEXT("eras"),
        .status = QUEUE_ADMITTED,
        .until_ms = NOW_MS + 900000,
    };
}

/* The verdict on these claims, signed by us. */
static struct pass_claim judge(const char *claims)
{
    char token[TOKEN_SIZE_MAX];
    size_t size =
        token_sign_claims(credentials.secret, strlen(credentials.secret), claims, strlen(claims), token);
    return pass_judge(&credentials, (struct text){token, size}, NOW_MS, &arena);
}

static void check_text(struct text text, const char *expected)
{
    assert_int_equal(text.size, strlen(expected));
    assert_memory_equal(text.at, expected, text.size);
}

static void a_made_pass_is_genuine(void **state)
{
    (void)state;
    char token[TOKEN_SIZE_MAX];
    struct queue_entry_image entry = admitted();
    struct text pass = {token, pass_write(&credentials, &entry, NULL, 0, token)};
    struct pass_claim claim = pass_judge(&credentials, pass, NOW_MS, &arena);
    assert_int_equal(claim.verdict, PASS_GENUINE);
    check_text(claim.user, "ann");
    check_text(claim.event, "eras");
    assert_true(id_equal(claim.entry, entry.id));
    assert_int_equal(pass_judge(&credentials, pass, entry.until_ms - 1, &arena).verdict, PASS_GENUINE);
    claim = pass_judge(&credentials, pass, entry.until_ms, &arena);
    assert_int_equal(claim.verdict, PASS_LAPSED);
    check_text(claim.user, "ann");
}

static void none_and_empty_are_distinguished(void **state)
{
    (void)state;
    assert_int_equal(pass_judge(&credentials, (struct text){0}, NOW_MS, &arena).verdict, PASS_NONE);
    assert_int_equal(pass_judge(&credentials, TEXT(""), NOW_MS, &arena).verdict, PASS_FALSE);
}

#define REST "\"sub\":\"ann\",\"event\":\"eras\",\"jti\":\"" ENTRY "\""

static void a_pass_needs_more_claims_than_a_login(void **state)
{
    (void)state;
    static const struct {
        const char *claims;
        enum pass_verdict verdict;
    } cases[] = {
        {"{\"aud\":\"holdfast-pass\",\"exp\":1800000001," REST "}", PASS_GENUINE},
        {"{\"aud\":\"holdfast-pass\",\"exp\":1800000001,\"tiers\":5,\"iat\":\"x\"," REST "}", PASS_GENUINE},
        {"{\"aud\":\"holdfast-pass\",\"exp\":1800000000," REST "}", PASS_LAPSED},
        {"{\"aud\":\"holdfast\",\"exp\":1800000001," REST "}", PASS_FALSE},
        {"{\"aud\":[\"holdfast-pass\"],\"exp\":1800000001," REST "}", PASS_FALSE},
        {"{\"aud\":[\"holdfast\",\"holdfast-pass\"],\"exp\":1800000001," REST "}", PASS_FALSE},
        {"{\"aud\":\"holdfast-pass\",\"exp\":1800000001.5," REST "}", PASS_FALSE},
        {"{\"aud\":\"holdfast-pass\",\"exp\":\"1800000001\"," REST "}", PASS_FALSE},
        {"{\"aud\":\"holdfast-pass\",\"exp\":[1800000001]," REST "}", PASS_FALSE},
        {"{\"aud\":\"holdfast-pass\"," REST "}", PASS_FALSE},
        {"{\"aud\":\"holdfast-pass\",\"exp\":1800000001,\"nbf\":1800000001," REST "}", PASS_FALSE},
        {"{\"aud\":\"holdfast-pass\",\"exp\":1800000001,\"sub\":\"ann\",\"event\":\"eras\"}", PASS_FALSE},
        {"{\"aud\":\"holdfast-pass\",\"exp\":1800000001,\"sub\":\"ann\",\"jti\":\"" ENTRY "\"}", PASS_FALSE},
        {"{\"aud\":\"holdfast-pass\",\"exp\":1800000001,\"sub\":\"ann\",\"event\":\"\",\"jti\":\"" ENTRY
         "\"}",
         PASS_FALSE},
        {"{\"aud\":\"holdfast-pass\",\"exp\":1800000001,\"sub\":\"ann\",\"event\":[\"eras\"],\"jti\":\"" ENTRY
         "\"}",
         PASS_FALSE},
        {"{\"aud\":\"holdfast-pass\",\"exp\":1800000001,\"sub\":\"ann\",\"event\":\"eras\",\"jti\":\"res_"
         "0\"}",
         PASS_FALSE},
        {"{\"aud\":\"holdfast-pass\",\"exp\":1800000001,\"sub\":\"ann\",\"event\":\"eras\",\"jti\":[\"" ENTRY
         "\"]}",
         PASS_FALSE},
        {"{\"aud\":\"holdfast-pass\",\"exp\":1800000001,\"jti\":\"" ENTRY "\"," REST "}", PASS_FALSE},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        if (judge(cases[i].claims).verdict != cases[i].verdict)
            fail_msg("%s is %d", cases[i].claims, (int)judge(cases[i].claims).verdict);
}

static bool no_key(void *ctx, const uint8_t hash[32], struct key_view *out)
{
    (void)ctx, (void)hash, (void)out;
    return false;
}

static void a_pass_is_no_login_and_a_login_no_pass(void **state)
{
    (void)state;
    char header[TOKEN_SIZE_MAX + 8] = "Bearer ", *token = header + 7;
    struct queue_entry_image entry = admitted();
    struct auth auth;
    struct actor actor;
    struct order_claim order;
    auth_init(&auth, &credentials, no_key, NULL);
    size_t size = pass_write(&credentials, &entry, NULL, 0, token);
    assert_int_equal(auth_identify(&auth, (struct text){header, 7 + size}, NOW_MS, &arena, &actor, &order),
                     AUTH_MALFORMED);
    size = token_sign(credentials.secret, strlen(credentials.secret), AUTH_AUDIENCE, "ann", NOW_MS + 5000,
                      token);
    assert_int_equal(auth_identify(&auth, (struct text){header, 7 + size}, NOW_MS, &arena, &actor, &order),
                     AUTH_GOOD);
    assert_int_equal(pass_judge(&credentials, (struct text){token, size}, NOW_MS, &arena).verdict,
                     PASS_FALSE);
    auth_release(&auth);
}

static void the_largest_one_fits(void **state)
{
    (void)state;
    char user[USER_SIZE_MAX], event[ID_SIZE_MAX], label[LABEL_SIZE_MAX], token[TOKEN_SIZE_MAX];
    struct text tiers[TIERS_MAX];
    memset(user, '"', sizeof(user));
    memset(event, 'e', sizeof(event));
    memset(label, '\n', sizeof(label));
    for (size_t i = 0; i < TIERS_MAX; i++)
        tiers[i] = (struct text){label, sizeof(label)};
    struct queue_entry_image entry = admitted();
    entry.user_id = (struct text){user, sizeof(user)};
    entry.event_id = (struct text){event, sizeof(event)};
    size_t size = pass_write(&credentials, &entry, tiers, TIERS_MAX, token);
    struct pass_claim claim = pass_judge(&credentials, (struct text){token, size}, NOW_MS, &arena);
    assert_int_equal(claim.verdict, PASS_GENUINE);
    assert_true(text_equal(claim.user, entry.user_id));
}

static void every_changed_byte_makes_it_false(void **state)
{
    (void)state;
    char token[TOKEN_SIZE_MAX];
    struct queue_entry_image entry = admitted();
    size_t size = pass_write(&credentials, &entry, NULL, 0, token);
    for (size_t i = 0; i < size; i++) {
        char was = token[i];
        token[i] = was == 'A' ? 'B' : 'A';
        assert_int_equal(pass_judge(&credentials, (struct text){token, size}, NOW_MS, &arena).verdict,
                         PASS_FALSE);
        token[i] = was;
        assert_int_equal(pass_judge(&credentials, (struct text){token, i}, NOW_MS, &arena).verdict,
                         PASS_FALSE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_made_pass_is_genuine, begin, end),
        cmocka_unit_test_setup_teardown(none_and_empty_are_distinguished, begin, end),
        cmocka_unit_test_setup_teardown(a_pass_needs_more_claims_than_a_login, begin, end),
        cmocka_unit_test_setup_teardown(a_pass_is_no_login_and_a_login_no_pass, begin, end),
        cmocka_unit_test_setup_teardown(the_largest_one_fits, begin, end),
        cmocka_unit_test_setup_teardown(every_changed_byte_makes_it_false, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
