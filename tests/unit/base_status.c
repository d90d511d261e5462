/* SPDX-License-Identifier: Apache-2.0 */
/* A status has its kind, a sentence that is truncated if necessary, and an exit code. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/status.h"

static void status_ok_has_no_text(void **state)
{
    (void)state;
    struct status s = status_none();
    assert_true(status_ok(&s));
    assert_string_equal(s.text, "");
    assert_int_equal(status_exit_code(s.kind), 0);
}

static void status_text_is_formatted_and_cut(void **state)
{
    (void)state;
    struct status s = status_make(STATUS_CORRUPT, "%s at %d", "journal/1.segment", 4096);
    assert_false(status_ok(&s));
    assert_string_equal(s.text, "journal/1.segment at 4096");
    s = status_make(STATUS_IO, "%0*d", 1000, 1);
    assert_int_equal(strlen(s.text), sizeof s.text - 1);
}

static void status_exit_codes_are_those_of_sysexits(void **state)
{
    (void)state;
    assert_int_equal(status_exit_code(STATUS_CORRUPT), 65);
    assert_int_equal(status_exit_code(STATUS_INVALID), 64);
    assert_int_equal(status_exit_code(STATUS_IO), 74);
    assert_int_equal(status_exit_code(STATUS_FULL), 73);
    assert_int_equal(status_exit_code(STATUS_BUSY), 75);
    assert_int_equal(status_exit_code(STATUS_DATABASE), 70);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(status_ok_has_no_text),
        cmocka_unit_test(status_text_is_formatted_and_cut),
        cmocka_unit_test(status_exit_codes_are_those_of_sysexits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
