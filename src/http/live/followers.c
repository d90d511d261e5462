/* SPDX-License-Identifier: Apache-2.0 */
#include "http/live/followers.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory.h"

void follower_groups_init(struct follower_groups *groups)
{
    link_init(&groups->all);
    link_init(&groups->stirred);
}

struct followers *follower_groups_find(const struct follower_groups *groups, uint64_t event)
{
    for (struct link *l = groups->all.next; l != &groups->all; l = l->next) {
        struct followers *followers = LINK_OWNER(l, struct followers, all);
        if (followers->event == event)
            return followers;
    }
    return NULL;
}

struct followers *follower_groups_add(struct follower_groups *groups, uint64_t event, struct text event_id)
{
    ASSERT(!follower_groups_find(groups, event));
    struct followers *followers = memory_zeroed(1, sizeof(*followers));
    followers->event = event;
    followers->event_id = text_own(event_id);
    link_init(&followers->all);
    link_init(&followers->stirred);
    link_init(&followers->told);
    link_init(&followers->untold);
    link_append(&groups->all, &followers->all);
    return followers;
}

void followers_join(struct followers *followers, struct followers_member *m)
{
    m->followers = followers;
    link_init(&m->link);
    link_append(&followers->told, &m->link);
}

static void rest_if_told(struct followers *followers)
{
    if (link_alone(&followers->untold))
        link_remove(&followers->stirred);
}

void followers_leave(struct followers_member *m)
{
    struct followers *followers = m->followers;
    m->followers = NULL;
    link_remove(&m->link);
    rest_if_told(followers);
    if (!link_alone(&followers->told) || !link_alone(&followers->untold))
        return;
    link_remove(&followers->all);
    text_free(followers->event_id);
    free(followers);
}

void followers_stir(struct follower_groups *groups, struct followers *followers)
{
    link_splice(&followers->untold, &followers->told);
    ASSERT(!link_alone(&followers->untold));
    if (link_alone(&followers->stirred))
        link_append(&groups->stirred, &followers->stirred);
}

struct followers_member *follower_groups_next(const struct follower_groups *groups)
{
    if (link_alone(&groups->stirred))
        return NULL;
    struct followers *followers = LINK_OWNER(groups->stirred.next, struct followers, stirred);
    return LINK_OWNER(followers->untold.next, struct followers_member, link);
}

void followers_told(struct followers_member *m)
{
    link_append(&m->followers->told, &m->link);
    rest_if_told(m->followers);
}
