/* SPDX-License-Identifier: Apache-2.0 */
/* due.h — what the passing of time makes due: one table. Adding timed work is a row here and its two functions in due.c,
 * or in a file of its own.
 *
 * Each row has a function that says when it is next due (INT64_MAX: never), and one that does a slice of less than a
 * millisecond and says whether there is more at this instant. They are done in this order: expiry before what is offered
 * and let in, so that what it frees is given on at the same instant.
 */
#ifndef ENGINE_DUE_H
#define ENGINE_DUE_H

#include "engine/engine.h"

/* What a row needs before it may write. */
enum due_room {
    DUE_NEEDS_ROOM, /* engine_has_room */
    DUE_SEES_ITSELF /* it writes little or nothing, or has an answer to give when there is none */
};

/* How soon it must be done. */
enum due_wake {
    DUE_AT_TICK,    /* with the next tick, fractions of a second later */
    DUE_AT_INSTANT, /* the host sets a timer for it (engine_next_ms) */
    DUE_AFTER_COMMAND /* the same, and a command may make it due at once: a ride that was asked for is offered now */
};

/* clang-format off */
/* X(NAME, next, slice, room, wake) */
#define DUE(X) \
    X(IMPORT, import_next_ms, import_slice, DUE_SEES_ITSELF, DUE_AT_TICK)             /* staged seats are published */ \
    X(EXPIRY, expiry_next_ms, expiry_slice, DUE_NEEDS_ROOM, DUE_AT_TICK)              /* holds lapse */ \
    X(LISTS, lists_next_ms, lists_slice, DUE_NEEDS_ROOM, DUE_AT_TICK)                 /* what came free is offered */ \
    X(WARNINGS, warnings_next_ms, warnings_slice, DUE_NEEDS_ROOM, DUE_AT_TICK)        /* hooks hear what will lapse */ \
    X(ADMISSION, admission_next_ms, admission_slice, DUE_NEEDS_ROOM, DUE_AT_INSTANT)  /* waiting rooms let people in */ \
    X(REFUSALS, refusals_next_ms, refusals_slice, DUE_NEEDS_ROOM, DUE_AT_TICK)        /* counts are written down */ \
    X(DISPATCH, dispatch_next_ms, dispatch_slice, DUE_NEEDS_ROOM, DUE_AFTER_COMMAND)  /* rides are offered */ \
    X(CANCELLING, cancelling_next_ms, cancelling_slice, DUE_NEEDS_ROOM, DUE_AT_TICK)  /* sales of cancelled events go back */ \
    X(ERASURE, erasure_next_ms, erasure_slice, DUE_NEEDS_ROOM, DUE_AT_TICK)           /* names leave the log */

enum due {
#define X(name, ...) DUE_##name,
    DUE(X)
#undef X
    DUE_COUNT
};
/* clang-format on */

/* One slice of one row, if it is due and there is room. True: there is more at this instant. */
bool due_slice(struct engine *e, enum due due, int64_t now_ms);
/* When the first of the rows that a command can make due is due. */
int64_t due_after_command(const struct engine *e);

/* Rows in files of their own. */
int64_t import_next_ms(const struct engine *e);
bool import_slice(struct engine *e, int64_t now_ms);
int64_t cancelling_next_ms(const struct engine *e);
bool cancelling_slice(struct engine *e, int64_t now_ms);

#endif
