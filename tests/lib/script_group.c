/* SPDX-License-Identifier: Apache-2.0 */
/* script_group.c — the verbs of a script about groups of calendars. */
#include <stdio.h>

#include "script.h"

#include "core/calendar/group.h"

#define SLOTS_MAX 1000

static void verb_group(struct script *s, struct outcome *out)
{
    static char ids[SCRIPT_IDS_MAX][ID_SIZE_MAX + 1];
    static struct group_member members[SCRIPT_IDS_MAX];
    const struct script_line *l = &s->line;
    const char *calendars = script_option(l, "calendars"), *pick = script_option(l, "pick");
    struct command c = {.kind = COMMAND_GROUP_PUT, .actor = {.role = ROLE_ADMIN}};
    c.group_put = (struct group_image){.id = script_text(l->words[1]),
                                       .name = script_text(l->words[1]),
                                       .pick = PICK_LEAST_BUSY,
                                       .members = members};
    if (pick && !group_pick_read(script_text(pick), &c.group_put.pick))
        script_wrong(s, "There is no such way to pick.");
    c.group_put.member_count = calendars ? script_ids(calendars, ids) : 0;
    for (uint32_t i = 0; i < c.group_put.member_count; i++)
        members[i] = (struct group_member){.id = script_text(ids[i])};
    world_apply(&s->world, &c, out);
}

bool script_group_verb(struct script *s, struct outcome *out)
{
    struct command c = {.kind = COMMAND_GROUP_REMOVE, .actor = {.role = ROLE_ADMIN}};
    if (strcmp(s->line.words[0], "group") == 0) {
        verb_group(s, out);
    } else if (strcmp(s->line.words[0], "ungroup") == 0) {
        c.group = script_text(s->line.words[1]);
        world_apply(&s->world, &c, out);
    } else {
        return false;
    }
    return true;
}

struct slots_page script_group_slots(struct script *s, const struct group *g, const struct slots_query *query,
                                     struct slot **slots)
{
    static struct slot first[GROUP_SLOTS_ROOM(SLOTS_MAX)], second[GROUP_SLOTS_ROOM(SLOTS_MAX)],
        page[SLOTS_MAX];
    const char *party = script_option(&s->line, "party");
    struct group_slots found = {.query = *query, .out = first, .spare = second, .page = page};
    for (uint32_t i = 0; i < g->image.member_count; i++)
        if (g->calendars[i]->image.rules.size >= (party ? script_number(party) : 1))
            group_slots_add(&found, g->calendars[i], script_text(script_option(&s->line, "service")));
    *slots = found.out;
    return group_slots_end(&found);
}
