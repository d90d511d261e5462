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

static void detached_free(void *first)
{
    detached_release(first);
}

void reclaim_clear(struct store *s)
{
    struct detached *first = state_take_detached(s->state);
    size_t size = 0;
    for (const struct detached *r = first; r; r = r->next)
        size += (size_t)r->seat_chunks * SEAT_CHUNK * sizeof(struct seat) +
                (r->layout ? (size_t)r->layout->count * sizeof(struct layout_seat) : 0) +
                (r->queue || r->list ? RECLAIM_SIZE_MIN : 0);
    if (first)
        reclaim_memory(s, size, detached_free, first);
}
