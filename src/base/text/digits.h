/* SPDX-License-Identifier: Apache-2.0 */
/* digits.h — numbers as written in headers, paths and queries: plain digits and nothing else. */
#ifndef BASE_DIGITS_H
#define BASE_DIGITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 1 to 19 decimal digits, which always fit; no sign, no space. False for anything else; *out is untouched
 * then. */
static inline bool digits_read(const char *text, size_t size, uint64_t *out)
{
    if (size == 0 || size > 19)
        return false;
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        value = value * 10 + (uint64_t)(text[i] - '0');
    }
    *out = value;
    return true;
}

/* The same up to UINT64_MAX, which has 20 digits. */
static inline bool digits_read_u64(const char *text, size_t size, uint64_t *out)
{
    uint64_t head, last;
    if (size != 20)
        return digits_read(text, size, out);
    if (!digits_read(text, 19, &head) || !digits_read(text + 19, 1, &last) || head > (UINT64_MAX - last) / 10)
        return false;
    *out = head * 10 + last;
    return true;
}

/* Writes at most DIGITS_U64_MAX digits that end just before `end`; returns where they begin. */
#define DIGITS_U64_MAX 20
static inline char *digits_write(char *end, uint64_t value)
{
    do
        *--end = (char)('0' + value % 10);
    while (value /= 10);
    return end;
}

/* The value of a hexadecimal digit in either case, or -1. */
static inline int digits_hex(char digit)
{
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    if (digit >= 'a' && digit <= 'f')
        return digit - 'a' + 10;
    if (digit >= 'A' && digit <= 'F')
        return digit - 'A' + 10;
    return -1;
}

#endif
