/* SPDX-License-Identifier: Apache-2.0 */
/* JSON merge patch does what RFC 7396 says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/json_merge.h"

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

/* Those of its appendix whose target and patch are objects. */
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

struct body {
    struct json_text_value once, name;
};
static const struct json_field fields[] = {
    {JSON_FIELD(JSON_KIND_TEXT, struct body, once, JSON_OPTIONAL), .most = 9, .put_only = true},
    JSON_TEXT(struct body, name, 1, 9, JSON_REQUIRED),
    JSON_END,
};

static void refuses(const char *patch, const char *pointer)
{
    struct json_fault fault;
    assert_false(json_merge_check(patch, strlen(patch), fields, &arena, &fault));
    assert_string_equal(fault.pointer, pointer);
    assert_true(strlen(fault.detail) > 0 && fault.detail[strlen(fault.detail) - 1] == '.');
}

static void a_patch_is_an_object_without_what_only_a_put_takes(void **state)
{
    (void)state;
    struct json_fault fault;
    assert_true(json_merge_check("", 0, fields, &arena, &fault));
    assert_true(json_merge_check("{\"name\":null}", 13, fields, &arena, &fault));
    refuses("{\"once\":\"x\"}", "/once");
    refuses("{\"name\":\"x\",\"once\":null}", "/once");
    refuses("[]", "");
    refuses("null", "");
    refuses("{\"name\":}", "");
    refuses("{\"name\":1,\"name\":2}", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_examples_of_the_rfc, setup, teardown),
        cmocka_unit_test_setup_teardown(values_stay_as_they_are_written, setup, teardown),
        cmocka_unit_test_setup_teardown(a_patch_is_an_object_without_what_only_a_put_takes, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
