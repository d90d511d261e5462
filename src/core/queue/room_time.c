/* SPDX-License-Identifier: Apache-2.0 */
#include "core/queue/room_time.h"

#include "base/assertion.h"
#include "base/memory.h"

/* ---- When a room is due ---- */

static void room_placed(void *owner, uint64_t slot, uint32_t place)
{
    ((struct state *)owner)->events[slot]->room->place = place;
}

void rooms_init(struct state *st)
{
    heap_init(&st->rooms_due, room_placed, st);
}

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* When there will be credit for the next admission. */
static int64_t credit_due(const struct state *st, const struct event *e)
{
    const struct room *r = e->room;
    int64_t rate = e->image.room.rate_per_second, missing = ROOM_ADMISSION_MILLI - r->credit_milli;
    if (missing <= 0 || !r->credit_at_ms)
        return st->now_ms;
    int64_t at = r->credit_at_ms + (missing + rate - 1) / rate, paced = r->stepped_at_ms + ROOM_STEP_MS;
    return at > paced ? at : paced;
}

static int64_t room_due(const struct state *st, const struct event *e)
{
    const struct room *r = e->room;
    const struct room_settings *s = &e->image.room;
    const struct heap_entry *first = heap_first(&r->untils);
    int64_t due = first ? first->at_ms : INT64_MAX;
    if (r->coming_count)
        return st->now_ms;
    if (!e->image.has_room)
        return due;
    if (!r->image.opened_at_ms)
        return earlier(due, s->open_at_ms);
    if (!room_counted(r))
        return st->now_ms;
    if (!r->in_line || r->image.paused)
        return due;
    if (st->now_ms < s->open_at_ms)
        return earlier(due, s->open_at_ms);
    return r->full ? due : earlier(due, credit_due(st, e));
}

void room_schedule(struct state *st, struct event *e)
{
    struct room *r = e->room;
    int64_t due = room_due(st, e);
    if (due == INT64_MAX) {
        if (r->place != HEAP_NONE)
            heap_remove(&st->rooms_due, r->place);
    } else if (r->place == HEAP_NONE) {
        heap_push(&st->rooms_due, due, e->slot);
    } else if (st->rooms_due.entries[r->place].at_ms != due) {
        heap_change(&st->rooms_due, r->place, due);
    }
}

struct room *room_take(struct state *st, struct event *e)
{
    struct room *r = e->room;
    if (r->place != HEAP_NONE)
        heap_remove(&st->rooms_due, r->place);
    room_count_out(r);
    e->room = NULL;
    return r;
}

void room_refit(struct state *st, struct event *e)
{
    struct room *r = e->room;
    ASSERT(!e->image.removed && (!e->image.has_room || e->image.room.rate_per_second >= 1));
    room_set_order(r, e->image.has_room, e->image.room.shuffle_before_open);
    r->full = false;
    room_schedule(st, e);
}

void room_stock_grew(struct state *st, struct event *e)
{
    if (!e->room || !e->room->full || e->image.removed)
        return;
    e->room->full = false;
    room_schedule(st, e);
}

/* ---- Changes ---- */

void room_emit(struct state *st, struct event *e)
{
    st->change.kind = CHANGE_ROOM;
    st->change.room = e->room->image;
    e->room->seq = e->room->moved_seq = state_emit(st);
}

void room_emit_moves(struct state *st, struct event *e, uint32_t count, bool by_server)
{
    struct actor caller = st->actor;
    if (by_server)
        st->actor = (struct actor){.role = ROLE_SERVER};
    st->change.kind = CHANGE_QUEUE_MOVED;
    st->change.moved.event = e->image.number;
    st->change.moved.count = count;
    st->change.moved.moves = bytes_reader_make(st->scratch.data, st->scratch.size);
    e->room->seq = e->room->moved_seq = state_emit(st);
    st->actor = caller;
}

static void tell(struct state *st, uint32_t event, uint32_t number)
{
    if (st->moved_count == st->moved_capacity) {
        st->moved_capacity = st->moved_capacity ? st->moved_capacity * 2 : 256;
        st->moved = memory_grow(st->moved, st->moved_capacity, sizeof(*st->moved));
    }
    st->moved[st->moved_count++] = (struct moved){.event = event, .number = number};
}

void room_shift(struct state *st, struct event *e, uint32_t number, enum queue_status status,
                int64_t until_ms)
{
    struct queue_move move = {.number = number, .status = status, .until_ms = until_ms};
    bool alone = !e->room->in_line;
    room_move(e->room, number, status, until_ms);
    if (alone && e->room->in_line)
        room_measure_anew(st, e->room);
    st->totals.admitted += status == QUEUE_ADMITTED;
    st->totals.passed_over += status == QUEUE_PASSED_OVER && until_ms;
    queue_move_put(&st->scratch, &move);
    tell(st, e->slot, number);
}

void room_shift_one(struct state *st, struct event *e, uint32_t number, enum queue_status status,
                    int64_t until_ms, bool by_server)
{
    buf_clear(&st->scratch);
    room_shift(st, e, number, status, until_ms);
    room_emit_moves(st, e, 1, by_server);
    room_schedule(st, e);
}

/* ---- Opening ---- */

void room_open_due(struct state *st, struct event *e)
{
    struct room *r = e->room;
    const struct room_settings *s = &e->image.room;
    if (!e->image.has_room || r->image.opened_at_ms || st->now_ms < s->open_at_ms)
        return;
    struct actor caller = st->actor;
    st->actor = (struct actor){.role = ROLE_SERVER};
    r->image.opened_at_ms = st->now_ms;
    r->image.drawn = s->shuffle_before_open ? room_joined(r) : 0;
    room_emit(st, e);
    st->actor = caller;
    r->credit_milli = ROOM_ADMISSION_MILLI;
    r->credit_at_ms = st->now_ms;
    room_measure_anew(st, r);
    room_refit(st, e);
}

/* ---- Ends ---- */

/* Before the first step of this process nobody can have been heard of. */
static int64_t heard_from(const struct state *st)
{
    return st->admitting_since_ms ? st->admitting_since_ms : st->now_ms;
}

/* From when on absence counts: the opening, and the start of this process. */
static int64_t counted_from(const struct state *st, const struct event *e)
{
    int64_t from = e->room->image.opened_at_ms;
    if (e->image.has_room && e->image.room.open_at_ms > from)
        from = e->image.room.open_at_ms;
    return heard_from(st) > from ? heard_from(st) : from;
}

/* Who could not come back because the server was down has as long as anybody to be heard of again. */
int64_t room_lapses_at(const struct state *st, const struct room_entry *entry)
{
    if (!entry->until_s || !room_entry_live(entry))
        return INT64_MAX;
    int64_t until_ms = room_until_ms(entry);
    if (entry->status == QUEUE_ADMITTED)
        return until_ms;
    int64_t floor_ms = heard_from(st) + 2 * POLL_AFTER_MAX_S * 1000LL;
    return until_ms > floor_ms ? until_ms : floor_ms;
}

void room_settle(struct state *st, struct event *e, uint32_t number)
{
    const struct room_entry *entry = room_entry(e->room, number);
    if (st->now_ms >= room_lapses_at(st, entry))
        room_shift_one(st, e, number, room_lapsed_status(entry), room_kept_until_ms(entry), true);
}

/* ---- Pace ---- */

bool room_admits(const struct state *st, const struct event *e)
{
    return e->image.has_room && e->room->image.opened_at_ms && !e->room->image.paused &&
           st->now_ms >= e->image.room.open_at_ms;
}

void room_earn(const struct state *st, struct event *e, int64_t most_milli)
{
    struct room *r = e->room;
    int64_t from_ms = r->credit_at_ms;
    if (from_ms && room_admits(st, e)) {
        if (from_ms < e->image.room.open_at_ms)
            from_ms = e->image.room.open_at_ms;
        r->credit_milli += (st->now_ms - from_ms) * e->image.room.rate_per_second;
    }
    if (r->credit_milli > most_milli)
        r->credit_milli = most_milli;
    r->credit_at_ms = st->now_ms;
}

/* ---- Presence ---- */

/* asked_s was rounded down, so a second more is due to it. */
bool room_is_present(const struct state *st, const struct event *e, const struct room_entry *entry)
{
    int64_t heard_ms = ((int64_t)entry->asked_s + 1) * 1000, from_ms = counted_from(st, e);
    int64_t told_s = entry->told_s ? entry->told_s : POLL_AFTER_MAX_S;
    return st->now_ms < (heard_ms > from_ms ? heard_ms : from_ms) + 2 * told_s * 1000;
}

void room_comes(struct state *st, struct event *e, uint32_t number)
{
    struct room *r = e->room;
    if (r->coming_count >= r->by_status[QUEUE_PASSED_OVER])
        return; /* some stand there twice already; its stream will be vouched for again */
    if (r->coming_count == r->coming_capacity) {
        r->coming_capacity = r->coming_capacity ? r->coming_capacity * 2 : 16;
        r->coming = memory_grow(r->coming, r->coming_capacity, sizeof(*r->coming));
    }
    r->coming[r->coming_count++] = number;
    room_schedule(st, e);
}
