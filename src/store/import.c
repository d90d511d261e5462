/* SPDX-License-Identifier: Apache-2.0 */
/* import.c — seats come in by the million without the loop noticing.
 *
 *   1. worker: reads the body into rows, makes the new layout from the present one and the rows
 *   2. loop, in slices: journals the rows as staged parts
 *   3. loop: publishes: one change, one swap of pointers
 *
 * Seats are removed the same way, without step 2.
 *
 * One import at a time. If another layout has come in between (an event that copied its seats), step 1 is
 * done again. A crash before step 3 leaves staged parts that nobody will ever see.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/memory.h"
#include "core/catalogue/event.h"
#include "store/local.h"

#define PART_SIZE (128u << 10)
#define ROWS_SIZE_MAX ((size_t)1 << 30)

struct import {
    struct store *store;
    struct import *next;
    struct actor actor;
    char actor_name[USER_SIZE_MAX + 1];
    char event[ID_SIZE_MAX + 1];
    struct text event_id;
    store_import_read_fn read;
    void (*done)(void *ctx, const struct import_result *result);
    void *ctx;

    enum { IMPORT_READING, IMPORT_STAGING } step;
    bool read_done;
    uint64_t number;
    bool removes;        /* seats, rather than to add or change any: rows has their ids, each with a NUL */
    uint32_t *positions; /* of what it removes, ascending */
    struct buf rows;
    uint32_t count;
    size_t staged; /* bytes of rows that are journalled */
    struct layout *base, *layout;
    struct layout_blocks blocks;
    struct layout *stale_base, *stale_layout; /* of an attempt that another layout overtook */
    struct import_taken taken[ITEMS_MAX];
    struct import_result result;
    struct outcome outcome; /* of the last command */
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
        i->positions[k] = layout_find(i->base, (struct text){id, strlen(id)});
        if (i->positions[k] == LAYOUT_NONE) {
            struct import_fault *fault = &i->result.fault;
            i->result.code = OUTCOME_NO_SUCH_SEAT;
            snprintf(fault->pointer, sizeof(fault->pointer), "/ids/%u", k);
            snprintf(fault->detail, sizeof(fault->detail), "No seat \"%s\" in event \"%s\".", id, i->event);
            return;
        }
    }
    qsort(i->positions, i->count, sizeof(*i->positions), compare_positions);
    for (uint32_t k = 0; k < i->count; k++) /* who names one twice means one */
        if (k == 0 || i->positions[k] != i->positions[k - 1])
            i->positions[distinct++] = i->positions[k];
    i->result.removed = distinct;
    i->layout = layout_without(i->base, i->positions, distinct);
}

static void import_read(void *ctx)
{
    struct import *i = ctx;
    /* Here rather than on the loop: unmapping a large layout takes milliseconds. */
    layout_release(i->stale_base);
    layout_release(i->stale_layout);
    i->stale_base = i->stale_layout = NULL;
    layout_blocks_release(&i->blocks);
    if (i->removes) {
        removal_make(i);
        return;
    }
    /* The body is read once; another attempt only makes the layout again. */
    if (!i->read_done) {
        i->read_done = true;
        if (!i->read(i->ctx, &i->rows, &i->count, &i->result.fault)) {
            i->result.code = OUTCOME_INVALID;
            return;
        }
    }
    i->layout = layout_make(i->base, bytes_reader_make(i->rows.data, i->rows.size), i->count,
                            &i->result.created, &i->result.updated, &i->blocks);
    if (!i->layout) {
        i->result.code = OUTCOME_INVALID;
        i->result.fault = (struct import_fault){.kind = IMPORT_TOO_MANY,
                                                .detail = "Too many seats or allotments for one event."};
    }
}

static void import_read_done(void *ctx);

/* Gives memory back off the loop: unmapping a large layout takes milliseconds. */
static void import_drop(void *ctx)
{
    struct import *i = ctx;
    layout_release(i->base);
    layout_release(i->layout);
    layout_blocks_release(&i->blocks);
    buf_release(&i->rows);
    free(i->positions);
    free(i);
}

static void import_start(struct import *i);

static void import_finish(struct import *i)
{
    struct store *s = i->store;
    ASSERT(s->import_first == i);
    struct import *next = s->import_first = i->next;
    if (!next)
        s->import_last = NULL;
    /* Imports run one at a time, so all that started before this seq are over. */
    recorder_imports_over(&s->recorder, s->state->seq);
    /* It may ask for another import, which starts by itself if there is no next. */
    i->done(i->ctx, &i->result);
    store_work(s, import_drop, NULL, i);
    if (next)
        import_start(next);
}

/* Lets the worker make the layout on top of the one the event has now. */
static void import_start(struct import *i)
{
    struct store *s = i->store;
    const struct event *e = event_find(s->state, i->event_id);
    if (!e || s->closing) {
        i->result.code = e ? OUTCOME_UNAVAILABLE : OUTCOME_NO_SUCH_EVENT;
        import_finish(i);
        return;
    }
    i->step = IMPORT_READING;
    i->stale_base = i->base;
    i->stale_layout = i->layout;
    i->layout = NULL;
    /* A reference: the event may get another layout while the worker reads this one. */
    i->base = e->layout ? layout_share(e->layout) : NULL;
    store_work(s, import_read, import_read_done, i);
}

static void import_read_done(void *ctx)
{
    struct import *i = ctx;
    if (i->result.code != OUTCOME_OK) {
        import_finish(i);
        return;
    }
    i->step = IMPORT_STAGING;
    i->staged = 0;
    /* A seq, so that pruning can tell which staged parts no longer have an import. */
    i->number = state_next_seq(i->store->state);
    store_more(i->store);
}

/* The end of a part: whole rows, about PART_SIZE bytes. */
static size_t part_end(const struct import *i, uint32_t *count)
{
    struct bytes_reader rows = bytes_reader_make(i->rows.data + i->staged, i->rows.size - i->staged);
    *count = 0;
    while (bytes_left(&rows) && i->rows.size - i->staged - bytes_left(&rows) < PART_SIZE) {
        struct seat_image seat;
        uint32_t columns;
        bool fine = seat_row_get(&rows, &columns, &seat);
        ASSERT(fine);
        (*count)++;
    }
    return i->rows.size - bytes_left(&rows);
}

static enum outcome_code stage_part(struct import *i)
{
    uint32_t count;
    size_t end = part_end(i, &count);
    struct command c = {.kind = COMMAND_SEATS_STAGE, .actor = i->actor};
    c.seats_stage.event = i->event_id;
    c.seats_stage.import = i->number;
    c.seats_stage.rows = i->rows.data + i->staged;
    ASSERT(end > i->staged && end <= i->rows.size);
    c.seats_stage.size = end - i->staged;
    c.seats_stage.count = count;
    i->staged = end;
    return local_apply(i->store, &c, &i->outcome);
}

static int compare_items(const void *a, const void *b)
{
    const struct import_taken *x = a, *y = b;
    return x->item < y->item ? -1 : x->item > y->item;
}

/* Of a removal: as everywhere, in the order of the request. */
static void place_taken(struct import *i, const struct outcome *out)
{
    const char *id = (const char *)i->rows.data;
    for (uint32_t k = 0; k < i->count; k++, id += strlen(id) + 1) {
        uint32_t position = layout_find(i->base, (struct text){id, strlen(id)});
        for (uint32_t n = 0; n < out->obstacle_count; n++)
            if (out->obstacles[n].item == position && i->taken[n].item == UINT32_MAX)
                i->taken[n].item = k;
    }
    qsort(i->taken, out->obstacle_count, sizeof(*i->taken), compare_items);
    i->result.taken_event = i->event_id;
}

static void name_taken(struct import *i, const struct outcome *out)
{
    for (uint32_t k = 0; k < out->obstacle_count; k++)
        i->taken[k] = (struct import_taken){.id = layout_id(i->base, out->obstacles[k].item),
                                            .item = UINT32_MAX,
                                            .status = out->obstacles[k].status};
    if (i->removes)
        place_taken(i, out);
    i->result.taken = i->taken;
    i->result.taken_count = out->obstacle_count;
}

static enum outcome_code publish(struct import *i)
{
    struct outcome *out = &i->outcome;
    struct command c = {.actor = i->actor};
    if (i->removes) {
        c.kind = COMMAND_SEATS_REMOVE;
        c.seats_remove.event = i->event_id;
        c.seats_remove.base = i->base;
        c.seats_remove.layout = i->layout;
        c.seats_remove.positions = i->positions;
        c.seats_remove.count = i->result.removed;
    } else {
        c.kind = COMMAND_SEATS_PUBLISH;
        c.seats_publish.event = i->event_id;
        c.seats_publish.import = i->number;
        c.seats_publish.base = i->base;
        c.seats_publish.layout = i->layout;
        c.seats_publish.blocks = &i->blocks;
    }
    enum outcome_code code = local_apply(i->store, &c, out);
    i->result.seq = out->seq;
    if (code == OUTCOME_OK)
        i->layout = NULL; /* the state has it now */
    else if (code == OUTCOME_TAKEN)
        name_taken(i, out);
    else if (code == OUTCOME_INVALID) {
        i->result.fault.kind = IMPORT_TOO_MANY; /* allotments, with those that the event has */
        snprintf(i->result.fault.detail, sizeof(i->result.fault.detail), "%s", out->detail);
    }
    return code;
}

/* True if the event still has the layout that the new one was made from; otherwise starts again. */
static bool base_is_current(struct import *i)
{
    const struct event *e = event_find(i->store->state, i->event_id);
    if (e && e->layout == i->base)
        return true;
    import_start(i);
    return false;
}

bool import_step(struct store *s)
{
    struct import *i = s->import_first;
    bool full = log_room(s->log) != LOG_ROOM_OK;
    /* The reserve is not for imports. What was staged so far is pruned later. */
    if (i && i->step == IMPORT_STAGING && (full || s->closing)) {
        i->result.code = full ? OUTCOME_STORAGE_FULL : OUTCOME_UNAVAILABLE;
        import_finish(i);
        return false;
    }
    if (!i || i->step != IMPORT_STAGING || !local_has_room(s))
        return false; /* what comes next, the worker or room in the batch, starts the slices again */
    if (!i->removes && i->staged < i->rows.size) {
        i->result.code = stage_part(i);
        if (i->result.code == OUTCOME_OK)
            return true;
    } else {
        if (!base_is_current(i))
            return false;
        i->result.code = publish(i);
        if (i->result.code == OUTCOME_RETRY)
            return true;
    }
    import_finish(i);
    return false;
}

static struct import *import_new(struct store *s, const struct actor *actor, struct text event,
                                 void (*done)(void *ctx, const struct import_result *result), void *ctx)
{
    struct import *i = memory_zeroed(1, sizeof(*i));
    ASSERT(event.size <= ID_SIZE_MAX && actor->name.size <= USER_SIZE_MAX);
    i->store = s;
    i->actor.role = actor->role;
    if (actor->name.size)
        memcpy(i->actor_name, actor->name.at, actor->name.size);
    i->actor.name = (struct text){i->actor_name, actor->name.size};
    memcpy(i->event, event.at, event.size);
    i->event_id = (struct text){i->event, event.size};
    i->done = done;
    i->ctx = ctx;
    buf_init(&i->rows, ROWS_SIZE_MAX);
    return i;
}

/* Behind those that wait; the first one starts at once. */
static void import_queue(struct store *s, struct import *i)
{
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
    i->removes = true;
    i->count = count;
    for (uint32_t k = 0; k < count; k++) {
        buf_append(&i->rows, ids[k].at, ids[k].size);
        buf_append(&i->rows, "", 1);
    }
    import_queue(s, i);
}
