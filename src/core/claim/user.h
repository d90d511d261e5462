/* SPDX-License-Identifier: Apache-2.0 */
/* user.h — users: each id stored once, with the number of units the user has of each event.
 *
 * A user exists while something refers to it: a reservation in memory or a count above zero.
 */
#ifndef CORE_USER_H
#define CORE_USER_H

#include "core/types.h"

struct state;

#define USER_INLINE 28

struct user {
    uint32_t first; /* the first of its held reservations, handle + 1 */
    /* Reservations in memory, counts, heads of bookings (calendar/booked.h); 0: not in use. */
    uint32_t references;
    uint32_t size;
    union {
        char small[USER_INLINE];
        char *large; /* when size > USER_INLINE */
    };
};

/* How many seats and units a user has of an event, held or confirmed. */
struct user_count {
    uint32_t user, event;
    uint32_t count;
};

void users_init(struct state *st);
void users_release(struct state *st);
uint32_t user_take(struct state *st, struct text id); /* finds or creates; adds a reference */
void user_retain(struct state *st, uint32_t user);    /* adds a reference */
void user_give(struct state *st, uint32_t user);      /* drops a reference */
uint32_t user_find(struct state *st, struct text id); /* or TABLE_NONE */
struct text user_id(const struct state *st, uint32_t user);
/* Prefetch the memory that user_take will need soon, in three steps with other work in between. The first returns the
 * hash for the others; the last is for the user's list, and the count of this event. */
uint64_t user_prefetch(const struct state *st, struct text id);
void user_prefetch_record(const struct state *st, uint64_t hash);
void user_prefetch_lists(const struct state *st, uint64_t hash, uint32_t event);
/* Changes the id for everything that refers to the user. No user may have the new id. */
void user_rename(struct state *st, uint32_t user, struct text id);

uint32_t user_count_get(struct state *st, uint32_t user, uint32_t event);
void user_count_add(struct state *st, uint32_t user, uint32_t event, int64_t difference);

#endif
