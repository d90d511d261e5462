/* SPDX-License-Identifier: Apache-2.0 */
/* utf8.h — whether bytes are well-formed UTF-8 (no surrogates, no overlong forms), and how to show them safely. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

bool utf8_valid(const char *text, size_t size);
bool utf8_has_control(const char *text, size_t size); /* U+0000..1F, 7F..9F; the text must be valid */
/* The length, 1 to 4, of the well-formed character the text begins with, or 0. */
size_t utf8_character(const char *text, size_t size);

/* Bytes from outside as an error message repeats them: "?" for ill-formed bytes and control characters, cut
 * between characters, with an ellipsis, to fit. Returns `out`. */
#define UTF8_SHOWN_SIZE 36
const char *utf8_shown(const char *text, size_t size, char *out, size_t out_size);

#endif
