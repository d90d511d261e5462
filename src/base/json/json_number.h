/* SPDX-License-Identifier: Apache-2.0 */
/* json_number.h — the value of a JSON number, from its text.
 *
 * The text must be a number as in RFC 8259, which json_scan checks. Time is linear in its size at worst.
 */
#ifndef BASE_JSON_NUMBER_H
#define BASE_JSON_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory/arena.h"

/* Of digits and perhaps a minus. False if it does not fit. */
bool json_number_integer(const char *text, size_t size, int64_t *value);
/* The nearest double; one too large is infinite, one too small is zero. */
double json_number_double(const char *text, size_t size, struct arena *arena);
/* Exact thousandths, halves rounded away from zero. Beyond 40 bits the result is only guaranteed to be that large. */
int64_t json_number_milli(const char *text, size_t size);
/* The exponent, from the text after the `e`. Beyond 10^9 the result is only guaranteed to be that large. */
int64_t json_number_exponent(const char *text, size_t size);

#endif
