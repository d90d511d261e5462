/* SPDX-License-Identifier: Apache-2.0 */
#include "core/catalogue/detached.h"

#include <stdlib.h>

#include "base/memory/memory.h"
#include "core/catalogue/layout.h"
#include "core/catalogue/seat.h"
#include "core/queue/queue.h"
#include "core/state.h"

struct detached *detached_add(struct state *st)
{
    struct detached *r = memory_zeroed(1, sizeof(*r));
    r->next = st->detached;
    return st->detached = r;
}

void detached_release(struct detached *first)
{
    for (struct detached *next; first; first = next) {
        next = first->next;
        layout_release(first->layout);
        seats_release(first->seats, first->seat_chunks);
        queue_release(first->queue);
        waiting_list_release(first->list);
        codes_release(first->codes);
        free(first);
    }
}
