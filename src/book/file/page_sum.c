/* SPDX-License-Identifier: Apache-2.0 */
#include "book/file/page_sum.h"

#include <string.h>

#include "base/assertion.h"
#include "base/memory/bytes.h"
#include "base/crypto/crc32c.h"
#include "book/file/schema.h"

/* In the header of a file of SQLite; its numbers are big-endian. */
enum { AT_PAGE_SIZE = 16, AT_RESERVED = 20, AT_APPLICATION_ID = 68 };

static uint32_t sum(const uint8_t *page, size_t size, uint32_t number)
{
    uint8_t place[4];
    ASSERT(size > PAGE_SUM_SIZE && number > 0);
    /* With its number: a page in another's place does not verify. */
    bytes_store_u32(place, number);
    return crc32c(crc32c(0, place, sizeof(place)), page, size - PAGE_SUM_SIZE);
}

void page_sum_put(uint8_t *page, size_t size, uint32_t number)
{
    bytes_store_u32(page + size - PAGE_SUM_SIZE, sum(page, size, number));
}

bool page_sum_fine(const uint8_t *page, size_t size, uint32_t number)
{
    return bytes_load_u32(page + size - PAGE_SUM_SIZE) == sum(page, size, number);
}

bool page_sum_hole(const uint8_t *page, size_t size)
{
    return page[0] == 0 && memcmp(page, page + 1, size - 1) == 0;
}

bool page_sum_expected(const uint8_t header[PAGE_SUM_HEADER_SIZE])
{
    return header[AT_RESERVED] == PAGE_SUM_SIZE ||
           bytes_load_big_u32(header + AT_APPLICATION_ID) == BOOK_APPLICATION_ID;
}

size_t page_sum_page_size(const uint8_t header[PAGE_SUM_HEADER_SIZE])
{
    size_t size = (size_t)header[AT_PAGE_SIZE] << 8 | header[AT_PAGE_SIZE + 1];
    if (size == 1)
        size = 65536;
    return size >= 512 && (size & (size - 1)) == 0 ? size : 0;
}
