/* SPDX-License-Identifier: Apache-2.0 */
#include "permutation.h"

struct permutation permutation_make(uint64_t size, uint64_t seed)
{
    unsigned half_bits = 1;
    while ((UINT64_C(1) << (2 * half_bits)) < size)
        half_bits++;
    return (struct permutation){.size = size, .seed = seed, .half_bits = half_bits};
}

static uint64_t mix(uint64_t v)
{
    v ^= v >> 31;
    v *= UINT64_C(0x9e3779b97f4a7c15);
    v ^= v >> 29;
    v *= UINT64_C(0xbf58476d1ce4e5b9);
    return v ^ (v >> 32);
}

static uint64_t shuffle_once(const struct permutation *p, uint64_t value)
{
    uint64_t mask = (UINT64_C(1) << p->half_bits) - 1;
    uint64_t left = value >> p->half_bits, right = value & mask;
    for (uint64_t round = 0; round < 4; round++) {
        uint64_t next = left ^ (mix(right + p->seed + (round << 56)) & mask);
        left = right;
        right = next;
    }
    return left << p->half_bits | right;
}

uint64_t permutation_at(const struct permutation *p, uint64_t place)
{
    uint64_t value = place;
    do
        value = shuffle_once(p, value);
    while (value >= p->size);
    return value;
}
