/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory/growing_index.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"

#define BUCKETS_FIRST 16u
#define LARGE 65536u /* entries: from here on there are many tables */
#define LARGE_BITS 8u

struct growing_table {
    struct growing_table *next; /* of those retired */
    uint32_t mask, used;
    _Atomic uint64_t buckets[]; /* the upper half of the hash, then the value; 0: empty */
};

struct growing_tables {
    struct growing_tables *next;
    uint32_t bits;
    struct growing_table *_Atomic tables[]; /* by the uppermost bits of the hash; NULL: empty */
};

void growing_index_init(struct growing_index *g)
{
    *g = (struct growing_index){0};
}

static struct growing_table *table_of(const struct growing_tables *all, uint64_t hash)
{
    return atomic_load_explicit(&all->tables[all->bits ? hash >> (64 - all->bits) : 0], memory_order_acquire);
}

static void put(struct growing_table *t, uint64_t bucket)
{
    uint32_t at = (uint32_t)(bucket >> 32) & t->mask;
    while (atomic_load_explicit(&t->buckets[at], memory_order_relaxed))
        at = (at + 1) & t->mask;
    atomic_store_explicit(&t->buckets[at], bucket, memory_order_release);
    t->used++;
}

#define FULL_LEAST 136 /* of 256 buckets */

/* From just over half full; at a different point for each table, so that they do not all grow together. */
static bool is_full(const struct growing_table *t, uint64_t number)
{
    return (uint64_t)t->used * 256 >= (uint64_t)(t->mask + 1) * (FULL_LEAST + number % 64);
}

static struct growing_table *table_make(uint32_t buckets)
{
    struct growing_table *t = memory_zeroed(1, sizeof(*t) + (size_t)buckets * sizeof(t->buckets[0]));
    t->mask = buckets - 1;
    return t;
}

static struct growing_table *table_double(struct growing_index *g, struct growing_table *old)
{
    struct growing_table *t = table_make(old ? (old->mask + 1) * 2 : BUCKETS_FIRST);
    for (uint32_t i = 0; old && i <= old->mask; i++) {
        uint64_t bucket = atomic_load_explicit(&old->buckets[i], memory_order_relaxed);
        if (bucket)
            put(t, bucket);
    }
    if (old) {
        old->next = g->retired;
        g->retired = old;
    }
    return t;
}

static void tables_add(struct growing_index *g, struct growing_tables *all, uint64_t hash, uint64_t bucket)
{
    uint64_t number = all->bits ? hash >> (64 - all->bits) : 0;
    struct growing_table *t = atomic_load_explicit(&all->tables[number], memory_order_relaxed);
    if (!t || is_full(t, number)) {
        t = table_double(g, t);
        put(t, bucket);
        atomic_store_explicit(&all->tables[number], t, memory_order_release);
    } else {
        put(t, bucket);
    }
}

static struct growing_tables *tables_make(uint32_t bits)
{
    struct growing_tables *all = memory_zeroed(1, sizeof(*all) + (sizeof(struct growing_table *) << bits));
    all->bits = bits;
    return all;
}

/* Splits one table into many. Buckets keep the upper half of the hash, which is all that choosing a table needs. */
static struct growing_tables *tables_spread(struct growing_index *g, struct growing_tables *old)
{
    struct growing_tables *all = tables_make(LARGE_BITS);
    struct growing_table *t = table_of(old, 0);
    for (uint32_t i = 0; i <= t->mask; i++) {
        uint64_t bucket = atomic_load_explicit(&t->buckets[i], memory_order_relaxed);
        if (bucket)
            tables_add(g, all, bucket & 0xffffffff00000000, bucket);
    }
    t->next = g->retired;
    g->retired = t;
    old->next = g->retired_tables;
    g->retired_tables = old;
    return all;
}

void growing_index_reserve(struct growing_index *g, uint32_t entries)
{
    ASSERT(!g->count && !g->tables);
    struct growing_tables *all = tables_make(entries > LARGE ? LARGE_BITS : 0);
    uint32_t buckets = BUCKETS_FIRST;
    while ((uint64_t)buckets * FULL_LEAST <= (uint64_t)(entries >> all->bits) * 256)
        buckets *= 2;
    for (uint32_t i = 0; i < 1u << all->bits; i++)
        atomic_store_explicit(&all->tables[i], table_make(buckets), memory_order_relaxed);
    atomic_store_explicit(&g->tables, all, memory_order_release);
}

void growing_index_add(struct growing_index *g, uint64_t hash, uint32_t value)
{
    struct growing_tables *all = atomic_load_explicit(&g->tables, memory_order_relaxed);
    if (!all)
        atomic_store_explicit(&g->tables, all = tables_make(0), memory_order_release);
    if (g->count >= LARGE && !all->bits) {
        all = tables_spread(g, all);
        atomic_store_explicit(&g->tables, all, memory_order_release);
    }
    tables_add(g, all, hash, (hash & 0xffffffff00000000) | value);
    g->count++;
}

void growing_index_copy(struct growing_index *g, const struct growing_index *from, uint32_t below)
{
    const struct growing_tables *all = atomic_load_explicit(&from->tables, memory_order_acquire);
    for (uint32_t number = 0; all && number < 1u << all->bits; number++) {
        const struct growing_table *t = atomic_load_explicit(&all->tables[number], memory_order_acquire);
        for (uint32_t i = 0; t && i <= t->mask; i++) {
            uint64_t bucket = atomic_load_explicit(&t->buckets[i], memory_order_relaxed);
            if (bucket && (uint32_t)bucket < below)
                growing_index_add(g, bucket, (uint32_t)bucket);
        }
    }
}

void growing_index_prefetch(const struct growing_index *g, uint64_t hash)
{
    const struct growing_tables *all = atomic_load_explicit(&g->tables, memory_order_acquire);
    const struct growing_table *t = all ? table_of(all, hash) : NULL;
    if (t)
        memory_prefetch((const void *)&t->buckets[(uint32_t)(hash >> 32) & t->mask]);
}

uint32_t growing_index_find(const struct growing_index *g, uint64_t hash, growing_same_fn same,
                            const void *owner, const void *key)
{
    const struct growing_tables *all = atomic_load_explicit(&g->tables, memory_order_acquire);
    const struct growing_table *t = all ? table_of(all, hash) : NULL;
    if (!t)
        return 0;
    uint32_t upper = (uint32_t)(hash >> 32);
    for (uint32_t at = upper & t->mask;; at = (at + 1) & t->mask) {
        uint64_t bucket = atomic_load_explicit(&t->buckets[at], memory_order_acquire);
        if (!bucket)
            return 0;
        if (bucket >> 32 == upper && same(owner, (uint32_t)bucket, key))
            return (uint32_t)bucket;
    }
}

void growing_index_clear(struct growing_index *g)
{
    for (struct growing_table *t = g->retired, *next; t; t = next) {
        next = t->next;
        free(t);
    }
    for (struct growing_tables *t = g->retired_tables, *next; t; t = next) {
        next = t->next;
        free(t);
    }
    g->retired = NULL;
    g->retired_tables = NULL;
}

void growing_index_release(struct growing_index *g)
{
    growing_index_clear(g);
    struct growing_tables *all = g->tables;
    for (uint32_t i = 0; all && i < 1u << all->bits; i++)
        free(all->tables[i]);
    free(all);
    growing_index_init(g);
}
