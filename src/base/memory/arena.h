/* SPDX-License-Identifier: Apache-2.0 */
/* arena.h — memory of one request: taken piece by piece, given back all at once.
 *
 * The first block is kept across arena_reset, so a request that fits in it allocates nothing.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena_block;
struct arena {
    struct arena_block *first;
    struct arena_block *current;
    size_t block_size;
};

void arena_init(struct arena *a, size_t block_size);
void *arena_take(struct arena *a, size_t size); /* aligned to 16, uninitialised */
void *arena_zeroed(struct arena *a, size_t size);
char *arena_copy(struct arena *a, const void *bytes, size_t size); /* with a NUL after it */
void arena_reset(struct arena *a);                                 /* everything taken is gone */
void arena_release(struct arena *a);                               /* frees the memory itself */

#endif
