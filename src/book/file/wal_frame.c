/* SPDX-License-Identifier: Apache-2.0 */
#include "book/file/wal_frame.h"

#include <string.h>

#include "base/assertion.h"
#include "base/memory/bytes.h"

enum { AT_COMMIT = 4, AT_SALTS = 8, AT_SUM = 16, SUMMED_OF_HEADER = 8 }; /* of a frame */
enum { AT_PAGE_SIZE = 8, AT_HEADER_SALTS = 16, AT_HEADER_SUM = 24 };     /* of the log */

_Static_assert(AT_SUM + WAL_SUM_SIZE == WAL_FRAME_HEADER_SIZE &&
                   AT_HEADER_SUM + WAL_SUM_SIZE == WAL_HEADER_SIZE,
               "a checksum ends its header");
_Static_assert(SUMMED_OF_HEADER % 8 == 0 && AT_HEADER_SUM % 8 == 0, "words are added in pairs");

static void store_big(uint8_t *at, uint32_t value)
{
    at[0] = (uint8_t)(value >> 24);
    at[1] = (uint8_t)(value >> 16);
    at[2] = (uint8_t)(value >> 8);
    at[3] = (uint8_t)value;
}

bool wal_frame_native(const uint8_t log_header[WAL_HEADER_SIZE])
{
    uint32_t big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    return bytes_load_big_u32(log_header) == (0x377f0682u | big);
}

int64_t wal_frame_of_page(int64_t offset, int page_size)
{
    int64_t frame = offset - WAL_FRAME_HEADER_SIZE, at = frame - WAL_HEADER_SIZE;
    ASSERT(page_size > 0);
    return at >= 0 && at % (page_size + WAL_FRAME_HEADER_SIZE) == 0 ? frame : -1;
}

int64_t wal_frame_sum_before(int64_t frame, int page_size)
{
    ASSERT(frame >= WAL_HEADER_SIZE && (frame - WAL_HEADER_SIZE) % (page_size + WAL_FRAME_HEADER_SIZE) == 0);
    return frame == WAL_HEADER_SIZE ? AT_HEADER_SUM : frame - page_size - WAL_FRAME_HEADER_SIZE + AT_SUM;
}

uint32_t wal_frame_page_number(const uint8_t header[WAL_FRAME_HEADER_SIZE])
{
    return bytes_load_big_u32(header);
}

static void add_words(uint32_t sum[2], const uint8_t *bytes, int size)
{
    uint32_t first = sum[0], second = sum[1];
    for (const uint8_t *end = bytes + size; bytes < end; bytes += 8) {
        uint32_t words[2];
        /* The bytes may be unaligned. */
        memcpy(words, bytes, sizeof(words));
        first += words[0] + second;
        second += words[1] + first;
    }
    sum[0] = first;
    sum[1] = second;
}

void wal_frame_sum(uint8_t header[WAL_FRAME_HEADER_SIZE], const uint8_t before[WAL_SUM_SIZE],
                   const uint8_t *page, int page_size)
{
    uint32_t sum[2] = {bytes_load_big_u32(before), bytes_load_big_u32(before + 4)};
    ASSERT(page_size % 8 == 0); /* words are added in pairs */
    add_words(sum, header, SUMMED_OF_HEADER);
    add_words(sum, page, page_size);
    store_big(header + AT_SUM, sum[0]);
    store_big(header + AT_SUM + 4, sum[1]);
}

bool wal_frame_header_fits(const uint8_t log_header[WAL_HEADER_SIZE])
{
    uint32_t sum[2] = {0, 0};
    add_words(sum, log_header, AT_HEADER_SUM);
    return bytes_load_big_u32(log_header + AT_HEADER_SUM) == sum[0] &&
           bytes_load_big_u32(log_header + AT_HEADER_SUM + 4) == sum[1];
}

int wal_frame_page_size(const uint8_t log_header[WAL_HEADER_SIZE])
{
    return (int)bytes_load_big_u32(log_header + AT_PAGE_SIZE);
}

bool wal_frame_salted(const uint8_t header[WAL_FRAME_HEADER_SIZE], const uint8_t log_header[WAL_HEADER_SIZE])
{
    return memcmp(header + AT_SALTS, log_header + AT_HEADER_SALTS, 8) == 0;
}

bool wal_frame_commits(const uint8_t header[WAL_FRAME_HEADER_SIZE])
{
    return bytes_load_big_u32(header + AT_COMMIT) != 0;
}
