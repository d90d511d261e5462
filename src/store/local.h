/* SPDX-License-Identifier: Apache-2.0 */
/* local.h — the embedded store: what is behind the door when one process does it all. For the files of store/
 * only.
 *
 * The loop thread owns the state, the boards, the imports and this struct. Four threads help:
 *
 *   batcher    writes and syncs the journal          (store/batcher.h)
 *   recorder   keeps the book, frees journal segments (store/recorder.h)
 *   librarian  answers from the book: lists, records  (store/librarian.h)
 *
 * Each has a mutex for its hand-over and nothing else in common with the loop.
 */
#ifndef STORE_LOCAL_H
#define STORE_LOCAL_H

#include <stdatomic.h>

#include "core/state.h"
#include "store/batcher.h"
#include "view/board.h"
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
    struct journal *journal;
    struct clock clock;
    bool now_known; /* the clock was read in this turn */

    struct batcher batcher;
    struct recorder recorder;
    struct librarian librarian;

    uv_prepare_t turn;   /* the end of a turn: the batch is handed over */
    uv_async_t durable;  /* from the batcher */
    uv_async_t recorded; /* from the recorder */
    uv_async_t answered; /* from the librarian */
    uv_timer_t tick;     /* expiry, and whatever waits for time */
    uv_idle_t more;      /* running while slices of long work are left */
    uint32_t handles;    /* open, of the six above */

    uint64_t durable_seq; /* as the loop knows it */
    void (*on_durable)(void *ctx, uint64_t durable_seq);
    void *on_durable_ctx;

    /* store/entries.c: queue entries that have moved and whose listener was not told yet, in the order of their
     * seqs: a ring */
    struct moved_entry *moved;
    uint64_t moved_first, moved_end, moved_capacity;
    void (*on_moved)(void *ctx, uint64_t event_number, uint32_t number);
    void *on_moved_ctx;

    struct board **boards; /* by event index; NULL: nobody has asked yet */
    uint32_t board_count;
    struct document **documents; /* by event index; NULL: not made yet */
    uint32_t document_count;
    struct layout_job *layout_jobs; /* under way */
    struct board *boards_waiting;   /* that somebody waits for an answer of */
    struct waiter *waiters_gone;    /* who waited for an answer of an event that is gone */
    uint64_t answer_bytes;          /* of availability answers that somebody still reads */

    struct import *import_first, *import_last; /* one at a time */
    struct again *again, *again_last;          /* commands that have more to settle */
    struct fetch *fetches;                     /* commands that wait for a record of the book */
    struct waiting *waiting;                   /* queries that wait for the book to come so far */
    uint32_t working;                          /* jobs in the worker pool */
    bool preparing;                            /* a worker makes the journal's next segments ready */
    uint64_t prepare_ms;                       /* not before this */
    bool closing;
    uint64_t close_ms; /* not later than this */
    void (*closed)(void *ctx);
    void *closed_ctx;

    struct outcome outcome; /* scratch */
};

/* Applies a command at once and takes its changes and touches in. For imports and the door. */
enum outcome_code local_apply(struct store *s, const struct command *c, struct outcome *out);
/* Applies a command and answers it, or keeps it for later (store/deferred.h). */
void local_submit(struct store *s, struct command *c, store_done_fn done, void *ctx);
/* There is work for the idle slices. */
void local_more(struct store *s);
/* Whether changes beyond what clients ask for may be added now. */
bool local_has_room(const struct store *s);

/* store/catalogue.c: the event is gone. */
void catalogue_forget(struct store *s, uint32_t index);
/* Gives back what core has let go of. */
void catalogue_clear(struct store *s);
/* store/availability.c: goes on with an answer that somebody waits for; true: there is more to do. */
bool availability_step(struct store *s);
/* The event is gone. */
void availability_forget(struct store *s, uint32_t index);
/* store/entries.c: takes note of the queue entries that the state says have moved. */
void entries_moved(struct store *s);
/* Tells of some that are durable by now; true: there are more of them. */
bool entries_tell(struct store *s);
/* store/import.c: goes on with the import under way; true: there is more to do. */
bool import_step(struct store *s);

#endif
