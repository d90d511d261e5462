/* SPDX-License-Identifier: Apache-2.0 */
/* memory.h — allocation that cannot fail: without memory the process logs one line and exits, in one place.
 *
 * Everything obtained here is returned with free().
 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* That place, for allocations made by libraries. */
_Noreturn void memory_exhausted(void);

void *memory_get(size_t size);                  /* uninitialised */
void *memory_zeroed(size_t count, size_t size); /* large blocks cost nothing until touched */
void *memory_zeroed_aligned(size_t count, size_t size, size_t alignment); /* a power of two */
/* Zeroed, a multiple of MEMORY_HUGE, on pages of that size where the kernel has them. Not for free(). */
#define MEMORY_HUGE ((size_t)2 << 20)
void *memory_huge(size_t size);
void memory_huge_free(void *block, size_t size);
void *memory_grow(void *old, size_t count, size_t size); /* like reallocarray; keeps the contents */
char *memory_copy(const void *bytes, size_t size);       /* a copy with a NUL after it */

/* Room for one more entry of `size` bytes: the array itself, or if it is full one of twice the capacity, which
 * starts at `first`. */
void *memory_room(void *array, uint32_t count, uint32_t *capacity, uint32_t first, size_t size);
/* The same for an array whose capacity is not kept: it is the power of two above `count`. */
void *memory_room_counted(void *array, uint32_t count, size_t size);
/* The same for a ring: entry i is at i & (capacity - 1), and `first` is a power of two. */
void *memory_room_ring(void *ring, uint64_t count, uint32_t *capacity, uint32_t first, size_t size);

/* Loads memory that is needed soon while other work goes on. Any address is allowed. */
static inline void memory_prefetch(const void *at)
{
    __builtin_prefetch(at);
    /* The compiler sees no effect in a prefetch and would drop calls of a function that does nothing else. */
    __asm__ volatile("");
}

#endif
