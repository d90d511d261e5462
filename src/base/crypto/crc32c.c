/* SPDX-License-Identifier: Apache-2.0 */
#include "base/crypto/crc32c.h"

#include <string.h>

#include "base/memory/bytes.h"

#define CRC32C_POLYNOMIAL 0x82F63B78u /* reflected */

/* Row k advances a byte by k further zero bytes, so that eight bytes are folded in one step. */
static uint32_t crc32c_rows[8][256];

__attribute__((constructor)) static void crc32c_setup(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t crc = i;
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? CRC32C_POLYNOMIAL : 0);
        crc32c_rows[0][i] = crc;
    }
    for (uint32_t i = 0; i < 256; i++)
        for (int k = 1; k < 8; k++)
            crc32c_rows[k][i] = crc32c_rows[k - 1][i] >> 8 ^ crc32c_rows[0][crc32c_rows[k - 1][i] & 0xff];
}

uint32_t crc32c_by_table(uint32_t crc, const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    uint32_t c = ~crc;
    for (; size >= 8; size -= 8, at += 8) {
        uint64_t v = bytes_load_u64(at) ^ c;
        c = 0;
        for (int k = 0; k < 8; k++)
            c ^= crc32c_rows[7 - k][v >> (8 * k) & 0xff];
    }
    for (; size > 0; size--, at++)
        c = c >> 8 ^ crc32c_rows[0][(c ^ *at) & 0xff];
    return ~c;
}

#if defined(__x86_64__)

__attribute__((target("sse4.2"))) static uint32_t crc32c_by_instruction(uint32_t crc, const void *bytes,
                                                                        size_t size)
{
    const uint8_t *at = bytes;
    uint64_t c = ~crc;
    for (; size >= 8; size -= 8, at += 8)
        c = __builtin_ia32_crc32di(c, bytes_load_u64(at));
    uint32_t rest = (uint32_t)c;
    for (; size > 0; size--, at++)
        rest = __builtin_ia32_crc32qi(rest, *at);
    return ~rest;
}

uint32_t crc32c(uint32_t crc, const void *bytes, size_t size)
{
    if (__builtin_cpu_supports("sse4.2"))
        return crc32c_by_instruction(crc, bytes, size);
    return crc32c_by_table(crc, bytes, size);
}

#else

uint32_t crc32c(uint32_t crc, const void *bytes, size_t size)
{
    return crc32c_by_table(crc, bytes, size);
}

#endif
