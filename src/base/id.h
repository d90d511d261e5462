/* SPDX-License-Identifier: Apache-2.0 */
/* id.h — 128-bit identifiers: 48 bits of milliseconds, then 80 random bits, so that they sort by creation
 * time and cannot be guessed. Written as 26 characters of Crockford's base 32, without its look-alikes: I,
 * L, O and U are refused.
 */
#ifndef BASE_ID_H
#define BASE_ID_H

#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>

#define ID_TEXT_SIZE 26

struct id {
    uint64_t high, low;
};

struct id id_make(int64_t now_ms, uint64_t random_a, uint64_t random_b);
static inline bool id_equal(struct id a, struct id b)
{
    return a.high == b.high && a.low == b.low;
}
static inline bool id_none(struct id a)
{
    return !a.high && !a.low;
}
void id_write(struct id id, char out[ID_TEXT_SIZE]); /* upper case, no NUL */
/* Exactly 26 characters, in either case; false for anything else. */
bool id_read(const char *text, size_t size, struct id *out);

/* Base 32 of the low 5 * characters bits of a number, most significant first; used for ticket codes. At
 * most 13. */
void id_base32(uint64_t value, char *out, size_t characters);
/* The reverse, in either case; false if another character is among them. */
bool id_base32_read(const char *text, size_t characters, uint64_t *out);

#endif
