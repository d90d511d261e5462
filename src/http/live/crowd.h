/* SPDX-License-Identifier: Apache-2.0 */
/* crowd.h — those who follow the entries of one waiting room.
 *
 * When a room looks different everybody in its crowd is to be told. Saying so costs the same however many
 * they are: they are all moved to `untold` at once, and whoever tells them takes one after the other, in as
 * many turns as that needs. A crowd lives as long as somebody is in it.
 *
 * Owns crowds, not members. What a room looks like, and the telling, is http/entry_stream.h's business.
 */
#ifndef HTTP_CROWD_H
#define HTTP_CROWD_H

#include <stdint.h>

#include "core/types.h"
#include "http/wire/link.h"

struct crowds {
    struct link all;
    struct link stirred; /* those of which somebody is untold, the first to be stirred first */
};

struct crowd {
    struct link all;          /* crowds.all */
    struct link stirred;      /* crowds.stirred, or in no list */
    struct link told, untold; /* members */
    uint64_t event;           /* its number */
    struct text event_id;     /* owned */

    /* The room as its followers were told of it. */
    bool paused;
    int64_t opened_at_ms, open_at_ms;
    uint32_t rate_per_second;
};

/* Part of whoever is in a crowd. */
struct crowd_member {
    struct link link; /* crowd.told or crowd.untold */
    struct crowd *crowd;
};

void crowds_init(struct crowds *crowds);
/* The crowd of this event, or NULL. */
struct crowd *crowds_find(const struct crowds *crowds, uint64_t event);
/* A new one, for its first member to join at once. */
struct crowd *crowds_add(struct crowds *crowds, uint64_t event, struct text event_id);

/* Who joins has just been told. */
void crowd_join(struct crowd *crowd, struct crowd_member *m);
/* The last one takes the crowd along. */
void crowd_leave(struct crowd_member *m);
/* Everybody in it is to be told. Whatever their number, it takes no longer. */
void crowd_stir(struct crowds *crowds, struct crowd *crowd);
/* Somebody who is untold, or NULL. */
struct crowd_member *crowds_next(const struct crowds *crowds);
/* This one has been told, for whatever reason. */
void crowd_told(struct crowd_member *m);

#endif
