/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory/bitset.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory/memory.h"

static uint32_t size_for(uint32_t count)
{
    return count / 64 + (count % 64 > 0);
}

void bitset_grow(struct bitset *b, uint32_t count)
{
    uint32_t size = size_for(count);
    if (size <= b->size)
        return;
    b->words = memory_grow(b->words, size, sizeof(*b->words));
    memset(b->words + b->size, 0, (size - b->size) * sizeof(*b->words));
    b->size = size;
}

void bitset_release(struct bitset *b)
{
    free(b->words);
    *b = (struct bitset){0};
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

uint32_t bitset_next_common(const struct bitset *a, const struct bitset *b, uint32_t from, uint32_t below)
{
    uint32_t size = least(size_for(below), least(a->size, b->size));
    uint64_t mask = ~0ULL << from % 64;
    for (uint32_t i = from / 64; i < size; i++, mask = ~0ULL) {
        uint64_t word = a->words[i] & b->words[i] & mask;
        if (!word)
            continue;
        uint32_t found = i * 64 + (uint32_t)__builtin_ctzll(word);
        return found < below ? found : BITSET_NONE;
    }
    return BITSET_NONE;
}

uint32_t bitset_next(const struct bitset *b, uint32_t from, uint32_t below)
{
    return bitset_next_common(b, b, from, below);
}
