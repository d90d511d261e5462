/* SPDX-License-Identifier: Apache-2.0 */
#include "tasks.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"

#define FIRST_CAPACITY 256

void tasks_init(struct tasks *t, const struct history *h, const struct check_rules *rules)
{
    *t = (struct tasks){.history = h, .rules = rules};
    t->holder_of = memory_zeroed(h->reservations.count + 1, sizeof t->holder_of[0]);
    t->stamps = memory_zeroed(h->reservations.count + 1, sizeof t->stamps[0]);
}

void tasks_release(struct tasks *t)
{
    free(t->list);
    free(t->sources);
    free(t->names);
    free(t->holder_of);
    free(t->stamps);
    free(t->seqs);
}

static uint32_t holder_add(struct tasks *t, uint32_t reservation)
{
    ASSERT(reservation < t->history->reservations.count);
    if (t->stamps[reservation] != t->stamp) {
        t->stamps[reservation] = t->stamp;
        t->holder_of[reservation] = t->holder_count;
        t->names =
            memory_room(t->names, t->holder_count, &t->name_capacity, FIRST_CAPACITY, sizeof t->names[0]);
        t->names[t->holder_count++] = reservation;
    }
    return t->holder_of[reservation];
}

static uint32_t holder_find(const struct tasks *t, uint32_t reservation)
{
    if (reservation == NAME_NONE)
        return HOLDER_ANY;
    return t->stamps[reservation] == t->stamp ? t->holder_of[reservation] : HOLDER_UNKNOWN;
}

static struct task *task_add(struct tasks *t, enum task_kind kind, const struct mention *m)
{
    t->list = memory_room(t->list, t->count, &t->capacity, FIRST_CAPACITY, sizeof t->list[0]);
    t->sources =
        memory_room(t->sources, t->source_count, &t->source_capacity, FIRST_CAPACITY, sizeof t->sources[0]);
    t->sources[t->source_count] = m->call;
    struct task *task = &t->list[t->count++];
    *task = (struct task){
        .kind = kind,
        .call_us = m->call->call_us,
        .answer_us = m->call->answer_us,
        .seq = SEQ_UNKNOWN,
        .after = TASK_NONE,
        .units = m->item->units,
        .source = t->source_count++,
    };
    return task;
}

/* The end of a hold, at its deadline. A deadline that nobody knows is some time after the shortest hold. */
static void expiry_add(struct tasks *t, const struct mention *m, uint32_t setter)
{
    struct task *e = task_add(t, TASK_EXPIRE, m);
    struct task *s = &t->list[setter];
    int64_t error = t->rules->clock_error_us;
    e->holder = s->holder;
    e->deadline_us = s->deadline_us;
    e->after = setter;
    if (!s->deadline_us) {
        e->call_us = m->call->call_us + m->call->ttl_us;
        e->answer_us = NO_END;
        return;
    }
    e->call_us = s->deadline_us - error;
    e->answer_us = s->deadline_us + error;
    /* What comes after its own deadline was never granted. */
    if (s->answer_us != NO_END && s->answer_us > e->answer_us && s->call_us <= e->answer_us)
        s->answer_us = e->answer_us;
}

static enum task_kind change_kind(const struct mention *m)
{
    switch (m->call->kind) {
    case CALL_HOLD:
        return TASK_HOLD;
    case CALL_BUY:
        return TASK_BUY;
    case CALL_COMMIT:
        return TASK_COMMIT;
    case CALL_RELEASE:
        return TASK_RELEASE;
    case CALL_EXTEND:
        return TASK_EXTEND;
    case CALL_TRANSFER:
        return TASK_TRANSFER;
    case CALL_REFUND:
        return TASK_REFUND;
    case CALL_MOVE:
        return m->item->gives ? TASK_GIVE : m->call->expires_us ? TASK_HOLD : TASK_BUY;
    case CALL_READ:
    case CALL_POOL:
    case CALL_KIND_COUNT:
        break;
    }
    ASSERT(!"a call that changes something");
    return TASK_HOLD;
}

static void change_add(struct tasks *t, const struct mention *m)
{
    const struct call *c = m->call;
    uint32_t index = t->count;
    enum task_kind kind = change_kind(m);
    struct task *task = task_add(t, kind, m);
    bool grants = kind == TASK_HOLD || kind == TASK_BUY || kind == TASK_TRANSFER;
    task->holder = holder_add(t, c->reservation);
    task->ghost = c->ghost;
    task->fence = grants ? c->fence : 0;
    if (kind == TASK_HOLD || kind == TASK_EXTEND)
        task->deadline_us = c->expires_us;
    if (c->outcome == OUTCOME_DONE && (task->fence || c->seq)) {
        task->seq = task->fence ? task->fence : c->seq;
        t->seqs = memory_room(t->seqs, t->seq_count, &t->seq_capacity, FIRST_CAPACITY, sizeof t->seqs[0]);
        t->seqs[t->seq_count++] = (struct known_seq){task->seq, task->call_us};
    }
    t->open_count += task->answer_us == NO_END;
    if (kind == TASK_HOLD || kind == TASK_EXTEND)
        expiry_add(t, m, index);
}

/* Whether another client's request for the seat was under way in the window of a refusal, so that the gate may have had its
 * intent. A request that was refused as taken itself does not explain the refusal, unless attempts before were undecided: else
 * requests that the gate refuses could explain each other for ever. But it needs the seat to be taken before it is refused. */
static bool under_way(const struct tasks *t, const struct call *refused, const struct mention *all,
                      uint32_t count, int64_t *taken_until_us)
{
    int64_t since_us = refused->call_us - t->rules->gate.window_us;
    for (uint32_t i = 0; i < count; i++) {
        const struct call *o = all[i].call;
        if ((o->kind != CALL_HOLD && o->kind != CALL_BUY) || o->client == refused->client ||
            o->began_us > refused->answer_us || o->answer_us < since_us)
            continue;
        if (o->refusal != REFUSAL_TAKEN || all[i].item->asked || o->began_us < o->call_us)
            return true;
        if (o->answer_us > *taken_until_us)
            *taken_until_us = o->answer_us;
    }
    return false;
}

static void taken_add(struct tasks *t, const struct mention *m, const struct mention *all, uint32_t count)
{
    const struct gate_rules *gate = &t->rules->gate;
    bool gated = !history_is_pool(t->history, m->item->object);
    int64_t until_us = m->call->answer_us;
    if (m->item->gives || m->item->asked)
        return;
    if (gated && gate->by_requests && under_way(t, m->call, all, count, &until_us))
        return;
    struct task *task = task_add(t, TASK_IS_TAKEN, m);
    task->call_us -= gated ? gate->window_us : 0;
    task->answer_us = until_us;
}

static void refusal_add(struct tasks *t, const struct mention *m, const struct mention *all, uint32_t count)
{
    struct task *task;
    switch (m->call->refusal) {
    case REFUSAL_OTHER:
        return;
    case REFUSAL_TAKEN:
        taken_add(t, m, all, count);
        return;
    case REFUSAL_GONE:
    case REFUSAL_SOLD:
        task = task_add(t, m->call->refusal == REFUSAL_GONE ? TASK_IS_GONE : TASK_IS_SOLD, m);
        task->holder = holder_add(t, m->call->reservation);
        return;
    }
}

static int by_seq(const void *x, const void *y)
{
    const struct known_seq *a = x, *b = y;
    return a->seq < b->seq ? -1 : a->seq > b->seq;
}

static void seqs_sort(struct tasks *t)
{
    if (t->seq_count)
        qsort(t->seqs, t->seq_count, sizeof t->seqs[0], by_seq);
    for (uint32_t i = 1; i < t->seq_count; i++)
        if (t->seqs[i].call_us < t->seqs[i - 1].call_us)
            t->seqs[i].call_us = t->seqs[i - 1].call_us;
}

/* The earliest time of a state with everything up to `seq`; 0 if there is nothing. */
static int64_t seq_begins(const struct tasks *t, uint64_t seq)
{
    uint32_t low = 0, high = t->seq_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (t->seqs[middle].seq <= seq)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? t->seqs[low - 1].call_us : 0;
}

/* A read with a seq may be older than its call, but includes everything up to that seq. */
static void read_add(struct tasks *t, const struct mention *m)
{
    static const enum task_kind KINDS[] = {
        [SHOWN_FREE] = TASK_SHOWS_FREE, [SHOWN_HELD] = TASK_SHOWS_HELD,       [SHOWN_SOLD] = TASK_SHOWS_SOLD,
        [SHOWN_GONE] = TASK_SHOWS_GONE, [SHOWN_AVAILABLE] = TASK_SHOWS_UNITS,
    };
    const struct call *c = m->call;
    ASSERT(m->item->shown > SHOWN_NONE && m->item->shown < SHOWN_COUNT);
    struct task *task = task_add(t, KINDS[m->item->shown], m);
    task->holder = holder_find(t, m->item->reservation);
    task->asked_us = c->call_us - t->rules->clock_error_us - t->rules->sweep_us;
    if (c->seq) {
        int64_t begins = seq_begins(t, c->seq);
        task->at_least = c->seq;
        task->shown_us = c->answer_us + t->rules->clock_error_us;
        task->call_us = begins < c->answer_us ? begins : c->answer_us;
    }
}

void tasks_make(struct tasks *t, const struct mention *mentions, uint32_t count)
{
    t->count = t->source_count = t->holder_count = t->open_count = t->seq_count = 0;
    t->stamp++;
    for (uint32_t i = 0; i < count; i++) {
        const struct call *c = mentions[i].call;
        if (c->kind == CALL_READ)
            continue;
        if (c->outcome == OUTCOME_REFUSED)
            refusal_add(t, &mentions[i], mentions, count);
        else
            change_add(t, &mentions[i]);
    }
    seqs_sort(t);
    for (uint32_t i = 0; i < count; i++)
        if (mentions[i].call->kind == CALL_READ)
            read_add(t, &mentions[i]);
}
