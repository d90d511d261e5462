/* SPDX-License-Identifier: Apache-2.0 */
/* utf8.h — whether bytes are well-formed UTF-8 (no surrogates, no overlong forms), and what to show of them. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

bool utf8_valid(const char *text, size_t size);
bool utf8_has_control(const char *text, size_t size); /* U+0000..1F, 7F..9F; the text must be valid */
/* The length, 1 to 4, of the well-formed character the text begins with, or 0. */
size_t utf8_character(const char *text, size_t size);

/* What a sentence repeats of bytes from outside: "?" for what is ill-formed or a control character, and cut
 * between characters, with an ellipsis, to what fits. Returns `out`. */
#define UTF8_SHOWN_SIZE 36
const char *utf8_shown(const char *text, size_t size, char *out, size_t out_size);

#endif
