/* SPDX-License-Identifier: Apache-2.0 */
/* permutation.h — a pseudo-random order of 0..size-1 that needs no memory: each place is computed.
 *
 * A four-round Feistel network over the next even number of bits, repeated until it lands inside. The same seed gives
 * the same order, so two runs can share one order and take different parts of it.
 */
#ifndef BENCH_PERMUTATION_H
#define BENCH_PERMUTATION_H

#include <stdint.h>

struct permutation {
    uint64_t size;
    uint64_t seed;
    unsigned half_bits;
};

struct permutation permutation_make(uint64_t size, uint64_t seed);    /* size at least 1 */
uint64_t permutation_at(const struct permutation *p, uint64_t place); /* place < size */

#endif
