/* SPDX-License-Identifier: Apache-2.0 */
/* audience.h — those who follow the entries of one waiting room, as a group.
 *
 * When the queue looks different everybody in its group is to be told. Marking them costs the same for any
 * number: all are moved to `pending` at once, and then taken one after the other, in as many turns as needed.
 * A group lives as long as somebody is in it.
 *
 * Owns the groups, not their members. entry_stream.h knows what a queue looks like and does the telling.
 */
#ifndef HTTP_AUDIENCE_H
#define HTTP_AUDIENCE_H

#include <stdint.h>

#include "core/types.h"
#include "http/wire/link.h"

struct audiences {
    struct link all;
    struct link waiting; /* those of which somebody is pending, in the order in which they were marked */
};

struct audience {
    struct link all;           /* audiences.all */
    struct link waiting;       /* audiences.waiting, or in no list */
    struct link sent, pending; /* members */
    uint64_t event;            /* its number */
    struct text event_id;      /* owned */

    /* The queue as its followers were told of it. */
    bool paused;
    int64_t opened_at_ms, open_at_ms;
    uint32_t rate_per_second;
};

/* Embedded in each member of a group. */
struct audience_member {
    struct link link; /* audience.sent or audience.pending */
    struct audience *audience;
};

void audiences_init(struct audiences *groups);
/* The group of this event, or NULL. */
struct audience *audiences_find(const struct audiences *groups, uint64_t event);
/* A new one, for its first member to join at once. */
struct audience *audiences_add(struct audiences *groups, uint64_t event, struct text event_id);

/* Who joins has just been told. */
void audience_join(struct audience *audience, struct audience_member *m);
/* The group goes with its last member. */
void audience_leave(struct audience_member *m);
/* Marks everybody in the group as pending, in constant time. */
void audience_mark_all(struct audiences *groups, struct audience *audience);
/* Somebody who is pending, or NULL. */
struct audience_member *audiences_next(const struct audiences *groups);
/* This one has been told, for whatever reason. */
void audience_mark_sent(struct audience_member *m);

#endif
