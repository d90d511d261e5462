/* SPDX-License-Identifier: Apache-2.0 */
/* A field with a list of words accepts exactly one of them, and a refusal names them all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/json/json_reader.h"

struct day {
    struct json_text_value name;
    struct json_list_value names;
};

static const char *day_word(unsigned index)
{
    static const char *const all[] = {"mon", "tuesday", NULL};
    return all[index];
}

static void reader_accepts_only_a_listed_word(void **state)
{
    (void)state;
    static const struct json_field fields[] = {
        {JSON_FIELD(JSON_KIND_TEXT, struct day, name, JSON_OPTIONAL), .word = day_word},
        {JSON_FIELD(JSON_KIND_TEXTS, struct day, names, JSON_OPTIONAL), .most = 2, .word = day_word},
        JSON_END,
    };
    static const struct {
        const char *body, *pointer, *detail;
    } cases[] = {
        {"{\"name\":\"mon\",\"names\":[\"tuesday\",\"mon\"]}", NULL, NULL},
        {"{\"name\":\"mo\"}", "/name", "Invalid name: expected mon or tuesday, got \"mo\"."},
        {"{\"name\":\"m\\u0007nd\"}", "/name", "Invalid name: expected mon or tuesday, got \"m?nd\"."},
        {"{\"name\":\"\"}", "/name", "Invalid name: expected mon or tuesday, got \"\"."},
        {"{\"name\":null}", "/name", NULL},
        {"{\"names\":[\"mon\",\"Mon\"]}", "/names/1", NULL},
    };
    struct arena arena;
    arena_init(&arena, 1024);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct day day = {0};
        struct json_fault fault = {0};
        bool good = json_read(cases[i].body, strlen(cases[i].body), fields, &day, &arena, &fault);
        assert_int_equal(good, cases[i].pointer == NULL);
        assert_string_equal(fault.pointer, good ? "" : cases[i].pointer);
        if (cases[i].detail)
            assert_string_equal(fault.detail, cases[i].detail);
        if (good)
            assert_string_equal(day.name.text, "mon");
    }
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reader_accepts_only_a_listed_word)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
