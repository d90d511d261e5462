/* SPDX-License-Identifier: Apache-2.0 */
/* engine.c — a command is judged at the given instant, and answered at once or kept (engine/fetch.h).
 *
 * Happy path: engine_submit → state_apply appends its changes to the open batch → `done` gets the outcome, with the seq to
 * wait for. A command on a forgotten record takes one more step: the host reads the record from the book, the engine
 * restores it, and the command is applied as usual.
 */
#include "engine/engine.h"

#include "base/assertion.h"
#include "engine/due.h"
#include "engine/fetch.h"

#define PENDING_MAX (1u << 20) /* bytes of an open batch beyond which optional work waits */

const struct engine_limits engine_limits_default = {
    .expire = 128, /* a millisecond, for slots on a full calendar */
    .warn = 256,
    .admit = 1024, /* less than a millisecond */
    .retry = 64,
    .cancel = 32, /* less than a millisecond */
    .forget = 1024,
};

void engine_init(struct engine *e, struct state *state, struct log *log, const struct engine_host *host)
{
    /* `touched` alone may be NULL. */
    ASSERT(host->appended && host->more && host->read && host->begin_segment && host->book_seq &&
           host->damaged);
    *e = (struct engine){
        .state = state, .log = log, .host = *host, .limits = engine_limits_default, .log_max = UINT64_MAX};
}

void engine_set_role(struct engine *e, enum engine_role role)
{
    ASSERT(role == ENGINE_ALONE || role == ENGINE_FOLLOWER);
    ASSERT(engine_decides(e) || !e->changes->size); /* a follower has written nothing of its own */
    e->role = role;
    if (engine_decides(e))
        e->host.more(e->host.owner);
}

/* ---- Room ---- */

bool engine_has_room(const struct engine *e)
{
    return e->changes->size < PENDING_MAX && log_room(e->log) == LOG_ROOM_OK;
}

enum engine_condition engine_condition(const struct engine *e)
{
    if (log_room(e->log) == LOG_ROOM_AWAY)
        return ENGINE_AWAY;
    if (log_room(e->log) != LOG_ROOM_OK)
        return ENGINE_FULL;
    /* Only what the book lacks counts: segments that a slow reader keeps from being freed cost nothing but disk. */
    bool behind = log_bytes(e->log) > e->log_max &&
                  e->log->ops->exceeds(e->log, e->host.book_seq(e->host.owner), e->log_max);
    return behind ? ENGINE_BEHIND : ENGINE_READY;
}

static enum outcome_code may_write(const struct engine *e, enum command_kind kind)
{
    bool reads = command_is(kind, COMMAND_READ_ONLY);
    if (!engine_decides(e))
        return reads && !command_is(kind, COMMAND_MOVES_MEMORY) ? OUTCOME_OK : OUTCOME_UNAVAILABLE;
    if (log_room(e->log) == LOG_ROOM_NONE && !reads)
        return OUTCOME_STORAGE_FULL;
    if (log_room(e->log) == LOG_ROOM_AWAY)
        return reads ? OUTCOME_OK : OUTCOME_UNAVAILABLE;
    /* Commits and releases may use the reserve, also while the book is behind. */
    if (command_is(kind, COMMAND_USES_RESERVE))
        return OUTCOME_OK;
    switch (engine_condition(e)) {
    case ENGINE_READY:
        return OUTCOME_OK;
    case ENGINE_FULL:
        return OUTCOME_STORAGE_FULL;
    case ENGINE_AWAY:
    case ENGINE_BEHIND:
        return OUTCOME_UNAVAILABLE;
    }
    return OUTCOME_OK;
}

/* ---- Applying ---- */

static void show(struct engine *e)
{
    struct state *st = e->state;
    if (e->host.touched && (st->touch_count || st->span_count || st->moved_count || st->ride_count))
        /* Now, not when durable: views must show the state that core decides by, and each answer waits for its
         * seq. */
        e->host.touched(e->host.owner);
    state_forget_touches(st);
}

void engine_end_step(struct engine *e)
{
    struct state *st = e->state;
    ASSERT(!st->change_count || engine_decides(e)); /* a follower's changes come from the log alone */
    ASSERT(st->change_count || !st->sales.count); /* nothing is sold without a change */
    if (st->change_count)
        e->host.appended(e->host.owner, st->change_count, st->now_ms);
    show(e);
}

void engine_followed(struct engine *e)
{
    ASSERT(!engine_decides(e) && e->state->follows);
    e->durable_seq = e->state->seq;
    show(e);
}

enum outcome_code engine_apply(struct engine *e, int64_t now_ms, const struct command *c, struct outcome *out)
{
    size_t before = e->changes->size;
    state_apply(e->state, c, now_ms, e->changes, out);
    ASSERT(!c->no_changes || e->changes->size == before);
    ASSERT(out->seq <= e->state->seq); /* an answer cannot wait for a change that does not exist */
    engine_end_step(e);
    if (due_after_command(e) <= now_ms)
        e->host.more(e->host.owner);
    return out->code;
}

void engine_judge(struct engine *e, int64_t now_ms, struct command *c, engine_done_fn done, void *ctx)
{
    struct outcome *out = &e->outcome;
    enum outcome_code allowed = may_write(e, c->kind);
    if (allowed != OUTCOME_OK) {
        *out = (struct outcome){.code = allowed};
        done(ctx, out);
        return;
    }
    /* Polling must not use the reserve that commits need. */
    enum log_room room = log_room(e->log);
    c->no_changes =
        command_is(c->kind, COMMAND_READ_ONLY) && (!engine_decides(e) || room == LOG_ROOM_NONE || room == LOG_ROOM_AWAY ||
                                                   (c->kind == COMMAND_QUEUE_LOOK && room != LOG_ROOM_OK));
    /* An offer is a new hold. */
    c->no_offers = room != LOG_ROOM_OK;
    engine_apply(e, now_ms, c, out);
    if (out->code == OUTCOME_FETCH)
        fetch_begin(e, c, out, done, ctx);
    else if (out->code == OUTCOME_RETRY)
        fetch_retry_later(e, c, done, ctx);
    else
        done(ctx, out);
}

void engine_submit(struct engine *e, int64_t now_ms, const struct command *command, engine_done_fn done,
                   void *ctx)
{
    /* The caller's command stays const; engine_judge sets the flags in this copy. */
    struct command c = *command;
    engine_judge(e, now_ms, &c, done, ctx);
}

enum gate_verdict engine_gate(struct engine *e, int64_t now_ms, const struct command *command,
                              const struct gate_intents *intents, const struct outcome **out)
{
    *out = &e->outcome;
    return engine_decides(e) ? GATE_NO_VERDICT : state_judge(e->state, command, now_ms, intents, &e->outcome);
}

void engine_begin_epoch(struct engine *e, uint64_t epoch, struct text node, int64_t now_ms)
{
    ASSERT(engine_decides(e));
    state_begin_epoch(e->state, epoch, node, now_ms, e->changes);
    engine_end_step(e);
}

bool engine_idle(const struct engine *e)
{
    return !e->fetches && !e->retries.first && !e->import;
}
