/* SPDX-License-Identifier: Apache-2.0 */
/* buf.h — a byte buffer that grows up to a limit given when it is made.
 *
 * Exceeding the limit is a bug of the caller that chose it, unless buf_room is asked first. The bytes are not
 * NUL-terminated.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct buf {
    uint8_t *data;
    size_t size; /* bytes in use */
    size_t capacity;
    size_t limit;
};

void buf_init(struct buf *b, size_t limit);
void buf_release(struct buf *b);            /* frees the memory; b may be initialised again */
static inline void buf_clear(struct buf *b) /* keeps the memory */
{
    b->size = 0;
}
static inline bool buf_room(const struct buf *b, size_t more)
{
    return more <= b->limit - b->size;
}
uint8_t *buf_enlarge(struct buf *b, size_t more); /* what buf_reserve does when there is too little room */
/* Makes room for `more` bytes and returns where they go; size is not moved. Asserts the limit. */
static inline uint8_t *buf_reserve(struct buf *b, size_t more)
{
    if (__builtin_expect(b->data && b->capacity - b->size >= more, 1))
        return b->data + b->size;
    return buf_enlarge(b, more);
}
static inline void buf_append(struct buf *b, const void *bytes, size_t size)
{
    if (!size)
        return;
    memcpy(buf_reserve(b, size), bytes, size);
    b->size += size;
}
void buf_append_text(struct buf *b, const char *text);
void buf_printf(struct buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buf_consume(struct buf *b, size_t size); /* drops bytes from the front */

#endif
