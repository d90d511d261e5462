/* SPDX-License-Identifier: Apache-2.0 */
/* base64.h — bytes as text, RFC 4648 with padding. */
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

#endif
