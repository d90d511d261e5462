/* SPDX-License-Identifier: Apache-2.0 */
/* A merge patch is read by the table of the whole: nothing is required, null leaves out, and what it names is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/json/json_reader.h"

struct part {
    struct json_int_value least, most;
};
struct inner {
    struct json_object_value object;
    struct json_int_value rate;
    struct json_bool_value open;
};
struct price {
    struct json_text_value name;
    struct json_int_value price;
};
struct body {
    struct json_text_value once, name, word;
    struct json_int_value count, at;
    struct inner inner;
    struct json_list_value parts, prices;
};

static const struct json_field part_fields[] = {JSON_INT(struct part, least, 0, 9, JSON_REQUIRED),
                                                JSON_INT(struct part, most, 0, 9, JSON_OPTIONAL), JSON_END};
static const struct json_field inner_fields[] = {JSON_INT(struct inner, rate, 1, 9, JSON_OPTIONAL),
                                                 JSON_BOOL(struct inner, open, JSON_OPTIONAL), JSON_END};
static const struct json_field price_fields[] = {JSON_INT(struct price, price, 0, 99, JSON_REQUIRED),
                                                 JSON_END};
enum { ONCE = 1, NAME = 2, WORD = 4, COUNT = 8, AT = 16, INNER = 32, PARTS = 64, PRICES = 128, SHOWN = 256 };
static const struct json_field fields[] = {
    {JSON_FIELD(JSON_KIND_TEXT, struct body, once, JSON_OPTIONAL), .most = 9, .put_only = true},
    JSON_TEXT(struct body, name, 1, 9, JSON_REQUIRED),
    JSON_TEXT(struct body, word, 1, 9, JSON_OPTIONAL),
    JSON_INT(struct body, count, 0, 9, JSON_OPTIONAL),
    JSON_TIME(struct body, at, JSON_NULLABLE),
    JSON_OBJECT(struct body, inner, inner_fields, JSON_NULLABLE),
    JSON_LIST(struct body, parts, struct part, part_fields, 0, 3, JSON_OPTIONAL),
    JSON_MAP(struct body, prices, struct price, price_fields, 3, JSON_NULLABLE),
    JSON_PASSED("shown"),
    JSON_END,
};

static struct arena arena;
static struct body body;

static int setup(void **state)
{
    (void)state;
    arena_init(&arena, 1024);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    arena_release(&arena);
    return 0;
}

static void names(const char *patch, uint32_t wanted)
{
    struct json_fault fault;
    uint32_t named = ~0u;
    body = (struct body){0};
    assert_true(json_read_patch(patch, strlen(patch), fields, &body, &named, &arena, &fault));
    assert_int_equal(named, wanted);
}

static void refuses(const char *patch, const char *pointer)
{
    struct json_fault fault;
    uint32_t named;
    body = (struct body){0};
    assert_false(json_read_patch(patch, strlen(patch), fields, &body, &named, &arena, &fault));
    assert_string_equal(fault.pointer, pointer);
    assert_true(strlen(fault.detail) > 0 && fault.detail[strlen(fault.detail) - 1] == '.');
}

static void what_it_names_is_told_and_null_is_not_given(void **state)
{
    (void)state;
    names("", 0);
    names("{}", 0);
    names("{\"name\":\"x\",\"shown\":[7]}", NAME | SHOWN);
    assert_string_equal(body.name.text, "x");
    names("{\"count\":null,\"word\":null,\"at\":null,\"parts\":null,\"prices\":null,\"shown\":null}",
          COUNT | WORD | AT | PARTS | PRICES | SHOWN);
    assert_false(body.count.given || body.word.text || body.parts.given || body.prices.given);
    assert_true(body.at.is_null && body.at.value == 0);
    names("{\"inner\":null}", INNER);
    assert_true(body.inner.object.is_null);
}

static void members_of_objects_are_told_apart(void **state)
{
    (void)state;
    names("{\"inner\":{}}", INNER);
    assert_true(body.inner.object.given && body.inner.object.named == 0);
    names("{\"inner\":{\"open\":null}}", INNER);
    assert_true(body.inner.object.named == 2 && !body.inner.open.given);
    names("{\"inner\":{\"rate\":3}}", INNER);
    assert_true(body.inner.object.named == 1 && body.inner.rate.value == 3);
    names("{\"prices\":{\"a\":null,\"b\":5}}", PRICES);
    const struct price *prices = body.prices.entries;
    assert_int_equal(body.prices.count, 2);
    assert_true(!prices[0].price.given && prices[1].price.value == 5);
}

static void the_rest_is_judged_as_in_the_whole(void **state)
{
    (void)state;
    refuses("{\"once\":\"x\"}", "/once");
    refuses("{\"name\":\"x\",\"once\":null}", "/once");
    refuses("{\"name\":null}", "/name");
    refuses("{\"count\":10}", "/count");
    refuses("{\"colour\":null}", "/colour");
    refuses("{\"inner\":{\"rate\":0}}", "/inner/rate");
    refuses("{\"parts\":[{\"most\":1}]}", "/parts/0/least"); /* a list replaces: it is whole */
    refuses("{\"parts\":[{\"least\":1,\"most\":null}]}", "/parts/0/most");
    refuses("{\"prices\":{\"a\":\"x\"}}", "/prices/a");
    refuses("[]", "");
    refuses("null", "");
    refuses("{\"name\":}", "");
    refuses("{\"name\":\"x\",\"name\":\"y\"}", "");
    names("{\"parts\":[{\"least\":1}],\"count\":null}", PARTS | COUNT); /* and a patch again after it */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_it_names_is_told_and_null_is_not_given, setup, teardown),
        cmocka_unit_test_setup_teardown(members_of_objects_are_told_apart, setup, teardown),
        cmocka_unit_test_setup_teardown(the_rest_is_judged_as_in_the_whole, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
