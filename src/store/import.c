/* SPDX-License-Identifier: Apache-2.0 */
/* import.c — imports seats by the million without blocking the loop.
 *
 *   1. worker: reads the body into rows, builds the new layout from the current one and the rows
 *   2. loop, in slices: stages the rows, then publishes them (engine/import.h)
 *
 * One import at a time. If the event got another layout in between (it copied the seats of another event), step 1 is
 * repeated.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/catalogue/event.h"
#include "engine/import.h"
#include "store/local.h"

#define ROWS_SIZE_MAX ((size_t)1 << 30)

struct import {
    struct store *store;
    struct import *next;
    struct engine_import engine; /* the loop's half */
    char actor_name[USER_SIZE_MAX + 1];
    char event[ID_SIZE_MAX + 1];
    store_import_read_fn read;
    void (*done)(void *ctx, const struct import_result *result);
    void *ctx;

    bool read_done;
    uint32_t *positions; /* removal: of the seats to remove, ascending */
    struct buf rows;     /* the seats; removal: their ids, each NUL-terminated */
    uint32_t count;
    struct layout_blocks blocks;
    struct layout *stale_base, *stale_layout; /* of an attempt that was overtaken by another layout */
    struct import_taken taken[ITEMS_MAX];
    struct import_result result;
};

static int compare_positions(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static void removal_make(struct import *i)
{
    const char *id = (const char *)i->rows.data;
    uint32_t distinct = 0;
    i->positions = memory_grow(i->positions, i->count, sizeof(*i->positions));
    for (uint32_t k = 0; k < i->count; k++, id += strlen(id) + 1) {
        i->positions[k] = layout_find(i->engine.base, (struct text){id, strlen(id)});
        if (i->positions[k] == LAYOUT_NONE) {
            struct import_fault *fault = &i->result.fault;
            i->result.code = OUTCOME_NO_SUCH_SEAT;
            snprintf(fault->pointer, sizeof(fault->pointer), "/ids/%u", k);
            snprintf(fault->detail, sizeof(fault->detail), "No seat \"%s\" in event \"%s\".", id, i->event);
            return;
        }
    }
    qsort(i->positions, i->count, sizeof(*i->positions), compare_positions);
    for (uint32_t k = 0; k < i->count; k++) /* duplicates are ignored */
        if (k == 0 || i->positions[k] != i->positions[k - 1])
            i->positions[distinct++] = i->positions[k];
    ASSERT(distinct >= 1 && distinct <= i->count);
    i->result.removed = distinct;
    i->engine.layout = layout_without(i->engine.base, i->positions, distinct);
}

static void import_read(void *ctx)
{
    struct import *i = ctx;
    ASSERT(!i->engine.layout && i->result.code == OUTCOME_OK);
    /* Here rather than on the loop: unmapping a large layout takes milliseconds. */
    layout_release(i->stale_base);
    layout_release(i->stale_layout);
    i->stale_base = i->stale_layout = NULL;
    layout_blocks_release(&i->blocks);
    if (i->engine.removes) {
        removal_make(i);
        return;
    }
    /* The body is read once; another attempt only builds the layout again. */
    if (!i->read_done) {
        i->read_done = true;
        if (!i->read(i->ctx, &i->rows, &i->count, &i->result.fault)) {
            i->result.code = OUTCOME_INVALID;
            return;
        }
    }
    i->engine.layout = layout_make(i->engine.base, bytes_reader_make(i->rows.data, i->rows.size), i->count,
                                   &i->result.created, &i->result.updated, &i->blocks);
    if (!i->engine.layout) {
        i->result.code = OUTCOME_INVALID;
        i->result.fault = (struct import_fault){.kind = IMPORT_TOO_MANY,
                                                .detail = "Too many seats or allotments for one event."};
    }
}

static void import_read_done(void *ctx);

/* On a worker: unmapping a large layout takes milliseconds. */
static void import_drop(void *ctx)
{
    struct import *i = ctx;
    layout_release(i->engine.base);
    layout_release(i->engine.layout);
    layout_blocks_release(&i->blocks);
    buf_release(&i->rows);
    free(i->positions);
    free(i);
}

static void import_start(struct import *i);

static void import_finish(struct import *i)
{
    struct store *s = i->store;
    ASSERT(s->import_first == i && !s->engine.import); /* the engine no longer uses it */
    struct import *next = s->import_first = i->next;
    if (!next)
        s->import_last = NULL;
    /* Imports run one at a time, so all that started before this seq have ended. */
    recorder_imports_over(&s->recorder, s->state->seq);
    /* `done` may queue another import, which starts at once if there is no next one. */
    i->done(i->ctx, &i->result);
    store_work(s, import_drop, NULL, i);
    if (next)
        import_start(next);
}

/* Has a worker build the layout from the event's current one. */
static void import_start(struct import *i)
{
    struct store *s = i->store;
    const struct event *e = event_find(s->state, i->engine.event);
    ASSERT(s->import_first == i && !i->stale_base && !i->stale_layout);
    if (!e || s->closing || !store_decides(s)) {
        i->result.code = e ? OUTCOME_UNAVAILABLE : OUTCOME_NO_SUCH_EVENT;
        import_finish(i);
        return;
    }
    i->stale_base = i->engine.base;
    i->stale_layout = i->engine.layout;
    i->engine.layout = NULL;
    /* A reference: the event may get another layout while the worker reads this one. */
    i->engine.base = e->layout ? layout_share(e->layout) : NULL;
    store_work(s, import_read, import_read_done, i);
}

static void import_read_done(void *ctx)
{
    struct import *i = ctx;
    ASSERT((i->result.code == OUTCOME_OK) == (i->engine.layout != NULL));
    if (i->result.code == OUTCOME_OK && !store_decides(i->store)) /* no longer */
        i->result.code = OUTCOME_UNAVAILABLE;
    if (i->result.code != OUTCOME_OK) {
        import_finish(i);
        return;
    }
    i->engine.positions = i->positions;
    i->engine.count = i->result.removed;
    engine_import(&i->store->engine, &i->engine);
}

static int compare_items(const void *a, const void *b)
{
    const struct import_taken *x = a, *y = b;
    return x->item < y->item ? -1 : x->item > y->item;
}

/* Removal: sorts them by the order of the request, as everywhere. */
static void order_taken(struct import *i, const struct outcome *out)
{
    const char *id = (const char *)i->rows.data;
    for (uint32_t k = 0; k < i->count; k++, id += strlen(id) + 1) {
        uint32_t position = layout_find(i->engine.base, (struct text){id, strlen(id)});
        for (uint32_t n = 0; n < out->obstacle_count; n++)
            if (out->obstacles[n].item == position && i->taken[n].item == UINT32_MAX)
                i->taken[n].item = k;
    }
    qsort(i->taken, out->obstacle_count, sizeof(*i->taken), compare_items);
    ASSERT(i->taken[out->obstacle_count - 1].item < i->count); /* each was found: they are sorted by it */
    i->result.taken_event = i->engine.event;
}

static void name_taken(struct import *i, const struct outcome *out)
{
    ASSERT(out->obstacle_count >= 1 && out->obstacle_count <= ITEMS_MAX);
    for (uint32_t k = 0; k < out->obstacle_count; k++)
        i->taken[k] = (struct import_taken){.id = layout_id(i->engine.base, out->obstacles[k].item),
                                            .item = UINT32_MAX,
                                            .status = out->obstacles[k].status};
    if (i->engine.removes)
        order_taken(i, out);
    i->result.taken = i->taken;
    i->result.taken_count = out->obstacle_count;
}

/* The engine has published the import, or given it up. */
static void import_over(void *ctx)
{
    struct import *i = ctx;
    const struct outcome *out = &i->engine.outcome;
    ASSERT(i->engine.overtaken == (i->engine.code == OUTCOME_RETRY));
    if (i->engine.overtaken) {
        import_start(i);
        return;
    }
    i->result.code = i->engine.code;
    i->result.seq = out->seq;
    if (i->result.code == OUTCOME_TAKEN)
        name_taken(i, out);
    else if (i->result.code == OUTCOME_INVALID) {
        i->result.fault.kind = IMPORT_TOO_MANY; /* allotments, with those that the event has */
        snprintf(i->result.fault.detail, sizeof(i->result.fault.detail), "%s", out->detail);
    }
    import_finish(i);
}

static struct import *import_new(struct store *s, const struct actor *actor, struct text event,
                                 void (*done)(void *ctx, const struct import_result *result), void *ctx)
{
    struct import *i = memory_zeroed(1, sizeof(*i));
    ASSERT(event.size <= ID_SIZE_MAX && actor->name.size <= USER_SIZE_MAX);
    i->store = s;
    i->engine.actor.role = actor->role;
    if (actor->name.size)
        memcpy(i->actor_name, actor->name.at, actor->name.size);
    i->engine.actor.name = (struct text){i->actor_name, actor->name.size};
    memcpy(i->event, event.at, event.size);
    i->engine.event = (struct text){i->event, event.size};
    i->done = done;
    i->ctx = ctx;
    i->engine.over = import_over;
    i->engine.ctx = i;
    i->engine.rows = &i->rows;
    i->engine.blocks = &i->blocks;
    buf_init(&i->rows, ROWS_SIZE_MAX);
    return i;
}

/* Appends it; starts it if it is the first. */
static void import_queue(struct store *s, struct import *i)
{
    ASSERT(local_on_loop(s) && !s->import_first == !s->import_last);
    if (s->import_last)
        s->import_last->next = i;
    else
        s->import_first = i;
    s->import_last = i;
    if (s->import_first == i)
        import_start(i);
}

void store_import(struct store *s, const struct actor *actor, struct text event, store_import_read_fn read,
                  void (*done)(void *ctx, const struct import_result *result), void *ctx)
{
    struct import *i = import_new(s, actor, event, done, ctx);
    i->read = read;
    import_queue(s, i);
}

void store_remove_seats(struct store *s, const struct actor *actor, struct text event, const struct text *ids,
                        uint32_t count, void (*done)(void *ctx, const struct import_result *result),
                        void *ctx)
{
    struct import *i = import_new(s, actor, event, done, ctx);
    ASSERT(count >= 1);
    i->engine.removes = true;
    i->count = count;
    for (uint32_t k = 0; k < count; k++) {
        buf_append(&i->rows, ids[k].at, ids[k].size);
        buf_append(&i->rows, "", 1);
    }
    import_queue(s, i);
}
