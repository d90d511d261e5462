/* SPDX-License-Identifier: Apache-2.0 */
/* bitset.h — a set of numbers from 0 on, one bit each, searched sixty-four at a time. */
#ifndef BASE_BITSET_H
#define BASE_BITSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BITSET_NONE UINT32_MAX

struct bitset { /* zeroed: the empty set, with room for none */
    uint64_t *words;
    uint32_t size; /* of words: numbers below 64 * size have a bit */
};

/* Makes room for numbers below `count`. Never shrinks. */
void bitset_grow(struct bitset *b, uint32_t count);
void bitset_release(struct bitset *b);

static inline bool bitset_has(const struct bitset *b, uint32_t n) /* also false beyond what it has room for */
{
    return n / 64 < b->size && b->words[n / 64] >> n % 64 & 1;
}
/* There must be room. */
static inline void bitset_put(struct bitset *b, uint32_t n, bool in)
{
    uint64_t bit = 1ULL << n % 64;
    b->words[n / 64] = in ? b->words[n / 64] | bit : b->words[n / 64] & ~bit;
}

/* The first one with from <= n < below, or BITSET_NONE. */
uint32_t bitset_next(const struct bitset *b, uint32_t from, uint32_t below);
/* The same of those that are in both. */
uint32_t bitset_next_common(const struct bitset *a, const struct bitset *b, uint32_t from, uint32_t below);

#endif
