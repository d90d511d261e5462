/* SPDX-License-Identifier: Apache-2.0 */
/* user.h — the people who hold things: each id kept once, with how much they have of each event.
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
    uint32_t
        references; /* reservations in memory, counts, heads of bookings (calendar/booked.h); 0: not in use */
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
uint32_t user_take(struct state *st, struct text id); /* finds or makes; one more reference */
void user_retain(struct state *st, uint32_t user);    /* one reference more */
void user_give(struct state *st, uint32_t user);      /* one reference less */
uint32_t user_find(struct state *st, struct text id); /* or TABLE_NONE */
struct text user_id(struct state *st, uint32_t user);
/* One that is taken soon, in three steps with others in between: the memory that takes is on its way. The first gives what
 * the others want. */
uint64_t user_prefetch(const struct state *st, struct text id);
void user_prefetch_record(const struct state *st, uint64_t hash);
void user_prefetch_lists(const struct state *st, uint64_t hash,
                         uint32_t event); /* what it has, also of this event */
/* Everything that refers to it has another name from now on, which nobody has. */
void user_rename(struct state *st, uint32_t user, struct text id);

uint32_t user_count_get(struct state *st, uint32_t user, uint32_t event);
void user_count_add(struct state *st, uint32_t user, uint32_t event, int64_t difference);

#endif
