/* SPDX-License-Identifier: Apache-2.0 */
#include "book/file/page_wipe.h"

#include <stdbool.h>
#include <string.h>

#include "base/assertion.h"

/* The header of a b-tree page; its numbers are big-endian. */
enum { AT_FREE = 1, AT_CELLS = 3, AT_CONTENT = 5, LEAF_SIZE = 8, INNER_SIZE = 12, FILE_HEADER_SIZE = 100 };
enum { INNER_INDEX = 2, INNER_TABLE = 5, LEAF_INDEX = 10, LEAF_TABLE = 13 };

static size_t load_16(const uint8_t *at)
{
    return (size_t)at[0] << 8 | at[1];
}

/* 0: not a b-tree page. */
static size_t header_size(uint8_t type)
{
    if (type == LEAF_INDEX || type == LEAF_TABLE)
        return LEAF_SIZE;
    return type == INNER_INDEX || type == INNER_TABLE ? INNER_SIZE : 0;
}

void page_wipe(uint8_t *page, size_t usable, uint32_t number)
{
    uint8_t *header = page + (number == 1 ? FILE_HEADER_SIZE : 0);
    ASSERT(number > 0 && usable > FILE_HEADER_SIZE + INNER_SIZE);
    size_t size = header_size(header[0]);
    if (!size)
        return;
    size_t cells = load_16(header + AT_CELLS), content = load_16(header + AT_CONTENT);
    size_t first = load_16(header + AT_FREE), list = (size_t)(header - page) + size;
    size_t end = list + 2 * cells;
    if (content == 0) /* the file format writes 65536 as 0 */
        content = 65536;
    /* Does not touch a page that looks wrong. */
    if (end > content || content > usable || (first && first < content))
        return;
    for (size_t i = 0; i < cells; i++) {
        size_t cell = load_16(page + list + 2 * i);
        if (cell < content || cell >= usable)
            return;
    }
    ASSERT(end <= content);
    memset(page + end, 0, content - end);
}
