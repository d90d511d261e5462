/* SPDX-License-Identifier: Apache-2.0 */
/* The caller is identified by key or token, checked again each time as far as it can change, and wrong credentials are
 * just wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/crypto/token.h"
#include "http/access/auth.h"

#define NOW_MS 1796299200000
#define APP_KEY "app_0123456789"

static struct auth auth;
static struct arena arena;
static struct actor actor;
static struct order_claim order;
static const struct credentials credentials = {
    .admin_key = "the.admin.key",
    .secret = "0123456789abcdef0123456789abcdef",
};
static bool app_key_exists;
static unsigned lookups;

static bool find_key(void *ctx, const uint8_t hash[32], struct key_view *out)
{
    (void)ctx;
    uint8_t wanted[32];
    hash_sha256(APP_KEY, strlen(APP_KEY), wanted);
    lookups++;
    if (!app_key_exists || memcmp(hash, wanted, 32) != 0)
        return false;
    *out = (struct key_view){.image = {.name = TEXT("shop"), .role = ROLE_APP}};
    return true;
}

static int setup(void **state)
{
    (void)state;
    app_key_exists = true;
    arena_init(&arena, 4096);
    auth_init(&auth, &credentials, find_key, NULL);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    auth_release(&auth);
    arena_release(&arena);
    return 0;
}

static bool identify(const char *header, int64_t now_ms)
{
    return auth_identify(&auth, (struct text){header, header ? strlen(header) : 0}, now_ms, &arena, &actor,
                         &order) == AUTH_GOOD;
}

/* "Bearer <token of that user>" */
static const char *token_of(const char *user, int64_t expires_at_ms)
{
    static char header[TOKEN_SIZE_MAX + 16];
    memcpy(header, "Bearer ", 7);
    size_t size = token_sign(credentials.secret, strlen(credentials.secret), AUTH_AUDIENCE, user,
                             expires_at_ms, header + 7);
    header[7 + size] = '\0';
    return header;
}

static void a_caller_without_a_role_is_anonymous(void **state)
{
    (void)state;
    assert_true(identify(NULL, NOW_MS));
    assert_int_equal(actor.role, ROLE_NONE);
    assert_int_equal(actor.name.size, 0);
}

static void the_admin_key_is_the_admin(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        assert_true(identify("bearer   the.admin.key", NOW_MS));
        assert_int_equal(actor.role, ROLE_ADMIN);
    }
}

static void wrong_credentials_are_wrong(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "",
        "Bearer",
        "Bearer ",
        "Bearer the.admin.ke",
        "Bearer the.admin.keys",
        "Bearer THE.ADMIN.KEY",
        "Bearer the.admin.key x",
        "Basic the.admin.key",
        "the.admin.key",
        "Bearer 0123456789abcdef0123456789abcdef",
        "Bearer ..",
    };
    for (int again = 0; again < 2; again++)
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
            assert_false(identify(wrong[i], NOW_MS));
}

static void a_removed_key_is_gone_at_once(void **state)
{
    (void)state;
    assert_true(identify("Bearer " APP_KEY, NOW_MS));
    assert_int_equal(actor.role, ROLE_APP);
    assert_memory_equal(actor.name.at, "shop", 4);
    assert_true(identify("Bearer " APP_KEY, NOW_MS));
    app_key_exists = false;
    assert_false(identify("Bearer " APP_KEY, NOW_MS));
}

static void a_token_seen_before_still_ends_at_its_time(void **state)
{
    (void)state;
    const char *header = token_of("ann", NOW_MS + 1000);
    for (int i = 0; i < 3; i++) {
        assert_true(identify(header, NOW_MS + 999));
        assert_int_equal(actor.role, ROLE_USER);
        assert_int_equal(actor.name.size, 3);
        assert_memory_equal(actor.name.at, "ann", 3);
    }
    assert_false(identify(header, NOW_MS + 1000));
    assert_false(identify(header, NOW_MS + 1001));
}

static void a_token_that_differs_in_one_bit_is_not_the_one_seen_before(void **state)
{
    (void)state;
    char header[TOKEN_SIZE_MAX + 16];
    snprintf(header, sizeof header, "%s", token_of("ann", NOW_MS + 1000));
    assert_true(identify(header, NOW_MS));
    size_t size = strlen(header);
    for (size_t i = 7; i < size; i++) {
        header[i] ^= 1;
        assert_false(identify(header, NOW_MS));
        header[i] ^= 1;
    }
    assert_true(identify(header, NOW_MS));
}

static void more_tokens_than_are_remembered_are_all_good(void **state)
{
    (void)state;
    for (int i = 0; i < 20000; i++) {
        char user[16], again[TOKEN_SIZE_MAX + 16];
        snprintf(user, sizeof user, "user%d", i);
        snprintf(again, sizeof again, "%s", token_of(user, NOW_MS + 1000));
        assert_true(identify(again, NOW_MS));
        assert_int_equal(actor.name.size, strlen(user));
        assert_memory_equal(actor.name.at, user, strlen(user));
        arena_reset(&arena);
    }
}

static void a_guest_is_a_user_for_a_day(void **state)
{
    (void)state;
    const struct actor nobody = {.role = ROLE_NONE};
    struct auth_guest one = auth_make_guest(&auth, nobody, NOW_MS, &arena),
                      two = auth_make_guest(&auth, nobody, NOW_MS, &arena);
    assert_int_equal(one.expires_at_ms, NOW_MS + 24 * 3600 * 1000);
    assert_memory_equal(one.user_id.at, "guest_", 6);
    assert_memory_not_equal(one.user_id.at, two.user_id.at, one.user_id.size);
    char header[TOKEN_SIZE_MAX + 16];
    snprintf(header, sizeof header, "Bearer %.*s", (int)one.token.size, one.token.at);
    assert_true(identify(header, one.expires_at_ms - 1));
    assert_int_equal(actor.role, ROLE_USER);
    assert_int_equal(actor.name.size, one.user_id.size);
    assert_memory_equal(actor.name.at, one.user_id.at, actor.name.size);
    assert_false(identify(header, one.expires_at_ms));
}

static void a_guest_keeps_its_id(void **state)
{
    (void)state;
    static const char *const names[] = {"guest_", "guest_7", "guest_\xc3\xbc\"\\"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct text name = {names[i], strlen(names[i])};
        const struct actor guest = {.role = ROLE_USER, .name = name};
        struct auth_guest again = auth_make_guest(&auth, guest, NOW_MS, &arena);
        assert_true(text_equal(again.user_id, name));
        char header[TOKEN_SIZE_MAX + 16];
        snprintf(header, sizeof header, "Bearer %.*s", (int)again.token.size, again.token.at);
        assert_true(identify(header, again.expires_at_ms - 1));
        assert_true(text_equal(actor.name, name));
    }
    /* The name alone makes no guest, nor does part of it. */
    assert_false(actor_is_guest((struct actor){.role = ROLE_APP, .name = TEXT("guest_7")}));
    assert_false(actor_is_guest((struct actor){.role = ROLE_USER, .name = TEXT("guest")}));
    assert_false(actor_is_guest((struct actor){.role = ROLE_USER, .name = TEXT("Guest_7")}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_caller_without_a_role_is_anonymous, setup, teardown),
        cmocka_unit_test_setup_teardown(the_admin_key_is_the_admin, setup, teardown),
        cmocka_unit_test_setup_teardown(wrong_credentials_are_wrong, setup, teardown),
        cmocka_unit_test_setup_teardown(a_removed_key_is_gone_at_once, setup, teardown),
        cmocka_unit_test_setup_teardown(a_token_seen_before_still_ends_at_its_time, setup, teardown),
        cmocka_unit_test_setup_teardown(a_token_that_differs_in_one_bit_is_not_the_one_seen_before, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(more_tokens_than_are_remembered_are_all_good, setup, teardown),
        cmocka_unit_test_setup_teardown(a_guest_is_a_user_for_a_day, setup, teardown),
        cmocka_unit_test_setup_teardown(a_guest_keeps_its_id, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
