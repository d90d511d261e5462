/* SPDX-License-Identifier: Apache-2.0 */
/* commands.c — a command comes in, is judged at the instant of this turn, and is answered at once or kept for
 * later (store/deferred.h).
 *
 * Happy path of a command: store_submit → state_apply appends its changes to the open batch → done gets the
 * outcome at once, with the seq to wait for → the turn ends and the batch is handed over → the batcher syncs
 * → on_durable releases the answer. A command on a forgotten reservation takes one more step: the record is
 * read from the book and put back, then the command is applied as usual.
 */
#include "core/catalogue/event.h"
#include "core/dispatch/dispatch.h"
#include "core/queue/queue.h"
#include "store/deferred.h"

#define PENDING_MAX (1u << 20) /* bytes of an open batch beyond which optional work waits */

bool local_has_room(const struct store *s)
{
    return batcher_pending(&s->batcher) < PENDING_MAX && log_room(s->log) == LOG_ROOM_OK;
}

/* ---- Applying ---- */

void local_take_in(struct store *s)
{
    struct state *st = s->state;
    if (st->change_count)
        batcher_appended(&s->batcher, st->change_count, st->now_ms);
    if (s->on_touched && (st->touch_count || st->span_count || st->moved_count || st->ride_count))
        /* At once and not when durable: views show what core decides by, and each answer waits for its
         * seq. */
        s->on_touched(s->on_touched_ctx);
    st->touch_count = st->span_count = st->moved_count = st->ride_count = 0;
}

enum outcome_code local_apply(struct store *s, const struct command *c, struct outcome *out)
{
    state_apply(s->state, c, store_now(s), batcher_changes(&s->batcher), out);
    local_take_in(s);
    /* Whoever asked for a ride, or was asked and said no, does not wait for the next tick. */
    if (state_next_dispatch(s->state) <= s->state->now_ms)
        store_more(s);
    return out->code;
}

enum store_condition local_condition(const struct store *s)
{
    if (log_room(s->log) != LOG_ROOM_OK)
        return STORE_FULL;
    /* What the book has and a reader keeps from being freed costs disk and nothing else. */
    uint64_t max = s->options.journal_max;
    bool behind = log_bytes(s->log) > max && s->log->ops->exceeds(s->log, recorder_seq(&s->recorder), max);
    return behind ? STORE_BEHIND : STORE_READY;
}

static enum outcome_code may_write(struct store *s, enum command_kind kind)
{
    enum log_room room = log_room(s->log);
    if (room == LOG_ROOM_NONE && !command_is(kind, COMMAND_LOOKS))
        return OUTCOME_STORAGE_FULL;
    /* Commits and releases may use the reserve, and a book that is behind does not stop them. */
    if (command_is(kind, COMMAND_FINISHES))
        return OUTCOME_OK;
    switch (local_condition(s)) {
    case STORE_READY:
        return OUTCOME_OK;
    case STORE_FULL:
        return OUTCOME_STORAGE_FULL;
    case STORE_BEHIND:
        return OUTCOME_UNAVAILABLE;
    }
    return OUTCOME_OK;
}

/* ---- Commands ---- */

void local_submit(struct store *s, struct command *c, store_done_fn done, void *ctx)
{
    struct outcome *out = &s->outcome;
    enum outcome_code allowed = may_write(s, c->kind);
    if (allowed != OUTCOME_OK) {
        *out = (struct outcome){.code = allowed};
        done(ctx, out);
        return;
    }
    /* Polling must not use up the reserve that commits need. */
    enum log_room room = log_room(s->log);
    c->no_changes = command_is(c->kind, COMMAND_LOOKS) &&
                    (room == LOG_ROOM_NONE || (c->kind == COMMAND_QUEUE_LOOK && room != LOG_ROOM_OK));
    /* An offer is a new hold. */
    c->no_offers = room != LOG_ROOM_OK;
    local_apply(s, c, out);
    if (out->code == OUTCOME_FETCH)
        deferred_fetch(s, c, out, done, ctx);
    else if (out->code == OUTCOME_RETRY)
        deferred_retry(s, c, done, ctx);
    else
        done(ctx, out);
}

void store_submit(struct store *s, const struct command *command, store_done_fn done, void *ctx)
{
    /* The caller's command stays const; local_submit sets the flags in this copy. */
    struct command c = *command;
    local_submit(s, &c, done, ctx);
}

/* ---- Without a command ---- */

void store_queue_present(struct store *s, uint64_t event_number, uint32_t number)
{
    struct event *e = event_find_number(s->state, event_number);
    state_set_now(s->state, store_now(s));
    if (e)
        queue_present(s->state, e, number);
}
