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

/* The value of a digit + 1, by its character; 0: not a digit. Stricter than Crockford: I, L, O and U mean nothing, so
 * an id has one spelling. */
/* clang-format off */
static const uint8_t id_values[256] = {
    ['0'] = 1, ['1'] = 2, ['2'] = 3, ['3'] = 4, ['4'] = 5, ['5'] = 6, ['6'] = 7, ['7'] = 8, ['8'] = 9, ['9'] = 10,
    ['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16, ['G'] = 17, ['H'] = 18, ['J'] = 19,
    ['K'] = 20, ['M'] = 21, ['N'] = 22, ['P'] = 23, ['Q'] = 24, ['R'] = 25, ['S'] = 26, ['T'] = 27, ['V'] = 28,
    ['W'] = 29, ['X'] = 30, ['Y'] = 31, ['Z'] = 32,
    ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16, ['g'] = 17, ['h'] = 18, ['j'] = 19,
    ['k'] = 20, ['m'] = 21, ['n'] = 22, ['p'] = 23, ['q'] = 24, ['r'] = 25, ['s'] = 26, ['t'] = 27, ['v'] = 28,
    ['w'] = 29, ['x'] = 30, ['y'] = 31, ['z'] = 32,
};
/* clang-format on */

bool id_base32_read(const char *text, size_t characters, uint64_t *out)
{
    ASSERT(characters <= 12);
    uint64_t value = 0;
    bool sound = true;
    for (size_t i = 0; i < characters; i++) {
        uint8_t digit = id_values[(uint8_t)text[i]];
        sound = sound && digit;
        value = value << 5 | (uint8_t)(digit - 1);
    }
    *out = value;
    return sound;
}

bool id_read(const char *text, size_t size, struct id *out)
{
    uint64_t first, middle, last;
    /* 26 digits hold 130 bits, two too many: the first is at most 7. */
    if (size != ID_TEXT_SIZE || !id_base32_read(text, 2, &first) || first > UINT8_MAX ||
        !id_base32_read(text + 2, 12, &middle) || !id_base32_read(text + 14, 12, &last))
        return false;
    *out = (struct id){.high = first << 56 | middle >> 4, .low = middle << 60 | last};
    return true;
}
