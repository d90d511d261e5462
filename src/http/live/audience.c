/* SPDX-License-Identifier: Apache-2.0 */
#include "http/live/audience.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"

void audiences_init(struct audiences *audiences, size_t size, void (*release)(struct audience *audience))
{
    audiences->size = size;
    audiences->release = release;
    link_init(&audiences->all);
    link_init(&audiences->waiting);
}

struct audience *audiences_find(const struct audiences *audiences, uint64_t number, bool chunked)
{
    for (struct link *l = audiences->all.next; l != &audiences->all; l = l->next) {
        struct audience *audience = LINK_OWNER(l, struct audience, all);
        if (audience->number == number && audience->chunked == chunked)
            return audience;
    }
    return NULL;
}

struct audience *audiences_add(struct audiences *audiences, uint64_t number, struct text id, bool chunked)
{
    ASSERT(audiences->size >= sizeof(struct audience) && !audiences_find(audiences, number, chunked));
    struct audience *audience = memory_zeroed(1, audiences->size);
    audience->audiences = audiences;
    audience->number = number;
    audience->id = text_own(id);
    audience->chunked = chunked;
    link_init(&audience->all);
    link_init(&audience->waiting);
    link_init(&audience->sent);
    link_init(&audience->pending);
    link_append(&audiences->all, &audience->all);
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
    if (audience->audiences->release)
        audience->audiences->release(audience);
    text_free(audience->id);
    free(audience);
}

void audience_mark_all(struct audience *audience)
{
    link_splice(&audience->pending, &audience->sent);
    ASSERT(!link_alone(&audience->pending));
    if (link_alone(&audience->waiting))
        link_append(&audience->audiences->waiting, &audience->waiting);
}

struct audience_member *audiences_next(const struct audiences *audiences)
{
    if (link_alone(&audiences->waiting))
        return NULL;
    struct audience *audience = LINK_OWNER(audiences->waiting.next, struct audience, waiting);
    return LINK_OWNER(audience->pending.next, struct audience_member, link);
}

void audience_mark_sent(struct audience_member *m)
{
    link_append(&m->audience->sent, &m->link);
    rest_if_sent(m->audience);
}
