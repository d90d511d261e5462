/* SPDX-License-Identifier: Apache-2.0 */
/* json_escape.h — backslash escapes in a JSON text. */
#ifndef BASE_JSON_ESCAPE_H
#define BASE_JSON_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The character of the escape that begins at this backslash, and how many bytes the escape takes: 2, 6, or 12
 * for a pair of surrogates. -1 if it is not a valid escape. */
int32_t json_escape_read(const char *at, const char *end, size_t *size);
/* Writes a text of valid escapes without them or, if `compact`, with only those that JSON requires, each as
 * short as possible. It never grows. Returns the end of what was written. */
char *json_escape_undo(char *out, const char *at, const char *end, bool compact);

#endif
