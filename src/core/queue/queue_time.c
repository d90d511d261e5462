/* SPDX-License-Identifier: Apache-2.0 */
#include "core/queue/queue_time.h"

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/catalogue/event.h"
#include "core/queue/queue_pace.h"

/* ---- When a queue is due ---- */

static void queue_placed(void *owner, uint64_t index, uint32_t place)
{
    ((struct state *)owner)->events[index]->queue->place = place;
}

void queues_init(struct state *st)
{
    heap_init(&st->queues_due, queue_placed, st);
}

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* When there will be credit for the next admission. */
static int64_t credit_due(const struct state *st, const struct event *e)
{
    const struct queue *q = e->queue;
    int64_t rate = e->image.queue.rate_per_second, missing = QUEUE_ADMISSION_MILLI - q->credit_milli;
    ASSERT(rate >= 1);
    if (missing <= 0 || !q->credit_at_ms)
        return st->now_ms;
    /* At a high rate not for each admission: a slightly later step admits several. */
    int64_t at = q->credit_at_ms + (missing + rate - 1) / rate, paced = q->stepped_at_ms + QUEUE_STEP_MS;
    return at > paced ? at : paced;
}

static int64_t queue_due(const struct state *st, const struct event *e)
{
    const struct queue *q = e->queue;
    const struct queue_settings *s = &e->image.queue;
    const struct heap_entry *first = heap_first(&q->untils);
    int64_t due = first ? first->at_ms : INT64_MAX;
    if (q->returning_count) /* must be emitted */
        return st->now_ms;
    if (!e->image.has_queue)
        return due;
    if (!q->image.opened_at_ms)
        return earlier(due, s->open_at_ms);
    if (!queue_counted(q)) /* no admissions before the tree is filled */
        return st->now_ms;
    if (!q->in_line || q->image.paused || event_sale_over(e, st->now_ms))
        return due;
    if (st->now_ms < s->open_at_ms)
        return earlier(due, s->open_at_ms);
    return q->full ? due : earlier(due, credit_due(st, e));
}

void queue_schedule(struct state *st, struct event *e)
{
    struct queue *q = e->queue;
    int64_t due = queue_due(st, e);
    /* Most commands do not change it. */
    if (due == INT64_MAX) {
        if (q->place != HEAP_NONE)
            heap_remove(&st->queues_due, q->place);
    } else if (q->place == HEAP_NONE) {
        heap_push(&st->queues_due, due, e->index);
    } else if (st->queues_due.entries[q->place].at_ms != due) {
        heap_change(&st->queues_due, q->place, due);
    }
    ASSERT((due == INT64_MAX) == (q->place == HEAP_NONE));
    ASSERT(q->place == HEAP_NONE || st->queues_due.entries[q->place].handle == e->index);
}

struct queue *queue_take(struct state *st, struct event *e)
{
    struct queue *q = e->queue;
    if (q->place != HEAP_NONE)
        heap_remove(&st->queues_due, q->place);
    ASSERT(e->image.removed && q->place == HEAP_NONE);
    queue_count_out(q);
    e->queue = NULL;
    return q;
}

void queue_apply_settings(struct state *st, struct event *e)
{
    struct queue *q = e->queue;
    ASSERT(!e->image.removed && (!e->image.has_queue || e->image.queue.rate_per_second >= 1));
    queue_set_order(q, e->image.has_queue, e->image.queue.shuffle_before_open);
    queue_pace_restart(q, st->now_ms);
    /* The new settings can allow more: the next step finds out. */
    q->full = false;
    queue_schedule(st, e);
}

void queue_stock_grew(struct state *st, struct event *e)
{
    if (!e->queue || !e->queue->full || e->image.removed)
        return;
    e->queue->full = false;
    queue_schedule(st, e);
}

/* ---- Changes ---- */

void queue_save(struct state *st, const struct queue_image *image)
{
    st->change.kind = CHANGE_QUEUE;
    st->change.queue = *image;
    state_commit(st);
}

void queue_emit_moves(struct state *st, struct event *e, uint32_t count, bool by_server)
{
    struct actor caller = st->actor;
    ASSERT(count >= 1 && count <= MOVES_MAX);
    ASSERT(st->scratch.size >= 3 * (size_t)count); /* a number, a status and a time each */
    if (by_server)
        st->actor = (struct actor){.role = ROLE_SERVER};
    st->change.kind = CHANGE_QUEUE_MOVED;
    st->change.moved.event = e->image.number;
    st->change.moved.count = count;
    st->change.moved.moves = bytes_reader_make(st->scratch.data, st->scratch.size);
    e->queue->seq = e->queue->moved_seq = state_emit(st);
    st->actor = caller;
}

void queue_touch_entry(struct state *st, const struct event *e, uint32_t number)
{
    st->moved = memory_room(st->moved, st->moved_count, &st->moved_capacity, 256, sizeof(*st->moved));
    st->moved[st->moved_count++] = (struct moved){.event = e->index, .number = number};
}

void queue_note_move(struct state *st, struct event *e, uint32_t number, enum queue_status status,
                     int64_t until_ms)
{
    struct queue_move move = {.number = number, .status = status, .until_ms = until_ms};
    bool alone = !e->queue->in_line;
    queue_set_status(e->queue, number, status, until_ms);
    if (alone && e->queue->in_line) /* a person came back to an empty line */
        queue_pace_restart(e->queue, st->now_ms);
    st->totals.admitted += status == QUEUE_ADMITTED;
    st->totals.passed_over += status == QUEUE_PASSED_OVER && until_ms;
    queue_move_put(&st->scratch, &move);
    queue_touch_entry(st, e, number);
}

void queue_emit_move(struct state *st, struct event *e, uint32_t number, enum queue_status status,
                     int64_t until_ms, bool by_server)
{
    buf_clear(&st->scratch);
    queue_note_move(st, e, number, status, until_ms);
    queue_emit_moves(st, e, 1, by_server);
    queue_schedule(st, e);
}

/* ---- Opening ---- */

void queue_open_due(struct state *st, struct event *e)
{
    struct queue *q = e->queue;
    const struct queue_settings *s = &e->image.queue;
    if (!e->image.has_queue || q->image.opened_at_ms || st->now_ms < s->open_at_ms)
        return;
    struct actor caller = st->actor;
    st->actor = (struct actor){.role = ROLE_SERVER};
    ASSERT(!q->image.drawn && q->cursor == 1 && !q->serving); /* no admissions before the opening */
    struct queue_image image = q->image;
    image.opened_at_ms = st->now_ms;
    image.drawn = s->shuffle_before_open ? queue_joined(q) : 0;
    queue_save(st, &image);
    st->actor = caller;
    q->credit_milli = QUEUE_ADMISSION_MILLI; /* the first admission does not wait for credit */
    q->credit_at_ms = st->now_ms;
    queue_apply_settings(st, e);
}

/* ---- Ends ---- */

/* Presence is only known since the first step of this process. */
static int64_t heard_from(const struct state *st)
{
    return st->admitting_since_ms ? st->admitting_since_ms : st->now_ms;
}

/* Absence counts only from the opening and from the start of this process. */
static int64_t counted_from(const struct state *st, const struct event *e)
{
    int64_t from = e->queue->image.opened_at_ms;
    if (e->image.has_queue && e->image.queue.open_at_ms > from)
        from = e->image.queue.open_at_ms;
    return heard_from(st) > from ? heard_from(st) : from;
}

/* While the server was down no one could come back: everyone gets two polls from its start. */
int64_t queue_lapses_at(const struct state *st, const struct queue_entry *entry)
{
    if (!entry->until_s || !queue_entry_live(entry))
        return INT64_MAX;
    int64_t until_ms = queue_until_ms(entry);
    if (entry->status == QUEUE_ADMITTED)
        return until_ms;
    int64_t floor_ms = heard_from(st) + 2 * POLL_AFTER_MAX_S * 1000LL;
    return until_ms > floor_ms ? until_ms : floor_ms;
}

void queue_settle(struct state *st, struct event *e, uint32_t number)
{
    const struct queue_entry *entry = queue_entry(e->queue, number);
    if (st->judges_only) {
        st->settle_short = st->settle_short || st->now_ms >= queue_lapses_at(st, entry);
        return;
    }
    if (st->now_ms >= queue_lapses_at(st, entry))
        queue_emit_move(st, e, number, queue_lapsed_status(entry), queue_kept_until_ms(entry), true);
    ASSERT(st->now_ms < queue_lapses_at(st, entry)); /* an ended entry never lapses */
}

/* ---- Credit ---- */

static bool running(const struct state *st, const struct event *e)
{
    return e->image.has_queue && e->queue->image.opened_at_ms && !e->queue->image.paused &&
           st->now_ms >= e->image.queue.open_at_ms;
}

bool queue_admits(const struct state *st, const struct event *e)
{
    return running(st, e) && !event_sale_over(e, st->now_ms);
}

void queue_earn(const struct state *st, struct event *e, int64_t most_milli)
{
    struct queue *q = e->queue;
    int64_t from_ms = q->credit_at_ms;
    if (from_ms && running(st, e)) {
        int64_t upto_ms = earlier(st->now_ms, event_sale_end(e)); /* earlier credit is kept */
        if (from_ms < e->image.queue.open_at_ms)
            from_ms = e->image.queue.open_at_ms;
        ASSERT(st->now_ms >= from_ms);
        if (upto_ms > from_ms)
            q->credit_milli += (upto_ms - from_ms) * e->image.queue.rate_per_second;
    }
    if (q->credit_milli > most_milli)
        q->credit_milli = most_milli;
    ASSERT(q->credit_milli >= 0 && st->now_ms >= q->credit_at_ms);
    q->credit_at_ms = st->now_ms;
}

/* ---- Presence ---- */

/* asked_s is rounded down, hence the extra second. */
bool queue_is_present(const struct state *st, const struct event *e, const struct queue_entry *entry)
{
    int64_t heard_ms = ((int64_t)entry->asked_s + 1) * 1000, from_ms = counted_from(st, e);
    int64_t told_s = entry->told_s ? entry->told_s : POLL_AFTER_MAX_S;
    return st->now_ms < (heard_ms > from_ms ? heard_ms : from_ms) + 2 * told_s * 1000;
}

void queue_note_return(struct state *st, struct event *e, uint32_t number)
{
    struct queue *q = e->queue;
    ASSERT(queue_entry(q, number)->status == QUEUE_PASSED_OVER);
    if (q->returning_count >= q->by_status[QUEUE_PASSED_OVER])
        return; /* it has duplicates already; the stream will be reported again */
    q->returning =
        memory_room(q->returning, q->returning_count, &q->returning_capacity, 16, sizeof(*q->returning));
    q->returning[q->returning_count++] = number;
    queue_schedule(st, e);
}
