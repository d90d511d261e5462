/* SPDX-License-Identifier: Apache-2.0 */
#include "store/row_layouts.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/catalogue/event.h"

void row_layouts_init(struct row_layouts *r)
{
    *r = (struct row_layouts){0};
}

void row_layouts_release(struct row_layouts *r)
{
    for (uint32_t i = 0; i < r->count; i++) {
        layout_release(r->list[i].base);
        layout_release(r->list[i].made);
        layout_blocks_release(&r->list[i].blocks);
    }
    free(r->list);
    free(r->scratch);
    *r = (struct row_layouts){0};
}

void row_layouts_add(struct row_layouts *r, const struct state *st, uint32_t i, uint64_t event)
{
    const struct event *e = event_find_number(st, event);
    r->list = memory_room_counted(r->list, r->count, sizeof(*r->list));
    r->list[r->count++] = (struct row_layout){
        .change = i, .event = event, .base = e && e->layout ? layout_share(e->layout) : NULL};
}

/* ---- The worker ---- */

/* Rows of seats of one import: those staged before, and those in this row. */
struct gathered {
    uint64_t event, import;
    struct buf rows;
    uint32_t count;
};

static void gather(struct gathered *g, const struct staged *before, uint64_t event, uint64_t import)
{
    if (g->event == event && g->import == import)
        return;
    buf_clear(&g->rows);
    g->event = event;
    g->import = import;
    g->count = 0;
    if (before->event == event && before->import == import) {
        buf_append(&g->rows, before->rows.data, before->rows.size);
        g->count = before->count;
    }
}

/* The base of a second layout of the same event is the first one. */
static void rebase(struct row_layouts *r, struct row_layout *l)
{
    for (struct row_layout *earlier = l; earlier-- > r->list;)
        if (earlier->event == l->event && earlier->made) {
            layout_release(l->base);
            l->base = layout_share(earlier->made);
            return;
        }
}

static void build_published(struct row_layout *l, const struct gathered *g)
{
    uint32_t created, updated;
    l->made = layout_make(l->base, bytes_reader_make(g->rows.data, g->rows.size), g->count, &created, &updated,
                          &l->blocks);
}

/* Positions that do not fit are judged when the change is applied. */
static void build_removed(struct row_layout *l, const struct change *c)
{
    struct bytes_reader in = c->removed.positions;
    uint32_t count = c->removed.count;
    if (!l->base || count > bytes_left(&in))
        return;
    uint32_t *positions = memory_get((count + 1u) * sizeof(*positions));
    bool fits = true;
    for (uint32_t i = 0; i < count && fits; i++) {
        uint64_t position = bytes_get_varint(&in);
        fits = !in.bad && position < l->base->count && (i == 0 || position > positions[i - 1]) &&
               !layout_is_gone(l->base, (uint32_t)position);
        positions[i] = (uint32_t)position;
    }
    if (fits)
        l->made = layout_without(l->base, positions, count);
    free(positions);
}

void row_layouts_build(struct row_layouts *r, const struct log_batch *batch, const struct staged *staged)
{
    struct bytes_reader in = bytes_reader_make(batch->bytes, batch->size);
    struct gathered g = {0};
    struct row_layout *next = r->list;
    r->scratch = r->scratch ? r->scratch : memory_zeroed(1, sizeof(*r->scratch));
    struct change *c = r->scratch;
    buf_init(&g.rows, (size_t)1 << 40); /* no limit here: it was checked when it was written */
    for (uint32_t i = 0; i < batch->count && next < r->list + r->count; i++) {
        bool read = change_decode(&in, batch->first_seq + i, c);
        ASSERT(read); /* the reading thread has decoded all of them */
        if (c->kind == CHANGE_SEATS_STAGED) {
            gather(&g, staged, c->staged.event, c->staged.import);
            buf_append(&g.rows, c->staged.rows.at, bytes_left(&c->staged.rows));
            g.count += c->staged.count;
        }
        if (i != next->change)
            continue;
        rebase(r, next);
        if (c->kind == CHANGE_SEATS_PUBLISHED) {
            gather(&g, staged, c->published.event, c->published.import);
            build_published(next, &g);
        } else {
            build_removed(next, c);
        }
        next++;
    }
    buf_release(&g.rows);
}

/* ---- Applying ---- */

bool row_layouts_give(struct row_layouts *r, const struct state *st, uint32_t i, struct change *c)
{
    for (struct row_layout *l = r->list; l < r->list + r->count; l++) {
        if (l->change != i || !l->made)
            continue;
        const struct event *e = event_find_number(st, l->event);
        if (!e || e->layout != l->base)
            return false;
        c->made.layout = layout_share(l->made);
        c->made.blocks = &l->blocks;
        return true;
    }
    return false;
}
