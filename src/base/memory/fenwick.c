/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory/fenwick.h"

#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/memory/memory.h"

/* Node i holds the sum of the places (i - lowest(i), i]. */
static uint32_t lowest(uint32_t i)
{
    return i & (0 - i);
}

void fenwick_init(struct fenwick *f)
{
    *f = (struct fenwick){0};
}

void fenwick_release(struct fenwick *f)
{
    for (uint32_t i = 0; i < f->chunk_count; i++)
        free(f->chunks[i]);
    free(f->chunks);
    fenwick_init(f);
}

static uint32_t node(const struct fenwick *f, uint32_t i)
{
    const uint32_t *chunk = f->chunks[i / FENWICK_CHUNK];
    return chunk ? chunk[i % FENWICK_CHUNK] : 0;
}

static uint32_t *node_at(struct fenwick *f, uint32_t i)
{
    uint32_t **chunk = &f->chunks[i / FENWICK_CHUNK];
    if (!*chunk)
        *chunk = memory_zeroed(FENWICK_CHUNK, sizeof(**chunk));
    return &(*chunk)[i % FENWICK_CHUNK];
}

static void grow_to(struct fenwick *f, uint32_t chunks)
{
    if (chunks > f->chunk_capacity) {
        f->chunk_capacity = chunks > f->chunk_capacity * 2 ? chunks : f->chunk_capacity * 2;
        f->chunks = memory_grow(f->chunks, f->chunk_capacity, sizeof(*f->chunks));
    }
    while (f->chunk_count < chunks)
        f->chunks[f->chunk_count++] = NULL;
}

void fenwick_append(struct fenwick *f)
{
    ASSERT(f->count < UINT32_MAX / 2);
    uint32_t i = ++f->count;
    grow_to(f, i / FENWICK_CHUNK + 1);
    /* Apart from its own place, the node covers the ranges of the smaller nodes before it. */
    uint32_t sum = 0;
    for (uint32_t at = i - 1; at > i - lowest(i); at -= lowest(at))
        sum += node(f, at);
    *node_at(f, i) = sum;
}

void fenwick_begin(struct fenwick *f, uint32_t count)
{
    ASSERT(f->count == 0 && count < UINT32_MAX / 2);
    f->count = count;
    grow_to(f, count / FENWICK_CHUNK + 1);
}

void fenwick_clear(struct fenwick *f, uint32_t chunk)
{
    ASSERT(chunk < f->chunk_count);
    if (f->chunks[chunk])
        memset(f->chunks[chunk], 0, FENWICK_CHUNK * sizeof(**f->chunks));
}

void fenwick_add(struct fenwick *f, uint32_t place, int32_t difference)
{
    ASSERT(place >= 1 && place <= f->count);
    for (uint32_t i = place; i <= f->count; i += lowest(i)) {
        uint32_t *sum = node_at(f, i);
        ASSERT((int64_t)*sum + difference >= 0);
        *sum += (uint32_t)difference;
    }
}

uint32_t fenwick_sum(const struct fenwick *f, uint32_t place)
{
    ASSERT(place <= f->count);
    uint32_t sum = 0;
    for (uint32_t i = place; i > 0; i -= lowest(i))
        sum += node(f, i);
    return sum;
}
