/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json_number.h"

#include <stdlib.h>
#include <string.h>

#define JSON_EXPONENT_BEYOND 1000000000
#define JSON_MILLI_BEYOND ((int64_t)1 << 40)

bool json_number_integer(const char *text, size_t size, int64_t *value)
{
    bool negative = size > 0 && *text == '-';
    int64_t sum = 0;
    for (size_t i = negative; i < size; i++) {
        int digit = text[i] - '0';
        if (__builtin_mul_overflow(sum, 10, &sum) ||
            __builtin_add_overflow(sum, negative ? -digit : digit, &sum))
            return false;
    }
    *value = sum;
    return true;
}

double json_number_double(const char *text, size_t size, struct arena *arena)
{
    char few[64] __attribute__((uninitialized));
    if (size >= sizeof few)
        return strtod(arena_copy(arena, text, size), NULL);
    memcpy(few, text, size);
    few[size] = '\0';
    return strtod(few, NULL);
}

int64_t json_number_exponent(const char *text, size_t size)
{
    bool sign = size > 0 && (*text == '-' || *text == '+');
    int64_t exponent = 0;
    for (size_t i = sign; i < size; i++)
        if (exponent < JSON_EXPONENT_BEYOND)
            exponent = exponent * 10 + (text[i] - '0');
    return sign && *text == '-' ? -exponent : exponent;
}

/* The thousandths are the digits before the point and three more, or as many more or fewer as the exponent
 * says; the digit after those rounds. */
int64_t json_number_milli(const char *text, size_t size)
{
    const char *at = text, *end = text + size;
    at += *text == '-';
    const char *digits_end = at;
    while (digits_end < end && *digits_end != 'e' && *digits_end != 'E')
        digits_end++;
    const char *point = memchr(at, '.', (size_t)(digits_end - at));
    int64_t wanted = (point ? point : digits_end) - at + 3, sum = 0;
    if (digits_end < end)
        wanted += json_number_exponent(digits_end + 1, (size_t)(end - digits_end - 1));
    for (; wanted > 0 && sum < JSON_MILLI_BEYOND && (at < digits_end || sum > 0); wanted--) {
        at += at == point;
        sum = sum * 10 + (at < digits_end ? *at++ - '0' : 0);
    }
    at += at == point;
    if (wanted == 0 && at < digits_end && *at >= '5')
        sum++;
    return *text == '-' ? -sum : sum;
}
