/* SPDX-License-Identifier: Apache-2.0 */
/* script_hook.c — the verbs of a script about outgoing webhooks. */
#include <stdio.h>
#include <stdlib.h>

#include "core/hook/hook_queue.h"
#include "script.h"

#define URL "https://example.com/hook"

/* "held,confirmed,list.offered": the events, those of reservations without "reservation.". */
static uint32_t read_events(struct script *s, const char *words)
{
    char copy[256], whole[64], *rest = copy, *word;
    uint32_t events = 0;
    snprintf(copy, sizeof(copy), "%s", words ? words : "");
    while ((word = strsep(&rest, ","))) {
        enum hook_event event;
        snprintf(whole, sizeof(whole), "%s%s", strchr(word, '.') ? "" : "reservation.", word);
        if (hook_event_read(script_text(whole), &event))
            events |= HOOK_BIT(event);
        else
            script_wrong(s, "No hook can want %s.", word);
    }
    return events;
}

bool script_hook_verb(struct script *s, struct outcome *out)
{
    const struct script_line *l = &s->line;
    struct command c = {.kind = COMMAND_HOOK_REMOVE, .actor = {.role = ROLE_ADMIN}};
    const char *to = script_option(l, "to"), *secret = script_option(l, "secret");
    bool put = strcmp(l->words[0], "hook") == 0;
    if (!put && strcmp(l->words[0], "unhook") != 0)
        return false;
    c.hook.name = script_text(l->words[1]);
    if (put) {
        c.kind = COMMAND_HOOK_PUT;
        c.hook.url = script_text(to ? to : URL);
        c.hook.secret = script_text(secret ? secret : "whsec_0123456789abcdef");
        c.hook.events = read_events(s, script_option(l, "wants"));
    }
    world_apply(&s->world, &c, out);
    return true;
}

/* ---- Sending ---- */

static int by_seq(const void *a, const void *b)
{
    const struct hook_message *x = a, *y = b;
    if (x->seq != y->seq)
        return x->seq < y->seq ? -1 : 1;
    return x->ordinal < y->ordinal ? -1 : x->ordinal > y->ordinal;
}

static const char *name_of(struct script *s, struct id id)
{
    for (int i = 0; i < s->name_count; i++)
        if (id_equal(s->names[i].id, id))
            return s->names[i].name;
    return "?";
}

static void compare(struct script *s, const struct hook_message *messages, uint32_t count)
{
    char text[2048] = "";
    for (uint32_t i = 0; i < count; i++) {
        const char *word = hook_event_name(messages[i].event);
        snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s:%s", i ? ";" : "",
                 name_of(s, messages[i].reservation),
                 strncmp(word, "reservation.", 12) == 0 ? word + 12 : word);
    }
    const char *wanted = s->line.expected_count ? s->line.expected[0] : "none";
    if (strcmp(wanted, "none") == 0 ? count != 0 : strcmp(wanted, text) != 0)
        script_wrong(s, "%s", count ? text : "none");
}

static void report(struct script *s, uint64_t hook, const struct hook_message *messages, uint32_t count,
                   enum hook_result result)
{
    struct hook_report reports[HOOK_TAKE_MAX];
    struct outcome out;
    for (uint32_t i = 0; i < count; i++)
        reports[i] = (struct hook_report){messages[i].seq, messages[i].ordinal, result, 0};
    struct command c = {.kind = COMMAND_HOOK_REPORT, .actor = {.role = ROLE_SERVER}};
    c.hook_report.hook = hook;
    c.hook_report.reports = reports;
    c.hook_report.count = count;
    world_apply(&s->world, &c, &out);
    /* Dead messages are only in the book: the script remembers them for `resend`. */
    for (uint32_t i = 0; i < count && result != HOOK_RESULT_DELIVERED; i++)
        if (hook_waiting_find(s->world.st, hook, messages[i].seq, messages[i].ordinal) == TABLE_NONE)
            s->dead[s->dead_count++ % SCRIPT_DEAD_MAX] = messages[i];
}

/* take H: takes due messages; deliver H, fail H, gone H: and reports this result. */
static void send(struct script *s, const struct hook_image *h)
{
    const char *verb = s->line.words[0], *most = script_option(&s->line, "most");
    const char *durable = script_option(&s->line, "durable");
    struct hook_message messages[HOOK_TAKE_MAX];
    struct outcome out;
    uint64_t hook = h->number;
    struct command c = {.kind = COMMAND_HOOK_TAKE, .actor = {.role = ROLE_SERVER}};
    c.hook_take.hook = hook;
    c.hook_take.most = most ? (uint32_t)script_number(most) : HOOK_TAKE_MAX;
    c.hook_take.durable_seq = durable ? script_name(s, durable)->fence : UINT64_MAX;
    world_apply(&s->world, &c, &out);
    uint32_t count = out.message_count;
    memcpy(messages, out.messages, count * sizeof(*messages));
    qsort(messages, count, sizeof(*messages), by_seq);
    compare(s, messages, count);
    if (strcmp(verb, "take") != 0)
        report(s, hook, messages, count,
               strcmp(verb, "deliver") == 0 ? HOOK_RESULT_DELIVERED
               : strcmp(verb, "fail") == 0  ? HOOK_RESULT_FAILED
                                            : HOOK_RESULT_GONE);
}

static void abandon(struct script *s, const struct hook_image *h)
{
    struct outcome out;
    struct command c = {.kind = COMMAND_HOOK_REPORT, .actor = {.role = ROLE_SERVER}};
    c.hook_report.hook = h->number;
    c.hook_report.failing = true;
    world_apply(&s->world, &c, &out);
}

static void resend(struct script *s)
{
    struct outcome out;
    struct command c = {.kind = COMMAND_HOOK_RESEND, .actor = {.role = ROLE_ADMIN}};
    c.hook_resend.name = script_text(s->line.words[1]);
    c.hook_resend.messages = s->dead;
    c.hook_resend.count = s->dead_count;
    world_apply(&s->world, &c, &out);
    if (s->line.expected_count && script_number(s->line.expected[0]) != (int64_t)out.message_count)
        script_wrong(s, "%u", out.message_count);
}

static void secrets(struct script *s, const struct hook_image *h)
{
    char text[2 * HOOK_SECRET_SIZE_MAX + 2];
    bool both = h->old_until_ms > s->world.now_ms;
    snprintf(text, sizeof(text), "%.*s%s%.*s", (int)h->secret.size, h->secret.at, both ? ";" : "",
             both ? (int)h->old_secret.size : 0, both ? h->old_secret.at : "");
    if (strcmp(text, s->line.expected[0]) != 0)
        script_wrong(s, "%s", text);
}

bool script_hook_query(struct script *s)
{
    const char *verb = s->line.words[0];
    const struct state *st = s->world.st;
    if (strcmp(verb, "warn") == 0) {
        s->tally = world_warn(&s->world);
        if (s->line.expected_count && script_number(s->line.expected[0]) != s->tally)
            script_wrong(s, "%lld", (long long)s->tally);
        return true;
    }
    if (s->line.count < 2)
        return false;
    const struct hook_image *h = state_hook_named(st, script_text(s->line.words[1]));
    bool sends = strcmp(verb, "take") == 0 || strcmp(verb, "deliver") == 0 || strcmp(verb, "fail") == 0 ||
                 strcmp(verb, "gone") == 0;
    if (!sends && strcmp(verb, "resend") != 0 && strcmp(verb, "secrets") != 0 &&
        strcmp(verb, "hooked") != 0 && strcmp(verb, "abandon") != 0)
        return false;
    if (!h)
        script_wrong(s, "There is no such hook.");
    else if (sends)
        send(s, h);
    else if (strcmp(verb, "resend") == 0)
        resend(s);
    else if (strcmp(verb, "secrets") == 0)
        secrets(s, h);
    else if (strcmp(verb, "abandon") == 0)
        abandon(s, h);
    else
        script_must_be(s, "waiting", hook_find_number(s->world.st, h->number)->waiting);
    return true;
}
