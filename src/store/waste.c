/* SPDX-License-Identifier: Apache-2.0 */
#include "store/waste.h"

#include <stdlib.h>

#include "base/memory.h"
#include "store/local.h"

struct waste {
    uv_work_t work;
    struct store *store;
    void (*release)(void *thing);
    void *thing;
};

static void waste_work(uv_work_t *work)
{
    struct waste *w = work->data;
    w->release(w->thing);
}

static void waste_gone(uv_work_t *work, int status)
{
    (void)status;
    struct waste *w = work->data;
    w->store->working--;
    free(w);
}

void waste_give(struct store *s, size_t size, void (*release)(void *thing), void *thing)
{
    if (size < WASTE_SIZE_MIN || s->closing) {
        release(thing);
        return;
    }
    struct waste *w = memory_zeroed(1, sizeof(*w));
    *w = (struct waste){.store = s, .release = release, .thing = thing};
    w->work.data = w;
    s->working++;
    uv_queue_work(s->loop, &w->work, waste_work, waste_gone);
}
