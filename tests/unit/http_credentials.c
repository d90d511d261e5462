/* SPDX-License-Identifier: Apache-2.0 */
/* Keys are created once, readable by their owner only, and refused if they are not secret. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "../lib/scratch.h"
#include "base/logging.h"
#include "http/access/credentials.h"

static char folder[SCRATCH_PATH];
static struct credentials made;

static const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int setup(void **state)
{
    (void)state;
    log_set_level(LOG_LEVEL_ERROR);
    scratch_make(folder);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    scratch_remove(folder);
    return 0;
}

static enum status_kind load(const char *admin_key, const char *secret)
{
    const struct credentials_given given = {.admin_key = admin_key, .secret = secret};
    return credentials_load(&made, folder, &given).kind;
}

static unsigned mode_of(const char *name)
{
    struct stat st;
    assert_int_equal(stat(path_of(name), &st), 0);
    return st.st_mode & 0777;
}

static void made_on_the_first_start_and_read_on_the_next(void **state)
{
    (void)state;
    assert_int_equal(load(NULL, NULL), STATUS_OK);
    struct credentials first = made;
    assert_int_equal(strlen(first.admin_key), 64);
    assert_int_equal(strlen(first.secret), 64);
    assert_string_not_equal(first.admin_key, first.secret);
    assert_int_equal(mode_of("admin.key"), 0600);
    assert_int_equal(mode_of("secret"), 0600);
    assert_int_equal(load(NULL, NULL), STATUS_OK);
    assert_string_equal(made.admin_key, first.admin_key);
    assert_string_equal(made.secret, first.secret);
}

static void the_environment_wins_and_makes_no_file(void **state)
{
    (void)state;
    assert_int_equal(load("key-of-16-bytes!", "0123456789abcdef0123456789abcdef"), STATUS_OK);
    assert_string_equal(made.admin_key, "key-of-16-bytes!");
    assert_int_equal(access(path_of("admin.key"), F_OK), -1);
    assert_int_equal(access(path_of("secret"), F_OK), -1);
}

static void a_key_readable_by_others_is_refused(void **state)
{
    (void)state;
    assert_int_equal(load(NULL, NULL), STATUS_OK);
    static const mode_t modes[] = {0640, 0604, 0620, 0610};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        assert_int_equal(chmod(path_of("secret"), modes[i]), 0);
        assert_int_equal(load(NULL, NULL), STATUS_INVALID);
        assert_int_equal(load(NULL, "0123456789abcdef0123456789abcdef"), STATUS_OK);
    }
}

static void bad_values_are_refused(void **state)
{
    (void)state;
    assert_int_equal(load("key-of-16-bytes!", "0123456789abcdef0123456789abcde"), STATUS_INVALID);
    assert_int_equal(load("", "0123456789abcdef0123456789abcdef"), STATUS_INVALID);
    assert_int_equal(load("key-of-15-bytes", "0123456789abcdef0123456789abcdef"), STATUS_INVALID);
    assert_int_equal(load("a key of 17 bytes", "0123456789abcdef0123456789abcdef"), STATUS_INVALID);
    FILE *file = fopen(path_of("secret"), "w");
    assert_non_null(file);
    assert_int_equal(fchmod(fileno(file), 0600), 0);
    fclose(file);
    assert_int_equal(load("key", NULL), STATUS_INVALID);
}

static void an_old_secret_verifies_and_must_be_long_too(void **state)
{
    (void)state;
    struct credentials_given given = {.secret = "NEW_SECRET_NEW_SECRET_NEW_SECRET",
                                      .secret_old = "OLD_SECRET_OLD_SECRET_OLD_SECRET"};
    char token[TOKEN_SIZE_MAX];
    struct token_claims claims;
    assert_int_equal(credentials_load(&made, folder, &given).kind, STATUS_OK);
    const char *const secrets[] = {given.secret, given.secret_old, "ANY_SECRET_ANY_SECRET_ANY_SECRET"};
    static const enum token_verdict verdicts[] = {TOKEN_OK, TOKEN_OK, TOKEN_FORGED};
    for (unsigned i = 0; i < 3; i++) {
        size_t size = token_sign(secrets[i], 32, "holdfast", "ann", 5000, token);
        assert_int_equal(credentials_verify(&made, token, size, "holdfast", 4999, &claims, NULL, NULL),
                         verdicts[i]);
    }
    size_t size = token_sign(given.secret_old, 32, "holdfast", "ann", 5000, token);
    assert_int_equal(credentials_verify(&made, token, size, "holdfast", 5000, &claims, NULL, NULL),
                     TOKEN_EXPIRED);
    static const char *const bad[] = {"", "OLD_SECRET_OLD_SECRET_OLD_SECRE"};
    for (unsigned i = 0; i < 2; i++) {
        given.secret_old = bad[i];
        assert_int_equal(credentials_load(&made, folder, &given).kind, STATUS_INVALID);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(made_on_the_first_start_and_read_on_the_next, setup, teardown),
        cmocka_unit_test_setup_teardown(an_old_secret_verifies_and_must_be_long_too, setup, teardown),
        cmocka_unit_test_setup_teardown(the_environment_wins_and_makes_no_file, setup, teardown),
        cmocka_unit_test_setup_teardown(a_key_readable_by_others_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(bad_values_are_refused, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
