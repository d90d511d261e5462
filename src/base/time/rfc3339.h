/* SPDX-License-Identifier: Apache-2.0 */
/* rfc3339.h — instants as text. Inside, an instant is milliseconds since the epoch, UTC. */
#ifndef BASE_RFC3339_H
#define BASE_RFC3339_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RFC3339_SIZE 24 /* "2026-12-03T14:00:00.000Z" */

void rfc3339_write(int64_t at_ms, char out[RFC3339_SIZE]); /* no NUL; years 0000 to 9999 */
/* Any offset; a fraction of any length is cut to milliseconds; 'T' or 't', 'Z' or 'z'. A leap second (:60) is
 * read as the first instant of the next minute. False for anything else. */
bool rfc3339_read(const char *text, size_t size, int64_t *at_ms);

#endif
