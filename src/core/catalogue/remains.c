/* SPDX-License-Identifier: Apache-2.0 */
#include "core/catalogue/remains.h"

#include <stdlib.h>

#include "base/memory.h"
#include "core/state.h"

struct remains *remains_add(struct state *st)
{
    struct remains *r = memory_zeroed(1, sizeof(*r));
    r->next = st->remains;
    return st->remains = r;
}

void remains_release(struct remains *first)
{
    for (struct remains *next; first; first = next) {
        next = first->next;
        layout_release(first->layout);
        seats_release(first->seats, first->seat_chunks);
        room_release(first->room);
        waiting_list_release(first->list);
        free(first);
    }
}
