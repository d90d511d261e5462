/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include <stdlib.h>

#include "base/memory/memory.h"
#include "search.h"
#include "tasks.h"

#define AROUND_MAX 8 /* other operations shown with a violation */

/* All mentions, those of one object together: object i has mentions[starts[i]] up to starts[i + 1]. */
struct mentions {
    struct mention *list;
    uint32_t *starts;
};

static bool is_shown_read(const struct call *c)
{
    return c->kind == CALL_READ && c->outcome == OUTCOME_DONE;
}

/* Counts the mentions of each object, or with `list` puts them there. */
static void mentions_pass(const struct history *h, const struct call *calls, uint32_t count, bool reads,
                          uint32_t *places, struct mention *list)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct call *c = &calls[i];
        if (reads && !is_shown_read(c))
            continue;
        for (uint32_t k = c->first_item; k < c->first_item + c->item_count; k++) {
            uint32_t at = places[h->items[k].object]++;
            if (list)
                list[at] = (struct mention){c, &h->items[k]};
        }
    }
}

static struct mentions mentions_make(const struct history *h)
{
    uint32_t objects = h->objects.count;
    struct mentions m = {.starts = memory_zeroed(objects + 1, sizeof m.starts[0])};
    uint32_t *places = memory_zeroed(objects + 1, sizeof places[0]);
    mentions_pass(h, h->operations, h->operation_count, false, places, NULL);
    mentions_pass(h, h->lines, h->line_count, true, places, NULL);
    for (uint32_t i = 0; i < objects; i++)
        m.starts[i + 1] = m.starts[i] + places[i];
    for (uint32_t i = 0; i < objects; i++)
        places[i] = m.starts[i];
    m.list = memory_get((m.starts[objects] + 1) * sizeof m.list[0]);
    mentions_pass(h, h->operations, h->operation_count, false, places, m.list);
    mentions_pass(h, h->lines, h->line_count, true, places, m.list);
    free(places);
    return m;
}

static bool was_last(const struct search_stop *stop, uint32_t task)
{
    for (uint32_t i = 0; i < stop->last_count; i++)
        if (stop->last[i] == task)
            return true;
    return false;
}

static void explain_state(struct report *r, const struct tasks *t, const struct search_stop *stop, bool pool)
{
    char until[REPORT_TIME_SIZE];
    if (pool)
        report_note(r, "before it: %u units taken", stop->taken);
    else if (stop->holder == HOLDER_ANY)
        report_note(r, "before it: free");
    else if (stop->has.has == HAS_SOLD)
        report_note(r, "before it: sold to %s",
                    names_text(&r->history->reservations, t->names[stop->holder]));
    else
        report_note(r, "before it: held by %s until %s",
                    names_text(&r->history->reservations, t->names[stop->holder]),
                    stop->has.deadline_us ? report_time(r, stop->has.deadline_us, until) : "some time");
}

/* The operation that fits no order, what came before it in the order that went furthest, and what overlaps it. */
static void explain(struct report *r, const struct tasks *t, const struct search_stop *stop, uint32_t object)
{
    const struct task *blocked = &t->list[stop->blocked];
    const char *name = names_text(&r->history->objects, object);
    const struct call *call = t->sources[blocked->source];
    bool pool = history_is_pool(r->history, object);
    report_violation(r, "%s %s: no order explains line %u of client %s", pool ? "pool" : "seat", name,
                     call->line, names_text(&r->history->clients, call->client));
    report_call(r, blocked->kind == TASK_EXPIRE ? "its expiry" : "not explained", call);
    explain_state(r, t, stop, pool);
    for (uint32_t i = stop->last_count; i-- > 0;) {
        const struct task *last = &t->list[stop->last[i]];
        report_call(r, last->kind == TASK_EXPIRE ? "expired" : "in order", t->sources[last->source]);
    }
    uint32_t shown = 0;
    for (uint32_t i = 0; i < t->count && shown < AROUND_MAX; i++) {
        const struct task *o = &t->list[i];
        if (i == stop->blocked || o->kind == TASK_EXPIRE || was_last(stop, i) ||
            o->call_us > blocked->answer_us || o->answer_us < blocked->call_us)
            continue;
        report_call(r, "overlaps", t->sources[o->source]);
        shown++;
    }
}

static void check_object(uint32_t object, struct tasks *t, struct search *search, struct holder **holders,
                         uint32_t *holder_room, struct report *r)
{
    struct place place;
    struct search_stop stop = {0};
    if (t->open_count > OPEN_MAX) {
        report_fault(r, "%s: %u operations were never decided, at most %u are allowed",
                     names_text(&r->history->objects, object), t->open_count, OPEN_MAX);
        return;
    }
    if (t->holder_count >= *holder_room) {
        *holder_room = (t->holder_count + 1) * 2;
        *holders = memory_grow(*holders, *holder_room, sizeof **holders);
    }
    place_init(&place, history_capacity(r->history, object), *holders, t->holder_count);
    switch (search_run(search, &place, t->list, t->count, &stop)) {
    case SEARCH_LEGAL:
        break;
    case SEARCH_ILLEGAL:
        explain(r, t, &stop, object);
        break;
    case SEARCH_GIVEN_UP:
        report_fault(r, "%s: too many orders are possible", names_text(&r->history->objects, object));
        break;
    }
}

void check_objects(const struct history *h, const struct check_rules *rules, struct report *r)
{
    struct mentions m = mentions_make(h);
    struct search *search = search_create();
    struct holder *holders = NULL;
    uint32_t holder_room = 0;
    struct tasks tasks;
    tasks_init(&tasks, h, rules);
    for (uint32_t i = 0; i < h->objects.count; i++) {
        tasks_make(&tasks, m.list + m.starts[i], m.starts[i + 1] - m.starts[i]);
        check_object(i, &tasks, search, &holders, &holder_room, r);
    }
    tasks_release(&tasks);
    search_destroy(search);
    free(holders);
    free(m.list);
    free(m.starts);
}
