/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever is written, the output is valid JSON in valid UTF-8. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/json/json_reader.h"
#include "base/json/json_writer.h"
#include "base/text/utf8.h"

/* The text between the brackets of an array with one value in it. */
static void assert_written(struct buf *b, const char *wanted)
{
    size_t size = strlen(wanted);
    if (b->size != size || memcmp(b->data, wanted, size) != 0)
        fail_msg("wrote %.*s, not %s", (int)b->size, (const char *)b->data, wanted);
    buf_release(b);
}

static void writer_puts_commas(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, 1000);
    struct json_writer w = json_writer_make(&b);
    json_object_begin(&w);
    json_key(&w, "a");
    json_int(&w, 1);
    json_key(&w, "b");
    json_array_begin(&w);
    json_array_end(&w);
    json_key(&w, "c");
    json_array_begin(&w);
    json_int(&w, 1);
    json_object_begin(&w);
    json_object_end(&w);
    json_array_begin(&w);
    json_null(&w);
    json_bool(&w, true);
    json_bool(&w, false);
    json_array_end(&w);
    json_string(&w, NULL);
    json_string(&w, "x");
    json_raw(&w, "{\"r\":1}", 7);
    json_array_end(&w);
    json_key_text(&w, "d\"", 2);
    json_object_begin(&w);
    json_key(&w, "e");
    json_null(&w);
    json_object_end(&w);
    json_object_end(&w);
    assert_written(
        &b, "{\"a\":1,\"b\":[],\"c\":[1,{},[null,true,false],null,\"x\",{\"r\":1}],\"d\\\"\":{\"e\":null}}");
}

static void writer_escapes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t size;
        const char *wanted;
    } samples[] = {
        {"", 0, "\"\""},
        {"plain", 5, "\"plain\""},
        {"\"\\/", 3, "\"\\\"\\\\/\""},
        {"\b\t\n\f\r", 5, "\"\\b\\t\\n\\f\\r\""},
        {"\0\x01\x0b\x1f\x7f", 5, "\"\\u0000\\u0001\\u000b\\u001f\x7f\""},
        {"Gr\xc3\xbc\xc3\x9f", 6, "\"Gr\xc3\xbc\xc3\x9f\""},
        {"\xf0\x9f\x98\x80", 4, "\"\xf0\x9f\x98\x80\""},
        {"a\xff"
         "b",
         3,
         "\"a\xef\xbf\xbd"
         "b\""},
        {"\xc3", 1, "\"\xef\xbf\xbd\""},
        {"\xe2\x82", 2, "\"\xef\xbf\xbd\xef\xbf\xbd\""},
        {"\xed\xa0\x80", 3, "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
        {"\xc0\x80\"", 3, "\"\xef\xbf\xbd\xef\xbf\xbd\\\"\""},
    };
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        struct buf b;
        buf_init(&b, 1000);
        struct json_writer w = json_writer_make(&b);
        json_text(&w, samples[i].text, samples[i].size);
        assert_written(&b, samples[i].wanted);
    }
}

static void writer_numbers(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, 10000);
    struct json_writer w = json_writer_make(&b);
    json_array_begin(&w);
    json_int(&w, 0);
    json_int(&w, -1);
    json_int(&w, 9);
    json_int(&w, 10);
    json_int(&w, 99);
    json_int(&w, 100);
    json_int(&w, -12345);
    json_int(&w, INT64_MAX);
    json_int(&w, INT64_MIN);
    json_uint(&w, UINT64_MAX);
    json_decimal(&w, 0);
    json_decimal(&w, UINT64_MAX);
    json_array_end(&w);
    assert_written(&b, "[0,-1,9,10,99,100,-12345,9223372036854775807,-9223372036854775808,"
                       "18446744073709551615,\"0\",\"18446744073709551615\"]");
}

static void writer_thousandths(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, 10000);
    struct json_writer w = json_writer_make(&b);
    json_array_begin(&w);
    const int64_t samples[] = {0,  1,    10,    100,   1000,   1500,      1050,      1005,
                               -1, -500, -1500, 12345, 120000, INT32_MIN, INT64_MIN, INT64_MAX};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        json_milli(&w, samples[i]);
    json_array_end(&w);
    assert_written(&b, "[0,0.001,0.01,0.1,1,1.5,1.05,1.005,-0.001,-0.5,-1.5,12.345,120,-2147483.648,"
                       "-9223372036854775.808,9223372036854775.807]");
}

static void writer_degrees(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, 1000);
    struct json_writer w = json_writer_make(&b);
    json_array_begin(&w);
    const int64_t samples[] = {0, 1, -1, 10000000, 525200000, 1800000000, -1799999999, 123456700};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        json_e7(&w, samples[i]);
    json_array_end(&w);
    assert_written(&b, "[0,0.0000001,-0.0000001,1,52.52,180,-179.9999999,12.34567]");
}

static void writer_times(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, 1000);
    struct json_writer w = json_writer_make(&b);
    json_array_begin(&w);
    json_time(&w, 0);
    json_time(&w, 1796306400123);
    json_time(&w, -1);
    json_array_end(&w);
    assert_written(&b, "[null,\"2026-12-03T14:00:00.123Z\",\"1969-12-31T23:59:59.999Z\"]");
}

static void writer_goes_31_levels_deep(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, 1000);
    struct json_writer w = json_writer_make(&b);
    for (int i = 0; i < 31; i++)
        json_array_begin(&w);
    json_int(&w, 1);
    json_int(&w, 2);
    for (int i = 0; i < 31; i++)
        json_array_end(&w);
    char wanted[100] = "";
    memset(wanted, '[', 31);
    memcpy(wanted + 31, "1,2", 3);
    memset(wanted + 34, ']', 31);
    assert_written(&b, wanted);
}

static bool writer_visit(void *owner, const struct json_member *member)
{
    (void)member;
    int *visits = owner;
    ++*visits;
    return true;
}

/* Any bytes as key and as value, read back by the strict reader. U+0000 is valid JSON, but the reader refuses
 * it. */
static void writer_output_is_always_valid(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int round = 0; round < 20000; round++) {
        char text[40];
        size_t size = (size_t)(round % 40);
        for (size_t i = 0; i < size; i++) {
            seed = seed * 6364136223846793005 + 1442695040888963407;
            text[i] = (char)((seed >> 40) % 255 + 1);
        }
        struct buf b;
        buf_init(&b, 1000);
        struct json_writer w = json_writer_make(&b);
        json_object_begin(&w);
        json_key_text(&w, text, size);
        json_text(&w, text, size);
        json_object_end(&w);
        int visits = 0;
        assert_true(utf8_valid((const char *)b.data, b.size));
        assert_true(json_visit((const char *)b.data, b.size, writer_visit, &visits));
        assert_int_equal(visits, 1);
        buf_release(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writer_puts_commas),
        cmocka_unit_test(writer_escapes),
        cmocka_unit_test(writer_numbers),
        cmocka_unit_test(writer_thousandths),
        cmocka_unit_test(writer_degrees),
        cmocka_unit_test(writer_times),
        cmocka_unit_test(writer_goes_31_levels_deep),
        cmocka_unit_test(writer_output_is_always_valid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
