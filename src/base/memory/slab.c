/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory/slab.h"

#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/memory/memory.h"

#define SLAB_SMALL ((size_t)4 << 20)
#define SLAB_BLOCK ((size_t)32 << 20) /* address space; memory is used page by page */

static size_t chunk_size(const struct slab *s)
{
    return (size_t)SLAB_CHUNK * s->record_size;
}

static uint32_t chunks_per_block(const struct slab *s)
{
    return (uint32_t)(SLAB_BLOCK / chunk_size(s));
}

void slab_init(struct slab *s, size_t record_size)
{
    ASSERT(record_size >= sizeof(uint32_t) && record_size < 1 << 20);
    *s = (struct slab){.record_size = (uint32_t)record_size};
}

void slab_use_huge_pages(struct slab *s)
{
    ASSERT(!s->chunk_count && chunk_size(s) <= SLAB_SMALL);
    s->huge = true;
}

void slab_release(struct slab *s)
{
    for (uint32_t i = 0; i < (s->first_huge ? s->first_huge : s->chunk_count); i++)
        free(s->chunks[i]);
    for (uint32_t i = s->first_huge; i && i < s->chunk_count; i += chunks_per_block(s))
        memory_huge_free(s->chunks[i], SLAB_BLOCK);
    free(s->chunks);
    *s = (struct slab){0};
}

static void *chunk_make(struct slab *s)
{
    if (s->huge && !s->first_huge && s->chunk_count * chunk_size(s) >= SLAB_SMALL)
        s->first_huge = s->chunk_count;
    if (s->first_huge) {
        bool next = (s->chunk_count - s->first_huge) % chunks_per_block(s) == 0;
        return next ? memory_huge(SLAB_BLOCK) : s->chunks[s->chunk_count - 1] + chunk_size(s);
    }
    /* Without huge pages chunks come zeroed from the kernel and use memory only once written. */
    return s->huge ? memory_zeroed_aligned(SLAB_CHUNK, s->record_size, SLAB_LINE)
                   : memory_zeroed(SLAB_CHUNK, s->record_size);
}

uint32_t slab_take(struct slab *s)
{
    s->count++;
    if (s->first_free) {
        uint32_t handle = s->first_free - 1;
        void *record = slab_at(s, handle);
        memcpy(&s->first_free, record, sizeof(s->first_free));
        memset(record, 0, s->record_size);
        return handle;
    }
    if (s->used == s->chunk_count << SLAB_CHUNK_BITS) {
        ASSERT(s->chunk_count < UINT32_MAX >> (SLAB_CHUNK_BITS + 1));
        s->chunks = memory_room_counted(s->chunks, s->chunk_count, sizeof(*s->chunks));
        s->chunks[s->chunk_count] = chunk_make(s);
        s->chunk_count++;
    }
    return s->used++;
}

void slab_give(struct slab *s, uint32_t handle)
{
    ASSERT(handle < s->used && s->count > 0);
    s->count--;
    memcpy(slab_at(s, handle), &s->first_free, sizeof(s->first_free));
    s->first_free = handle + 1;
}
