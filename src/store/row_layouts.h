/* SPDX-License-Identifier: Apache-2.0 */
/* row_layouts.h — the seats of events that a row of the log publishes or removes, built on a worker before the row is applied.
 *
 * A layout takes half a microsecond a seat, which is too long for a turn of the loop if it is large. The worker reads the rows
 * of seats that were staged before. Nothing changes them meanwhile: applying waits for the worker. If the event turns out to
 * have other seats than the layout was made from (copied by a change of the same row), it is built again while the row is
 * applied.
 */
#ifndef STORE_ROW_LAYOUTS_H
#define STORE_ROW_LAYOUTS_H

#include "core/catalogue/layout.h"
#include "core/state.h"
#include "log/log.h"

struct row_layout {
    uint32_t change; /* index in the row */
    uint64_t event;
    struct layout *base; /* shared; NULL: the event has no seats yet */
    struct layout *made; /* NULL: could not be built, or was taken */
    struct layout_blocks blocks;
};

struct row_layouts {
    const struct log_batch *batch;
    const struct staged *staged;
    struct row_layout *list;
    uint32_t count;
    struct change *scratch; /* the worker's */
};

void row_layouts_init(struct row_layouts *r);
void row_layouts_release(struct row_layouts *r);
/* Loop: change i of the row publishes or removes seats. */
void row_layouts_add(struct row_layouts *r, const struct state *st, uint32_t i, uint64_t event);
/* Worker: builds all that were added. */
void row_layouts_build(struct row_layouts *r, const struct log_batch *batch, const struct staged *staged);
/* Loop: attaches to change i what was built for it; false: nothing was. */
bool row_layouts_give(struct row_layouts *r, const struct state *st, uint32_t i, struct change *c);
/* The row was applied: drops all of it. The memory is released on any thread by row_layouts_release. */

#endif
