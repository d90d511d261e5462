/* SPDX-License-Identifier: Apache-2.0 */
/* base64.h — bytes as text, RFC 4648: with padding, and for URLs without. */
#ifndef BASE_BASE64_H
#define BASE_BASE64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BASE64_SIZE(bytes) (((bytes) + 2) / 3 * 4)

/* Writes BASE64_SIZE(size) characters, no NUL. */
void base64_write(const uint8_t *bytes, size_t size, char *out);
/* False: it is not base64, or more than `room` bytes. */
bool base64_read(const char *text, size_t size, uint8_t *out, size_t room, size_t *out_size);

/* For URLs, without padding. Each value has exactly one spelling: bits left over must be zero. */
#define BASE64URL_SIZE(bytes) (((bytes)*4 + 2) / 3)
/* Writes BASE64URL_SIZE(size) characters, no NUL; returns how many. */
size_t base64url_write(const uint8_t *bytes, size_t size, char *out);
/* `out` has room for size * 3 / 4 bytes. */
bool base64url_read(const char *text, size_t size, uint8_t *out, size_t *out_size);

#endif
