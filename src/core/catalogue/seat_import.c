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

/* Imports run one at a time, so parts of another one show that it was given up. */
static struct staged *staged_of(struct state *st, uint64_t event, uint64_t import)
{
    struct staged *s = &st->staged;
    if (s->event != event || s->import != import) {
        staged_release(st);
        *s = (struct staged){.event = event, .import = import};
        buf_init(&s->rows, (size_t)1 << 40); /* no limit here: it was checked when it was written */
    }
    return s;
}

bool seats_staged_change_restore(struct state *st, const struct change *c)
{
    struct staged *s = staged_of(st, c->staged.event, c->staged.import);
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
    if (!e || e->image.removed)
        return false;
    if (c->made.layout) {
        if (st->staged.import == c->published.import)
            staged_release(st); /* those who follow have the parts here, too */
        return publish(st, e, c->made.layout, c->made.blocks, c->seq);
    }
    uint32_t created, updated;
    struct layout_blocks blocks;
    const struct staged *s = staged_of(st, c->published.event, c->published.import);
    struct layout *layout = layout_make(e->layout, bytes_reader_make(s->rows.data, s->rows.size), s->count,
                                        &created, &updated, &blocks);
    staged_release(st);
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
    struct staged *s = staged_of(st, event, import);
    seat_row_put(&s->rows, columns, seat);
    s->count++;
    return true;
}

void staged_release(struct state *st)
{
    buf_release(&st->staged.rows);
    st->staged = (struct staged){0};
}
