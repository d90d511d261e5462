/* SPDX-License-Identifier: Apache-2.0 */
/* A manage token is what we issued for one reservation: no login, no pass, and without a user name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "http/access/auth.h"
#include "http/access/order_token.h"
#include "http/access/pass.h"

#define NOW_MS 1800000000000
#define DAY_MS (24LL * 3600 * 1000)

static struct credentials credentials = {.secret = "0123456789abcdef0123456789abcdef"};
static struct arena arena;
static struct auth auth;

static bool no_key(void *ctx, const uint8_t hash[32], struct key_view *out)
{
    (void)ctx, (void)hash, (void)out;
    return false;
}

static int begin(void **state)
{
    (void)state;
    arena_init(&arena, 4096);
    auth_init(&auth, &credentials, no_key, NULL);
    return 0;
}

static int end(void **state)
{
    (void)state;
    auth_release(&auth);
    arena_release(&arena);
    return 0;
}

static struct outcome sold(int64_t last_start_ms)
{
    return (struct outcome){
        .has_reservation = true,
        .last_start_ms = last_start_ms,
        .reservation = {
            .id = {7, 9}, .status = RESERVATION_CONFIRMED, .user_id = TEXT("ann"), .manage_gen = UINT32_MAX}};
}

static enum token_verdict judge(const char *token, size_t size, int64_t now_ms, int64_t *until_ms)
{
    struct order_claim claim;
    enum token_verdict verdict =
        order_token_judge(&credentials, (struct text){token, size}, now_ms, &claim, until_ms);
    if (verdict == TOKEN_OK)
        assert_true(claim.reservation.high == 7 && claim.reservation.low == 9 && claim.gen == UINT32_MAX);
    return verdict;
}

static void it_names_the_reservation_and_the_expiry(void **state)
{
    (void)state;
    static const struct {
        int64_t starts_ms, until_ms;
    } cases[] = {
        {NOW_MS + DAY_MS, NOW_MS + 31 * DAY_MS}, /* 30 days after the last start */
        {NOW_MS - 29 * DAY_MS, NOW_MS + DAY_MS},
        {0, NOW_MS + 365 * DAY_MS}, /* a year, without a start */
    };
    char token[TOKEN_SIZE_MAX];
    int64_t until_ms = 0;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct outcome out = sold(cases[i].starts_ms);
        size_t size = order_token_write(&credentials, &out, NOW_MS, token);
        assert_int_equal(judge(token, size, cases[i].until_ms - 1, &until_ms), TOKEN_OK);
        assert_int_equal(until_ms, cases[i].until_ms);
        assert_int_equal(judge(token, size, cases[i].until_ms, &until_ms), TOKEN_EXPIRED);
    }
    struct outcome over = sold(NOW_MS - 30 * DAY_MS);
    assert_int_equal(order_token_write(&credentials, &over, NOW_MS, token), 0);
}

static void its_bearer_is_no_user(void **state)
{
    (void)state;
    char header[TOKEN_SIZE_MAX + 8] = "Bearer ", *token = header + 7;
    struct outcome out = sold(0);
    struct actor actor;
    struct order_claim order;
    size_t size = order_token_write(&credentials, &out, NOW_MS, token);
    struct text sent = {header, 7 + size};
    for (int cached = 0; cached < 2; cached++) {
        assert_int_equal(auth_identify(&auth, sent, NOW_MS, &arena, &actor, &order), AUTH_GOOD);
        assert_int_equal(actor.role, ROLE_ORDER);
        assert_int_equal(actor.name.size, 0);
        assert_true(id_equal(order.reservation, out.reservation.id) && order.gen == UINT32_MAX);
    }
    assert_int_equal(auth_identify(&auth, sent, NOW_MS + 365 * DAY_MS, &arena, &actor, &order), AUTH_EXPIRED);
    assert_int_equal(actor.role, ROLE_NONE);
    assert_int_equal(pass_judge(&credentials, (struct text){token, size}, NOW_MS, &arena).verdict,
                     PASS_FALSE);
    /* Nothing is left over from another caller. */
    size = token_sign(credentials.secret, strlen(credentials.secret), AUTH_AUDIENCE, "ann", NOW_MS + 5000,
                      token);
    assert_int_equal(auth_identify(&auth, (struct text){header, 7 + size}, NOW_MS, &arena, &actor, &order),
                     AUTH_GOOD);
    assert_int_equal(actor.role, ROLE_USER);
    assert_true(id_none(order.reservation) && !order.gen);
    assert_int_equal(judge(token, size, NOW_MS, &(int64_t){0}), TOKEN_INVALID);
}

static void every_changed_byte_makes_it_false(void **state)
{
    (void)state;
    char token[TOKEN_SIZE_MAX];
    int64_t until_ms;
    struct outcome out = sold(0);
    size_t size = order_token_write(&credentials, &out, NOW_MS, token);
    for (size_t i = 0; i < size; i++) {
        char was = token[i];
        token[i] = was == 'A' ? 'B' : 'A';
        assert_true(judge(token, size, NOW_MS, &until_ms) != TOKEN_OK);
        token[i] = was;
        assert_true(judge(token, i, NOW_MS, &until_ms) != TOKEN_OK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(it_names_the_reservation_and_the_expiry, begin, end),
        cmocka_unit_test_setup_teardown(its_bearer_is_no_user, begin, end),
        cmocka_unit_test_setup_teardown(every_changed_byte_makes_it_false, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
