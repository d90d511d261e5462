/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json/json_number.h"

#include <float.h>
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

/* Whole numbers up to here are exact in a double, and so are these powers of ten. */
#define JSON_WHOLE_MAX ((uint64_t)1 << 53)
static const double JSON_TENS[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
_Static_assert(FLT_EVAL_METHOD == 0, "a quotient of doubles is rounded once, to a double");

/* Such as 52.520008: its digits as a whole number, divided by a power of ten. Both are exact and the quotient is
 * rounded once, so it equals strtod's result in a tenth of the time. False: more digits, or an exponent. */
static bool json_number_simple(const char *text, size_t size, double *value)
{
    bool negative = *text == '-';
    const char *at = text + negative, *end = text + size, *point = NULL;
    uint64_t sum = 0;
    if (size > 18) /* up to 18 digits always fit the sum */
        return false;
    for (; at < end; at++) {
        unsigned digit = (unsigned)*at - '0';
        if (digit <= 9)
            sum = sum * 10 + digit;
        else if (*at == '.')
            point = at + 1;
        else
            return false;
    }
    if (sum > JSON_WHOLE_MAX)
        return false;
    double quotient = (double)sum / JSON_TENS[point ? end - point : 0];
    *value = negative ? -quotient : quotient;
    return true;
}

double json_number_double(const char *text, size_t size, struct arena *arena)
{
    double simple;
    if (size && json_number_simple(text, size, &simple))
        return simple;
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
