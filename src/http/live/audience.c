/* SPDX-License-Identifier: Apache-2.0 */
#include "http/live/audience.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory.h"

void audiences_init(struct audiences *groups)
{
    link_init(&groups->all);
    link_init(&groups->waiting);
}

struct audience *audiences_find(const struct audiences *groups, uint64_t event)
{
    for (struct link *l = groups->all.next; l != &groups->all; l = l->next) {
        struct audience *audience = LINK_OWNER(l, struct audience, all);
        if (audience->event == event)
            return audience;
    }
    return NULL;
}

struct audience *audiences_add(struct audiences *groups, uint64_t event, struct text event_id)
{
    ASSERT(!audiences_find(groups, event));
    struct audience *audience = memory_zeroed(1, sizeof(*audience));
    audience->event = event;
    audience->event_id = text_own(event_id);
    link_init(&audience->all);
    link_init(&audience->waiting);
    link_init(&audience->sent);
    link_init(&audience->pending);
    link_append(&groups->all, &audience->all);
    return audience;
}

void audience_join(struct audience *audience, struct audience_member *m)
{
    m->audience = audience;
    link_init(&m->link);
    link_append(&audience->sent, &m->link);
}

static void rest_if_sent(struct audience *audience)
{
    if (link_alone(&audience->pending))
        link_remove(&audience->waiting);
}

void audience_leave(struct audience_member *m)
{
    struct audience *audience = m->audience;
    m->audience = NULL;
    link_remove(&m->link);
    rest_if_sent(audience);
    if (!link_alone(&audience->sent) || !link_alone(&audience->pending))
        return;
    link_remove(&audience->all);
    text_free(audience->event_id);
    free(audience);
}

void audience_mark_all(struct audiences *groups, struct audience *audience)
{
    link_splice(&audience->pending, &audience->sent);
    ASSERT(!link_alone(&audience->pending));
    if (link_alone(&audience->waiting))
        link_append(&groups->waiting, &audience->waiting);
}

struct audience_member *audiences_next(const struct audiences *groups)
{
    if (link_alone(&groups->waiting))
        return NULL;
    struct audience *audience = LINK_OWNER(groups->waiting.next, struct audience, waiting);
    return LINK_OWNER(audience->pending.next, struct audience_member, link);
}

void audience_mark_sent(struct audience_member *m)
{
    link_append(&m->audience->sent, &m->link);
    rest_if_sent(m->audience);
}
