/* SPDX-License-Identifier: Apache-2.0 */
/* queue_restore.c — recovery of waiting rooms, from changes and from the book. See restore.c. */
#include "base/assertion.h"
#include "core/catalogue/event.h"
#include "core/codec.h"
#include "core/queue/queue.h"
#include "core/queue/queue_pace.h"
#include "core/queue/queue_time.h"

static bool image_fits(const struct queue *q, const struct queue_image *image)
{
    const struct queue_image *before = &q->image;
    if (image->drawn > queue_joined(q) || (image->drawn && !image->opened_at_ms))
        return false;
    if (!queue_joined(q))
        return true; /* empty: it can start over */
    return memcmp(before->seed, image->seed, sizeof(before->seed)) == 0 &&
           (!before->opened_at_ms ||
            (before->opened_at_ms == image->opened_at_ms && before->drawn == image->drawn));
}

bool queue_change_restore(struct state *st, const struct change *c)
{
    const struct queue_image *image = &c->queue;
    struct event *e = event_find_number(st, image->event);
    if (!e || e->image.removed)
        return false;
    if (!e->queue) {
        if (!e->image.has_queue || image->drawn)
            return false;
        e->queue = queue_make(image, e->image.entry_key, st->queue_by_status);
    } else if (!image_fits(e->queue, image)) {
        return false;
    }
    ASSERT(e->queue->seq < c->seq);
    e->queue->image = *image;
    e->queue->seq = e->queue->moved_seq = c->seq;
    queue_apply_settings(st, e);
    ASSERT(e->queue->draw.count == image->drawn);
    return true;
}

/* The next entry of the event's queue; false: it does not fit. */
static bool append(struct event *e, uint32_t number, struct text user, int64_t joined_at_ms,
                   const struct text *tiers, uint32_t tier_count)
{
    struct queue *q = e->queue;
    uint64_t bits;
    if (!q || number != queue_joined(q) + 1 || number > QUEUE_ENTRIES_MAX)
        return false;
    if (user.size < 1 || user.size > USER_SIZE_MAX || !queue_tiers_learn(q, tiers, tier_count, &bits))
        return false;
    if (joined_at_ms < 0 || joined_at_ms > QUEUE_JOINED_AT_MAX_MS)
        return false;
    uint32_t older = queue_find_user(q, user);
    if (older && queue_entry_live(queue_entry(q, older)))
        return false;
    queue_append(q, user, joined_at_ms, bits);
    ASSERT(queue_joined(q) == number);
    return true;
}

bool queue_joined_change_restore(struct state *st, const struct change *c)
{
    struct event *e = event_find_number(st, c->joined.event);
    if (!e ||
        !append(e, c->joined.number, c->joined.user_id, c->at_ms, c->joined.tiers, c->joined.tier_count))
        return false;
    ASSERT(e->queue->seq < c->seq);
    e->queue->seq = c->seq;
    if (e->queue->in_line == 1)
        queue_pace_restart(e->queue, c->at_ms);
    queue_schedule(st, e);
    return true;
}

bool queue_moved_change_restore(struct state *st, const struct change *c)
{
    struct event *e = event_find_number(st, c->moved.event);
    struct bytes_reader in = c->moved.moves;
    struct queue_move move;
    if (!e || !e->queue)
        return false;
    uint64_t places = st->follows ? queue_places(e) : 0;
    for (uint32_t i = 0; i < c->moved.count; i++) {
        if (!queue_move_get(&in, &move) || move.number > queue_joined(e->queue) ||
            !queue_may_move(e->queue, move.number, move.status, move.until_ms))
            return false;
        bool alone = !e->queue->in_line;
        queue_set_status(e->queue, move.number, move.status, move.until_ms);
        if (alone && e->queue->in_line)
            queue_pace_restart(e->queue, c->at_ms);
        queue_touch_entry(st, e, move.number);
        /* A turn was given: to a person who was there, or who was not. Without a time the person came back. A start
         * counts none: what it would know depends on how much of the log the book has. */
        bool turn = move.status == QUEUE_ADMITTED || (move.status == QUEUE_PASSED_OVER && move.until_ms);
        if (turn && st->follows)
            queue_pace_count(e->queue, c->at_ms, move.status == QUEUE_ADMITTED,
                             e->queue->by_status[QUEUE_ADMITTED] >= places);
    }
    if (bytes_left(&in))
        return false;
    ASSERT(e->queue->moved_seq <= e->queue->seq && e->queue->seq < c->seq);
    e->queue->seq = e->queue->moved_seq = c->seq;
    queue_schedule(st, e);
    return true;
}

/* ---- From the book ---- */

/* Its entries, including the drawn ones, are loaded after it. */
bool state_load_queue(struct state *st, const struct queue_image *image)
{
    struct event *e = event_find_number(st, image->event);
    if (!e || e->image.removed || e->queue || (image->drawn && !image->opened_at_ms))
        return false;
    e->queue = queue_make(image, e->image.entry_key, st->queue_by_status);
    queue_apply_settings(st, e);
    ASSERT(e->queue->gone.count >= image->drawn); /* room for the drawn ones, which come later */
    return true;
}

void state_load_queue_begin(struct state *st, uint64_t event, uint32_t entries)
{
    struct event *e = event_find_number(st, event);
    if (e && e->queue)
        table_reserve(&e->queue->by_user, entries);
}

bool state_load_queue_entry(struct state *st, const struct queue_entry_image *image)
{
    struct event *e = event_find_number(st, image->event);
    if (!e || e->image.removed ||
        !append(e, image->number, image->user_id, image->joined_at_ms, image->tiers, image->tier_count))
        return false;
    /* No one is admitted or passed over before the opening. */
    if (!e->queue->image.opened_at_ms && image->status != QUEUE_WAITING && image->status != QUEUE_LEFT)
        return false;
    /* Not queue_set_status: the book has only the last status, not the moves that led to it. */
    if (image->status != QUEUE_WAITING)
        queue_restore_status(e->queue, image->number, image->status, image->until_ms);
    queue_schedule(st, e);
    return true;
}
