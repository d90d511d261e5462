/* SPDX-License-Identifier: Apache-2.0 */
/* slab.h — many records of one size, named by 32-bit handles that stay the same while the record lives.
 *
 * Grows in chunks, so nothing is ever copied or moved. A returned handle is given out again, last in first
 * out.
 *
 * A slab whose records are read in random order can use huge pages, which saves page table lookups. Past SLAB_SMALL
 * bytes it takes its memory from blocks of them. A huge page is zeroed when it is first touched, which takes about
 * 0.1 ms, and up to 2 MiB of it are unused at first.
 */
#ifndef BASE_SLAB_H
#define BASE_SLAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SLAB_CHUNK_BITS 10
#define SLAB_CHUNK (1u << SLAB_CHUNK_BITS)
/* A cache line: with huge pages, records that divide it, or are a multiple of it, never straddle two. */
#define SLAB_LINE 64

struct slab {
    uint8_t **chunks;
    uint32_t chunk_count;
    uint32_t record_size;
    uint32_t first_free; /* handle + 1; 0: none */
    uint32_t used;       /* handles given out so far, returned ones included */
    uint32_t count;      /* records alive */
    bool huge;
    uint32_t first_huge; /* the first chunk on huge pages; 0: none yet */
};

void slab_init(struct slab *s, size_t record_size); /* at least 4 bytes */
void slab_use_huge_pages(struct slab *s);           /* before the first record */
void slab_release(struct slab *s);
uint32_t slab_take(struct slab *s); /* the record is zeroed */
void slab_give(struct slab *s, uint32_t handle);
static inline void *slab_at(const struct slab *s, uint32_t handle)
{
    return s->chunks[handle >> SLAB_CHUNK_BITS] + (size_t)(handle & (SLAB_CHUNK - 1)) * s->record_size;
}

#endif
