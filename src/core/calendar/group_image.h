/* SPDX-License-Identifier: Apache-2.0 */
/* group_image.h — the public part of a group of calendars: its limits and its image. */
#ifndef CORE_GROUP_IMAGE_H
#define CORE_GROUP_IMAGE_H

#include "core/image.h"

#define GROUP_CALENDARS_MAX 100 /* members of one group */
#define CALENDAR_GROUPS_MAX 10  /* groups of one calendar */
#define GROUP_ITEMS_MAX 20      /* items of one request that name groups: each is tried on every member */

struct group_member {
    uint64_t calendar; /* number */
    struct text id;    /* not encoded; in a command, the id to look up */
};

struct group_image {
    uint64_t number;
    struct text id;
    struct text name;
    enum group_pick pick;
    const struct group_member *members; /* in the group's order */
    uint32_t member_count;              /* 0 if removed */
    int64_t created_at_ms;
    bool removed; /* kept because items refer to it; if created again, it keeps its number */
};

#endif
