/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory/heap.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"

#define HEAP_ARITY 4 /* four entries fill a cache line, and the tree is half as deep as a binary one */
#define HEAP_CAPACITY_MIN 4

void heap_init(struct heap *h, void (*placed)(void *owner, uint64_t handle, uint32_t place), void *owner)
{
    *h = (struct heap){.placed = placed, .owner = owner};
}

void heap_release(struct heap *h)
{
    free(h->entries);
    heap_init(h, h->placed, h->owner);
}

/* Equal times go by handle, so that the order does not depend on how the heap came to be. */
static bool heap_before(struct heap_entry a, struct heap_entry b)
{
    return a.at_ms != b.at_ms ? a.at_ms < b.at_ms : a.handle < b.handle;
}

static void heap_report_place(struct heap *h, uint64_t handle, uint32_t place)
{
    if (h->placed)
        h->placed(h->owner, handle, place);
}

static void heap_put(struct heap *h, uint32_t place, struct heap_entry entry)
{
    h->entries[place] = entry;
    heap_report_place(h, entry.handle, place);
}

/* Both start with a hole for `entry` and move other entries into the hole until it is in the right
 * place. */
static void heap_sift_up(struct heap *h, uint32_t hole, struct heap_entry entry)
{
    while (hole > 0) {
        uint32_t parent = (hole - 1) / HEAP_ARITY;
        if (!heap_before(entry, h->entries[parent]))
            break;
        heap_put(h, hole, h->entries[parent]);
        hole = parent;
    }
    heap_put(h, hole, entry);
}

static void heap_sift_down(struct heap *h, uint32_t hole, struct heap_entry entry)
{
    for (;;) {
        uint64_t child = (uint64_t)hole * HEAP_ARITY + 1;
        if (child >= h->count)
            break;
        uint64_t end = child + HEAP_ARITY < h->count ? child + HEAP_ARITY : h->count;
        uint64_t least = child;
        while (++child < end)
            if (heap_before(h->entries[child], h->entries[least]))
                least = child;
        if (!heap_before(h->entries[least], entry))
            break;
        heap_put(h, hole, h->entries[least]);
        hole = (uint32_t)least;
    }
    heap_put(h, hole, entry);
}

static void heap_settle(struct heap *h, uint32_t hole, struct heap_entry entry)
{
    if (hole > 0 && heap_before(entry, h->entries[(hole - 1) / HEAP_ARITY]))
        heap_sift_up(h, hole, entry);
    else
        heap_sift_down(h, hole, entry);
}

void heap_push(struct heap *h, int64_t at_ms, uint64_t handle)
{
    h->entries = memory_room(h->entries, h->count, &h->capacity, HEAP_CAPACITY_MIN, sizeof(*h->entries));
    heap_sift_up(h, h->count++, (struct heap_entry){.at_ms = at_ms, .handle = handle});
}

void heap_remove(struct heap *h, uint32_t place)
{
    ASSERT(place < h->count);
    uint64_t handle = h->entries[place].handle;
    struct heap_entry last = h->entries[--h->count];
    if (place < h->count)
        heap_settle(h, place, last);
    heap_report_place(h, handle, HEAP_NONE);
}

void heap_change(struct heap *h, uint32_t place, int64_t at_ms)
{
    ASSERT(place < h->count);
    heap_settle(h, place, (struct heap_entry){.at_ms = at_ms, .handle = h->entries[place].handle});
}
