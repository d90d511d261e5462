/* SPDX-License-Identifier: Apache-2.0 */
#include "base/crypto/base64.h"

#include <string.h>

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
    return written == *out_size && !(bits & ((1u << count) - 1)); /* only one spelling of the same bytes */
}

/* ---- For URLs ---- */

static const char url_digits[64] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/* The value of a digit; URL_NONE for any other character. */
#define URL_NONE 64
static uint8_t url_values[256];

__attribute__((constructor)) static void url_setup(void)
{
    memset(url_values, URL_NONE, sizeof url_values);
    for (uint8_t i = 0; i < 64; i++)
        url_values[(uint8_t)url_digits[i]] = i;
}

bool base64url_read(const char *text, size_t size, uint8_t *out, size_t *out_size)
{
    const uint8_t *in = (const uint8_t *)text;
    uint8_t *to = out;
    uint32_t bits = 0;
    int count = 0;
    for (; size >= 4; size -= 4, in += 4, to += 3) {
        uint32_t a = url_values[in[0]], b = url_values[in[1]], c = url_values[in[2]], d = url_values[in[3]];
        if ((a | b | c | d) & URL_NONE)
            return false;
        bits = a << 18 | b << 12 | c << 6 | d;
        to[0] = (uint8_t)(bits >> 16);
        to[1] = (uint8_t)(bits >> 8);
        to[2] = (uint8_t)bits;
    }
    for (; size > 0; size--, in++) {
        uint32_t value = url_values[*in];
        if (value & URL_NONE)
            return false;
        bits = bits << 6 | value;
        count += 6;
        if (count >= 8) {
            count -= 8;
            *to++ = (uint8_t)(bits >> count);
        }
    }
    *out_size = (size_t)(to - out);
    return count < 6 && (bits & ((1u << count) - 1)) == 0;
}

size_t base64url_write(const uint8_t *bytes, size_t size, char *out)
{
    uint32_t bits = 0;
    int count = 0;
    size_t written = 0;
    for (size_t i = 0; i < size; i++) {
        bits = bits << 8 | bytes[i];
        for (count += 8; count >= 6;) {
            count -= 6;
            out[written++] = url_digits[bits >> count & 63];
        }
    }
    if (count > 0)
        out[written++] = url_digits[bits << (6 - count) & 63];
    return written;
}
