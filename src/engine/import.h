/* SPDX-License-Identifier: Apache-2.0 */
/* import.h — seats that were read and laid out elsewhere come into the state: their rows are journalled as staged parts,
 * a slice at a time, then one change publishes them. Seats are removed the same way, without the parts.
 *
 * One at a time. A crash before the last change leaves staged parts that nobody will ever see. */
#ifndef ENGINE_IMPORT_H
#define ENGINE_IMPORT_H

#include "engine/engine.h"

struct engine_import {
    struct actor actor;
    struct text event;
    struct layout *base,
        *layout;            /* what the event has, and what it shall have; taken over when it is published */
    const struct buf *rows; /* by seat_row_put */
    const struct layout_blocks *blocks;
    bool removes;              /* seats, rather than to add or change any */
    const uint32_t *positions; /* of what it removes, ascending */
    uint32_t count;

    /* Called when it is over; may begin another. */
    void (*over)(void *ctx);
    void *ctx;
    enum outcome_code code; /* OK, STORAGE_FULL, UNAVAILABLE, or why core refused it */
    bool overtaken;         /* the event has another layout by now: make this one again from that */
    struct outcome outcome; /* of the last command */

    /* The engine's. */
    uint64_t number;
    size_t staged; /* bytes of rows that are journalled */
};

/* No other may be under way. */
void engine_import(struct engine *e, struct engine_import *i);
/* Ends the one under way, if there is one; what was staged so far is pruned later. */
void engine_import_give_up(struct engine *e, enum outcome_code code);

#endif
