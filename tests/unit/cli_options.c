/* SPDX-License-Identifier: Apache-2.0 */
/* Options come from the command line, else from the environment, else they have their default; invalid ones are
 * refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "cli/options.h"

static const char *data;
static bool limits;
static uint64_t days, size, seed;
static struct option_list origins;

static const struct option table[] = {
    {OPTION_TEXT, "data", &data, "DIR", "", 0, 0},
    {OPTION_SWITCH, "limits", &limits, "on|off", "", 0, 0},
    {OPTION_NUMBER, "history-days", &days, "N", "", 1, 100},
    {OPTION_NUMBER, "seed", &seed, "N", "", 0, UINT64_MAX},
    {OPTION_SIZE, "journal-max", &size, "BYTES", "", 1, 1ull << 40},
    {OPTION_LIST, "cors", &origins, "ORIGIN", "", 0, 0},
    {OPTION_END, NULL, NULL, NULL, NULL, 0, 0},
};

static int setup(void **state)
{
    (void)state;
    data = "default";
    limits = true;
    days = 7;
    size = 1;
    origins.count = origins.size = 0;
    unsetenv("HOLDFAST_DATA");
    unsetenv("HOLDFAST_HISTORY_DAYS");
    unsetenv("HOLDFAST_CORS");
    return 0;
}

#define READ(...)                                                                                            \
    read_all((const char *[]){__VA_ARGS__}, sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *))
static enum status_kind read_all(const char **arguments, size_t count)
{
    struct status status = options_read(table, (int)count, (char **)(uintptr_t)arguments);
    return status.kind;
}

static void values_are_given_in_two_ways(void **state)
{
    (void)state;
    assert_int_equal(READ("--data", "d", "--limits=off", "--history-days=100"), STATUS_OK);
    assert_string_equal(data, "d");
    assert_false(limits);
    assert_int_equal(days, 100);
    assert_int_equal(READ("--data=", "x"), STATUS_INVALID);
    assert_int_equal(READ("one"), STATUS_INVALID);
}

static void sizes_have_units(void **state)
{
    (void)state;
    assert_int_equal(READ("--journal-max", "123"), STATUS_OK);
    assert_int_equal(size, 123);
    assert_int_equal(READ("--journal-max", "8g"), STATUS_OK);
    assert_int_equal(size, 8ull << 30);
    assert_int_equal(READ("--journal-max", "1T"), STATUS_OK);
    assert_int_equal(READ("--journal-max", "2T"), STATUS_INVALID);
    assert_int_equal(READ("--journal-max", "99999999999T"), STATUS_INVALID);
    assert_int_equal(READ("--journal-max", "1X"), STATUS_INVALID);
    assert_int_equal(READ("--journal-max", "1KB"), STATUS_INVALID);
}

static void the_command_line_beats_the_environment(void **state)
{
    (void)state;
    setenv("HOLDFAST_DATA", "from-environment", 1);
    setenv("HOLDFAST_HISTORY_DAYS", "9", 1);
    setenv("HOLDFAST_CORS", "https://a, https://b", 1);
    assert_int_equal(READ("--history-days", "10"), STATUS_OK);
    assert_string_equal(data, "from-environment");
    assert_int_equal(days, 10);
    assert_int_equal(origins.count, 2);
    assert_string_equal(origins.entries[1], "https://b");
    setenv("HOLDFAST_HISTORY_DAYS", "many", 1);
    assert_int_equal(READ("--data", "d"), STATUS_INVALID);
}

static void lists_grow_and_replace_those_of_the_environment(void **state)
{
    (void)state;
    setenv("HOLDFAST_CORS", "https://env", 1);
    assert_int_equal(READ("--cors", "https://a", "https://b", "--cors=https://c,https://d", "--limits", "on"),
                     STATUS_OK);
    assert_int_equal(origins.count, 4);
    assert_string_equal(origins.entries[0], "https://a");
    assert_string_equal(origins.entries[3], "https://d");
}

#define says(sentence, ...)                                                                                  \
    do {                                                                                                     \
        const char *given[] = {__VA_ARGS__};                                                                 \
        struct status fault = options_read(table, sizeof given / sizeof *given, (char **)(uintptr_t)given);  \
        assert_string_equal(fault.text, sentence);                                                           \
    } while (0)

static void nonsense_is_refused(void **state)
{
    (void)state;
    assert_int_equal(READ("--colour", "red"), STATUS_INVALID);
    says("unknown option --dat; did you mean --data?", "--dat", "x");
    says("--data is given twice", "--data=a", "--data=a");
    says("--journal-max: expected a size from 1 to 1T, such as 64M, got \"5T\"", "--journal-max", "5T");
    assert_int_equal(READ("--data"), STATUS_INVALID);
    assert_int_equal(READ("--limits", "perhaps"), STATUS_INVALID);
    for (int last = 0; last < 2; last++) { /* without a value: on */
        limits = false;
        assert_int_equal(last ? READ("--data", "d", "--limits") : READ("--limits", "--data", "d"), STATUS_OK);
        assert_true(limits);
    }
    assert_int_equal(READ("--history-days", "0"), STATUS_INVALID);
    assert_int_equal(READ("--history-days", "101"), STATUS_INVALID);
    assert_int_equal(READ("--history-days", "-1"), STATUS_INVALID);
    assert_int_equal(READ("--history-days", "7x"), STATUS_INVALID);
    assert_int_equal(READ("--history-days", ""), STATUS_INVALID);
    assert_int_equal(READ("--seed", "18446744073709551615"), STATUS_OK);
    assert_int_equal(READ("--seed", "18446744073709551616"), STATUS_INVALID); /* and not the largest value */
    setenv("HOLDFAST_DATA", "", 1);
    says("HOLDFAST_DATA is empty", "--limits");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(values_are_given_in_two_ways, setup),
        cmocka_unit_test_setup(sizes_have_units, setup),
        cmocka_unit_test_setup(the_command_line_beats_the_environment, setup),
        cmocka_unit_test_setup(lists_grow_and_replace_those_of_the_environment, setup),
        cmocka_unit_test_setup(nonsense_is_refused, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
