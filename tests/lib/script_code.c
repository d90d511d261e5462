/* SPDX-License-Identifier: Apache-2.0 */
/* script_code.c — the verbs of a script about the codes of an event. */
#include <stdio.h>

#include "script.h"

#include "core/catalogue/event.h"

#define TOLD_MAX 64

/* "CODE", "CODE:units", "CODE:units:gold;silver", "CODE:units:gold:allotment". */
static void read_code(char *word, struct code_image *code, struct text tiers[TIERS_MAX])
{
    char *units, *tier, *list;
    *code = (struct code_image){.code = script_text(strsep(&word, ":"))};
    units = strsep(&word, ":");
    list = strsep(&word, ":");
    code->units = units ? (uint32_t)script_number(units) : 0;
    code->tiers = tiers;
    while (list && *list && (tier = strsep(&list, ";")) && code->tier_count < TIERS_MAX)
        tiers[code->tier_count++] = script_text(tier);
    code->allotment = script_text(word);
}

static void verb_codes(struct script *s, struct outcome *out)
{
    static struct code_image codes[TOLD_MAX];
    static struct text tiers[TOLD_MAX][TIERS_MAX];
    char copy[1024], *rest = copy, *word;
    struct command c = {.kind = COMMAND_CODES_PUT, .actor = {.role = ROLE_ADMIN}};
    snprintf(copy, sizeof(copy), "%s", s->line.words[2]);
    c.codes_put.event = script_text(s->line.words[1]);
    c.codes_put.codes = codes;
    for (; (word = strsep(&rest, ",")) && c.codes_put.count < TOLD_MAX; c.codes_put.count++)
        read_code(word, &codes[c.codes_put.count], tiers[c.codes_put.count]);
    world_apply(&s->world, &c, out);
}

bool script_code_verb(struct script *s, struct outcome *out)
{
    const char *verb = s->line.words[0];
    struct command c = {.kind = COMMAND_CODE_REMOVE, .actor = {.role = ROLE_ADMIN}};
    if (strcmp(verb, "codes") == 0) {
        verb_codes(s, out);
        script_expect_number(s, "new", out->codes_created);
        script_expect_number(s, "known", out->codes_updated);
    } else if (strcmp(verb, "uncode") == 0) {
        c.code_remove.event = script_text(s->line.words[1]);
        c.code_remove.code = script_text(s->line.words[2]);
        world_apply(&s->world, &c, out);
    } else {
        return false;
    }
    return true;
}

/* code E CODE used=N units=N removed=N */
bool script_code_query(struct script *s)
{
    if (strcmp(s->line.words[0], "code") != 0)
        return false;
    const struct event *e = event_find(s->world.st, script_text(s->line.words[1]));
    const struct code *code = e ? code_find(e, script_text(s->line.words[2])) : NULL;
    if (!code) {
        script_wrong(s, "There is no such code.");
        return true;
    }
    script_must_be(s, "used", code_view(code)->used);
    script_must_be(s, "units", code_view(code)->units);
    script_must_be(s, "removed", code_view(code)->removed);
    return true;
}
