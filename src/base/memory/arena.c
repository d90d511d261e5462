/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/memory/memory.h"

#define ARENA_ALIGNMENT 16

struct arena_block {
    struct arena_block *next;
    size_t used;
    size_t size;
    size_t unused_; /* brings data to a multiple of 16 */
    uint8_t data[];
};

_Static_assert(sizeof(struct arena_block) % ARENA_ALIGNMENT == 0, "data would not be aligned");

static struct arena_block *arena_block_make(size_t size)
{
    ASSERT(size <= SIZE_MAX - sizeof(struct arena_block));
    struct arena_block *block = memory_get(sizeof *block + size);
    *block = (struct arena_block){.size = size};
    return block;
}

/* The blocks after `block` are freed, not `block` itself. */
static void arena_free_after(struct arena_block *block)
{
    while (block->next) {
        struct arena_block *next = block->next;
        block->next = next->next;
        free(next);
    }
}

void arena_init(struct arena *a, size_t block_size)
{
    ASSERT(block_size > 0 && block_size <= SIZE_MAX / 2);
    *a = (struct arena){.block_size = (block_size + ARENA_ALIGNMENT - 1) & ~(size_t)(ARENA_ALIGNMENT - 1)};
}

void *arena_take(struct arena *a, size_t size)
{
    ASSERT(a->block_size > 0 && size <= SIZE_MAX / 2);
    size = (size + ARENA_ALIGNMENT - 1) & ~(size_t)(ARENA_ALIGNMENT - 1);
    if (!a->first)
        a->first = a->current = arena_block_make(a->block_size);
    if (a->current->size - a->current->used < size) {
        struct arena_block *block = arena_block_make(size > a->block_size ? size : a->block_size);
        a->current->next = block;
        a->current = block;
    }
    void *taken = a->current->data + a->current->used;
    a->current->used += size;
    return taken;
}

void *arena_zeroed(struct arena *a, size_t size)
{
    return memset(arena_take(a, size), 0, size);
}

char *arena_copy(struct arena *a, const void *bytes, size_t size)
{
    ASSERT(size < SIZE_MAX);
    char *copy = arena_take(a, size + 1);
    if (size)
        memcpy(copy, bytes, size);
    copy[size] = '\0';
    return copy;
}

void arena_reset(struct arena *a)
{
    if (!a->first)
        return;
    arena_free_after(a->first);
    a->first->used = 0;
    a->current = a->first;
}

void arena_release(struct arena *a)
{
    arena_reset(a);
    free(a->first);
    a->first = a->current = NULL;
}
