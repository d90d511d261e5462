/* SPDX-License-Identifier: Apache-2.0 */
/* table.h — a hash index from a 64-bit hash to a 32-bit handle, growing without a pause.
 *
 * Holds no keys: the caller keeps the records and says, by `same`, whether a handle's record has the wanted
 * key. Growing moves a bounded number of buckets per call, so no call takes longer than a few microseconds
 * however large the table is. Handles are any value but TABLE_NONE. About 8 to 15 bytes an entry, after many
 * removals up to 24.
 *
 * Linear probing over the tags; a handle is looked at only when its tag fits. A removed bucket that lies
 * inside a run of used ones is marked, and the marks disappear when the table is next rebuilt, larger or, if
 * few entries are left, at the same size:
 *
 *   insert, `now` full -> old = now, now = fresh             [table_rebuild]
 *   any call           -> TABLE_STEP buckets of old into now [table_advance]
 *   last bucket moved  -> old is freed
 *
 * Buckets of `old` below `moved` are unspecified and may be neither read nor taken as the end of a run.
 */
#ifndef BASE_TABLE_H
#define BASE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory/memory.h"

#define TABLE_NONE UINT32_MAX

struct table_buckets {
    uint32_t *handles; /* meaningful where the tag is one of a used bucket */
    uint16_t *tags; /* 0: empty, 1: removed, else upper bits of the hash: most mismatches never call `same` */
    uint64_t mask;  /* number of buckets - 1 */
};

struct table {
    struct table_buckets now;
    struct table_buckets old; /* being emptied while growing; handles is NULL otherwise */
    uint64_t moved;           /* buckets of `old` already emptied */
    uint64_t used;            /* buckets of `now` that are not empty, removed ones included */
    uint64_t count;           /* entries in both */
    uint64_t (*hash_of)(void *owner, uint32_t handle); /* the hash of a stored record, for growing */
    void *owner;
};

typedef bool (*table_same_fn)(void *owner, uint32_t handle, const void *key);

void table_init(struct table *t, uint64_t (*hash_of)(void *owner, uint32_t handle), void *owner);
void table_release(struct table *t); /* frees the memory; the table is empty and may be used again */
/* Makes an empty table large enough for this many entries, so that filling it moves nothing. */
void table_reserve(struct table *t, uint64_t entries);
/* The handle, or TABLE_NONE. */
uint32_t table_find(const struct table *t, uint64_t hash, table_same_fn same, const void *key);
/* Prefetches the bucket for a lookup that follows soon. */
static inline void table_prefetch(const struct table *t, uint64_t hash)
{
    if (t->now.handles) {
        memory_prefetch(&t->now.tags[hash & t->now.mask]);
        memory_prefetch(&t->now.handles[hash & t->now.mask]);
    }
}
/* The handle that table_find will most likely look at first, so that its record can be prefetched too; or
 * TABLE_NONE. */
uint32_t table_likely(const struct table *t, uint64_t hash);
void table_insert(struct table *t, uint64_t hash, uint32_t handle); /* the key must not be there yet */
/* The handle must be there, and its record still intact: hash_of may be asked for it during the call. */
void table_remove(struct table *t, uint64_t hash, uint32_t handle);

#endif
