/* SPDX-License-Identifier: Apache-2.0 */
/* JSON merge patch does what RFC 7396 says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/json/json_merge.h"

static struct arena arena;
static struct buf merged;

static int setup(void **state)
{
    (void)state;
    arena_init(&arena, 4096);
    buf_init(&merged, 1 << 16);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    buf_release(&merged);
    arena_release(&arena);
    return 0;
}

static void merges(const char *target, const char *patch, const char *wanted)
{
    merged.size = 0;
    json_merge(target, strlen(target), patch, strlen(patch), &arena, &merged);
    assert_int_equal(merged.size, strlen(wanted));
    assert_memory_equal(merged.data, wanted, merged.size);
}

/* The examples of its appendix whose target and patch are objects. */
static void the_examples_of_the_rfc(void **state)
{
    (void)state;
    merges("{\"a\":\"b\"}", "{\"a\":\"c\"}", "{\"a\":\"c\"}");
    merges("{\"a\":\"b\"}", "{\"b\":\"c\"}", "{\"a\":\"b\",\"b\":\"c\"}");
    merges("{\"a\":\"b\"}", "{\"a\":null}", "{}");
    merges("{\"a\":\"b\",\"b\":\"c\"}", "{\"a\":null}", "{\"b\":\"c\"}");
    merges("{\"a\":[\"b\"]}", "{\"a\":\"c\"}", "{\"a\":\"c\"}");
    merges("{\"a\":\"c\"}", "{\"a\":[\"b\"]}", "{\"a\":[\"b\"]}");
    merges("{\"a\":{\"b\":\"c\"}}", "{\"a\":{\"b\":\"d\",\"c\":null}}", "{\"a\":{\"b\":\"d\"}}");
    merges("{\"a\":[{\"b\":\"c\"}]}", "{\"a\":[1]}", "{\"a\":[1]}");
    merges("{\"e\":null}", "{\"a\":1}", "{\"e\":null,\"a\":1}");
    merges("{}", "{\"a\":{\"bb\":{\"ccc\":null}}}", "{\"a\":{\"bb\":{}}}");
}

static void values_stay_as_they_are_written(void **state)
{
    (void)state;
    merges("{\"a\":1.50,\"b\":[ 1, null ]}", "", "{\"a\":1.50,\"b\":[ 1, null ]}");
    merges("{\"a\":\"x\\\"\\u00fc\"}", " { \"\\u0062\" : [ {\"n\": null} ] } ",
           "{\"a\":\"x\\\"\\u00fc\",\"b\":[ {\"n\": null} ]}");
    merges("{\"b\":true}", "{\"\\u0062\":false}", "{\"b\":false}"); /* the same name */
    merges("{\"a\":\"\"}", "{\"c\":\"\"}", "{\"a\":\"\",\"c\":\"\"}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_examples_of_the_rfc, setup, teardown),
        cmocka_unit_test_setup_teardown(values_stay_as_they_are_written, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
