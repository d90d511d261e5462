/* SPDX-License-Identifier: Apache-2.0 */
/* heap.h — a 4-ary min-heap of (time, handle) from which any entry can be removed by its place.
 *
 * `placed` (or NULL) reports the place of a handle whenever it changes; the owner keeps it. HEAP_NONE is no
 * place. Entries of the same time come in the order of their handles.
 */
#ifndef BASE_HEAP_H
#define BASE_HEAP_H

#include <stdint.h>

#define HEAP_NONE UINT32_MAX

struct heap_entry {
    int64_t at_ms;
    uint64_t handle;
};

struct heap {
    struct heap_entry *entries;
    uint32_t count;
    uint32_t capacity;
    void (*placed)(void *owner, uint64_t handle, uint32_t place);
    void *owner;
};

void heap_init(struct heap *h, void (*placed)(void *owner, uint64_t handle, uint32_t place), void *owner);
void heap_release(struct heap *h);
void heap_push(struct heap *h, int64_t at_ms, uint64_t handle);
void heap_remove(struct heap *h, uint32_t place); /* reports HEAP_NONE for the entry */
void heap_change(struct heap *h, uint32_t place, int64_t at_ms);
static inline const struct heap_entry *heap_first(const struct heap *h) /* or NULL */
{
    return h->count ? &h->entries[0] : (const struct heap_entry *)0;
}

#endif
