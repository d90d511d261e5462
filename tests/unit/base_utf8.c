/* SPDX-License-Identifier: Apache-2.0 */
/* Exactly the well-formed sequences of Unicode's table are accepted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/text/utf8.h"

/* Encodes any number below 2^21, including those that are not characters. */
static size_t utf8_encode(uint32_t code, char *out)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = length - 1; i > 0; i--, code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3f));
    out[0] = (char)((0xf00 >> length & 0xff) | code);
    return length;
}

static void utf8_every_code_point(void **state)
{
    (void)state;
    for (uint32_t code = 0; code < 0x200000; code++) {
        char text[4];
        size_t length = utf8_encode(code, text);
        bool good = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
        if (utf8_valid(text, length) != good || utf8_character(text, length) != (good ? length : 0))
            fail_msg("U+%X", code);
        bool control = code < 0x20 || (code >= 0x7f && code < 0xa0);
        if (good && utf8_has_control(text, length) != control)
            fail_msg("control U+%X", code);
    }
}

static void utf8_bad_forms(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "\x80",
        "\xbf",
        "\xc0\x80",
        "\xc1\xbf",
        "\xc2",
        "\xc2\x41",
        "\xe0\x80\x80",
        "\xe0\x9f\xbf",
        "\xed\xa0\x80",
        "\xed\xbf\xbf",
        "\xe2\x82",
        "\xe2\x28\xa1",
        "\xe2\x82\x28",
        "\xf0\x80\x80",
        "\xf0\x8f\xbf\xbf",
        "\xf4\x90\x80\x80",
        "\xf5\x80\x80\x80",
        "\xf0\x9f\x98",
        "\xfe",
        "\xff",
        "\xf8\x88\x80\x80\x80",
        "\xed\xa0\xbd\xed\xb8\x80", /* a surrogate pair */
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[64] = "plain and plain ";
        size_t size = strlen(bad[i]);
        assert_false(utf8_valid(bad[i], size));
        for (size_t before = 0; before < 17; before++) { /* at every offset of the eight-byte stride */
            memcpy(text + before, bad[i], size);
            memset(text + before + size, 'x', 20);
            assert_false(utf8_valid(text, before + size));
            assert_false(utf8_valid(text, before + size + 20));
            memcpy(text, "plain and plain ", 17);
        }
    }
}

static void utf8_good_text(void **state)
{
    (void)state;
    const char *text = "Grüße, 世界 — 😀 and quite a lot of plain text after it";
    assert_true(utf8_valid(text, strlen(text)));
    assert_false(utf8_has_control(text, strlen(text)));
    assert_true(utf8_valid("", 0));
    assert_true(utf8_valid("a\0b", 3));
    assert_true(utf8_has_control("a\0b", 3));
    assert_true(utf8_has_control("tab\t", 4));
    assert_true(utf8_has_control("next\xc2\x85line", 10));
    assert_false(utf8_has_control("no\xc2\xa0"
                                  "break",
                                  9));
    assert_int_equal(utf8_character("", 0), 0);
}

static void assert_shown(const char *text, size_t size, const char *expected)
{
    char out[12];
    assert_string_equal(utf8_shown(text, size, out, sizeof out), expected);
}

static void shown_text_is_truncated_and_has_no_control_characters(void **state)
{
    (void)state;
    assert_shown("", 0, "");
    assert_shown("12345678", 8, "12345678");
    assert_shown("123456789", 9, "12345678…");
    assert_shown("1234567ü", 9, "1234567…");
    assert_shown("a\0b\n\x7f", 5, "a?b??");
    assert_shown("a\xc2\x85z", 4, "a?z");
    assert_shown("\xff\xc3(", 3, "?\?(");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(utf8_every_code_point),
        cmocka_unit_test(utf8_bad_forms),
        cmocka_unit_test(utf8_good_text),
        cmocka_unit_test(shown_text_is_truncated_and_has_no_control_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
