/* SPDX-License-Identifier: Apache-2.0 */
/* bytes.h — the encoding of everything that is kept on disk: little-endian, varints, length-prefixed bytes.
 *
 * A reader never runs past its end: after a bad read `bad` stays set and every further read gives zero, so a
 * decoder checks once, at its end.
 */
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

#include "base/memory/buf.h"

struct bytes_reader {
    const uint8_t *at;
    const uint8_t *end;
    bool bad;
};

void bytes_put_u8(struct buf *b, uint8_t v);
void bytes_put_u32(struct buf *b, uint32_t v);         /* fixed width */
void bytes_put_u64(struct buf *b, uint64_t v);         /* fixed width */
void bytes_put_varint_long(struct buf *b, uint64_t v); /* of any size */
/* Seven bits a byte, the lowest first; most take one. */
static inline void bytes_put_varint(struct buf *b, uint64_t v)
{
    if (v < 0x80 && b->size < b->capacity)
        b->data[b->size++] = (uint8_t)v;
    else
        bytes_put_varint_long(b, v);
}
static inline void bytes_put_signed(struct buf *b, int64_t v) /* zigzag varint */
{
    bytes_put_varint(b, ((uint64_t)v << 1) ^ (v < 0 ? UINT64_MAX : 0));
}
void bytes_put_text(struct buf *b, const char *text, size_t size); /* varint length, then the bytes */

struct bytes_reader bytes_reader_make(const void *data, size_t size);
uint8_t bytes_get_u8(struct bytes_reader *r);
uint32_t bytes_get_u32(struct bytes_reader *r);
uint64_t bytes_get_u64(struct bytes_reader *r);
uint64_t bytes_get_varint(struct bytes_reader *r);
int64_t bytes_get_signed(struct bytes_reader *r);
/* Points into the reader's own memory. */
const char *bytes_get_text(struct bytes_reader *r, size_t *size);
const uint8_t *bytes_get_raw(struct bytes_reader *r, size_t size); /* NULL when bad */
static inline size_t bytes_left(const struct bytes_reader *r)
{
    return (size_t)(r->end - r->at);
}

/* Fixed-width fields at a known place. */
void bytes_store_u32(uint8_t *at, uint32_t v);
void bytes_store_u64(uint8_t *at, uint64_t v);
uint32_t bytes_load_u32(const uint8_t *at);
uint64_t bytes_load_u64(const uint8_t *at);
/* Big-endian, for files of other formats. */
static inline uint32_t bytes_load_big_u32(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

#endif
