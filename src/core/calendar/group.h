/* SPDX-License-Identifier: Apache-2.0 */
/* group.h — a group of interchangeable calendars: "any doctor", "a table for four".
 *
 * Owns the list of its members, which have the same time zone and currency, but no claims: a request for a group gets
 * one of its calendars (group_pick.c), and its item is a slot of that calendar from then on, with the number of the
 * group. A calendar in a group cannot be removed, and its zone and currency cannot change unless it is the only member.
 *
 * A removed group has no members, and keeps id and number for the items that were claimed through it; the same
 * id is the same group forever.
 */
#ifndef CORE_GROUP_H
#define CORE_GROUP_H

#include "core/calendar/calendar.h"
#include "core/calendar/group_image.h"

struct check;

/* The last count of a user's claims on the members that are not over. */
struct group_count {
    uint64_t step, seq, expired; /* valid in this step, until it makes a change or settles a hold */
    uint32_t user, have;
};

struct group {
    struct group_image image; /* texts and members are owned; their ids are filled in by group_view */

    /* derived */
    uint32_t index;
    uint64_t seq;                                    /* of its last change */
    struct calendar *calendars[GROUP_CALENDARS_MAX]; /* in the order of image.members */
    struct group_count counted;
};

struct group *group_find(const struct state *st, struct text id);         /* or NULL; not for removed ones */
struct group *group_find_number(const struct state *st, uint64_t number); /* or NULL; also for removed ones */
/* Its image with the ids of its calendars; valid until the next command. */
const struct group_image *group_view(struct group *g);
bool group_has(const struct group *g, const struct calendar *c);

/* The groups of the calendar, by index; NULL: no more. */
const struct group *calendar_group(const struct state *st, const struct calendar *c, uint32_t index);
/* Whether the calendar is in any group; and whether it shares one with others, so that its zone and currency are
 * fixed. */
bool calendar_in_group(const struct calendar *c);
bool calendar_shares_group(const struct state *st, const struct calendar *c);

/* Creates or replaces the group; NULL: it does not fit. */
struct group *group_restore(struct state *st, const struct group_image *image, uint64_t seq);
void groups_init(struct state *st);
void groups_release(struct state *st);

/* ---- Available slots ---- */

/* One page of a group's slots, collected member by member, so that the caller can pause in between. Slots that begin
 * at the same time are on the same page: so it can be longer than the limit, by all members but one. `out` and `spare`
 * have room for GROUP_SLOTS_ROOM(query.limit), `page` for query.limit. */
#define GROUP_SLOTS_ROOM(limit) ((limit) + GROUP_CALENDARS_MAX)
struct group_slots {
    struct slots_query query; /* to_ms shrinks to the end of what all members so far have covered */
    struct slot *out;         /* by start, then end; available: how many members */
    struct slot *spare, *page;
    uint32_t count;
    bool more; /* there might be others from query.to_ms on */
};
/* Adds the slots of one member; false: it does not offer the service. */
bool group_slots_add(struct group_slots *s, const struct calendar *c, struct text service);
/* After all members were added. */
struct slots_page group_slots_end(struct group_slots *s);

/* ---- For state_check ---- */
void check_calendar_groups(struct check *c);

#endif
