/* SPDX-License-Identifier: Apache-2.0 */
#include "search.h"

#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "history.h"

#define HEAD 0
#define FIRST_PAIRS 1024

/* Calls and answers in the order of time, as a list without those of tasks that are done. Entry 0 is the head; a task
 * has the entries 1 + 2 i, its call, and 2 + 2 i, its answer, which a task without an end does not have. */
struct entry {
    uint32_t next, previous; /* HEAD: the end */
    uint32_t rank;           /* by time */
};

struct moment {
    int64_t at_us;
    uint32_t entry;
    bool answer, look;
};

struct pair {
    uint64_t a, b;
    uint32_t run; /* of another run: empty */
};

/* A task that was done; what is needed to try another one instead. */
struct frame {
    struct undo undo;
    uint64_t least_seq;
    uint32_t task;
    enum effect effect;
};

struct search {
    struct entry *entries;
    struct moment *moments;
    struct frame *frames;
    bool *done;
    uint32_t room; /* tasks that the arrays above have room for */
    struct pair *pairs;
    uint32_t pair_count, pair_capacity, run;
    /* of this run */
    struct place *place;
    const struct task *tasks;
    uint32_t depth, furthest;
    uint64_t print_a, print_b; /* of the tasks done */
};

struct search *search_create(void)
{
    struct search *s = memory_zeroed(1, sizeof *s);
    s->pair_capacity = FIRST_PAIRS;
    s->pairs = memory_zeroed(s->pair_capacity, sizeof s->pairs[0]);
    return s;
}

void search_destroy(struct search *s)
{
    free(s->entries);
    free(s->moments);
    free(s->frames);
    free(s->done);
    free(s->pairs);
    free(s);
}

static struct pair *pair_find(struct search *s, uint64_t a, uint64_t b)
{
    uint32_t at = (uint32_t)a & (s->pair_capacity - 1);
    while (s->pairs[at].run == s->run && (s->pairs[at].a != a || s->pairs[at].b != b))
        at = (at + 1) & (s->pair_capacity - 1);
    return &s->pairs[at];
}

static void pairs_grow(struct search *s)
{
    struct pair *old = s->pairs;
    uint32_t old_capacity = s->pair_capacity;
    s->pair_capacity *= 2;
    s->pairs = memory_zeroed(s->pair_capacity, sizeof s->pairs[0]);
    for (uint32_t i = 0; i < old_capacity; i++)
        if (old[i].run == s->run)
            *pair_find(s, old[i].a, old[i].b) = old[i];
    free(old);
}

/* Whether the tasks done and the state are new; remembers them. */
static bool pair_is_new(struct search *s)
{
    uint64_t a = s->print_a ^ place_mix(s->place->print_a), b = s->print_b ^ place_mix(s->place->print_b);
    struct pair *p = pair_find(s, a, b);
    if (p->run == s->run)
        return false;
    *p = (struct pair){a, b, s->run};
    if (++s->pair_count > s->pair_capacity / 2)
        pairs_grow(s);
    return true;
}

static int by_time(const void *x, const void *y)
{
    const struct moment *a = x, *b = y;
    if (a->at_us != b->at_us)
        return a->at_us < b->at_us ? -1 : 1;
    if (a->answer != b->answer) /* a call and an answer at the same time overlap */
        return a->answer ? 1 : -1;
    if (a->look != b->look) /* behind the changes that it has to include */
        return a->look ? 1 : -1;
    return a->entry < b->entry ? -1 : a->entry > b->entry;
}

static void prepare(struct search *s, struct place *place, const struct task *tasks, uint32_t count)
{
    if (count > s->room) {
        s->room = count * 2;
        s->entries = memory_grow(s->entries, 2 * (size_t)s->room + 1, sizeof s->entries[0]);
        s->moments = memory_grow(s->moments, 2 * (size_t)s->room, sizeof s->moments[0]);
        s->frames = memory_grow(s->frames, s->room, sizeof s->frames[0]);
        s->done = memory_grow(s->done, s->room, sizeof s->done[0]);
    }
    uint32_t moments = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool look = tasks[i].kind >= TASK_IS_TAKEN;
        ASSERT(tasks[i].call_us <= tasks[i].answer_us);
        s->done[i] = false;
        s->moments[moments++] = (struct moment){tasks[i].call_us, 1 + 2 * i, false, look};
        if (tasks[i].answer_us != NO_END)
            s->moments[moments++] = (struct moment){tasks[i].answer_us, 2 + 2 * i, true, look};
    }
    if (moments)
        qsort(s->moments, moments, sizeof s->moments[0], by_time);
    uint32_t last = HEAD;
    for (uint32_t i = 0; i < moments; i++) {
        uint32_t e = s->moments[i].entry;
        s->entries[e] = (struct entry){.previous = last, .rank = i};
        s->entries[last].next = e;
        last = e;
    }
    s->entries[last].next = HEAD;
    s->place = place;
    s->tasks = tasks;
    s->depth = s->furthest = 0;
    s->print_a = s->print_b = 0;
    s->pair_count = 0;
    s->run++;
    if (s->run == 0) { /* after 2^32 runs the marks of the first would count again */
        memset(s->pairs, 0, s->pair_capacity * sizeof s->pairs[0]);
        s->run = 1;
    }
}

static void unlink_entry(struct search *s, uint32_t e)
{
    s->entries[s->entries[e].previous].next = s->entries[e].next;
    if (s->entries[e].next != HEAD)
        s->entries[s->entries[e].next].previous = s->entries[e].previous;
}

static void relink_entry(struct search *s, uint32_t e)
{
    s->entries[s->entries[e].previous].next = e;
    if (s->entries[e].next != HEAD)
        s->entries[s->entries[e].next].previous = e;
}

static void print_toggle(struct search *s, uint32_t task)
{
    uint64_t x = place_mix(task);
    s->print_a ^= x;
    s->print_b ^= place_mix(x + 1);
}

static void task_lift(struct search *s, uint32_t task)
{
    unlink_entry(s, 1 + 2 * task);
    if (s->tasks[task].answer_us != NO_END)
        unlink_entry(s, 2 + 2 * task);
    s->done[task] = true;
}

static void task_lower(struct search *s, uint32_t task)
{
    if (s->tasks[task].answer_us != NO_END)
        relink_entry(s, 2 + 2 * task);
    relink_entry(s, 1 + 2 * task);
    s->done[task] = false;
    print_toggle(s, task);
}

/* Remembers the furthest answer that was reached, for the report. */
static void stop_note(struct search *s, uint32_t entry, struct search_stop *stop)
{
    if (s->furthest && s->entries[entry].rank <= s->furthest - 1)
        return;
    s->furthest = s->entries[entry].rank + 1;
    *stop = (struct search_stop){.blocked = (entry - 2) / 2, .taken = s->place->taken, .holder = HOLDER_ANY};
    for (uint32_t i = s->depth; i-- > 0 && stop->last_count < SEARCH_LAST_MAX;)
        if (s->frames[i].effect == EFFECT_CHANGED)
            stop->last[stop->last_count++] = s->frames[i].task;
    for (uint32_t i = 0; i < s->place->holder_count; i++)
        if (holder_has_units(&s->place->holders[i])) {
            stop->holder = i;
            stop->has = s->place->holders[i];
            break;
        }
}

/* Tries the task in the state reached so far. */
static bool task_try(struct search *s, uint32_t task, uint64_t least_seq)
{
    const struct task *t = &s->tasks[task];
    struct frame *f = &s->frames[s->depth];
    if ((t->after != TASK_NONE && !s->done[t->after]) || t->at_least >= least_seq)
        return false;
    f->effect = place_apply(s->place, t, &f->undo);
    /* What may never have happened is not assumed without an effect. */
    if (f->effect == EFFECT_ILLEGAL || (f->effect == EFFECT_NONE && t->answer_us == NO_END))
        return false;
    print_toggle(s, task);
    if (f->effect == EFFECT_CHANGED && !pair_is_new(s)) {
        print_toggle(s, task);
        place_undo(s->place, t, &f->undo);
        return false;
    }
    f->task = task;
    f->least_seq = least_seq;
    s->depth++;
    task_lift(s, task);
    return true;
}

/* Takes back everything up to the last change: the entry of that task, or HEAD if there is none. */
static uint32_t step_back(struct search *s, uint64_t *least_seq)
{
    while (s->depth > 0) {
        struct frame *f = &s->frames[--s->depth];
        const struct task *t = &s->tasks[f->task];
        task_lower(s, f->task);
        if (f->effect == EFFECT_NONE)
            continue;
        place_undo(s->place, t, &f->undo);
        *least_seq = f->least_seq;
        return 1 + 2 * f->task;
    }
    return HEAD;
}

enum search_result search_run(struct search *s, struct place *place, const struct task *tasks, uint32_t count,
                              struct search_stop *stop)
{
    if (count == 0)
        return SEARCH_LEGAL;
    prepare(s, place, tasks, count);
    /* The least seq of the changes that were passed over: a read that has to include them cannot come yet. */
    uint64_t least_seq = SEQ_UNKNOWN;
    for (uint32_t e = s->entries[HEAD].next; e != HEAD;) {
        if (s->pair_count > SEARCH_PAIRS_MAX)
            return SEARCH_GIVEN_UP;
        if (e % 2 == 0) {
            stop_note(s, e, stop);
            e = step_back(s, &least_seq);
            if (e == HEAD)
                return SEARCH_ILLEGAL;
        } else if (task_try(s, (e - 1) / 2, least_seq)) {
            e = s->entries[HEAD].next;
            least_seq = SEQ_UNKNOWN;
            continue;
        }
        const struct task *t = &tasks[(e - 1) / 2];
        least_seq = t->seq < least_seq ? t->seq : least_seq;
        e = s->entries[e].next;
    }
    return SEARCH_LEGAL; /* no answer is missing */
}
