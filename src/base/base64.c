/* SPDX-License-Identifier: Apache-2.0 */
#include "base/base64.h"

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void base64_write(const uint8_t *bytes, size_t size, char *out)
{
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        uint32_t group = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                         (left > 2 ? (uint32_t)bytes[i + 2] : 0);
        *out++ = letters[group >> 18];
        *out++ = letters[group >> 12 & 63];
        *out++ = left > 1 ? letters[group >> 6 & 63] : '=';
        *out++ = left > 2 ? letters[group & 63] : '=';
    }
}

static int value_of(char c)
{
    for (int i = 0; i < 64; i++)
        if (letters[i] == c)
            return i;
    return -1;
}

bool base64_read(const char *text, size_t size, uint8_t *out, size_t room, size_t *out_size)
{
    size_t padding = size >= 2 && text[size - 1] == '=' ? 1u + (text[size - 2] == '=') : 0;
    *out_size = size / 4 * 3 - (size ? padding : 0);
    if (size % 4 || *out_size > room)
        return false;
    uint32_t bits = 0, count = 0;
    size_t written = 0;
    for (size_t i = 0; i < size - padding; i++) {
        int value = value_of(text[i]);
        if (value < 0)
            return false;
        bits = bits << 6 | (uint32_t)value;
        count += 6;
        if (count >= 8) {
            count -= 8;
            out[written++] = (uint8_t)(bits >> count);
        }
    }
    return written == *out_size && !(bits & ((1u << count) - 1)); /* one text for the same bytes */
}
