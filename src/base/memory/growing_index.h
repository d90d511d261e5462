/* SPDX-License-Identifier: Apache-2.0 */
/* growing_index.h — a hash index of numbers: one thread adds while others look up what was added before.
 *
 * Nothing is ever removed. A large index consists of many small tables, each of which grows independently of
 * the others, so adding costs about the same at any size. A reader may meet numbers that it does not know
 * yet; its `same` must return false for those.
 *
 * A replaced table may still be in use: growing_index_clear frees such tables once no thread reads them.
 */
#ifndef BASE_GROWING_INDEX_H
#define BASE_GROWING_INDEX_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct growing_table;
struct growing_tables;

struct growing_index {
    struct growing_tables *_Atomic tables; /* NULL: empty */
    struct growing_table *retired;
    struct growing_tables *retired_tables;
    uint32_t count;
};

/* `key` is what the caller looks for. */
typedef bool (*growing_same_fn)(const void *owner, uint32_t value, const void *key);

void growing_index_init(struct growing_index *g);
void growing_index_release(struct growing_index *g);
/* Makes an empty index large enough for about this many entries, so that filling it hardly moves any. */
void growing_index_reserve(struct growing_index *g, uint32_t entries);
/* Prefetches the bucket for a lookup that follows soon. */
void growing_index_prefetch(const struct growing_index *g, uint64_t hash);
/* The value must not be 0. */
void growing_index_add(struct growing_index *g, uint64_t hash, uint32_t value);
/* Adds everything in another index with a value less than `below`; only the upper half of a hash counts. */
void growing_index_copy(struct growing_index *g, const struct growing_index *from, uint32_t below);
/* 0: none. */
uint32_t growing_index_find(const struct growing_index *g, uint64_t hash, growing_same_fn same,
                            const void *owner, const void *key);
/* Frees replaced tables. No lookup that began before the last addition may still be running. */
void growing_index_clear(struct growing_index *g);

#endif
