/* SPDX-License-Identifier: Apache-2.0 */
/* A table decides what is read; every fault names its field by a JSON pointer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/json/json_reader.h"

struct best {
    struct json_object_value object;
    struct json_int_value quantity;
    struct json_bool_value adjacent;
};

struct item {
    struct json_text_value event;
    struct best best;
};

struct order {
    struct json_text_value user_id;
    struct json_text_value code;
    struct json_int_value ttl_seconds;
    struct json_int_value shift;
    struct json_int_value x;
    struct json_bool_value commit;
    struct json_int_value starts_at;
    struct json_int_value ends_at;
    struct json_text_value attributes;
    struct json_list_value items;
    struct json_list_value ids;
    struct best room;
};

static bool order_code_good(const char *text, size_t size)
{
    return size == 2 && text[0] == 'A';
}

static const struct json_field best_fields[] = {
    JSON_INT(struct best, quantity, 1, 9, JSON_REQUIRED),
    JSON_BOOL(struct best, adjacent, JSON_OPTIONAL),
    JSON_END,
};

static const struct json_field item_fields[] = {
    JSON_TEXT(struct item, event, 1, 64, JSON_REQUIRED),
    JSON_OBJECT(struct item, best, best_fields, JSON_OPTIONAL),
    JSON_END,
};

static const struct json_field order_fields[] = {
    JSON_TEXT(struct order, user_id, 1, 8, JSON_REQUIRED),
    {JSON_FIELD(JSON_KIND_TEXT, struct order, code, JSON_OPTIONAL), .most = 9, .check = order_code_good},
    JSON_INT(struct order, ttl_seconds, 1, 86400, JSON_OPTIONAL),
    JSON_INT(struct order, shift, -5, 5, JSON_OPTIONAL),
    JSON_MILLI(struct order, x, INT32_MIN, INT32_MAX, JSON_OPTIONAL),
    JSON_BOOL(struct order, commit, JSON_OPTIONAL),
    JSON_TIME(struct order, starts_at, JSON_OPTIONAL),
    JSON_TIME(struct order, ends_at, JSON_NULLABLE),
    JSON_RAW(struct order, attributes, 20, JSON_OPTIONAL),
    JSON_LIST(struct order, items, struct item, item_fields, 1, 3, JSON_OPTIONAL),
    {JSON_FIELD(JSON_KIND_TEXTS, struct order, ids, JSON_OPTIONAL), .most = 2, .check = order_code_good},
    JSON_OBJECT(struct order, room, best_fields, JSON_NULLABLE),
    JSON_END,
};

static struct order order_read(struct arena *arena, const char *body)
{
    struct order order = {0};
    struct json_fault fault;
    if (!json_read(body, strlen(body), order_fields, &order, arena, &fault))
        fail_msg("%s: refused at '%s': %s", body, fault.pointer, fault.detail);
    return order;
}

static void reader_reads_every_kind(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena, 1024);
    struct order o = order_read(
        &arena,
        " {\"user_id\":\"J\\u00fcrg\", \"code\":\"A1\", \"ttl_seconds\":600, \"x\":-1.2346, \"commit\":true,"
        "\"starts_at\":\"1970-01-01T00:00:01Z\", \"ends_at\":null, \"attributes\": { \"b\" : [ 1 ], "
        "\"a\":\"x\" },"
        "\"items\":[{\"event\":\"e1\"},{\"event\":\"e2\",\"best\":{\"quantity\":4,\"adjacent\":false}}],"
        "\"ids\":[\"A1\",\"A2\"], \"room\":{\"quantity\":2}}\n");
    assert_string_equal(o.user_id.text, "J\xc3\xbcrg");
    assert_int_equal(o.user_id.size, 5);
    assert_string_equal(o.code.text, "A1");
    assert_true(o.ttl_seconds.given && o.ttl_seconds.value == 600);
    assert_true(o.x.given && o.x.value == -1235);
    assert_true(o.commit.given && o.commit.value);
    assert_true(o.starts_at.given && o.starts_at.value == 1000);
    assert_true(o.ends_at.given && o.ends_at.is_null);
    assert_string_equal(o.attributes.text, "{\"b\":[1],\"a\":\"x\"}");
    assert_int_equal(o.attributes.size, 17);
    assert_true(o.items.given && o.items.count == 2);
    const struct item *items = o.items.entries;
    assert_string_equal(items[0].event.text, "e1");
    assert_false(items[0].best.object.given);
    assert_true(items[1].best.object.given && items[1].best.quantity.value == 4);
    assert_true(items[1].best.adjacent.given && !items[1].best.adjacent.value);
    const struct json_text_value *ids = o.ids.entries;
    assert_int_equal(o.ids.count, 2);
    assert_string_equal(ids[1].text, "A2");
    assert_true(o.room.object.given && !o.room.object.is_null && o.room.quantity.value == 2);
    arena_release(&arena);
}

static void reader_leaves_absent_fields(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena, 1024);
    struct order o = order_read(&arena, "{\"user_id\":\"u\",\"room\":null,\"ids\":[]}");
    assert_null(o.code.text);
    assert_false(o.ttl_seconds.given || o.x.given || o.commit.given || o.starts_at.given || o.ends_at.given);
    assert_null(o.attributes.text);
    assert_false(o.items.given);
    assert_true(o.ids.given && o.ids.count == 0);
    assert_true(o.room.object.given && o.room.object.is_null);
    arena_release(&arena);
}

static void reader_takes_an_empty_body_as_an_empty_object(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena, 1024);
    struct json_fault fault;
    struct best best = {0};
    static const struct json_field fields[] = {JSON_BOOL(struct best, adjacent, JSON_OPTIONAL), JSON_END};
    assert_true(json_read(NULL, 0, fields, &best, &arena, &fault));
    assert_false(json_read("", 0, best_fields, &best, &arena, &fault));
    assert_string_equal(fault.pointer, "/quantity");
    arena_release(&arena);
}

static void reader_rounds_to_thousandths(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        int64_t thousandths;
    } samples[] = {
        {"{\"user_id\":\"u\",\"x\":0}", 0},
        {"{\"user_id\":\"u\",\"x\":-7}", -7000},
        {"{\"user_id\":\"u\",\"x\":0.0004}", 0},
        {"{\"user_id\":\"u\",\"x\":0.0006}", 1},
        {"{\"user_id\":\"u\",\"x\":-0.0006}", -1},
        {"{\"user_id\":\"u\",\"x\":1.005}", 1005},
        {"{\"user_id\":\"u\",\"x\":2147483.647}", INT32_MAX},
        {"{\"user_id\":\"u\",\"x\":-2147483.648}", INT32_MIN},
        {"{\"user_id\":\"u\",\"x\":1e3}", 1000000},
        /* Exactly: as doubles some of these would fall on the other side of a half. */
        {"{\"user_id\":\"u\",\"x\":1.0005}", 1001},
        {"{\"user_id\":\"u\",\"x\":-1.0005}", -1001},
        {"{\"user_id\":\"u\",\"x\":1.00049999999999999999}", 1000},
        {"{\"user_id\":\"u\",\"x\":0.0005}", 1},
        {"{\"user_id\":\"u\",\"x\":5e-4}", 1},
        {"{\"user_id\":\"u\",\"x\":9e-5}", 0},
        {"{\"user_id\":\"u\",\"x\":123.4567E+1}", 1234567},
        {"{\"user_id\":\"u\",\"x\":0.0000000001e10}", 1000},
        {"{\"user_id\":\"u\",\"x\":-0.0e99999999999999999999}", 0},
        {"{\"user_id\":\"u\",\"x\":7e-99999999999999999999}", 0},
        {"{\"user_id\":\"u\",\"x\":2147483.6465}", INT32_MAX},
        {"{\"user_id\":\"u\",\"x\":-2147483.648}", INT32_MIN},
    };
    struct arena arena;
    arena_init(&arena, 1024);
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        assert_int_equal(order_read(&arena, samples[i].body).x.value, samples[i].thousandths);
    arena_release(&arena);
}

static const struct {
    const char *body, *pointer, *detail; /* what the detail must contain */
} reader_faults[] = {
    {"{}", "/user_id", "Missing user_id."},
    {"{\"user_id\":null}", "/user_id", "expected a string, got null"},
    {"{\"user_id\":5}", "/user_id", "Invalid user_id: expected a string, got 5."},
    {"{\"user_id\":\"\"}", "/user_id", "1 to 8 bytes"},
    {"{\"user_id\":\"123456789\"}", "/user_id", "Invalid user_id: expected 1 to 8 bytes, got 9."},
    {"{\"user_id\":\"u\",\"code\":\"B1\"}", "/code", "Invalid code."},
    {"{\"user_id\":\"u\",\"userid\":\"v\"}", "/userid",
     "Unknown field \"userid\" (did you mean \"user_id\"?)."},
    {"{\"user_id\":\"u\",\"a/b~c\":1}", "/a~1b~0c", "Unknown field"},
    {"{\"user_id\":\"u\",\"\":1}", "/", "Unknown field"},
    {"{\"user_id\":\"u\",\"\xc3\xbc\":1}", "/\xc3\xbc", "Unknown field"},
    {"{\"user_id\":\"u\",\"ttl_seconds\":0}", "/ttl_seconds",
     "Invalid ttl_seconds: expected an integer from 1 to 86400, got 0."},
    {"{\"user_id\":\"u\",\"ttl_seconds\":86401}", "/ttl_seconds", "from 1 to 86400"},
    {"{\"user_id\":\"u\",\"ttl_seconds\":5.0}", "/ttl_seconds", "expected an integer from"},
    {"{\"user_id\":\"u\",\"ttl_seconds\":1e2}", "/ttl_seconds", "expected an integer from"},
    {"{\"user_id\":\"u\",\"ttl_seconds\":\"5\"}", "/ttl_seconds", "expected an integer from"},
    {"{\"user_id\":\"u\",\"ttl_seconds\":null}", "/ttl_seconds", "expected an integer from"},
    {"{\"user_id\":\"u\",\"ttl_seconds\":true}", "/ttl_seconds", "expected an integer from"},
    {"{\"user_id\":\"u\",\"ttl_seconds\":9223372036854775808}", "/ttl_seconds", "too large"},
    {"{\"user_id\":\"u\",\"ttl_seconds\":-9223372036854775809}", "/ttl_seconds", "too large"},
    {"{\"user_id\":\"u\",\"shift\":-6}", "/shift", "from -5 to 5"},
    {"{\"user_id\":\"u\",\"shift\":0.0}", "/shift", "expected an integer from"},
    {"{\"user_id\":\"u\",\"shift\":null}", "/shift", "expected an integer from"},
    {"{\"user_id\":\"u\",\"shift\":\"0\"}", "/shift", "expected an integer from"},
    {"{\"user_id\":\"u\",\"x\":null}", "/x", "number from"},
    {"{\"user_id\":\"u\",\"x\":1e999}", "/x", "too large"},
    {"{\"user_id\":\"u\",\"x\":2147483.648}", "/x", "-2147483.648 to 2147483.647"},
    {"{\"user_id\":\"u\",\"x\":-2147483.649}", "/x", "number from"},
    {"{\"user_id\":\"u\",\"x\":2147483.6475}", "/x", "number from"},
    {"{\"user_id\":\"u\",\"x\":1e300}", "/x", "number from"},
    {"{\"user_id\":\"u\",\"x\":2147483.6471}", "/x", "number from"}, /* before it is rounded */
    {"{\"user_id\":\"u\",\"x\":-2147483.6481}", "/x", "number from"},
    {"{\"attributes\":{\"a\":[1,{\"b/c\":-1e999}]}}", "/attributes/a/1/b~1c",
     "too large (line 1, column 30)"},
    {"{\"x\":1e999", "", "too large"},
    {"{\"user_id\":\"u\",\"x\":9223372036854775807}", "/x", "number from"},
    {"{\"user_id\":\"u\",\"x\":\"1\"}", "/x", "number from"},
    {"{\"user_id\":\"u\",\"x\":NaN}", "", "Invalid JSON (line"},
    {"{\"user_id\":\"u\",\"commit\":1}", "/commit", "true or false"},
    {"{\"user_id\":\"u\",\"commit\":\"true\"}", "/commit", "true or false"},
    {"{\"user_id\":\"u\",\"starts_at\":\"tomorrow\"}", "/starts_at",
     "such as \"2026-12-03T14:00:00Z\", got \"tomorrow\"."},
    {"{\"user_id\":\"u\",\"starts_at\":1796306400}", "/starts_at", "got 1796306400."},
    {"{\"user_id\":\"u\",\"starts_at\":null}", "/starts_at", "such as"},
    {"{\"user_id\":\"u\",\"attributes\":[]}", "/attributes", "expected an object, got"},
    {"{\"user_id\":\"u\",\"attributes\":\"{}\"}", "/attributes", "expected an object, got"},
    {"{\"user_id\":\"u\",\"attributes\":{\"a\":\"123456789012345\"}}", "/attributes", "at most 20 bytes"},
    {"{\"user_id\":\"u\",\"items\":{}}", "/items", "Invalid items: expected an array, got an object."},
    {"{\"user_id\":\"u\",\"items\":[]}", "/items", "Invalid items: expected 1 to 3 entries, got 0."},
    {"{\"user_id\":\"u\",\"items\":[{},{},{},{}]}", "/items", "1 to 3"},
    {"{\"user_id\":\"u\",\"items\":[5]}", "/items/0", "expected an object, got"},
    {"{\"user_id\":\"u\",\"items\":[null]}", "/items/0", "expected an object, got"},
    {"{\"user_id\":\"u\",\"items\":[{\"event\":\"e\"},{}]}", "/items/1/event", "Missing "},
    {"{\"user_id\":\"u\",\"items\":[{\"event\":\"e\",\"seet\":1}]}", "/items/0/seet", "Unknown field"},
    {"{\"user_id\":\"u\",\"items\":[{\"event\":\"e\",\"best\":{}}]}", "/items/0/best/quantity", "Missing "},
    {"{\"user_id\":\"u\",\"items\":[{\"event\":\"e\",\"best\":7}]}", "/items/0/best",
     "expected an object, got"},
    {"{\"user_id\":\"u\",\"items\":[{\"event\":\"e\",\"best\":null}]}", "/items/0/best",
     "expected an object, got"},
    {"{\"user_id\":\"u\",\"ids\":[\"A1\",7]}", "/ids/1", "Invalid ids: expected a string, got 7."},
    {"{\"user_id\":\"u\",\"ids\":[\"B1\"]}", "/ids/0", "Invalid ids."},
    {"{\"user_id\":\"u\",\"ids\":[\"A1\",\"A1\",\"A1\"]}", "/ids",
     "Invalid ids: expected 0 to 2 entries, got 3."},
    {"{\"user_id\":\"u\",\"user_id\":\"v\"}", "", "duplicate field"},
    {"{\"user_id\":\"u\",\"attributes\":{\"a\":1,\"a\":2}}", "", "duplicate field"},
    {"{\"user_id\":\"u\",\"attributes\":{\"a\":1,\"\\u0061\":2}}", "", "duplicate field"},
    {"{\"user_id\":\"a\\u0000b\"}", "", "U+0000"},
    {"{\"user_id\":\"u\",\"a\\u0000\":1}", "", "U+0000"},
    {"{\"user_id\":\"\xff\"}", "", "UTF-8"},
    {"{\"user_id\":\"\xed\xa0\x80\"}", "", "UTF-8"},
    {"{\"user_id\":\"\\ud800\"}", "", "Invalid JSON (line"},
    {"{\"user_id\":\"u\"} x", "", "after the end"},
    {"{\"user_id\":\"u\"}{}", "", "after the end"},
    {"{\"user_id\":\"u\"", "", "unexpected end"},
    {"{\"user_id\":\"u\",}", "", "Invalid JSON: expected a field name in double quotes (line"},
    {"{'user_id':'u'}", "", "Invalid JSON: expected a field name in double quotes (line"},
    {"{\"user_id\":\"a\nb\"}", "", "Invalid JSON (line"},
    {"{/**/}", "", "Invalid JSON: expected a field name in double quotes (line"},
    {"\xef\xbb\xbf{}", "", "Invalid JSON (line"},
    {"[]", "", "Invalid body: expected an object, got"},
    {"[{}]", "", "Invalid body: expected an object, got"},
    {"\"text\"", "", "Invalid body: expected an object, got"},
    {"5", "", "Invalid body: expected an object, got"},
    {"null", "", "Invalid body: expected an object, got"},
    {" ", "", "unexpected end"},
    /* An error in the JSON is reported before an error in a field, wherever it is. */
    {"{\"userid\":5,\"user_id\":[}", "", "Invalid JSON (line 1, column 24)"},
    {"{\"userid\":5,\"user_id\":{\"a\":1,\"a\":1}}", "", "duplicate field"},
    {"{\n \"user_id\" : \"\xe2\x82\xac\" x}", "", "(line 2, column 18)"},
    {"{\"a\":1,\"b\":2,\"a\":3}", "", "duplicate field (line 1, column 15)"},
};

static void reader_names_every_fault(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena, 1024);
    for (size_t i = 0; i < sizeof reader_faults / sizeof *reader_faults; i++) {
        struct order order = {0};
        struct json_fault fault = {0};
        const char *body = reader_faults[i].body;
        if (json_read(body, strlen(body), order_fields, &order, &arena, &fault))
            fail_msg("accepted %s", body);
        if (strcmp(fault.pointer, reader_faults[i].pointer) != 0)
            fail_msg("%s: pointer '%s', not '%s'", body, fault.pointer, reader_faults[i].pointer);
        if (!strstr(fault.detail, reader_faults[i].detail))
            fail_msg("%s: '%s' does not say '%s'", body, fault.detail, reader_faults[i].detail);
        assert_int_equal(fault.detail[strlen(fault.detail) - 1], '.');
        arena_reset(&arena);
    }
    arena_release(&arena);
}

static void reader_reads_more_than_fits_at_first(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena, 64);
    char body[8192] = "[";
    size_t at = 1;
    for (int i = 0; i < 300; i++)
        at += (size_t)snprintf(body + at, sizeof body - at, "%s{\"event\":\"e\\u00fc%d\"}", i ? "," : "", i);
    at += (size_t)snprintf(body + at, sizeof body - at, "]");
    void *entries;
    size_t count;
    struct json_fault fault;
    assert_true(
        json_read_list(body, at, item_fields, sizeof(struct item), 300, &entries, &count, &arena, &fault));
    assert_int_equal(count, 300);
    for (int i = 0; i < 300; i++) {
        char wanted[16];
        snprintf(wanted, sizeof wanted, "e\xc3\xbc%d", i);
        assert_string_equal(((struct item *)entries)[i].event.text, wanted);
    }
    arena_release(&arena);
}

static bool reader_accepts_levels(int levels, const char *before)
{
    struct arena arena;
    arena_init(&arena, 1024);
    char *body = malloc(300000);
    char *at = stpcpy(stpcpy(body, "{\"attributes\":{\"a"), before);
    at = stpcpy(at, "\":");
    memset(at, '[', (size_t)levels - 2);
    at += levels - 2;
    memset(at, ']', (size_t)levels - 2);
    at += levels - 2;
    at = stpcpy(at, "}}");
    static const struct json_field fields[] = {JSON_RAW(struct order, attributes, 1000, JSON_OPTIONAL),
                                               JSON_END};
    struct order order = {0};
    struct json_fault fault = {.pointer = "x"};
    bool accepted = json_read(body, (size_t)(at - body), fields, &order, &arena, &fault);
    if (!accepted) {
        assert_string_equal(fault.pointer, "");
        assert_non_null(strstr(fault.detail, "16 levels"));
    }
    free(body);
    arena_release(&arena);
    return accepted;
}

static void reader_stops_at_sixteen_levels(void **state)
{
    (void)state;
    assert_true(reader_accepts_levels(16, ""));
    assert_false(reader_accepts_levels(17, ""));
    assert_false(reader_accepts_levels(100000, ""));
    /* Brackets and quotes inside strings do not count as levels and hide none. */
    assert_true(reader_accepts_levels(16, "[[[[{{{{"));
    assert_true(reader_accepts_levels(16, "\\\"[[[["));
    assert_true(reader_accepts_levels(16, "]]]]"));
    assert_false(reader_accepts_levels(17, "]]]]"));
    assert_false(reader_accepts_levels(17, "\\\\"));
    assert_false(reader_accepts_levels(17, "\\\""));
}

static void reader_cuts_a_long_pointer_between_characters(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena, 1024);
    for (size_t before = 0; before < 4; before++) {
        char body[700] = "{\"", *at = body + 2;
        at = memset(at, 'a', before);
        at += before;
        for (int i = 0; i < 100; i++)
            at = stpcpy(at, "\xe2\x82\xac");
        at = stpcpy(at, "\":1}");
        struct order order = {0};
        struct json_fault fault;
        assert_false(json_read(body, (size_t)(at - body), order_fields, &order, &arena, &fault));
        size_t size = strlen(fault.pointer);
        assert_true(size > sizeof fault.pointer - 5 && size < sizeof fault.pointer);
        assert_int_equal((size - 1 - before) % 3, 0);
    }
    arena_release(&arena);
}

static void reader_reads_a_list(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena, 1024);
    struct json_fault fault;
    void *entries;
    size_t count;
    const char *good = "[{\"event\":\"a\"},{\"event\":\"b\"}]";
    assert_true(json_read_list(good, strlen(good), item_fields, sizeof(struct item), 2, &entries, &count,
                               &arena, &fault));
    assert_int_equal(count, 2);
    assert_string_equal(((struct item *)entries)[1].event.text, "b");
    assert_true(
        json_read_list("[]", 2, item_fields, sizeof(struct item), 2, &entries, &count, &arena, &fault));
    assert_int_equal(count, 0);

    static const struct {
        const char *body, *pointer;
    } bad[] = {{"[{\"event\":\"a\"},{\"event\":\"b\",\"x\":1}]", "/1/x"},
               {"[1]", "/0"},
               {"{}", ""},
               {"", ""},
               {"[{\"event\":\"a\"},{\"event\":\"a\"},{\"event\":\"a\"}]", ""},
               {"[{}]", "/0/event"},
               {"[{\"event\":\"a\"},{\"event\":7e400}]", "/1/event"},
               {"[]]", ""}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(json_read_list(bad[i].body, strlen(bad[i].body), item_fields, sizeof(struct item), 2,
                                    &entries, &count, &arena, &fault));
        assert_string_equal(fault.pointer, bad[i].pointer);
        assert_int_equal(count, 0);
    }
    const char *many = "[{},{},{}]";
    assert_false(json_read_list(many, strlen(many), item_fields, sizeof(struct item), 2, &entries, &count,
                                &arena, &fault));
    assert_string_equal(fault.detail, "Invalid body: expected 1 to 2 entries, got 3.");
    arena_release(&arena);
}

/* Documents one byte short, at exactly that size, so that the sanitizer sees a read past the end. */
static void reader_stays_inside_the_body(void **state)
{
    (void)state;
    const char whole[] = "{\"user_id\":\"\\u00fc\\\"\",\"items\":[{\"event\":\"e\"}],\"x\":-1.5e1}";
    struct arena arena;
    arena_init(&arena, 1024);
    for (size_t cut = 1; cut < sizeof whole - 1; cut++) {
        char *copy = malloc(cut);
        memcpy(copy, whole, cut);
        struct order order = {0};
        struct json_fault fault;
        assert_false(json_read(copy, cut, order_fields, &order, &arena, &fault));
        free(copy);
    }
    order_read(&arena, whole);
    arena_release(&arena);
}

static void reader_survives_bombs(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena, 1024);
    size_t size = 1 << 20;
    char *body = malloc(size);
    struct order order = {0};
    struct json_fault fault;
    memset(body, '9', size);
    memcpy(body, "{\"x\":", 5);
    body[size - 1] = '}';
    assert_false(json_read(body, size, order_fields, &order, &arena, &fault));
    assert_non_null(strstr(fault.detail, "too large"));
    size_t at = 1;
    for (int i = 0; at < size - 20; i++)
        at += (size_t)snprintf(body + at, size - at, "\"k%d\":0,", i);
    memcpy(body + at - 1, "}", 1);
    body[0] = '{';
    assert_false(json_read(body, at, order_fields, &order, &arena, &fault));
    assert_string_equal(fault.pointer, "");
    assert_non_null(strstr(fault.detail, "too many fields"));
    free(body);
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reader_reads_every_kind),
        cmocka_unit_test(reader_leaves_absent_fields),
        cmocka_unit_test(reader_takes_an_empty_body_as_an_empty_object),
        cmocka_unit_test(reader_rounds_to_thousandths),
        cmocka_unit_test(reader_names_every_fault),
        cmocka_unit_test(reader_reads_more_than_fits_at_first),
        cmocka_unit_test(reader_stops_at_sixteen_levels),
        cmocka_unit_test(reader_cuts_a_long_pointer_between_characters),
        cmocka_unit_test(reader_reads_a_list),
        cmocka_unit_test(reader_stays_inside_the_body),
        cmocka_unit_test(reader_survives_bombs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
