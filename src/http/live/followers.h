/* SPDX-License-Identifier: Apache-2.0 */
/* followers.h — those who follow the entries of one waiting room, as a group.
 *
 * When the queue looks different everybody in its group is to be told. Marking them costs the same for any
 * number: all are moved to `untold` at once, and then taken one after the other, in as many turns as needed.
 * A group lives as long as somebody is in it.
 *
 * Owns the groups, not their members. entry_stream.h knows what a queue looks like and does the telling.
 */
#ifndef HTTP_FOLLOWERS_H
#define HTTP_FOLLOWERS_H

#include <stdint.h>

#include "core/types.h"
#include "http/wire/link.h"

struct follower_groups {
    struct link all;
    struct link stirred; /* those of which somebody is untold, the first to be stirred first */
};

struct followers {
    struct link all;          /* follower_groups.all */
    struct link stirred;      /* follower_groups.stirred, or in no list */
    struct link told, untold; /* members */
    uint64_t event;           /* its number */
    struct text event_id;     /* owned */

    /* The queue as its followers were told of it. */
    bool paused;
    int64_t opened_at_ms, open_at_ms;
    uint32_t rate_per_second;
};

/* Embedded in each member of a group. */
struct followers_member {
    struct link link; /* followers.told or followers.untold */
    struct followers *followers;
};

void follower_groups_init(struct follower_groups *groups);
/* The group of this event, or NULL. */
struct followers *follower_groups_find(const struct follower_groups *groups, uint64_t event);
/* A new one, for its first member to join at once. */
struct followers *follower_groups_add(struct follower_groups *groups, uint64_t event, struct text event_id);

/* Who joins has just been told. */
void followers_join(struct followers *followers, struct followers_member *m);
/* The group goes with its last member. */
void followers_leave(struct followers_member *m);
/* Marks everybody in the group as untold, in constant time. */
void followers_stir(struct follower_groups *groups, struct followers *followers);
/* Somebody who is untold, or NULL. */
struct followers_member *follower_groups_next(const struct follower_groups *groups);
/* This one has been told, for whatever reason. */
void followers_told(struct followers_member *m);

#endif
