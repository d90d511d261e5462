/* SPDX-License-Identifier: Apache-2.0 */
/* script_person.c — the verbs of a script about erasing a person. */
#include "script.h"

bool script_person_verb(struct script *s, struct outcome *out)
{
    const struct script_line *l = &s->line;
    struct command c = {.kind = COMMAND_ERASE, .actor = {.role = ROLE_ADMIN}};
    if (strcmp(l->words[0], "erase") != 0)
        return false;
    c.erase.from = script_text(l->words[1]);
    c.erase.to = script_text(script_option(l, "as"));
    memset(c.erase.mark, 7, sizeof(c.erase.mark));
    world_apply(&s->world, &c, out);
    return true;
}

bool script_person_query(struct script *s)
{
    if (strcmp(s->line.words[0], "behind") == 0) {
        s->world.behind = s->mode == SCRIPT_PLAIN; /* in the other modes it has to match memory */
        return true;
    }
    if (strcmp(s->line.words[0], "segment") != 0)
        return false;
    s->tally = world_segment(&s->world);
    if (s->line.expected_count && script_number(s->line.expected[0]) != s->tally)
        script_wrong(s, "%lld", (long long)s->tally);
    return true;
}
