/* SPDX-License-Identifier: Apache-2.0 */
/* json_number.h — what a JSON number stands for, from its text.
 *
 * The text must be a number as RFC 8259 writes them; whether it is one is json_scan's business. Time is
 * linear in its size at worst.
 */
#ifndef BASE_JSON_NUMBER_H
#define BASE_JSON_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* Of digits and perhaps a minus. False if it does not fit. */
bool json_number_integer(const char *text, size_t size, int64_t *value);
/* The nearest double; one too large is infinite, one too small is zero. */
double json_number_double(const char *text, size_t size, struct arena *arena);
/* Exact thousandths, halves away from zero; those beyond 40 bits are only known to be so. */
int64_t json_number_milli(const char *text, size_t size);
/* What follows the `e`. One beyond thousands of millions is only known to be so. */
int64_t json_number_exponent(const char *text, size_t size);

#endif
