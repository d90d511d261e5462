/* SPDX-License-Identifier: Apache-2.0 */
/* audience.h — the streams that follow the same subject: an event, a calendar, the entries of one waiting room.
 *
 * When the subject changes, a message is sent to each of them. Marking them takes constant time: all are moved to
 * `pending` at once, and then taken one after the other, in as many turns as needed. An audience lives as long as it
 * has members.
 *
 * Owns the audiences, not their members. The stream's source (stream_source.h) decides what is sent, and may keep more
 * data for each audience: its struct begins with this one.
 */
#ifndef HTTP_AUDIENCE_H
#define HTTP_AUDIENCE_H

#include <stdint.h>

#include "core/types.h"
#include "http/wire/link.h"

struct audience {
    struct link all;           /* audiences.all */
    struct link waiting;       /* audiences.waiting, or in no list */
    struct link sent, pending; /* members */
    struct audiences *audiences;
    uint64_t number; /* of the subject */
    struct text id;  /* of the subject; owned */
    bool chunked;    /* they receive chunks; matters only where bytes are shared */
};

struct audiences {
    struct link all;
    struct link waiting; /* those with pending members, in the order in which they were marked */
    size_t size;         /* of each one's struct */
    void (*release)(struct audience *audience); /* frees what that struct owns; or NULL */
};

/* Embedded in each member of an audience. */
struct audience_member {
    struct link link;          /* audience.sent or audience.pending */
    struct audience *audience; /* NULL: in none */
};

void audiences_init(struct audiences *audiences, size_t size, void (*release)(struct audience *audience));
/* The audience of the subject with this number, or NULL. */
struct audience *audiences_find(const struct audiences *audiences, uint64_t number, bool chunked);
/* A new audience, zeroed after this struct; its first member must join at once. */
struct audience *audiences_add(struct audiences *audiences, uint64_t number, struct text id, bool chunked);

/* A new member has nothing pending. */
void audience_join(struct audience *audience, struct audience_member *m);
/* The last member to leave frees the audience. */
void audience_leave(struct audience_member *m);
/* Marks all members as pending, in constant time. */
void audience_mark_all(struct audience *audience);
/* A pending member, or NULL. */
struct audience_member *audiences_next(const struct audiences *audiences);
/* This member is up to date. */
void audience_mark_sent(struct audience_member *m);

#endif
