/* SPDX-License-Identifier: Apache-2.0 */
/* import.h — brings imported seats, read and laid out by a worker, into the state: their rows are journalled as staged
 * parts, a slice at a time, then one change publishes them. Seats are removed the same way, without the parts.
 *
 * One import at a time. A crash before the last change leaves staged parts that are never shown, and pruned later. */
#ifndef ENGINE_IMPORT_H
#define ENGINE_IMPORT_H

#include "engine/engine.h"

struct engine_import {
    struct actor actor;
    struct text event;
    struct layout *base,
        *layout; /* the event's old and new one; publishing takes the new one and sets it to NULL */
    const struct buf *rows; /* encoded by seat_row_put */
    const struct layout_blocks *blocks;
    bool removes;              /* removes seats, instead of adding or changing any */
    const uint32_t *positions; /* removes: their positions, ascending */
    uint32_t count;

    /* Called at the end; may start another import. */
    void (*over)(void *ctx);
    void *ctx;
    enum outcome_code code; /* OK, STORAGE_FULL, UNAVAILABLE, or why core refused it */
    bool overtaken;         /* the event has a newer layout than `base`: start again from that one */
    struct outcome outcome; /* of the last command */

    /* Owned by the engine. */
    uint64_t number;
    size_t staged; /* bytes of rows journalled so far */
};

/* No other import may be in progress. A follower has none. */
void engine_import(struct engine *e, struct engine_import *i);
/* Ends the import in progress, if there is one; its staged parts are pruned later. */
void engine_import_give_up(struct engine *e, enum outcome_code code);

#endif
