/* SPDX-License-Identifier: Apache-2.0 */
/* local.h — the embedded store: the implementation of store.h within one process. For the files of store/ only.
 *
 * The loop thread owns the state, the imports and this struct. Five threads help, three of them the librarian's, and two
 * more (upkeep, and one of the others) if the log is in PostgreSQL:
 *
 *   batcher    writes and syncs the log                     (store/batcher.h)
 *   recorder   writes the book, frees segments of the log   (store/recorder.h)
 *   librarian  reads the book: lists, reports, records      (store/librarian.h)
 *   lease      renews this node's lease of the site         (cluster/lease.h)
 *   follow     reads the log while another node writes it   (cluster/follow.h)
 *   upkeep     makes snapshots, trims the log               (store/upkeep.h)
 *
 * Each has a mutex for its hand-over, and shares nothing else with the loop.
 */
#ifndef STORE_LOCAL_H
#define STORE_LOCAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "core/state.h"
#include "engine/engine.h"
#include "store/batcher.h"
#include "store/bell.h"
#include "store/folder.h"
#include "store/following.h"
#include "store/librarian.h"
#include "store/recorder.h"
#include "store/recovery.h"
#include "store/shared.h"
#include "store/store.h"
#include "store/upkeep.h"

struct import; /* store/import.c */

struct store {
    uv_loop_t *loop;
    pthread_t thread; /* the loop thread: the one that called store_open */
    struct store_options options;
    struct folder folder;
    struct shared *shared; /* NULL: a journal in the data folder */
    struct state *state;
    struct log *log;
    struct engine engine;
    struct clock clock;
    bool now_known; /* the clock was read in this turn */

    struct batcher batcher;
    struct recorder recorder;
    struct librarian librarian;
    struct upkeep upkeep; /* only with `shared`, as the next one */
    struct following following;

    uv_prepare_t turn;    /* the end of a turn: the batch is handed over */
    struct bell durable;  /* rung by the batcher */
    struct bell recorded; /* rung by the recorder */
    struct bell answered; /* rung by the librarian */
    uv_timer_t tick;      /* timed work */
    uv_idle_t more;       /* active while slices of long work are left */
    uint32_t handles;     /* of the six above, and the one in `following`, how many are open */
    void (*handles_closed)(struct store *s);

    uint64_t durable_seq; /* as far as the loop knows */
    uint64_t decides_after; /* see store_decides_after */
    struct {
        void (*fn)(void *ctx, uint64_t durable_seq);
        void *ctx;
    } on_durable[2];
    uint32_t on_durable_count;
    /* Set by the view; NULL without one. */
    void (*on_touched)(void *ctx);
    void *on_touched_ctx;
    bool (*on_slice)(void *ctx);
    void *on_slice_ctx;
    void (*on_closed)(void *ctx);
    void *on_closed_ctx;

    struct import *import_first, *import_last; /* the first one runs, the others wait */
    struct deferred_query *deferred;           /* queries that wait for the book to catch up */
    uint32_t working;                          /* jobs in the worker pool */
    bool preparing;                            /* a worker allocates the log's next segments */
    uint64_t prepare_ms;                       /* not before this */
    bool closing;
    uint64_t close_ms; /* when to give up waiting, by uv_now */
    void (*closed)(void *ctx);
    void *closed_ctx;
};

/* For assertions: no other thread may touch the store. */
static inline bool local_on_loop(const struct store *s)
{
    return pthread_equal(s->thread, pthread_self());
}

/* ---- store/commands.c ---- */
/* Initialises the engine, with the store as its host. */
void local_start_engine(struct store *s);
/* Reservations that ended before this instant will be pruned and are no longer shown: see RECORDER_PRUNE_GRACE_MS. */
int64_t local_ended_since(struct store *s);

/* ---- store/workers.c ---- */
/* Frees the memory that core no longer uses. */
void local_reclaim(struct store *s);

/* ---- store/turn.c ---- */
/* The log's durable_seq has moved: answers that waited for it may go. */
void local_durable_moved(struct store *s);
/* Opens the handles of struct store. */
void turn_open(struct store *s);
/* Closes the handles, then calls `closed`. */
void turn_close(struct store *s, void (*closed)(struct store *s));

/* ---- store/deferred.c: queries that wait for the book to catch up ---- */
/* Runs the queries that the book is now recent enough for, and those that have waited long enough. */
void deferred_run(struct store *s);

#endif
