/* SPDX-License-Identifier: Apache-2.0 */
#include "script.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/assertion.h"
#include "base/crypto/crc32c.h"
#include "base/crypto/hash.h"
#include "core/claim/reservation.h"

void script_wrong(struct script *s, const char *format, ...)
{
    char sentence[700];
    if (s->fault[0])
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof(sentence), format, arguments);
    va_end(arguments);
    static const char *const modes[] = {"", " (restarted after every line)", " (restarted from the book)",
                                        " (forgetting)", " (followed)", " (followed late)",
                                        " (taken over)"};
    snprintf(s->fault, sizeof(s->fault), "line %d%s: %s\n    %.200s", s->line.number, modes[s->mode],
             sentence, s->line.text);
}

struct script_name *script_name(struct script *s, const char *name)
{
    for (int i = 0; i < s->name_count; i++)
        if (strcmp(s->names[i].name, name) == 0)
            return &s->names[i];
    ASSERT(s->name_count < 128 && strlen(name) < sizeof(s->names[0].name));
    struct script_name *n = &s->names[s->name_count++];
    *n = (struct script_name){0};
    memcpy(n->name, name, strlen(name));
    n->id = (struct id){(uint64_t)WORLD_EPOCH_MS << 16 | (uint64_t)s->name_count,
                        hash_sip((struct hash_key){1, 2}, name, strlen(name))};
    return n;
}

bool script_image(struct script *s, struct id id, struct reservation_image *out, struct item_image *items)
{
    uint32_t handle = reservation_find(s->world.st, id);
    if (handle == TABLE_NONE) {
        world_record(&s->world);
        return fake_book_find(&s->world.book, id, out, items);
    }
    reservation_image_make(s->world.st, reservation_at(s->world.st, handle), out, items);
    return true;
}

void script_submit(struct script *s, const struct command *c, struct outcome *out)
{
    if (script_flag(&s->line, "readonly"))
        world_set_room(&s->world, LOG_ROOM_NONE);
    world_apply(&s->world, c, out);
    world_set_room(&s->world, LOG_ROOM_OK);
}

/* tick, forget, restart and expect; false: another verb. */
static bool housekeeping(struct script *s)
{
    const char *verb = s->line.words[0];
    const char *most = script_option(&s->line, "most");
    if (strcmp(verb, "expect") == 0)
        script_expect(s);
    else if (strcmp(verb, "see") == 0)
        script_see(s);
    else if (strcmp(verb, "slots") == 0)
        script_slots(s);
    else if (strcmp(verb, "tick") == 0)
        s->tally = world_expire(&s->world, most ? (uint32_t)script_number(most) : UINT32_MAX);
    else if (strcmp(verb, "forget") == 0)
        s->tally = world_forget(&s->world);
    else if (strcmp(verb, "restart") == 0)
        world_restart(&s->world, 0);
    else
        return script_queue_query(s) || script_list_query(s) || script_code_query(s) ||
               script_money_query(s) || script_dispatch_query(s) || script_hook_query(s) ||
               script_refusal_query(s) || script_person_query(s);
    bool counted = strcmp(verb, "tick") == 0 || (strcmp(verb, "forget") == 0 && s->mode == SCRIPT_PLAIN);
    if (counted && s->line.expected_count && script_number(s->line.expected[0]) != s->tally)
        script_wrong(s, "%lld", (long long)s->tally);
    return true;
}

static void run_line(struct script *s)
{
    struct outcome out;
    if (s->line.has_time) {
        if (WORLD_EPOCH_MS + s->line.at_ms < s->world.now_ms)
            script_wrong(s, "Time goes forward only.");
        else
            s->world.now_ms = WORLD_EPOCH_MS + s->line.at_ms;
    }
    if (!housekeeping(s)) {
        if (script_verb(s, &out)) {
            script_outcome_check(s, &out);
            script_answer(s, &out);
        } else {
            script_wrong(s, "There is no such verb.");
        }
    }
    s->world.carry = true; /* the answers must be the same */
    if (s->mode == SCRIPT_RESTART)
        world_restart(&s->world, 0);
    if (s->mode == SCRIPT_BOOK)
        world_restart(&s->world, s->world.changes * 2 / 3);
    if (s->mode == SCRIPT_FORGET)
        world_forget(&s->world);
    if (s->mode == SCRIPT_LATE)
        s->world.follower->ahead_ms = 2000;
    if (s->mode == SCRIPT_TAKE_OVER)
        world_take_over(&s->world);
    else
        world_let_follow(&s->world);
    s->world.carry = false;
    if (s->world.fault[0])
        script_wrong(s, "%s", s->world.fault);
}

/* Runs it to the end or the first fault; the caller releases the world and the answers. */
static void run_file(struct script *s, const char *path, enum script_mode mode)
{
    char text[1024];
    *s = (struct script){.mode = mode};
    world_init(&s->world);
    if (mode >= SCRIPT_FOLLOWED)
        world_follow(&s->world, mode == SCRIPT_FOLLOWED ? 0 : mode == SCRIPT_LATE ? 3 : 1);
    if (mode == SCRIPT_LATE)
        s->world.follower->forgets = true;
    buf_init(&s->answers, 1 << 24);
    FILE *file = fopen(path, "re");
    if (!file) {
        snprintf(s->fault, sizeof(s->fault), "cannot be opened: %s", strerror(errno));
        return;
    }
    for (int number = 1; !s->fault[0] && fgets(text, sizeof(text), file); number++) {
        if (number == 1 && text[0] != '#')
            snprintf(s->fault, sizeof(s->fault), "A script begins with its claim.");
        else if (script_line_read(&s->line, text, number))
            run_line(s);
    }
    fclose(file);
}

static struct script running; /* large */

bool script_run(const char *path, enum script_mode mode, struct buf *answers, char fault[SCRIPT_FAULT_SIZE])
{
    run_file(&running, path, mode);
    world_release(&running.world);
    snprintf(fault, SCRIPT_FAULT_SIZE, "%s", running.fault);
    *answers = running.answers;
    return !running.fault[0];
}

bool script_journal(const char *path, struct script_journal *out, char fault[SCRIPT_FAULT_SIZE])
{
    run_file(&running, path, SCRIPT_PLAIN);
    const struct buf *journal = &running.world.journal;
    *out = (struct script_journal){running.world.changes, journal->size,
                                   crc32c(0, journal->data, journal->size)};
    world_release(&running.world);
    buf_release(&running.answers);
    snprintf(fault, SCRIPT_FAULT_SIZE, "%s", running.fault);
    return !running.fault[0];
}
