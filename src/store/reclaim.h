/* SPDX-License-Identifier: Apache-2.0 */
/* reclaim.h — large memory is given back by a worker, because unmapping tens of megabytes takes milliseconds of
 * the loop. */
#ifndef STORE_RECLAIM_H
#define STORE_RECLAIM_H

#include <stddef.h>

struct store;

#define RECLAIM_SIZE_MIN ((size_t)4 << 20) /* less is given back on the spot */

/* Calls release(thing) on a worker, or at once if it is small or the store is closing. Nobody else may use it
 * any more. */
void reclaim_memory(struct store *s, size_t size, void (*release)(void *thing), void *thing);
/* Gives back what core has let go of. */
void reclaim_clear(struct store *s);

#endif
