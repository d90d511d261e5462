/* SPDX-License-Identifier: Apache-2.0 */
/* An object kept as text is compact, means what was sent, and has no duplicate names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/json/json_reader.h"

struct holder {
    struct json_text_value attributes;
};

static const struct json_field holder_fields[] = {JSON_RAW(struct holder, attributes, 20, JSON_OPTIONAL),
                                                  JSON_END};

static void raw_is_compact(void **state)
{
    (void)state;
    static const struct {
        const char *given, *kept; /* NULL: too long */
    } samples[] = {
        {"{ }", "{}"},
        {"{\t\"a\" :\r\n[ 1 , { } , null ] }", "{\"a\":[1,{},null]}"},
        {"{\"a\":0.1,\"b\":1E+2}", "{\"a\":0.1,\"b\":1E+2}"},
        {"{\"a\":-0,\"b\":1.50}", "{\"a\":-0,\"b\":1.50}"},
        {"{\"  \":\" : , \"}", "{\"  \":\" : , \"}"},
        {"{\"\\u0061\":\"\\/\\u00fc\"}", "{\"a\":\"/\xc3\xbc\"}"},
        {"{\"\":\"\\ud83d\\ude00\\u20ac\"}", "{\"\":\"\xf0\x9f\x98\x80\xe2\x82\xac\"}"},
        {"{\"\":\"\\u0022\\u005C\\u000a\"}", "{\"\":\"\\\"\\\\\\n\"}"},
        {"{\"\":\"\\b\\f\\n\\r\\t\"}", "{\"\":\"\\b\\f\\n\\r\\t\"}"},
        {"{\"\":\"\\u001F\\\\\"}", "{\"\":\"\\u001f\\\\\"}"},
        {"{ \"a\" : \"123456789012\" }", "{\"a\":\"123456789012\"}"},
        {"{ \"a\" : \"\\u0031234567890123\" }", NULL},
    };
    struct arena arena;
    arena_init(&arena, 1024);
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        char body[128];
        snprintf(body, sizeof body, "{\"attributes\":%s}", samples[i].given);
        struct holder holder = {0};
        struct json_fault fault;
        bool read = json_read(body, strlen(body), holder_fields, &holder, &arena, &fault);
        assert_int_equal(read, samples[i].kept != NULL);
        if (!read)
            continue;
        assert_string_equal(holder.attributes.text, samples[i].kept);
        assert_int_equal(holder.attributes.size, strlen(samples[i].kept));
    }
    arena_release(&arena);
}

/* An object with this many names, the last of which repeats the one at `twice`. */
static bool raw_accepts_names(int count, int twice)
{
    struct arena arena;
    arena_init(&arena, 1024);
    size_t room = (size_t)count * 16 + 64;
    char *body = malloc(room);
    size_t at = (size_t)snprintf(body, room, "{\"attributes\":{");
    for (int i = 0; i < count; i++)
        at += (size_t)snprintf(body + at, room - at, "%s\"k%d\":0", i ? "," : "",
                               i == count - 1 && twice >= 0 ? twice : i);
    at += (size_t)snprintf(body + at, room - at, "}}");
    static const struct json_field fields[] = {JSON_RAW(struct holder, attributes, INT64_MAX, JSON_OPTIONAL),
                                               JSON_END};
    struct holder holder = {0};
    struct json_fault fault;
    bool accepted = json_read(body, at, fields, &holder, &arena, &fault);
    if (!accepted)
        assert_non_null(strstr(fault.detail, "duplicate field"));
    free(body);
    arena_release(&arena);
    return accepted;
}

static void raw_refuses_a_duplicate_name_among_any_number(void **state)
{
    (void)state;
    for (int count = 2; count < 60; count++) {
        assert_true(raw_accepts_names(count, -1));
        for (int twice = 0; twice < count - 1; twice++)
            assert_false(raw_accepts_names(count, twice));
    }
    assert_true(raw_accepts_names(80000, -1));
    assert_false(raw_accepts_names(80000, 40000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(raw_is_compact),
        cmocka_unit_test(raw_refuses_a_duplicate_name_among_any_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
