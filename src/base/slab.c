/* SPDX-License-Identifier: Apache-2.0 */
#include "base/slab.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/memory.h"

void slab_init(struct slab *s, size_t record_size)
{
    ASSERT(record_size >= sizeof(uint32_t) && record_size < 1 << 20);
    *s = (struct slab){.record_size = (uint32_t)record_size};
}

void slab_release(struct slab *s)
{
    for (uint32_t i = 0; i < s->chunk_count; i++)
        free(s->chunks[i]);
    free(s->chunks);
    *s = (struct slab){0};
}

static void *chunk_make(uint32_t record_size)
{
    bool in_lines = record_size % SLAB_LINE == 0 || SLAB_LINE % record_size == 0;
    return in_lines ? memory_zeroed_aligned(SLAB_CHUNK, record_size, SLAB_LINE)
                    : memory_zeroed(SLAB_CHUNK, record_size);
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
        s->chunks[s->chunk_count++] = chunk_make(s->record_size);
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
