/* SPDX-License-Identifier: Apache-2.0 */
/* A document can have only as many names and values as its table has room for; the rest is not read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/memory/buf.h"
#include "base/json/json_reader.h"

struct item {
    struct json_text_value id, attributes;
};
struct order {
    struct json_list_value items;
    struct json_text_value note;
};

static const struct json_field item_fields[] = {JSON_TEXT(struct item, id, 1, 8, JSON_OPTIONAL),
                                                JSON_RAW(struct item, attributes, 1000, JSON_OPTIONAL),
                                                JSON_END};
static const struct json_field order_fields[] = {
    JSON_LIST(struct order, items, struct item, item_fields, 1, 20, JSON_OPTIONAL),
    JSON_TEXT(struct order, note, 0, 100000, JSON_OPTIONAL), JSON_END};

static struct buf body;
static struct arena arena;
static struct json_fault fault;

static int setup(void **state)
{
    (void)state;
    buf_init(&body, 1 << 24);
    arena_init(&arena, 4096);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    buf_release(&body);
    arena_release(&arena);
    return 0;
}

/* `count` times `one`, separated by commas; each with its own name, if they are named. */
static void repeat(const char *one, int count, bool named)
{
    for (int i = 0; i < count; i++) {
        buf_append_text(&body, i ? "," : "");
        if (named)
            buf_printf(&body, "\"%d\":", i);
        buf_append_text(&body, one);
    }
}

static bool is_read(void)
{
    struct order order = {0};
    return json_read((const char *)body.data, body.size, order_fields, &order, &arena, &fault);
}

static void a_body_within_the_bound_is_read(void **state)
{
    (void)state;
    buf_append_text(&body, "{\"note\":\"x\",\"items\":[");
    for (int i = 0; i < 20; i++) {
        buf_append_text(&body, i ? ",{\"id\":\"a\",\"attributes\":{" : "{\"id\":\"a\",\"attributes\":{");
        repeat("0", 138, true); /* 995 bytes */
        buf_append_text(&body, i % 2 ? "}}" : "} }");
    }
    buf_append_text(&body, "]}");
    assert_true(is_read());
    /* The same for one value per two bytes. */
    buf_clear(&body);
    buf_append_text(&body, "{\"items\":[{\"attributes\":{\"\":[");
    repeat("1", 496, false);
    buf_append_text(&body, "]}}]}");
    assert_true(is_read());
}

static void a_little_too_much_is_refused_by_name(void **state)
{
    (void)state;
    buf_append_text(&body, "{\"note\":\"");
    for (int i = 0; i < 2000; i++)
        buf_append_text(&body, "x");
    buf_append_text(&body, "\",\"items\":[");
    repeat("{}", 21, false);
    buf_append_text(&body, "]}");
    assert_false(is_read());
    assert_string_equal(fault.pointer, "/items");
    assert_string_equal(fault.detail, "Invalid items: expected 1 to 20 entries, got 21.");
}

static void reading_ends_at_the_bound(void **state)
{
    (void)state;
    struct json_bounds bounds = json_bounds_of(order_fields, 1);
    assert_int_equal(bounds.names, 1000 / 5 + 64);
    assert_int_equal(bounds.values, 1 + (1 + (1 + (1 + 20 * (1 + 2 + 1 + 500)) + 1 + 1)) + 1024);
    static const char *const cases[] = {"0", "[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]"};
    static const char detail[] = "Invalid JSON: too many fields in an object (line 1, column ";
    for (size_t i = 0; i < 2; i++) {
        buf_clear(&body);
        buf_append_text(&body, "{");
        repeat(cases[i], 50000, true);
        buf_append_text(&body, "} and this is no JSON");
        assert_false(is_read());
        assert_string_equal(fault.pointer, "");
        assert_memory_equal(fault.detail, detail, sizeof detail - 1);
    }
    buf_clear(&body);
    buf_append_text(&body, "{\"items\":[");
    repeat("[[[]]]", 50000, false);
    assert_false(is_read());
    assert_non_null(strstr(fault.detail, "too many values (line 1, column "));
    /* In a list as in an object; a patch is no way around it. */
    void *entries;
    size_t count;
    uint64_t named;
    struct order order = {0};
    buf_clear(&body);
    buf_append_text(&body, "[");
    repeat("0", 50000, false);
    assert_false(json_read_list((const char *)body.data, body.size, item_fields, sizeof(struct item), 10,
                                &entries, &count, &arena, &fault));
    assert_non_null(strstr(fault.detail, "too many values"));
    assert_false(
        json_read_patch((const char *)body.data, body.size, order_fields, &order, &named, &arena, &fault));
    assert_non_null(strstr(fault.detail, "too many values"));
}

static void a_struct_reaches_to_its_last_field(void **state)
{
    (void)state;
    assert_int_equal(json_struct_size(order_fields), sizeof(struct order));
    assert_int_equal(json_struct_size(item_fields), sizeof(struct item));
    assert_int_equal(json_struct_size(item_fields + 2), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_body_within_the_bound_is_read, setup, teardown),
        cmocka_unit_test_setup_teardown(a_little_too_much_is_refused_by_name, setup, teardown),
        cmocka_unit_test_setup_teardown(reading_ends_at_the_bound, setup, teardown),
        cmocka_unit_test(a_struct_reaches_to_its_last_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
