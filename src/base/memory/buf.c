/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/memory/memory.h"

#define BUF_CAPACITY_MIN 256

void buf_init(struct buf *b, size_t limit)
{
    *b = (struct buf){.limit = limit};
}

void buf_release(struct buf *b)
{
    free(b->data);
    *b = (struct buf){.limit = b->limit};
}

uint8_t *buf_enlarge(struct buf *b, size_t more)
{
    ASSERT(b->size <= b->capacity && b->capacity <= b->limit);
    ASSERT(buf_room(b, more));
    size_t needed = b->size + more;
    size_t capacity = b->capacity ? b->capacity : BUF_CAPACITY_MIN;
    while (capacity < needed)
        capacity = capacity > b->limit / 2 ? b->limit : capacity * 2;
    if (capacity > b->limit)
        capacity = b->limit;
    b->data = memory_grow(b->data, capacity, 1);
    b->capacity = capacity;
    return b->data + b->size;
}

void buf_append_text(struct buf *b, const char *text)
{
    buf_append(b, text, strlen(text));
}

void buf_printf(struct buf *b, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    /* vsnprintf wants a byte for its NUL, which may be one more than the limit allows. */
    char text[256];
    int size = vsnprintf(text, sizeof text, format, arguments);
    ASSERT(size >= 0);
    if ((size_t)size < sizeof text) {
        buf_append(b, text, (size_t)size);
    } else {
        char *longer = memory_get((size_t)size + 1);
        vsnprintf(longer, (size_t)size + 1, format, again);
        buf_append(b, longer, (size_t)size);
        free(longer);
    }
    va_end(again);
    va_end(arguments);
}

void buf_consume(struct buf *b, size_t size)
{
    ASSERT(size <= b->size);
    b->size -= size;
    if (b->size)
        memmove(b->data, b->data + size, b->size);
}
