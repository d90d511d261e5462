/* SPDX-License-Identifier: Apache-2.0 */
/* A merge patch is read by the table of the whole document: nothing is required, null means absent, and the named
 * fields are reported. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
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
    JSON_IGNORED("shown"),
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

static void names(const char *patch, uint64_t wanted)
{
    struct json_fault fault;
    uint64_t named = UINT64_MAX;
    body = (struct body){0};
    assert_true(json_read_patch(patch, strlen(patch), fields, &body, &named, &arena, &fault));
    assert_int_equal(named, wanted);
}

static void refuses(const char *patch, const char *pointer)
{
    struct json_fault fault;
    uint64_t named;
    body = (struct body){0};
    assert_false(json_read_patch(patch, strlen(patch), fields, &body, &named, &arena, &fault));
    assert_string_equal(fault.pointer, pointer);
    assert_true(strlen(fault.detail) > 0 && fault.detail[strlen(fault.detail) - 1] == '.');
}

static void a_table_may_have_sixty_four_fields(void **state)
{
    (void)state;
    static char field_names[JSON_FIELDS_MAX][4];
    struct json_field many[JSON_FIELDS_MAX + 1] = {0};
    struct json_int_value values[JSON_FIELDS_MAX] = {0};
    struct json_fault fault;
    uint64_t named;
    for (unsigned i = 0; i < JSON_FIELDS_MAX; i++) {
        snprintf(field_names[i], sizeof(field_names[i]), "f%u", i);
        many[i] = (struct json_field){
            .kind = JSON_KIND_INT, .name = field_names[i], .offset = i * sizeof(values[0]), .most = 9};
    }
    many[JSON_FIELDS_MAX].kind = JSON_KIND_END;
    const char *patch = "{\"f0\":1,\"f31\":2,\"f32\":3,\"f63\":4}";
    assert_true(json_read_patch(patch, strlen(patch), many, values, &named, &arena, &fault));
    assert_true(named == (UINT64_C(1) << 63 | UINT64_C(1) << 32 | UINT64_C(1) << 31 | 1));
    assert_true(values[0].value == 1 && values[31].value == 2 && values[32].value == 3 &&
                values[63].value == 4);
    assert_false(values[1].given || values[62].given);
}

static void named_fields_are_reported_and_null_is_absent(void **state)
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

static void members_of_objects_are_reported_separately(void **state)
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

static void other_rules_apply_as_in_a_whole_document(void **state)
{
    (void)state;
    refuses("{\"once\":\"x\"}", "/once");
    refuses("{\"name\":\"x\",\"once\":null}", "/once");
    refuses("{\"name\":null}", "/name");
    refuses("{\"count\":10}", "/count");
    refuses("{\"colour\":null}", "/colour");
    refuses("{\"inner\":{\"rate\":0}}", "/inner/rate");
    refuses("{\"parts\":[{\"most\":1}]}", "/parts/0/least"); /* a list replaces: it must be complete */
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
        cmocka_unit_test_setup_teardown(named_fields_are_reported_and_null_is_absent, setup, teardown),
        cmocka_unit_test_setup_teardown(members_of_objects_are_reported_separately, setup, teardown),
        cmocka_unit_test_setup_teardown(other_rules_apply_as_in_a_whole_document, setup, teardown),
        cmocka_unit_test_setup_teardown(a_table_may_have_sixty_four_fields, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
