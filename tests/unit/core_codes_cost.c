/* SPDX-License-Identifier: Apache-2.0 */
/* However many codes an event has, importing a slice of them takes less than a millisecond, even while their table
 * grows.
 *
 * Counted as in http_body_cost: the basic blocks of `base` that run, two or three million of which take a millisecond.
 * Those of core itself come on top, about as many.
 */
#include <stdio.h>

#include "../lib/core_fixture.h"

#define CODES 220000u
#define STEPS_MAX 200000u

static uint64_t steps;
void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    steps++;
}

static char names[CODES_STEP_MAX][16];
static struct code_image codes[CODES_STEP_MAX];

static uint64_t import(uint32_t from)
{
    struct command c = {.kind = COMMAND_CODES_PUT, .codes_put = {.event = TEXT("E"), .codes = codes}};
    for (uint32_t i = 0; i < CODES_STEP_MAX; i++)
        codes[i] = (struct code_image){.code = numbered(names[i], "CODE-", from + i)};
    c.codes_put.count = CODES_STEP_MAX;
    steps = 0;
    core_must(c);
    return steps;
}

static void a_slice_of_an_import_is_short(void **state)
{
    (void)state;
    uint64_t most = 0;
    core_must(event_put_command(TEXT("E")));
    for (int round = 0; round < 2; round++) /* created, then found */
        for (uint32_t i = 0; i < CODES; i += CODES_STEP_MAX) {
            uint64_t took = import(i);
            most = took > most ? took : most;
        }
    print_message("%u codes, at most %llu steps\n", CODES, (unsigned long long)most);
    assert_true(most > 0 && most <= STEPS_MAX);
    assert_int_equal(core.out.codes_updated, CODES_STEP_MAX);
    core_check();
}

int main(void)
{
    const struct CMUnitTest tests[] = {core_test(a_slice_of_an_import_is_short)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
