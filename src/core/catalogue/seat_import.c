/* SPDX-License-Identifier: Apache-2.0 */
/* seat_import.c — imports of seats: they arrive in parts, which are invisible until all are published at once.
 *
 * The importer keeps the rows and makes the layout, on another thread. Recovery has only the parts: it keeps them
 * here until the change that publishes them, or the end of the journal.
 */
#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/catalogue/event_seats.h"
#include "core/codec.h"
#include "core/step.h"

/* ---- Commands ---- */

/* The event of an import; not an event that was created later with the same id. */
static struct event *import_event(struct state *st, struct text id, uint64_t import)
{
    struct event *e = event_find(st, id);
    return e && e->image.number < import ? e : NULL;
}

enum outcome_code event_seats_stage(struct state *st, const struct command *c, struct outcome *out)
{
    struct event *e = import_event(st, c->seats_stage.event, c->seats_stage.import);
    if (!e)
        return OUTCOME_NO_SUCH_EVENT;
    st->change.kind = CHANGE_SEATS_STAGED;
    st->change.staged.event = e->image.number;
    st->change.staged.import = c->seats_stage.import;
    st->change.staged.count = c->seats_stage.count;
    st->change.staged.rows = bytes_reader_make(c->seats_stage.rows, c->seats_stage.size);
    out->seq = state_emit(st);
    return OUTCOME_OK;
}

enum outcome_code event_seats_publish(struct step *step, struct outcome *out)
{
    struct state *st = step->state;
    const struct command *c = step->command;
    struct event *e = import_event(st, c->seats_publish.event, c->seats_publish.import);
    if (!e)
        return OUTCOME_NO_SUCH_EVENT;
    /* Only one import per event at a time: the event still has the layout that the new one was made from. */
    ASSERT(e->layout == c->seats_publish.base);
    const struct layout_blocks *blocks = c->seats_publish.blocks;
    enum outcome_code code = OUTCOME_OK;
    uint32_t at = 0;
    /* Judged by the current claims: seats were sold while the rows were read. */
    while (out->obstacle_count < ITEMS_MAX && (at = event_blocks_claimed(e, blocks, at)) != BITSET_NONE) {
        if (event_seat_unclaimed(step, e, at, at, out) != OUTCOME_OK)
            code = OUTCOME_TAKEN;
        at++;
    }
    if (code != OUTCOME_OK)
        return code;
    if (!event_blocks_fit(e, blocks))
        return state_invalid(out, "Too many allotments: at most 1000 per event.", "%s", "");
    st->change.kind = CHANGE_SEATS_PUBLISHED;
    st->change.published.event = e->image.number;
    st->change.published.import = c->seats_publish.import;
    st->change.made.layout = c->seats_publish.layout;
    st->change.made.blocks = blocks;
    out->seq = state_commit(st);
    return OUTCOME_OK;
}

/* ---- The changes ---- */

static struct staged *staged_find(struct state *st, uint64_t event, uint64_t import, bool make)
{
    for (uint32_t i = 0; i < st->staged_count; i++)
        if (st->staged[i].event == event && st->staged[i].import == import)
            return &st->staged[i];
    if (!make)
        return NULL;
    st->staged = memory_grow(st->staged, st->staged_count + 1u, sizeof(*st->staged));
    struct staged *s = &st->staged[st->staged_count++];
    *s = (struct staged){.event = event, .import = import};
    buf_init(&s->rows, (size_t)1 << 40); /* no limit here: it was checked when it was written */
    return s;
}

bool seats_staged_change_restore(struct state *st, const struct change *c)
{
    struct staged *s = staged_find(st, c->staged.event, c->staged.import, true);
    buf_append(&s->rows, c->staged.rows.at, bytes_left(&c->staged.rows));
    s->count += c->staged.count;
    return true;
}

static bool publish(struct state *st, struct event *e, struct layout *layout,
                    const struct layout_blocks *blocks, uint64_t seq)
{
    event_set_layout(st, e, layout);
    e->seq = seq;
    if (event_blocks_claimed(e, blocks, 0) != BITSET_NONE || !event_blocks_fit(e, blocks))
        return false;
    event_set_blocks(st, e, blocks);
    return true;
}

bool seats_published_change_restore(struct state *st, const struct change *c)
{
    struct event *e = event_find_number(st, c->published.event);
    struct staged *s = staged_find(st, c->published.event, c->published.import, false);
    if (!e || e->image.removed)
        return false;
    if (c->made.layout)
        return publish(st, e, c->made.layout, c->made.blocks, c->seq);
    uint32_t created, updated;
    struct layout_blocks blocks;
    struct bytes_reader rows = {0}; /* an empty import has no parts */
    if (s)
        rows = bytes_reader_make(s->rows.data, s->rows.size);
    struct layout *layout = layout_make(e->layout, rows, s ? s->count : 0, &created, &updated, &blocks);
    if (s) {
        buf_release(&s->rows);
        *s = st->staged[--st->staged_count]; /* the order does not matter */
    }
    if (!layout)
        return false;
    bool fits = publish(st, e, layout, &blocks, c->seq);
    layout_blocks_release(&blocks);
    return fits;
}

/* ---- From the book ---- */

bool state_load_staged(struct state *st, uint64_t event, uint64_t import, uint32_t columns,
                       const struct seat_image *seat)
{
    ASSERT(st->seq == 0);
    struct staged *s = staged_find(st, event, import, true);
    seat_row_put(&s->rows, columns, seat);
    s->count++;
    return true;
}

void staged_release(struct state *st)
{
    for (uint32_t i = 0; i < st->staged_count; i++)
        buf_release(&st->staged[i].rows);
    free(st->staged);
    st->staged = NULL;
    st->staged_count = 0;
}
