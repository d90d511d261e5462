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
/* Exact thousandths, halves away from zero; beyond 40 bits some value beyond 40 bits. */
int64_t json_number_milli(const char *text, size_t size);
/* What follows the `e`; beyond thousands of millions some value of that size. */
int64_t json_number_exponent(const char *text, size_t size);

#endif
