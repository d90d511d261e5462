/* SPDX-License-Identifier: Apache-2.0 */
/* group_image.h — a group of calendars for whoever need not know what it is made of: its bounds and its image. */
#ifndef CORE_GROUP_IMAGE_H
#define CORE_GROUP_IMAGE_H

#include "core/image.h"

#define GROUP_CALENDARS_MAX 100 /* members of one group */
#define CALENDAR_GROUPS_MAX 10  /* groups that have one calendar */
#define GROUP_ITEMS_MAX 20      /* items of one request that name groups: each asks every member */

struct group_member {
    uint64_t calendar; /* number */
    struct text id;    /* not encoded; of a command: what it is asked for by */
};

struct group_image {
    uint64_t number;
    struct text id;
    struct text name;
    enum group_pick pick;
    const struct group_member *members; /* in the group's order */
    uint32_t member_count;              /* of one that is removed: none */
    int64_t created_at_ms;
    bool removed; /* it stays for the items that speak of it; made again it goes on under its number */
};

#endif
