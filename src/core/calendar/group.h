/* SPDX-License-Identifier: Apache-2.0 */
/* group.h — calendars of which any one will do: "any doctor", "a table for four".
 *
 * Owns the list of its members, all of one time zone and one currency, and nothing of what is claimed on them: an item
 * that is asked of a group is given a calendar (group_pick.c) and is a slot of that one from then on, which remembers
 * the group's number. A calendar that is in a group cannot be removed, and keeps zone and currency while it is not
 * alone there.
 *
 * A group that is removed has no members, and keeps id and number for the items that were claimed through it; the same
 * id is the same group for ever.
 */
#ifndef CORE_GROUP_H
#define CORE_GROUP_H

#include "core/calendar/calendar.h"
#include "core/calendar/group_image.h"

struct check;

/* How many claims that are not over a user has on the members, as it was counted last. */
struct group_count {
    uint64_t step, seq, expired; /* good for this step, until a change is made in it or a hold is settled */
    uint32_t user, have;
};

struct group {
    struct group_image image; /* texts and members are owned; their ids are filled in by group_view */

    /* derived */
    uint32_t index;
    uint64_t seq;                                    /* the last change that touched it */
    struct calendar *calendars[GROUP_CALENDARS_MAX]; /* as image.members */
    struct group_count counted;
};

struct group *group_find(const struct state *st, struct text id); /* or NULL; removed ones are not found */
struct group *group_find_number(const struct state *st, uint64_t number); /* or NULL; removed ones too */
/* Its image with the ids of its calendars; good until the next command. */
const struct group_image *group_view(struct group *g);
bool group_has(const struct group *g, const struct calendar *c);

/* The groups that have the calendar, by index; NULL: there are no more. */
const struct group *calendar_group(const struct state *st, const struct calendar *c, uint32_t index);
/* Whether the calendar is in any group; and whether it shares one with others, so that its zone and currency stay. */
bool calendar_in_group(const struct calendar *c);
bool calendar_shares_group(const struct state *st, const struct calendar *c);

/* Makes or replaces the group; NULL: it does not fit. */
struct group *group_restore(struct state *st, const struct group_image *image, uint64_t seq);
void groups_init(struct state *st);
void groups_release(struct state *st);

/* ---- The slots that could be claimed ---- */

/* One page of a group's slots, put together member by member, so that whoever asks may pause in between. Those that
 * begin together are on one page: so it may be longer than the limit, by all members but one. `out` and `spare` have room
 * for GROUP_SLOTS_ROOM(query.limit), `page` for query.limit. */
#define GROUP_SLOTS_ROOM(limit) ((limit) + GROUP_CALENDARS_MAX)
struct group_slots {
    struct slots_query query; /* to_ms shrinks to what all members so far were asked about */
    struct slot *out;         /* by start, then end; available: how many members */
    struct slot *spare, *page;
    uint32_t count;
    bool more; /* there may be others from query.to_ms on */
};
/* Adds what one member has; false: it has nothing to say, for it does not offer the service (at == NULL: none). */
bool group_slots_add(struct group_slots *s, const struct calendar *c, struct text service);
/* All members are in. */
struct slots_page group_slots_end(struct group_slots *s);

/* ---- For state_check ---- */
void check_calendar_groups(struct check *c);

#endif
