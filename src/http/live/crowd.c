/* SPDX-License-Identifier: Apache-2.0 */
#include "http/live/crowd.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory.h"

void crowds_init(struct crowds *crowds)
{
    link_init(&crowds->all);
    link_init(&crowds->stirred);
}

struct crowd *crowds_find(const struct crowds *crowds, uint64_t event)
{
    for (struct link *l = crowds->all.next; l != &crowds->all; l = l->next) {
        struct crowd *crowd = LINK_OWNER(l, struct crowd, all);
        if (crowd->event == event)
            return crowd;
    }
    return NULL;
}

struct crowd *crowds_add(struct crowds *crowds, uint64_t event, struct text event_id)
{
    ASSERT(!crowds_find(crowds, event));
    struct crowd *crowd = memory_zeroed(1, sizeof(*crowd));
    crowd->event = event;
    crowd->event_id = (struct text){memory_copy(event_id.at, event_id.size), event_id.size};
    link_init(&crowd->all);
    link_init(&crowd->stirred);
    link_init(&crowd->told);
    link_init(&crowd->untold);
    link_append(&crowds->all, &crowd->all);
    return crowd;
}

void crowd_join(struct crowd *crowd, struct crowd_member *m)
{
    m->crowd = crowd;
    link_init(&m->link);
    link_append(&crowd->told, &m->link);
}

static void rest_if_told(struct crowd *crowd)
{
    if (link_alone(&crowd->untold))
        link_remove(&crowd->stirred);
}

void crowd_leave(struct crowd_member *m)
{
    struct crowd *crowd = m->crowd;
    m->crowd = NULL;
    link_remove(&m->link);
    rest_if_told(crowd);
    if (!link_alone(&crowd->told) || !link_alone(&crowd->untold))
        return;
    link_remove(&crowd->all);
    free((void *)(uintptr_t)crowd->event_id.at);
    free(crowd);
}

void crowd_stir(struct crowds *crowds, struct crowd *crowd)
{
    link_splice(&crowd->untold, &crowd->told);
    ASSERT(!link_alone(&crowd->untold));
    if (link_alone(&crowd->stirred))
        link_append(&crowds->stirred, &crowd->stirred);
}

struct crowd_member *crowds_next(const struct crowds *crowds)
{
    if (link_alone(&crowds->stirred))
        return NULL;
    struct crowd *crowd = LINK_OWNER(crowds->stirred.next, struct crowd, stirred);
    return LINK_OWNER(crowd->untold.next, struct crowd_member, link);
}

void crowd_told(struct crowd_member *m)
{
    link_append(&m->crowd->told, &m->link);
    rest_if_told(m->crowd);
}
