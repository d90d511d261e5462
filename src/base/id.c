/* SPDX-License-Identifier: Apache-2.0 */
#include "base/id.h"

#include "base/assertion.h"

static const char id_digits[32] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

struct id id_make(int64_t now_ms, uint64_t random_a, uint64_t random_b)
{
    ASSERT(now_ms >= 0 && now_ms < (int64_t)1 << 48);
    return (struct id){.high = (uint64_t)now_ms << 16 | (random_a & 0xffff), .low = random_b};
}

void id_base32(uint64_t value, char *out, size_t characters)
{
    ASSERT(characters <= 13);
    for (size_t i = characters; i-- > 0; value >>= 5)
        out[i] = id_digits[value & 31];
}

void id_write(struct id id, char out[ID_TEXT_SIZE])
{
    id_base32(id.high >> 56, out, 2);
    id_base32(id.high << 4 | id.low >> 60, out + 2, 12);
    id_base32(id.low, out + 14, 12);
}

/* The value of a digit, or -1. Stricter than Crockford: I, L, O and U mean nothing, so an id has one
 * spelling. */
static int id_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        c = (char)(c - 'a' + 'A');
    if (c < 'A' || c > 'Z' || c == 'I' || c == 'L' || c == 'O' || c == 'U')
        return -1;
    return c - 'A' + 10 - (c > 'I') - (c > 'L') - (c > 'O') - (c > 'U');
}

bool id_base32_read(const char *text, size_t characters, uint64_t *out)
{
    ASSERT(characters <= 12);
    *out = 0;
    for (size_t i = 0; i < characters; i++) {
        int digit = id_digit(text[i]);
        if (digit < 0)
            return false;
        *out = *out << 5 | (uint64_t)digit;
    }
    return true;
}

bool id_read(const char *text, size_t size, struct id *out)
{
    if (size != ID_TEXT_SIZE)
        return false;
    struct id id = {0};
    for (int i = 0; i < ID_TEXT_SIZE; i++) {
        int digit = id_digit(text[i]);
        if (digit < 0 || (i == 0 && digit > 7)) /* 26 digits hold 130 bits, two too many */
            return false;
        id.high = id.high << 5 | id.low >> 59;
        id.low = id.low << 5 | (uint64_t)digit;
    }
    *out = id;
    return true;
}
