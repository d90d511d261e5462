/* SPDX-License-Identifier: Apache-2.0 */
#include "store/reclaim.h"

#include "store/local.h"

void reclaim_memory(struct store *s, size_t size, void (*release)(void *thing), void *thing)
{
    if (size < RECLAIM_SIZE_MIN || s->closing)
        release(thing);
    else
        store_work(s, release, NULL, thing);
}
