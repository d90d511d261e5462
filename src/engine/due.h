/* SPDX-License-Identifier: Apache-2.0 */
/* due.h — timed work, as one table. To add some: a row here and its two functions in due.c, or in a file of its own.
 *
 * Each row has a function that says when it is next due (INT64_MAX: never), and one that does a slice of less than a
 * millisecond and says whether there is more to do now. Rows run in this order: expiry before offers and admission, so
 * that what it frees is passed on at the same instant.
 */
#ifndef ENGINE_DUE_H
#define ENGINE_DUE_H

#include "engine/engine.h"

/* Whether a row may run without room in the log. */
enum due_room {
    DUE_NEEDS_ROOM, /* only if engine_has_room */
    DUE_CHECKS_ROOM /* the row checks for itself: an import answers its caller when there is none */
};

/* How soon a row must run once it is due. */
enum due_wake {
    DUE_AT_TICK,    /* at the next tick, a fraction of a second later */
    DUE_AT_INSTANT, /* the host sets a timer for it (engine_next_ms) */
    DUE_AFTER_COMMAND /* the same, and a command may make it due at once: a requested ride is offered immediately */
};

/* clang-format off */
/* X(NAME, next, slice, room, wake) */
#define DUE(X) \
    X(IMPORT, import_next_ms, import_slice, DUE_CHECKS_ROOM, DUE_AT_TICK)             /* staged seats are published */ \
    X(EXPIRY, expiry_next_ms, expiry_slice, DUE_NEEDS_ROOM, DUE_AT_TICK)              /* holds expire */ \
    X(LISTS, lists_next_ms, lists_slice, DUE_NEEDS_ROOM, DUE_AT_TICK)                 /* freed stock is offered to waiting lists */ \
    X(WARNINGS, warnings_next_ms, warnings_slice, DUE_NEEDS_ROOM, DUE_AT_TICK)        /* hooks are warned of expiring holds */ \
    X(ADMISSION, admission_next_ms, admission_slice, DUE_NEEDS_ROOM, DUE_AT_INSTANT)  /* waiting rooms admit people */ \
    X(REFUSALS, refusals_next_ms, refusals_slice, DUE_NEEDS_ROOM, DUE_AT_TICK)        /* counts of refusals are written */ \
    X(DISPATCH, dispatch_next_ms, dispatch_slice, DUE_NEEDS_ROOM, DUE_AFTER_COMMAND)  /* rides are offered */ \
    X(CANCELLING, cancelling_next_ms, cancelling_slice, DUE_NEEDS_ROOM, DUE_AT_TICK)  /* sales of cancelled events are undone */ \
    X(ERASURE, erasure_next_ms, erasure_slice, DUE_NEEDS_ROOM, DUE_AT_TICK)           /* the log moves on from erased names */

enum due {
#define X(name, ...) DUE_##name,
    DUE(X)
#undef X
    DUE_COUNT
};
/* clang-format on */

/* Runs one slice of one row, if it is due and there is room. True: there is more to do now. */
bool due_slice(struct engine *e, enum due due, int64_t now_ms);
/* When the earliest of the DUE_AFTER_COMMAND rows is due. */
int64_t due_after_command(const struct engine *e);

/* Rows that have their own file. */
int64_t import_next_ms(const struct engine *e);
bool import_slice(struct engine *e, int64_t now_ms);
int64_t cancelling_next_ms(const struct engine *e);
bool cancelling_slice(struct engine *e, int64_t now_ms);

#endif
