/* SPDX-License-Identifier: Apache-2.0 */
/* waste.h — large memory is given back by a worker, because unmapping tens of megabytes takes milliseconds of
 * the loop. */
#ifndef STORE_WASTE_H
#define STORE_WASTE_H

#include <stddef.h>

struct store;

#define WASTE_SIZE_MIN ((size_t)4 << 20) /* less is given back on the spot */

/* Calls release(thing) on a worker, or at once if it is small or the store is closing. Nobody else may use it
 * any more. */
void waste_give(struct store *s, size_t size, void (*release)(void *thing), void *thing);

#endif
