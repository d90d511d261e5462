/* SPDX-License-Identifier: Apache-2.0 */
/* local.h — the embedded store: what is behind the door when one process does it all. For the files of store/
 * only.
 *
 * The loop thread owns the state, the imports and this struct. Five threads help, three of them the
 * librarian's:
 *
 *   batcher    writes and syncs the log              (store/batcher.h)
 *   recorder   keeps the book, frees what it has      (store/recorder.h)
 *   librarian  answers from the book: lists, records  (store/librarian.h)
 *
 * Each has a mutex for its hand-over and nothing else in common with the loop.
 */
#ifndef STORE_LOCAL_H
#define STORE_LOCAL_H

#include <stdatomic.h>

#include "core/state.h"
#include "engine/engine.h"
#include "store/batcher.h"
#include "store/bell.h"
#include "store/folder.h"
#include "store/librarian.h"
#include "store/recorder.h"
#include "store/recovery.h"
#include "store/store.h"

struct import; /* store/import.c */

struct store {
    uv_loop_t *loop;
    struct store_options options;
    struct folder folder;
    struct state *state;
    struct log *log;
    struct engine engine;
    struct clock clock;
    bool now_known; /* the clock was read in this turn */

    struct batcher batcher;
    struct recorder recorder;
    struct librarian librarian;

    uv_prepare_t turn;    /* the end of a turn: the batch is handed over */
    struct bell durable;  /* from the batcher */
    struct bell recorded; /* from the recorder */
    struct bell answered; /* from the librarian */
    uv_timer_t tick;      /* expiry, and whatever waits for time */
    uv_idle_t more;       /* running while slices of long work are left */
    uint32_t handles;     /* open, of the six above */
    void (*handles_closed)(struct store *s);

    uint64_t durable_seq; /* as the loop knows it */
    struct {
        void (*fn)(void *ctx, uint64_t durable_seq);
        void *ctx;
    } on_durable[2];
    uint32_t on_durable_count;
    /* The view's, each NULL without one. */
    void (*on_touched)(void *ctx);
    void *on_touched_ctx;
    bool (*on_slice)(void *ctx);
    void *on_slice_ctx;
    void (*on_closed)(void *ctx);
    void *on_closed_ctx;

    struct import *import_first, *import_last; /* one at a time */
    struct waiting *waiting;                   /* queries that wait for the book to come so far */
    uint32_t working;                          /* jobs in the worker pool */
    bool preparing;                            /* a worker makes the log's next segments ready */
    uint64_t prepare_ms;                       /* not before this */
    bool closing;
    uint64_t close_ms; /* not later than this */
    void (*closed)(void *ctx);
    void *closed_ctx;
};

/* ---- store/commands.c ---- */
/* Makes the engine ready, with the store as its host. */
void local_drive(struct store *s);
/* What ended before is due to be pruned, and no longer handed out: see RECORDER_PRUNE_GRACE_MS. */
int64_t local_ended_since(struct store *s);

/* store/workers.c: gives back what core has let go of. */
void local_reclaim(struct store *s);

#endif
