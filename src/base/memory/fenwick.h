/* SPDX-License-Identifier: Apache-2.0 */
/* fenwick.h — a row of small counts with prefix sums in O(log n), growing at its end without a pause.
 *
 * Places count from 1. Kept in chunks, four bytes a place. Appending allocates the memory of the place, so
 * that counting there later does not.
 */
#ifndef BASE_FENWICK_H
#define BASE_FENWICK_H

#include <stdint.h>

#define FENWICK_CHUNK 65536u

struct fenwick {
    uint32_t **chunks; /* node i is chunks[i / FENWICK_CHUNK][i % FENWICK_CHUNK]; NULL: all of them are 0 */
    uint32_t chunk_count, chunk_capacity;
    uint32_t count; /* places */
};

void fenwick_init(struct fenwick *f);
void fenwick_release(struct fenwick *f); /* frees the memory; the row is empty and may be used again */
/* One place more at the end, with a count of 0. */
void fenwick_append(struct fenwick *f);
/* Gives an empty row `count` places, all 0; chunks take memory when something is counted in them. */
void fenwick_begin(struct fenwick *f, uint32_t count);
/* Sets the places of one chunk to 0. The sums are right again when all chunks were cleared, from first to
 * last. */
void fenwick_clear(struct fenwick *f, uint32_t chunk);
/* Changes the count at a place; no count may go below 0. */
void fenwick_add(struct fenwick *f, uint32_t place, int32_t difference);
/* The sum of the counts at 1..place. */
uint32_t fenwick_sum(const struct fenwick *f, uint32_t place);

#endif
