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
#include "store/batcher.h"
#include "store/bell.h"
#include "store/folder.h"
#include "store/librarian.h"
#include "store/recorder.h"
#include "store/recovery.h"
#include "store/store.h"

struct import; /* store/import.c */

/* Commands that cannot be answered yet, in the order they came: store/deferred.c. */
struct kept_commands {
    struct kept_command *first, *last;
};

struct store {
    uv_loop_t *loop;
    struct store_options options;
    struct folder folder;
    struct state *state;
    struct log *log;
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
    struct kept_commands retries;              /* commands that have more to settle */
    struct fetch *fetches;                     /* commands that wait for a record of the book */
    uint32_t cancelling;                       /* sales that are being taken back: store/cancelling.c */
    uint64_t cancelled_seq;                    /* of the last of them */
    struct waiting *waiting;                   /* queries that wait for the book to come so far */
    uint32_t working;                          /* jobs in the worker pool */
    bool preparing;                            /* a worker makes the log's next segments ready */
    uint64_t prepare_ms;                       /* not before this */
    bool closing;
    uint64_t close_ms; /* not later than this */
    void (*closed)(void *ctx);
    void *closed_ctx;

    struct outcome outcome; /* scratch */
};

/* ---- store/commands.c ---- */
/* Applies a command at once and takes its changes and touches in. For imports and the door. */
enum outcome_code local_apply(struct store *s, const struct command *c, struct outcome *out);
/* Applies a command and answers it, or keeps it for later (store/deferred.h). */
void local_submit(struct store *s, struct command *c, store_done_fn done, void *ctx);
/* The changes of a step are in the open batch already: takes note of them, and tells what looks different. */
void local_take_in(struct store *s);
enum store_condition local_condition(const struct store *s);
/* Whether changes beyond what clients ask for may be added now. */
bool local_has_room(const struct store *s);

/* store/workers.c: gives back what core has let go of. */
void local_reclaim(struct store *s);
/* store/import.c: goes on with the import under way; true: there is more to do. */
bool import_step(struct store *s);

#endif
