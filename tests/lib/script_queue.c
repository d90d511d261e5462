/* SPDX-License-Identifier: Apache-2.0 */
/* script_queue.c — the verbs of a script about waiting rooms. */
#include <stdio.h>

#include "base/crypto/hash.h"
#include "core/catalogue/event.h"
#include "core/entry_id.h"
#include "core/queue/queue.h"
#include "core/queue/queue_line.h"
#include "script.h"

/* ---- Settings ---- */

/* "gold,silver" into texts that are valid until the next call. */
static uint32_t read_tiers(const char *word, struct text tiers[TIERS_MAX])
{
    static char copy[512];
    uint32_t count = 0;
    snprintf(copy, sizeof(copy), "%s", word ? word : "");
    char *rest = copy, *tier;
    while (word && (tier = strsep(&rest, ",")) && count < TIERS_MAX)
        tiers[count++] = script_text(tier);
    return count;
}

static uint32_t number_or(const char *word, uint32_t otherwise)
{
    return word ? (uint32_t)script_number(word) : otherwise;
}

/* What is random in a server is derived from the event's name here. */
void script_queue_settings(const struct script_line *l, struct command *c)
{
    static struct text tiers[TIERS_MAX];
    struct event_image *e = &c->event_put.image;
    hash_sha256(e->id.at, e->id.size, c->event_put.seed);
    e->entry_key[0] = hash_sip((struct hash_key){5, 6}, e->id.at, e->id.size);
    e->entry_key[1] = ~e->entry_key[0];
    e->has_queue = script_flag(l, "room");
    if (!e->has_queue)
        return;
    const char *open = script_option(l, "open"), *pass = script_option(l, "passttl");
    e->queue = (struct queue_settings){
        .open_at_ms = open ? WORLD_EPOCH_MS + script_time(open) : 0,
        .rate_per_second = number_or(script_option(l, "rate"), 1000),
        .max_active = number_or(script_option(l, "active"), 0),
        .pass_ttl_s = pass ? (uint32_t)(script_time(pass) / 1000) : 900,
        .shuffle_before_open = script_flag(l, "shuffle"),
        .by_inventory = script_flag(l, "inventory"),
        .tiers = tiers,
        .tier_count = read_tiers(script_option(l, "tiers"), tiers),
    };
}

static void verb_patch(struct script *s, struct outcome *out)
{
    const struct script_line *l = &s->line;
    const char *rate = script_option(l, "rate"), *active = script_option(l, "active");
    const char *paused = script_option(l, "paused"), *open = script_option(l, "open");
    struct command c = {.kind = COMMAND_QUEUE_PATCH, .actor = {.role = ROLE_ADMIN}};
    c.queue_patch.event = script_text(l->words[1]);
    c.queue_patch.has_rate = rate != NULL;
    c.queue_patch.rate_per_second = number_or(rate, 0);
    c.queue_patch.has_max_active = active != NULL;
    c.queue_patch.max_active = number_or(active, 0);
    c.queue_patch.has_paused = paused != NULL;
    c.queue_patch.paused = number_or(paused, 0);
    c.queue_patch.has_open_at = open != NULL;
    c.queue_patch.open_at_ms = open && strcmp(open, "now") != 0 ? WORLD_EPOCH_MS + script_time(open) : 0;
    world_apply(&s->world, &c, out);
}

/* ---- Entries ---- */

/* The event of the entry with this name. */
static struct event *entry_event(struct script *s, const struct script_name *n)
{
    struct event *e = event_find(s->world.st, script_text(n->event));
    if (!e)
        script_wrong(s, "%s is in no waiting room.", n->name);
    return e;
}

static void verb_join(struct script *s, struct outcome *out)
{
    static struct text tiers[TIERS_MAX];
    const struct script_line *l = &s->line;
    struct command c = script_command(s, COMMAND_QUEUE_JOIN);
    struct script_name *n = script_name(s, l->words[1]);
    const char *event = script_option(l, "on");
    c.queue.event = script_text(event);
    c.queue.tiers = tiers;
    c.queue.tier_count = read_tiers(script_option(l, "tiers"), tiers);
    script_idempotency(l, &c);
    c.queue.code = script_text(script_option(&s->line, "code"));
    if (world_apply(&s->world, &c, out) != OUTCOME_OK)
        return;
    n->id = out->entry.id;
    snprintf(n->event, sizeof(n->event), "%s", event);
}

/* Option `id R`: with the id of another entry; `on E`: with another event. */
static void verb_entry(struct script *s, enum command_kind kind, struct outcome *out)
{
    struct command c = script_command(s, kind);
    const struct script_name *n = script_name(s, s->line.words[1]);
    const char *other = script_option(&s->line, "id"), *event = script_option(&s->line, "on");
    c.queue.event = script_text(event ? event : n->event);
    c.queue.entry = other ? script_name(s, other)->id : n->id;
    script_submit(s, &c, out);
}

bool script_queue_verb(struct script *s, struct outcome *out)
{
    const char *verb = s->line.words[0];
    if (strcmp(verb, "join") == 0)
        verb_join(s, out);
    else if (strcmp(verb, "ask") == 0)
        verb_entry(s, COMMAND_QUEUE_LOOK, out);
    else if (strcmp(verb, "leave") == 0)
        verb_entry(s, COMMAND_QUEUE_LEAVE, out);
    else if (strcmp(verb, "queue") == 0)
        verb_patch(s, out);
    else
        return false;
    return true;
}

/* "Q", "lapsed:Q", "false": the pass of the request. */
void script_pass(struct script *s, struct command *c)
{
    const char *word = script_option(&s->line, "pass");
    if (!word)
        return;
    c->pass.verdict = PASS_GENUINE;
    if (strncmp(word, "lapsed:", 7) == 0) {
        c->pass.verdict = PASS_LAPSED;
        word += 7;
    } else if (strcmp(word, "false") == 0) {
        c->pass.verdict = PASS_FALSE;
        return;
    }
    const struct script_name *n = script_name(s, word);
    const struct event *e = entry_event(s, n);
    if (!e)
        return;
    uint64_t number = entry_id_number(e->image.entry_key, ENTRY_QUEUE, n->id);
    c->pass.event = e->image.id;
    c->pass.entry = n->id;
    if (number && e->queue)
        c->pass.user = queue_user(e->queue, (uint32_t)number);
}

/* ---- Looking ---- */

void script_entry_write(struct buf *out, const struct queue_entry_image *q)
{
    char id[ID_TEXT_SIZE];
    id_write(q->id, id);
    buf_printf(out, " %s entry %.*s %u of %.*s position %u ahead %u joined %lld until %lld tiers",
               queue_status_name(q->status), ID_TEXT_SIZE, id, q->number, (int)q->user_id.size, q->user_id.at,
               q->position, q->ahead, (long long)q->joined_at_ms, (long long)q->until_ms);
    for (uint32_t i = 0; i < q->tier_count; i++)
        buf_printf(out, " %.*s", (int)q->tiers[i].size, q->tiers[i].at);
}

static void expect_tiers(struct script *s, const struct queue_entry_image *q)
{
    const char *wanted = script_expected(&s->line, "tiers");
    struct buf is;
    buf_init(&is, 4096);
    for (uint32_t i = 0; i < q->tier_count; i++)
        buf_printf(&is, "%s%.*s", i ? "," : "", (int)q->tiers[i].size, q->tiers[i].at);
    if (wanted && !text_equal(script_text(wanted), (struct text){(const char *)is.data, is.size}))
        script_wrong(s, "The tiers are %.*s.", (int)is.size, is.data ? (const char *)is.data : "");
    buf_release(&is);
}

/* eta=N or eta=none, only within one process: measurements are not kept. */
static void expect_eta(struct script *s, const struct queue_entry_image *q)
{
    const char *wanted = script_expected(&s->line, "eta");
    int64_t eta_s = wanted && strcmp(wanted, "none") != 0 ? script_number(wanted) : -1;
    if (wanted && q->eta_s != eta_s)
        script_wrong(s, "eta is %lld.", (long long)q->eta_s);
    if (q->poll_after_s < 1 || q->poll_after_s > POLL_AFTER_MAX_S)
        script_wrong(s, "poll_after is %u.", q->poll_after_s);
}

void script_entry_check(struct script *s, const struct queue_entry_image *q)
{
    const char *ends = script_expected(&s->line, "ends");
    int64_t until_ms = ends && strcmp(ends, "none") != 0 ? WORLD_EPOCH_MS + script_time(ends) : 0;
    if (ends && q->until_ms != until_ms)
        script_wrong(s, "It ends at %lld ms.", (long long)(q->until_ms ? q->until_ms - WORLD_EPOCH_MS : 0));
    script_expect_number(s, "position", q->position);
    script_expect_number(s, "ahead", q->ahead);
    script_expect_number(s, "number", q->number);
    expect_eta(s, q);
    expect_tiers(s, q);
}

/* stands Q waiting -> ...: without a poll, so that it does not make the owner present. */
static void verb_stands(struct script *s)
{
    const struct script_name *n = script_name(s, s->line.words[1]);
    struct event *e = entry_event(s, n);
    struct queue_entry_image q;
    uint64_t number = e ? entry_id_number(e->image.entry_key, ENTRY_QUEUE, n->id) : 0;
    if (!number || !e->queue || number > queue_joined(e->queue)) {
        script_wrong(s, "There is no such entry.");
        return;
    }
    state_set_now(s->world.st, s->world.now_ms);
    queue_count_gone(e->queue);
    queue_entry_view(s->world.st, e, (uint32_t)number, &q);
    if (s->line.count > 2 && strcmp(s->line.words[2], queue_status_name(q.status)) != 0)
        script_wrong(s, "%s is %s.", n->name, queue_status_name(q.status));
    script_entry_check(s, &q);
}

static void verb_queue(struct script *s)
{
    struct event *e = event_find(s->world.st, script_text(s->line.words[1]));
    struct queue_view v;
    state_set_now(s->world.st, s->world.now_ms);
    if (!e || !queue_view(s->world.st, e, &v)) {
        script_wrong(s, "There is no such room.");
        return;
    }
    script_must_be(s, "joined", v.joined);
    script_must_be(s, "waiting", v.waiting);
    script_must_be(s, "active", v.active);
    script_must_be(s, "passed", v.passed_over);
    script_must_be(s, "finished", v.finished);
    script_must_be(s, "left", v.left);
    script_must_be(s, "serving", v.serving);
    script_must_be(s, "paused", v.image.paused);
    script_must_be(s, "opened", v.image.opened_at_ms != 0);
    script_must_be(s, "drawn", v.image.drawn);
    script_must_be(s, "rate", v.settings.rate_per_second);
    script_must_be(s, "here", v.has_queue);
    script_must_be(s, "pace", v.admitted_per_10_s);
}

static void verb_stream(struct script *s)
{
    const struct script_name *n = script_name(s, s->line.words[1]);
    struct event *e = entry_event(s, n);
    uint64_t number = e ? entry_id_number(e->image.entry_key, ENTRY_QUEUE, n->id) : 0;
    state_set_now(s->world.st, s->world.now_ms);
    bool there = e && queue_present(s->world.st, e, (uint32_t)number);
    if (there == script_expects(&s->line, "gone"))
        script_wrong(s, there ? "It is there." : "It is not there.");
}

bool script_queue_query(struct script *s)
{
    const char *verb = s->line.words[0];
    const char *most = script_option(&s->line, "most");
    if (strcmp(verb, "stands") == 0)
        verb_stands(s);
    else if (strcmp(verb, "room") == 0)
        verb_queue(s);
    else if (strcmp(verb, "stream") == 0)
        verb_stream(s);
    else if (strcmp(verb, "admit") == 0) {
        s->tally = world_admit(&s->world, most ? (uint32_t)script_number(most) : 1000);
        if (s->line.expected_count && script_number(s->line.expected[0]) != s->tally)
            script_wrong(s, "%lld", (long long)s->tally);
    } else {
        return false;
    }
    return true;
}
