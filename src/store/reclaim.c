/* SPDX-License-Identifier: Apache-2.0 */
#include "store/reclaim.h"

#include <stdlib.h>

#include "base/memory.h"
#include "store/local.h"

struct reclaim {
    uv_work_t work;
    struct store *store;
    void (*release)(void *thing);
    void *thing;
};

static void reclaim_work(uv_work_t *work)
{
    struct reclaim *w = work->data;
    w->release(w->thing);
}

static void reclaim_gone(uv_work_t *work, int status)
{
    (void)status;
    struct reclaim *w = work->data;
    w->store->working--;
    free(w);
}

void reclaim_memory(struct store *s, size_t size, void (*release)(void *thing), void *thing)
{
    if (size < RECLAIM_SIZE_MIN || s->closing) {
        release(thing);
        return;
    }
    struct reclaim *w = memory_zeroed(1, sizeof(*w));
    *w = (struct reclaim){.store = s, .release = release, .thing = thing};
    w->work.data = w;
    s->working++;
    uv_queue_work(s->loop, &w->work, reclaim_work, reclaim_gone);
}
