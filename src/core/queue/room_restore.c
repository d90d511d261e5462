/* SPDX-License-Identifier: Apache-2.0 */
/* room_restore.c — waiting rooms back from changes and from the book. See restore.c. */
#include "base/assertion.h"
#include "core/queue/room_time.h"

static bool image_fits(const struct room *r, const struct room_image *image)
{
    const struct room_image *before = &r->image;
    if (image->drawn > room_joined(r) || (image->drawn && !image->opened_at_ms))
        return false;
    if (!room_joined(r))
        return true; /* it may begin anew */
    return memcmp(before->seed, image->seed, sizeof(before->seed)) == 0 &&
           (!before->opened_at_ms ||
            (before->opened_at_ms == image->opened_at_ms && before->drawn == image->drawn));
}

bool room_restore(struct state *st, const struct room_image *image, uint64_t seq)
{
    struct event *e = event_find_number(st, image->event);
    if (!e || e->image.removed)
        return false;
    if (!e->room) {
        if (!e->image.has_room || image->drawn)
            return false;
        e->room = room_make(image, e->image.entry_key, st->queue_by_status);
    } else if (!image_fits(e->room, image)) {
        return false;
    }
    e->room->image = *image;
    e->room->seq = e->room->moved_seq = seq;
    room_refit(st, e);
    return true;
}

/* The next entry of the event's room; 0: it does not fit. */
static uint32_t append(struct event *e, uint32_t number, struct text user, int64_t joined_at_ms,
                       const struct text *tiers, uint32_t tier_count)
{
    struct room *r = e->room;
    uint64_t bits;
    if (!r || number != room_joined(r) + 1 || number > ROOM_ENTRIES_MAX)
        return 0;
    if (user.size < 1 || user.size > USER_SIZE_MAX || !room_tiers_learn(r, tiers, tier_count, &bits))
        return 0;
    uint32_t older = room_find_user(r, user);
    if (older && room_entry_live(room_entry(r, older)))
        return 0;
    return room_append(r, user, joined_at_ms, bits);
}

bool room_restore_joined(struct state *st, const struct change *c)
{
    struct event *e = event_find_number(st, c->joined.event);
    if (!e ||
        !append(e, c->joined.number, c->joined.user_id, c->at_ms, c->joined.tiers, c->joined.tier_count))
        return false;
    e->room->seq = c->seq;
    room_schedule(st, e);
    return true;
}

bool room_restore_moved(struct state *st, const struct change *c)
{
    struct event *e = event_find_number(st, c->moved.event);
    struct bytes_reader in = c->moved.moves;
    struct queue_move move;
    if (!e || !e->room)
        return false;
    for (uint32_t i = 0; i < c->moved.count; i++) {
        if (!queue_move_get(&in, &move) || move.number > room_joined(e->room) ||
            !room_may_move(e->room, move.number, move.status, move.until_ms))
            return false;
        room_move(e->room, move.number, move.status, move.until_ms);
    }
    if (bytes_left(&in))
        return false;
    e->room->seq = e->room->moved_seq = c->seq;
    room_schedule(st, e);
    return true;
}

/* ---- From the book ---- */

/* The entries of the draw come after it. */
bool state_load_room(struct state *st, const struct room_image *image)
{
    struct event *e = event_find_number(st, image->event);
    if (!e || e->image.removed || e->room || (image->drawn && !image->opened_at_ms))
        return false;
    e->room = room_make(image, e->image.entry_key, st->queue_by_status);
    room_refit(st, e);
    return true;
}

void state_load_queue_begin(struct state *st, uint64_t event, uint32_t entries)
{
    struct event *e = event_find_number(st, event);
    if (e && e->room)
        table_reserve(&e->room->by_user, entries);
}

bool state_load_queue_entry(struct state *st, const struct queue_entry_image *image)
{
    struct event *e = event_find_number(st, image->event);
    if (!e || e->image.removed)
        return false;
    uint32_t number =
        append(e, image->number, image->user_id, image->joined_at_ms, image->tiers, image->tier_count);
    if (!number ||
        (e->room->order == ROOM_HIDDEN && image->status != QUEUE_WAITING && image->status != QUEUE_LEFT))
        return false;
    if (image->status != QUEUE_WAITING)
        room_become(e->room, number, image->status, image->until_ms);
    room_schedule(st, e);
    return true;
}
