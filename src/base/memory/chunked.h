/* SPDX-License-Identifier: Apache-2.0 */
/* chunked.h — an array that grows without moving: chunks of 16, 32, 64, … elements.
 *
 * One thread may append while others read the elements added before. chunked_left returns how much is left of
 * a chunk, so that something that must be contiguous can start in the next one.
 */
#ifndef BASE_CHUNKED_H
#define BASE_CHUNKED_H

#include <stddef.h>
#include <stdint.h>

#define CHUNKED_FIRST_BITS 4
#define CHUNKED_CHUNKS_MAX 29

struct chunked {
    size_t element_size;
    uint8_t *chunks[CHUNKED_CHUNKS_MAX]; /* NULL: not allocated yet */
};

void chunked_init(struct chunked *c, size_t element_size);
void chunked_release(struct chunked *c);
/* Copies the first `count` elements of another array of the same element size. This one must be empty. */
void chunked_copy(struct chunked *c, const struct chunked *from, uint32_t count);
/* The element, for the one thread that adds; a new one is zeroed. */
void *chunked_make(struct chunked *c, uint32_t index);

static inline uint32_t chunked_chunk(uint32_t index)
{
    uint64_t from_first = (uint64_t)index + (1u << CHUNKED_FIRST_BITS);
    return 63u - (uint32_t)__builtin_clzll(from_first) - CHUNKED_FIRST_BITS;
}
/* The elements from this one to the end of its chunk. */
static inline uint64_t chunked_left(uint32_t index)
{
    return (2ULL << CHUNKED_FIRST_BITS << chunked_chunk(index)) - (1u << CHUNKED_FIRST_BITS) - index;
}
/* The element must have been made. */
static inline void *chunked_at(const struct chunked *c, uint32_t index)
{
    uint32_t chunk = chunked_chunk(index);
    uint64_t first = (1ULL << CHUNKED_FIRST_BITS << chunk) - (1u << CHUNKED_FIRST_BITS);
    return c->chunks[chunk] + (index - first) * c->element_size;
}

#endif
