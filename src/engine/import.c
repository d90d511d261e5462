/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/import.h"

#include "base/assertion.h"
#include "core/catalogue/event.h"
#include "engine/due.h"

#define PART_SIZE (128u << 10)

void engine_import(struct engine *e, struct engine_import *i)
{
    ASSERT(!e->import && i->over && engine_decides(e));
    ASSERT(i->removes ? i->positions != NULL : i->rows != NULL);
    i->overtaken = false;
    i->staged = 0;
    /* A seq, so that pruning can recognise parts whose import has ended. */
    i->number = state_next_seq(e->state);
    e->import = i;
    e->host.more(e->host.owner);
}

static void import_finish(struct engine *e, enum outcome_code code)
{
    struct engine_import *i = e->import;
    ASSERT(code != OUTCOME_OK || !i->layout); /* the state has taken it, and the caller must not free it */
    e->import = NULL;
    i->code = code;
    i->over(i->ctx);
}

void engine_import_give_up(struct engine *e, enum outcome_code code)
{
    if (e->import)
        import_finish(e, code);
}

/* The end of the next part: whole rows, about PART_SIZE bytes. */
static size_t part_end(const struct engine_import *i, uint32_t *count)
{
    struct bytes_reader rows = bytes_reader_make(i->rows->data + i->staged, i->rows->size - i->staged);
    *count = 0;
    while (bytes_left(&rows) && i->rows->size - i->staged - bytes_left(&rows) < PART_SIZE) {
        struct seat_image seat;
        uint32_t columns;
        bool fine = seat_row_get(&rows, &columns, &seat);
        ASSERT(fine);
        (*count)++;
    }
    return i->rows->size - bytes_left(&rows);
}

static enum outcome_code stage_part(struct engine *e, struct engine_import *i, int64_t now_ms)
{
    uint32_t count;
    size_t end = part_end(i, &count);
    ASSERT(count > 0 && count <= end - i->staged);
    struct command c = {.kind = COMMAND_SEATS_STAGE, .actor = i->actor};
    c.seats_stage.event = i->event;
    c.seats_stage.import = i->number;
    c.seats_stage.rows = i->rows->data + i->staged;
    ASSERT(end > i->staged && end <= i->rows->size);
    c.seats_stage.size = end - i->staged;
    c.seats_stage.count = count;
    i->staged = end;
    return engine_apply(e, now_ms, &c, &i->outcome);
}

static enum outcome_code publish(struct engine *e, struct engine_import *i, int64_t now_ms)
{
    struct command c = {.actor = i->actor};
    ASSERT(i->layout && i->layout != i->base);
    ASSERT(i->removes || i->staged == i->rows->size); /* what is published was staged, all of it */
    if (i->removes) {
        c.kind = COMMAND_SEATS_REMOVE;
        c.seats_remove.event = i->event;
        c.seats_remove.base = i->base;
        c.seats_remove.layout = i->layout;
        c.seats_remove.positions = i->positions;
        c.seats_remove.count = i->count;
    } else {
        c.kind = COMMAND_SEATS_PUBLISH;
        c.seats_publish.event = i->event;
        c.seats_publish.import = i->number;
        c.seats_publish.base = i->base;
        c.seats_publish.layout = i->layout;
        c.seats_publish.blocks = i->blocks;
    }
    enum outcome_code code = engine_apply(e, now_ms, &c, &i->outcome);
    if (code == OUTCOME_OK)
        i->layout = NULL; /* owned by the state now */
    return code;
}

int64_t import_next_ms(const struct engine *e)
{
    return e->import ? INT64_MIN : INT64_MAX;
}

bool import_slice(struct engine *e, int64_t now_ms)
{
    struct engine_import *i = e->import;
    /* The reserve is not for imports. */
    if (log_room(e->log) != LOG_ROOM_OK) {
        import_finish(e, log_room(e->log) == LOG_ROOM_AWAY ? OUTCOME_UNAVAILABLE : OUTCOME_STORAGE_FULL);
        return false;
    }
    if (!engine_has_room(e))
        return false; /* the host asks again when the batch has room */
    enum outcome_code code;
    if (!i->removes && i->staged < i->rows->size) {
        code = stage_part(e, i, now_ms);
        if (code == OUTCOME_OK)
            return true;
    } else {
        const struct event *event = event_find(e->state, i->event);
        i->overtaken = !event || event->layout != i->base;
        code = i->overtaken ? OUTCOME_RETRY : publish(e, i, now_ms);
        if (code == OUTCOME_RETRY && !i->overtaken)
            return true;
    }
    import_finish(e, code);
    return false;
}
