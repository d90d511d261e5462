/* SPDX-License-Identifier: Apache-2.0 */
#include "core/queue/queue.h"

#include "base/assertion.h"
#include "core/catalogue/event.h"
#include "core/entry.h"
#include "core/queue/queue_pace.h"
#include "core/queue/queue_time.h"

#define STREAM_POLL_S 15 /* queue_present is called at least this often for an open stream */
/* Another process chose the time to ask again, spread at random as here, and its message took up to a second or two. */
#define POLLED_LATER_S 3

/* ---- Entries ---- */

static void queue_answer(struct state *st, struct event *e, uint32_t number, struct outcome *out)
{
    queue_entry_view(st, e, number, &out->entry);
    state_saw(out, queue_entry_seq(e));
}

/* The same for the owner of the entry, who thereby is present, and back if passed over. */
static void answer_owner(struct state *st, struct event *e, uint32_t number, bool no_changes,
                         struct outcome *out)
{
    struct queue_entry *entry = queue_entry(e->queue, number);
    ASSERT(entry->asked_s <= st->now_ms / 1000);
    entry->asked_s = (uint32_t)(st->now_ms / 1000); /* presence is not persistent, so this needs no change */
    if (entry->status == QUEUE_PASSED_OVER && entry->until_s && !no_changes)
        queue_emit_move(st, e, number, QUEUE_PASSED_OVER, 0, false);
    queue_answer(st, e, number, out);
    ASSERT(out->entry.poll_after_s >= 1 && out->entry.poll_after_s <= POLL_AFTER_MAX_S);
    entry->told_s = (uint8_t)out->entry.poll_after_s;
}

/* Brings the queue up to date, as far as an answer about an entry needs it. */
static enum outcome_code settle(struct state *st, struct event *e, uint32_t number, bool no_changes)
{
    if (!no_changes) {
        queue_open_due(st, e);
        if (number)
            queue_settle(st, e, number);
    }
    bool counted = queue_count_gone(e->queue);
    queue_schedule(st, e);
    return counted ? OUTCOME_OK : OUTCOME_RETRY; /* a large queue that has just opened */
}

enum outcome_code queue_look(struct state *st, const struct command *c, struct outcome *out)
{
    struct event *e;
    uint32_t number;
    enum outcome_code code = entry_find(st, c, ENTRY_QUEUE, &e, &number, out);
    if (code == OUTCOME_OK)
        code = settle(st, e, number, c->no_changes);
    if (code != OUTCOME_OK)
        return code;
    if (st->actor.role == ROLE_ADMIN)
        queue_answer(st, e, number, out);
    else
        answer_owner(st, e, number, c->no_changes, out);
    const struct queue_entry *entry = queue_entry(e->queue, number);
    if (st->now_ms >= queue_lapses_at(st, entry)) {
        ASSERT(c->no_changes);
        out->entry.status = queue_lapsed_status(entry);
    }
    return OUTCOME_OK;
}

enum outcome_code queue_leave(struct state *st, const struct command *c, struct outcome *out)
{
    struct event *e;
    uint32_t number;
    enum outcome_code code = entry_find(st, c, ENTRY_QUEUE, &e, &number, out);
    if (code == OUTCOME_OK)
        code = settle(st, e, number, false);
    if (code != OUTCOME_OK)
        return code;
    const struct queue_entry *entry = queue_entry(e->queue, number);
    if (queue_entry_live(entry))
        queue_emit_move(st, e, number, QUEUE_LEFT, queue_kept_until_ms(entry), false);
    queue_answer(st, e, number, out);
    return OUTCOME_OK;
}

bool queue_present(struct state *st, struct event *e, uint32_t number)
{
    struct queue *q = e->queue;
    if (!q || number < 1 || number > queue_joined(q))
        return false;
    struct queue_entry *entry = queue_entry(q, number);
    if (!queue_entry_live(entry) || st->now_ms >= queue_lapses_at(st, entry))
        return false;
    entry->asked_s = (uint32_t)(st->now_ms / 1000);
    if (entry->told_s < STREAM_POLL_S)
        entry->told_s = STREAM_POLL_S;
    /* Not a command, so it must not emit: the next step does. */
    if (entry->status == QUEUE_PASSED_OVER && entry->until_s)
        queue_note_return(st, e, number);
    return true;
}

bool queue_polled(struct state *st, struct event *e, uint32_t number)
{
    struct queue_entry_image shown = {0};
    if (!queue_present(st, e, number))
        return false;
    uint32_t told_s = POLL_AFTER_MAX_S;
    if (queue_count_gone(e->queue)) { /* else a large queue has just opened, and its places are still being counted */
        queue_entry_view(st, e, number, &shown);
        told_s = shown.poll_after_s + shown.poll_after_s / 4 + POLLED_LATER_S;
    }
    queue_entry(e->queue, number)->told_s = (uint8_t)(told_s < POLL_AFTER_MAX_S ? told_s : POLL_AFTER_MAX_S);
    return true;
}

/* ---- Joining ---- */

static enum outcome_code join_new(struct state *st, const struct command *c, struct event *e,
                                  struct text user, uint32_t *number, struct outcome *out)
{
    struct queue *q = e->queue;
    uint64_t tiers;
    if (event_sale_over(e, st->now_ms))
        return event_off_sale(e, out);
    struct code *with; /* must be valid; joining uses no units of it */
    enum outcome_code code = entry_judge_joiner(st, e, c->queue.code, &with, out);
    if (code != OUTCOME_OK)
        return code;
    if (queue_joined(q) == QUEUE_ENTRIES_MAX) {
        out->detail = "The waiting room is full.";
        return OUTCOME_UNAVAILABLE;
    }
    if (!queue_tiers_learn(q, c->queue.tiers, c->queue.tier_count, &tiers))
        return state_invalid(out, "Too many tiers: at most 64 different ones per waiting room.", "/tiers");
    if (!q->in_line) { /* credit and measurements from before do not apply to a new line */
        queue_earn(st, e, QUEUE_IDLE_MILLI);
        queue_pace_restart(q, st->now_ms);
    }
    *number = queue_append(q, user, st->now_ms, tiers);
    st->change.kind = CHANGE_QUEUE_JOINED;
    st->change.joined.event = e->image.number;
    st->change.joined.number = *number;
    st->change.joined.user_id = user;
    st->change.joined.tiers = q->view_tiers;
    st->change.joined.tier_count = queue_tiers_name(q, tiers, q->view_tiers);
    q->seq = state_emit(st);
    ASSERT(q->seq > q->moved_seq); /* joining moves no entry */
    queue_schedule(st, e);
    out->created = true;
    st->totals.joined++;
    return OUTCOME_OK;
}

enum outcome_code queue_join(struct state *st, const struct command *c, struct outcome *out)
{
    struct text user;
    struct id made;
    bool seen;
    enum outcome_code code = entry_joiner(st, c, &user, out);
    if (code == OUTCOME_OK && st->actor.role == ROLE_USER && c->queue.tier_count)
        code = OUTCOME_FORBIDDEN; /* users cannot choose the tiers of their pass */
    if (code == OUTCOME_OK)
        code = idempotency_seen(st, c, out, &seen, &made);
    if (code != OUTCOME_OK)
        return code;
    struct event *e = event_find(st, c->queue.event);
    if (!e)
        return OUTCOME_NO_SUCH_EVENT;
    if (!seen && !e->image.has_queue)
        return OUTCOME_NO_WAITING_ROOM;
    uint32_t number;
    /* A repeated request is about the entry that it created, even if its user has another one by now. */
    if (seen)
        code = entry_made(e, ENTRY_QUEUE, made, &number, out);
    else
        number = queue_find_user(e->queue, user);
    if (code == OUTCOME_OK)
        code = settle(st, e, number, false);
    if (code != OUTCOME_OK)
        return code;
    if (!seen && (!number || !queue_entry_live(queue_entry(e->queue, number))))
        code = join_new(st, c, e, user, &number, out);
    if (code != OUTCOME_OK)
        return code;
    ASSERT(number >= 1 && number <= queue_joined(e->queue));
    answer_owner(st, e, number, false, out);
    state_saw(out, e->queue->seq); /* it might have joined just now */
    if (out->created)              /* only a request that created something is remembered */
        idempotency_remember(st, c, MADE_QUEUE_ENTRY, out->entry.id);
    return OUTCOME_OK;
}

/* ---- The queue itself ---- */

/* An empty queue that was open and gets a later opening time can still have a draw, with a new seed: the old one is
 * public. */
static void unopen_empty(struct state *st, struct event *e, const uint8_t seed[32])
{
    struct queue *q = e->queue;
    if (!q->image.opened_at_ms || queue_joined(q) || st->now_ms >= e->image.queue.open_at_ms)
        return;
    ASSERT(!q->image.drawn && !q->serving);
    struct queue_image image = q->image;
    image.opened_at_ms = 0;
    memcpy(image.seed, seed, sizeof(image.seed));
    queue_save(st, &image);
}

void queue_put(struct state *st, struct event *e, const uint8_t seed[32])
{
    if (!e->image.has_queue)
        return;
    if (!e->queue) {
        struct queue_image image = {.event = e->image.number};
        memcpy(image.seed, seed, sizeof(image.seed));
        e->queue = queue_make(&image, e->image.entry_key, st->queue_by_status);
        if (st->now_ms < e->image.queue.open_at_ms)
            queue_save(st, &image); /* otherwise the opening does */
    }
    ASSERT(e->queue->image.event == e->image.number);
    unopen_empty(st, e, seed);
    queue_open_due(st, e);
    queue_apply_settings(st, e);
}

static bool settings_patch(const struct command *c, struct queue_settings *s)
{
    struct queue_settings before = *s;
    if (c->queue_patch.has_rate)
        s->rate_per_second = c->queue_patch.rate_per_second;
    if (c->queue_patch.has_max_active)
        s->max_active = c->queue_patch.max_active;
    if (c->queue_patch.has_open_at)
        s->open_at_ms = c->queue_patch.open_at_ms;
    return s->rate_per_second != before.rate_per_second || s->max_active != before.max_active ||
           s->open_at_ms != before.open_at_ms;
}

enum outcome_code queue_patch(struct state *st, const struct command *c, struct outcome *out)
{
    struct event *e = event_find(st, c->queue_patch.event);
    if (!e)
        return OUTCOME_NO_SUCH_EVENT;
    if (!e->image.has_queue)
        return OUTCOME_NO_WAITING_ROOM;
    struct queue *q = e->queue;
    ASSERT(q && q->image.event == e->image.number);
    queue_open_due(st, e); /* by the old settings */
    struct event_image image = e->image;
    bool settings = settings_patch(c, &image.queue);
    bool pause = c->queue_patch.has_paused && c->queue_patch.paused != q->image.paused;
    /* Credit so far is earned at the old rate, and none is earned during a pause. */
    if (settings || pause)
        queue_earn(st, e, QUEUE_IDLE_MILLI);
    if (settings) {
        event_save(st, &image, NULL);
        unopen_empty(st, e, c->queue_patch.seed);
    }
    if (pause) {
        struct queue_image paused = q->image;
        paused.paused = c->queue_patch.paused;
        queue_save(st, &paused);
    }
    queue_open_due(st, e);
    if (settings || pause)
        queue_apply_settings(st, e);
    bool shown = queue_view(st, e, &out->queue);
    ASSERT(shown && q->seq >= q->moved_seq);
    state_saw(out, q->seq);
    return OUTCOME_OK;
}
