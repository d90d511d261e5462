/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory/memory.h"

#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sysexits.h>
#include <unistd.h>

#include "base/assertion.h"

/* From this size on a block comes straight from the kernel: it is zero without being written, and growing
 * it moves pages instead of bytes. Fixed, because glibc otherwise raises its own threshold as blocks are
 * freed. */
#define MEMORY_MAPPED_FROM (1 << 20)

__attribute__((constructor)) static void memory_setup(void)
{
    mallopt(M_MMAP_THRESHOLD, MEMORY_MAPPED_FROM);
}

/* Not by log_write: there may be no memory left for it. */
_Noreturn void memory_exhausted(void)
{
    static const char line[] = "{\"level\":\"error\",\"message\":\"out of memory\"}\n";
    ssize_t written = write(STDERR_FILENO, line, sizeof line - 1);
    (void)written;
    _exit(EX_OSERR);
}

static void *memory_checked(void *block)
{
    if (!block)
        memory_exhausted();
    return block;
}

void *memory_get(size_t size)
{
    return memory_checked(malloc(size ? size : 1));
}

void *memory_zeroed(size_t count, size_t size)
{
    return memory_checked(count && size ? calloc(count, size) : calloc(1, 1));
}

void *memory_zeroed_aligned(size_t count, size_t size, size_t alignment)
{
    void *block = NULL;
    ASSERT(count && size && count <= SIZE_MAX / size);
    if (posix_memalign(&block, alignment, count * size) != 0)
        memory_exhausted();
    memset(block, 0, count * size);
    return block;
}

void *memory_huge(size_t size)
{
    ASSERT(size % MEMORY_HUGE == 0 && size <= SIZE_MAX - MEMORY_HUGE);
    /* NORESERVE because much of a block may never be touched; one page more so that the block can be aligned. */
    char *all = mmap(NULL, size + MEMORY_HUGE, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED)
        memory_exhausted();
    size_t before = (size_t) - (uintptr_t)all % MEMORY_HUGE;
    if (before)
        munmap(all, before);
    munmap(all + before + size, MEMORY_HUGE - before);
    madvise(all + before, size, MADV_HUGEPAGE); /* if it fails, pages are small: slower, but correct */
    return all + before;
}

void memory_huge_free(void *block, size_t size)
{
    int failed = munmap(block, size);
    ASSERT(!failed);
}

void *memory_grow(void *old, size_t count, size_t size)
{
    return memory_checked(count && size ? reallocarray(old, count, size) : realloc(old, 1));
}

char *memory_copy(const void *bytes, size_t size)
{
    if (size == SIZE_MAX)
        memory_exhausted();
    char *copy = memory_get(size + 1);
    if (size)
        memcpy(copy, bytes, size);
    copy[size] = '\0';
    return copy;
}

void *memory_room(void *array, uint32_t count, uint32_t *capacity, uint32_t first, size_t size)
{
    ASSERT(count <= *capacity && first >= 1);
    if (count < *capacity)
        return array;
    ASSERT(*capacity <= UINT32_MAX / 2);
    *capacity = *capacity ? *capacity * 2 : first;
    return memory_grow(array, *capacity, size);
}

void *memory_room_counted(void *array, uint32_t count, size_t size)
{
    bool full = (count & (count - 1)) == 0;
    uint32_t capacity = count;
    return full ? memory_room(array, count, &capacity, 1, size) : array;
}

void *memory_room_ring(void *ring, uint64_t count, uint32_t *capacity, uint32_t first, size_t size)
{
    ASSERT(count <= *capacity && (*capacity & (*capacity - 1)) == 0 && (first & (first - 1)) == 0);
    uint32_t before = *capacity;
    ring = memory_room(ring, (uint32_t)count, capacity, first, size);
    /* In the larger ring an entry stays or moves up by `before`, depending on its number: put it in both places. */
    if (*capacity != before && before)
        memcpy((char *)ring + before * size, ring, before * size);
    return ring;
}
