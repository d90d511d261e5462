/* SPDX-License-Identifier: Apache-2.0 */
/* queue_admit.c — who is admitted, in which order, and how fast.
 *
 * A step of a queue: it opens if it is time; lapsed passes end, and people who did not come back in
 * time have left; then, while there is credit, a place and stock, the next one in line is admitted: first
 * those who came back after being passed over, by position, then the entry at the cursor. A person who is absent at
 * their turn is passed over, and that costs no credit.
 *
 * Credit is earned at the rate of the settings, in thousandths of an admission. While people wait, up to one admission
 * plus the credit of a tenth of a second is kept, so that a late step loses nothing; otherwise one admission, so that
 * credit is not saved up for a burst.
 */
#include "base/assertion.h"
#include "core/catalogue/event.h"
#include "core/claim/kind.h"
#include "core/queue/queue.h"
#include "core/queue/queue_pace.h"
#include "core/queue/queue_time.h"

/* The moves of one step of one queue. */
struct queue_step {
    struct state *st;
    struct event *e;
    uint32_t left;  /* how many more entries it can look at */
    uint32_t moves; /* in st->scratch, not emitted yet */
};

static void step_flush(struct queue_step *s)
{
    if (s->moves)
        queue_emit_moves(s->st, s->e, s->moves, true);
    s->moves = 0;
    buf_clear(&s->st->scratch);
}

static void step_move(struct queue_step *s, uint32_t number, enum queue_status status, int64_t until_ms)
{
    ASSERT(s->moves < MOVES_MAX);
    queue_note_move(s->st, s->e, number, status, until_ms);
    if (++s->moves == MOVES_MAX)
        step_flush(s);
}

/* An entry stores whole seconds, in 32 bits. */
static int64_t whole_second_after(int64_t ms)
{
    int64_t second = (ms + 999) / 1000;
    return (second < UINT32_MAX ? second : UINT32_MAX) * 1000;
}

/* ---- Ends, and returns ---- */

static void step_lapses(struct queue_step *s)
{
    struct queue *q = s->e->queue;
    const struct heap_entry *first;
    while (s->left && (first = heap_first(&q->untils)) && first->at_ms <= s->st->now_ms) {
        int64_t at_ms = first->at_ms;
        uint32_t number = (uint32_t)first->handle;
        ASSERT(number >= 1 && number <= queue_joined(q));
        const struct queue_entry *entry = queue_entry(q, number);
        heap_remove(&q->untils, 0);
        s->left--;
        if (!queue_entry_live(entry) || queue_until_ms(entry) > at_ms || !entry->until_s)
            continue; /* stale */
        int64_t lapses_at_ms = queue_lapses_at(s->st, entry);
        if (lapses_at_ms > s->st->now_ms) { /* after a restart there is more time to come back */
            heap_push(&q->untils, lapses_at_ms, number);
            continue;
        }
        step_move(s, number, queue_lapsed_status(entry), queue_kept_until_ms(entry));
    }
}

/* People passed over whose streams are back. */
static void step_returns(struct queue_step *s)
{
    struct queue *q = s->e->queue;
    while (s->left && q->returning_count) {
        uint32_t number = q->returning[--q->returning_count];
        const struct queue_entry *entry = queue_entry(q, number);
        s->left--;
        if (entry->status == QUEUE_PASSED_OVER && entry->until_s &&
            s->st->now_ms < queue_lapses_at(s->st, entry))
            step_move(s, number, QUEUE_PASSED_OVER, 0);
    }
}

/* ---- Admission ---- */

/* Stock that is free, or held and can come free. */
static uint64_t stock_left(const struct event *e)
{
    uint64_t left = 0;
    for (enum item_kind kind = ITEM_KIND_FIRST; kind <= ITEM_KIND_LAST; kind++)
        left += claim_kind(kind)->stock ? claim_kind(kind)->stock(e) : 0;
    return left;
}

uint64_t queue_places(const struct event *e)
{
    const struct queue_settings *s = &e->image.queue;
    uint64_t most = s->max_active ? s->max_active : UINT64_MAX;
    uint64_t stock = s->by_inventory ? stock_left(e) : UINT64_MAX;
    return stock < most ? stock : most;
}

/* The next entry to get a turn; 0: none, or the search would take too long. */
static uint32_t step_next(struct queue_step *s)
{
    struct queue *q = s->e->queue;
    const struct heap_entry *first;
    while (s->left && (first = heap_first(&q->returned))) {
        uint32_t number = (uint32_t)first->handle;
        ASSERT(first->at_ms >= 1 && first->at_ms < q->cursor); /* it had its turn before */
        heap_remove(&q->returned, 0);
        s->left--;
        if (queue_in_line(queue_entry(q, number)))
            return number;
    }
    while (s->left && q->cursor <= queue_joined(q)) {
        uint32_t number = queue_number(q, q->cursor++);
        s->left--;
        if (queue_entry(q, number)->status == QUEUE_WAITING)
            return number;
    }
    return 0;
}

static void step_admissions(struct queue_step *s)
{
    struct state *st = s->st;
    struct queue *q = s->e->queue;
    int64_t rate = s->e->image.queue.rate_per_second;
    uint64_t most = queue_places(s->e);
    ASSERT(queue_counted(q) && q->order != QUEUE_HIDDEN);
    /* After a rest at most one: credit from a time without admissions must not cause a burst. */
    queue_earn(st, s->e, q->rested ? QUEUE_IDLE_MILLI : QUEUE_ADMISSION_MILLI + rate * 100);
    q->full = false;
    while (q->in_line && q->credit_milli >= QUEUE_ADMISSION_MILLI) {
        q->full = q->by_status[QUEUE_ADMITTED] >= most;
        uint32_t number = q->full ? 0 : step_next(s);
        if (!number) {
            ASSERT(q->full || !s->left);
            break;
        }
        bool present = queue_is_present(st, s->e, queue_entry(q, number));
        if (present) {
            q->credit_milli -= QUEUE_ADMISSION_MILLI;
            step_move(s, number, QUEUE_ADMITTED,
                      whole_second_after(st->now_ms + (int64_t)s->e->image.queue.pass_ttl_s * 1000));
        } else {
            step_move(s, number, QUEUE_PASSED_OVER, whole_second_after(st->now_ms + RETURN_MAX_S * 1000LL));
        }
        queue_pace_count(q, st->now_ms, present, q->by_status[QUEUE_ADMITTED] >= most);
    }
    ASSERT(q->credit_milli >= 0);
    q->rested = q->full || !q->in_line;
    if (q->rested && q->credit_milli > QUEUE_IDLE_MILLI)
        q->credit_milli = QUEUE_IDLE_MILLI;
}

/* ---- Steps ---- */

static void step_run(struct state *st, struct event *e, uint32_t *left)
{
    struct queue_step s = {.st = st, .e = e, .left = *left};
    struct queue *q = e->queue;
    ASSERT(q && !e->image.removed);
    queue_open_due(st, e);
    buf_clear(&st->scratch);
    step_returns(&s); /* first: a person who is back in the last millisecond has not left */
    step_lapses(&s);
    if (!queue_count_gone(q))
        s.left = 0; /* enough work for one step */
    else if (s.left && queue_admits(st, e))
        step_admissions(&s);
    step_flush(&s);
    if (s.left) /* otherwise it continues right away */
        q->stepped_at_ms = st->now_ms;
    *left = s.left ? s.left - 1 : 0; /* the step itself counts, too */
    queue_schedule(st, e);
}

bool state_admit(struct state *st, int64_t now_ms, uint32_t most, struct buf *changes)
{
    ASSERT(most > 0);
    state_begin(st, now_ms, (struct actor){.role = ROLE_SERVER}, changes);
    if (!st->admitting_since_ms)
        st->admitting_since_ms = now_ms;
    while (most && state_next_admission(st) <= now_ms)
        step_run(st, st->events[heap_first(&st->queues_due)->handle], &most);
    return state_next_admission(st) <= now_ms;
}

int64_t state_next_admission(const struct state *st)
{
    const struct heap_entry *first = heap_first(&st->queues_due);
    return first ? first->at_ms : INT64_MAX;
}
