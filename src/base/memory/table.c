/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory/table.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "base/assertion.h"
#include "base/memory/memory.h"

#define TABLE_BUCKETS_MIN 16
/* Buckets moved per call. A rebuild of C buckets ends after C / 8 calls; the fresh table begins at most half
 * full and so has room for C * 3 / 10 inserts: a rebuild never meets the next one. */
#define TABLE_STEP 8
#define TABLE_EMPTY 0
#define TABLE_REMOVED 1
/* Emptied buckets are given back to the kernel in pieces, because unmapping gigabytes at once is a pause
 * too. */
#define TABLE_PIECE ((uint64_t)64 << 10)
#define TABLE_PAGE ((uintptr_t)4096)

static uint16_t table_tag(uint64_t hash)
{
    uint16_t tag =
        (uint16_t)(hash >> 48); /* the low bits choose the bucket, so these are independent of it */
    return tag > TABLE_REMOVED ? tag : (uint16_t)(tag + 2);
}

static struct table_buckets table_buckets_make(uint64_t buckets)
{
    ASSERT(buckets >= TABLE_BUCKETS_MIN && (buckets & (buckets - 1)) == 0);
    return (struct table_buckets){
        .handles = memory_get(buckets * sizeof(uint32_t)),
        .tags = memory_zeroed(buckets, sizeof(uint16_t)),
        .mask = buckets - 1,
    };
}

static void table_buckets_free(struct table_buckets *s)
{
    free(s->handles);
    free(s->tags);
    *s = (struct table_buckets){0};
}

void table_init(struct table *t, uint64_t (*hash_of)(void *owner, uint32_t handle), void *owner)
{
    ASSERT(hash_of);
    *t = (struct table){.hash_of = hash_of, .owner = owner};
}

void table_release(struct table *t)
{
    table_buckets_free(&t->now);
    table_buckets_free(&t->old);
    table_init(t, t->hash_of, t->owner);
}

void table_reserve(struct table *t, uint64_t entries)
{
    ASSERT(t->count == 0 && !t->old.handles);
    uint64_t buckets = TABLE_BUCKETS_MIN;
    while (buckets * 7 < entries * 10)
        buckets *= 2;
    table_buckets_free(&t->now);
    t->now = table_buckets_make(buckets);
    t->used = 0;
}

/* Into `now`, which has room. */
static void table_place(struct table *t, uint64_t hash, uint32_t handle)
{
    uint64_t at = hash & t->now.mask;
    while (t->now.tags[at] > TABLE_REMOVED)
        at = (at + 1) & t->now.mask;
    if (t->now.tags[at] == TABLE_EMPTY)
        t->used++;
    t->now.tags[at] = table_tag(hash);
    t->now.handles[at] = handle;
}

static void table_forget(void *array, uint64_t from, uint64_t to)
{
    uintptr_t begin = ((uintptr_t)array + from + TABLE_PAGE - 1) & ~(TABLE_PAGE - 1);
    uintptr_t end = ((uintptr_t)array + to) & ~(TABLE_PAGE - 1);
    if (begin < end)
        madvise((void *)begin, end - begin, MADV_DONTNEED);
}

static void table_advance(struct table *t)
{
    if (!t->old.handles)
        return;
    for (int i = 0; i < TABLE_STEP && t->moved <= t->old.mask; i++, t->moved++) {
        if (t->old.tags[t->moved] <= TABLE_REMOVED)
            continue;
        uint32_t handle = t->old.handles[t->moved];
        table_place(t, t->hash_of(t->owner, handle), handle);
    }
    if (t->moved > t->old.mask)
        table_buckets_free(&t->old);
    else if (t->moved % TABLE_PIECE == 0) {
        table_forget(t->old.handles, (t->moved - TABLE_PIECE) * 4, t->moved * 4);
        table_forget(t->old.tags, (t->moved - TABLE_PIECE) * 2, t->moved * 2);
    }
}

static void table_rebuild(struct table *t)
{
    ASSERT(!t->old.handles);
    uint64_t buckets = t->now.handles ? t->now.mask + 1 : TABLE_BUCKETS_MIN / 2;
    t->old = t->now;
    /* Less than half full, the rest are marks of removed entries: the same size is enough. */
    t->now = table_buckets_make(t->count >= buckets / 2 || !t->old.handles ? buckets * 2 : buckets);
    t->moved = 0;
    t->used = 0;
}

/* Finds the bucket for which `same` holds or, without `same`, the bucket of `handle`. `from` is the first valid
 * bucket: runs that passed through the buckets below it continue there. */
struct table_search {
    uint64_t hash;
    table_same_fn same;
    const void *key;
    uint32_t handle;
};

static bool table_seek(const struct table *t, const struct table_buckets *s, uint64_t from,
                       const struct table_search *wanted, uint64_t *found)
{
    if (!s->handles)
        return false;
    uint16_t tag = table_tag(wanted->hash);
    uint64_t at = wanted->hash & s->mask;
    for (uint64_t left = s->mask + 1 - from; left > 0; left--, at = (at + 1) & s->mask) {
        if (at < from)
            at = from;
        if (s->tags[at] == TABLE_EMPTY)
            return false;
        if (s->tags[at] != tag)
            continue;
        uint32_t handle = s->handles[at];
        if (wanted->same ? wanted->same(t->owner, handle, wanted->key) : handle == wanted->handle) {
            *found = at;
            return true;
        }
    }
    return false;
}

uint32_t table_find(const struct table *t, uint64_t hash, table_same_fn same, const void *key)
{
    ASSERT(same);
    table_advance((struct table *)t); /* logically const: only continues the growing */
    struct table_search wanted = {.hash = hash, .same = same, .key = key};
    uint64_t at;
    if (table_seek(t, &t->now, 0, &wanted, &at))
        return t->now.handles[at];
    if (table_seek(t, &t->old, t->moved, &wanted, &at))
        return t->old.handles[at];
    return TABLE_NONE;
}

uint32_t table_likely(const struct table *t, uint64_t hash)
{
    uint64_t at = hash & t->now.mask;
    return t->now.handles && t->now.tags[at] == table_tag(hash) ? t->now.handles[at] : TABLE_NONE;
}

void table_insert(struct table *t, uint64_t hash, uint32_t handle)
{
    ASSERT(handle != TABLE_NONE);
    table_advance(t);
    if (!t->now.handles || (t->used + 1) * 5 > (t->now.mask + 1) * 4)
        table_rebuild(t);
    table_place(t, hash, handle);
    t->count++;
}

/* At the end of a run nothing is searched past the bucket, so it becomes empty, and so do marks just before
 * it. */
static void table_clear(struct table *t, uint64_t at)
{
    t->now.tags[at] = TABLE_REMOVED;
    if (t->now.tags[(at + 1) & t->now.mask] != TABLE_EMPTY)
        return;
    for (; t->now.tags[at] == TABLE_REMOVED; at = (at - 1) & t->now.mask) {
        t->now.tags[at] = TABLE_EMPTY;
        t->used--;
    }
}

void table_remove(struct table *t, uint64_t hash, uint32_t handle)
{
    ASSERT(handle != TABLE_NONE && t->count > 0);
    table_advance(t);
    struct table_search wanted = {.hash = hash, .handle = handle};
    uint64_t at;
    if (table_seek(t, &t->now, 0, &wanted, &at)) {
        table_clear(t, at);
    } else {
        bool there = table_seek(t, &t->old, t->moved, &wanted, &at);
        ASSERT(there);
        t->old.tags[at] = TABLE_REMOVED;
    }
    t->count--;
}
