/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text/utf8.h"

#include <stdint.h>
#include <string.h>

static bool utf8_continues(const uint8_t *at, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if ((at[i] & 0xc0) != 0x80)
            return false;
    return true;
}

/* The second byte is where overlong forms, surrogates and values past U+10FFFF show. */
static bool utf8_second(uint8_t first, uint8_t second)
{
    /* clang-format off */
    switch (first) {
    case 0xe0: return second >= 0xa0;
    case 0xed: return second <= 0x9f;
    case 0xf0: return second >= 0x90;
    case 0xf4: return second <= 0x8f;
    default:   return true;
    }
    /* clang-format on */
}

size_t utf8_character(const char *text, size_t size)
{
    const uint8_t *at = (const uint8_t *)text;
    if (size == 0)
        return 0;
    size_t length = at[0] < 0x80   ? 1
                    : at[0] < 0xc2 ? 0
                    : at[0] < 0xe0 ? 2
                    : at[0] < 0xf0 ? 3
                    : at[0] < 0xf5 ? 4
                                   : 0;
    if (length <= 1)
        return length;
    if (size < length || !utf8_continues(at + 1, length - 1) || !utf8_second(at[0], at[1]))
        return 0;
    return length;
}

/* How many bytes, in steps of eight, are plain ASCII. */
static size_t utf8_ascii(const char *text, size_t size)
{
    size_t at = 0;
    for (uint64_t word; size - at >= sizeof word; at += sizeof word) {
        memcpy(&word, text + at, sizeof word);
        if (word & 0x8080808080808080)
            break;
    }
    return at;
}

bool utf8_valid(const char *text, size_t size)
{
    for (size_t at = utf8_ascii(text, size); at < size;) {
        size_t length = utf8_character(text + at, size - at);
        if (!length)
            return false;
        at += length;
        if (length == 1)
            at += utf8_ascii(text + at, size - at);
    }
    return true;
}

bool utf8_has_control(const char *text, size_t size)
{
    const uint8_t *at = (const uint8_t *)text;
    for (size_t i = 0; i < size; i++) {
        if (at[i] < 0x20 || at[i] == 0x7f)
            return true;
        if (at[i] == 0xc2 && i + 1 < size && at[i + 1] <= 0x9f)
            return true;
    }
    return false;
}

const char *utf8_shown(const char *text, size_t size, char *out, size_t out_size)
{
    static const char cut[] = "…";
    size_t used = 0;
    for (size_t at = 0; at < size;) {
        size_t length = utf8_character(text + at, size - at);
        bool plain = length && !utf8_has_control(text + at, length);
        size_t written = plain ? length : 1;
        if (used + written + sizeof cut > out_size) {
            memcpy(out + used, cut, sizeof cut);
            return out;
        }
        memcpy(out + used, plain ? text + at : "?", written);
        used += written;
        at += length ? length : 1;
    }
    out[used] = '\0';
    return out;
}
