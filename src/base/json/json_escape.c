/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json/json_escape.h"

#include <string.h>

#include "base/assertion.h"
#include "base/text/digits.h"

/* Four hexadecimal digits, or -1. */
static int32_t json_escape_hex(const char *at, const char *end)
{
    int32_t value = 0;
    if (end - at < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        int digit = digits_hex(at[i]);
        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

int32_t json_escape_read(const char *at, const char *end, size_t *size)
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    *size = 2;
    if (end - at < 2)
        return -1;
    if (at[1] != 'u') {
        const char *letter = memchr(letters, at[1], sizeof letters - 1);
        return letter ? meanings[letter - letters] : -1;
    }
    *size = 6;
    int32_t high = json_escape_hex(at + 2, end);
    if (high < 0xd800 || high > 0xdfff)
        return high;
    if (high > 0xdbff || end - at < 12 || at[6] != '\\' || at[7] != 'u')
        return -1;
    *size = 12;
    int32_t low = json_escape_hex(at + 8, end);
    return low < 0xdc00 || low > 0xdfff ? -1 : 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
}

static char *json_escape_put_utf8(char *out, int32_t character)
{
    if (character < 0x80) {
        *out++ = (char)character;
        return out;
    }
    if (character < 0x800) {
        *out++ = (char)(0xc0 | character >> 6);
    } else {
        if (character < 0x10000) {
            *out++ = (char)(0xe0 | character >> 12);
        } else {
            *out++ = (char)(0xf0 | character >> 18);
            *out++ = (char)(0x80 | (character >> 12 & 0x3f));
        }
        *out++ = (char)(0x80 | (character >> 6 & 0x3f));
    }
    *out++ = (char)(0x80 | (character & 0x3f));
    return out;
}

/* The shortest escape of a character that needs one; never longer than the escape it replaces, so that a text can
 * be rewritten in place. */
static char *json_escape_put(char *out, int32_t character)
{
    static const char needs[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt", digits[] = "0123456789abcdef";
    const char *need = memchr(needs, character, sizeof needs - 1);
    *out++ = '\\';
    if (need) {
        *out++ = letters[need - needs];
        return out;
    }
    out = mempcpy(out, "u00", 3);
    *out++ = digits[character >> 4];
    *out++ = digits[character & 15];
    return out;
}

char *json_escape_undo(char *out, const char *at, const char *end, bool compact)
{
    while (at < end) {
        const char *backslash = memchr(at, '\\', (size_t)(end - at));
        const char *plain_end = backslash ? backslash : end;
        out = mempcpy(out, at, (size_t)(plain_end - at));
        at = plain_end;
        if (!backslash)
            break;
        size_t size;
        int32_t character = json_escape_read(at, end, &size);
        ASSERT(character > 0);
        bool keep = compact && (character < ' ' || character == '"' || character == '\\');
        out = keep ? json_escape_put(out, character) : json_escape_put_utf8(out, character);
        at += size;
    }
    return out;
}
