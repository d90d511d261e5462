/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory/chunked.h"

#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/memory/memory.h"

void chunked_init(struct chunked *c, size_t element_size)
{
    *c = (struct chunked){.element_size = element_size};
}

void chunked_release(struct chunked *c)
{
    for (uint32_t i = 0; i < CHUNKED_CHUNKS_MAX; i++)
        free(c->chunks[i]);
    chunked_init(c, c->element_size);
}

void *chunked_make(struct chunked *c, uint32_t index)
{
    uint32_t chunk = chunked_chunk(index);
    ASSERT(chunk < CHUNKED_CHUNKS_MAX);
    if (!c->chunks[chunk]) /* large ones come zeroed from the kernel and use memory only once written */
        c->chunks[chunk] = memory_zeroed((size_t)1 << CHUNKED_FIRST_BITS << chunk, c->element_size);
    return chunked_at(c, index);
}

void chunked_copy(struct chunked *c, const struct chunked *from, uint32_t count)
{
    ASSERT(c->element_size == from->element_size);
    for (uint32_t first = 0; first < count;) {
        uint64_t left = chunked_left(first), size = left < count - first ? left : count - first;
        if (from->chunks[chunked_chunk(first)])
            memcpy(chunked_make(c, first), chunked_at(from, first), size * c->element_size);
        first += (uint32_t)size;
    }
}
