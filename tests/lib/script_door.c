/* SPDX-License-Identifier: Apache-2.0 */
/* script_door.c — the verbs of a script about tickets at the door. */
#include <stdio.h>

#include "script.h"

/* The code of one of its tickets: `item E/A1`, `unit N`, `old` with the previous key; `wrong` changes a letter. */
static void code_of(struct script *s, char code[TICKET_CODE_SIZE])
{
    const struct script_line *l = &s->line;
    const struct script_name *n = script_name(s, l->words[1]);
    const char *item = script_option(l, "item"), *unit = script_option(l, "unit");
    ticket_code_write(script_flag(l, "old") ? n->old_key : n->ticket_key,
                      item ? script_item_id(s, n->id, item) : 1, unit ? (uint32_t)script_number(unit) : 0,
                      code);
    if (script_flag(l, "wrong"))
        code[3] = code[3] == 'A' ? 'B' : 'A';
}

bool script_door_verb(struct script *s, struct outcome *out)
{
    const struct script_line *l = &s->line;
    const char *verb = l->words[0];
    bool scan = strcmp(verb, "scan") == 0, undo = strcmp(verb, "unscan") == 0;
    if (!scan && !undo && strcmp(verb, "ticket") != 0)
        return false;
    char code[TICKET_CODE_SIZE];
    struct command c = script_command(s, scan || undo ? COMMAND_CHECK_IN : COMMAND_TICKET_LOOK);
    const char *printed = script_option(l, "print"), *scanned = script_option(l, "scanned");
    code_of(s, code);
    c.check_in.code = (struct text){code, sizeof(code)};
    if (scan || undo) {
        c.check_in.event = script_text(script_option(l, "event"));
        c.check_in.gate = script_text(script_option(l, "gate"));
        c.check_in.nonce = script_text(script_option(l, "nonce"));
        c.check_in.undo = undo;
        c.check_in.printed = printed != NULL;
        c.check_in.reissue = printed ? (uint64_t)script_number(printed) : 0;
        c.check_in.scanned_at_ms = scanned ? WORLD_EPOCH_MS + script_time(scanned) : 0;
    }
    world_apply(&s->world, &c, out);
    return true;
}

void script_ticket_write(struct buf *out, const struct check_in_image *t)
{
    buf_printf(out, " ticket %.*s of %.*s/%.*s item %u unit %u reissue %llu void %d %s at %lld gate %.*s",
               TICKET_CODE_SIZE, t->code.at, (int)t->resource_id.size,
               t->resource_id.at ? t->resource_id.at : "", (int)t->part_id.size,
               t->part_id.at ? t->part_id.at : "", t->item_id, t->unit, (unsigned long long)t->reissue,
               t->is_void, t->result ? check_in_result_name(t->result) : "unused", (long long)t->at_ms,
               (int)t->gate.size, t->gate.at ? t->gate.at : "");
}

void script_ticket_check(struct script *s, const struct check_in_image *t)
{
    const struct script_line *l = &s->line;
    const char *result = script_expected(l, "result"), *gate = script_expected(l, "gate");
    const char *at = script_expected(l, "at"), *seat = script_expected(l, "part");
    if (result && strcmp(result, t->result ? check_in_result_name(t->result) : "unused") != 0)
        script_wrong(s, "The result is %s.", t->result ? check_in_result_name(t->result) : "unused");
    if (gate && !text_equal(script_text(gate), t->gate))
        script_wrong(s, "The gate is %.*s.", (int)t->gate.size, t->gate.at ? t->gate.at : "");
    if (at && WORLD_EPOCH_MS + script_time(at) != t->at_ms)
        script_wrong(s, "It was at %lld ms.", (long long)(t->at_ms - WORLD_EPOCH_MS));
    if (seat && !text_equal(script_text(seat), t->part_id))
        script_wrong(s, "It is on %.*s.", (int)t->part_id.size, t->part_id.at ? t->part_id.at : "");
    script_expect_number(s, "reissue", (int64_t)t->reissue);
}
