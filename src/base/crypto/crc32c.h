/* SPDX-License-Identifier: Apache-2.0 */
/* crc32c.h — CRC-32C (Castagnoli), by the processor's instruction where it has one. */
#ifndef BASE_CRC32C_H
#define BASE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* Continues `crc` (0 to begin) over the bytes. crc32c(0, "123456789", 9) is 0xE3069283. */
uint32_t crc32c(uint32_t crc, const void *bytes, size_t size);
/* The same without the instruction; called directly only by its test. */
uint32_t crc32c_by_table(uint32_t crc, const void *bytes, size_t size);

#endif
