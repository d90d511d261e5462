/* SPDX-License-Identifier: Apache-2.0 */
/* A misspelt command gets a suggestion, an invented one does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text/nearest.h"

static const char *const words[] = {"serve", "demo", "check", "backup", "restore", "version", "help"};

static const char *nearest(const char *word)
{
    return nearest_word(word, words, sizeof words / sizeof *words);
}

static void each_kind_of_slip_is_one_step(void **state)
{
    (void)state;
    assert_int_equal(nearest_distance("check", "check"), 0);
    assert_int_equal(nearest_distance("chek", "check"), 1);
    assert_int_equal(nearest_distance("checkk", "check"), 1);
    assert_int_equal(nearest_distance("chick", "check"), 1);
    assert_int_equal(nearest_distance("chcek", "check"), 1);
    assert_int_equal(nearest_distance("", "check"), 5);
    assert_int_equal(nearest_distance("check", ""), 5);
}

static void the_nearest_is_found_and_nothing_far_off(void **state)
{
    (void)state;
    assert_string_equal(nearest("chek"), "check");
    assert_string_equal(nearest("sevre"), "serve");
    assert_string_equal(nearest("bakcup"), "backup");
    assert_string_equal(nearest("Restore"), "restore");
    assert_string_equal(nearest("server"), "serve");
    assert_null(nearest("start"));
    assert_null(nearest(""));
    assert_null(nearest("a-very-long-word-that-nobody-would-ever-type"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_of_slip_is_one_step),
        cmocka_unit_test(the_nearest_is_found_and_nothing_far_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
