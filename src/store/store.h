/* SPDX-License-Identifier: Apache-2.0 */
/* store.h — the one door between the edge and everything that remembers.
 *
 * All of it is called on the loop thread, and every callback comes on the loop thread unless it says
 * otherwise. A callback may come before the call returns. Answers may be ahead of the disk: an answer with
 * seq > store_durable_seq must be kept back until store_on_durable has told of that seq.
 *
 * What it does not do: HTTP, JSON, who may call what (the role of the caller is the edge's business; whose
 * reservation it is, is core's), and what is shown of the state in memory, which is view's (view/view.h).
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "base/time/clock.h"
#include "base/status.h"
#include "core/command.h"
#include "core/image.h"
#include "core/outcome.h"
#include "engine/condition.h"

struct store;
struct buf;       /* base/memory/buf.h */
struct uv_loop_s; /* libuv's loop */
struct state;     /* core/state.h */
struct query;     /* book/record/query.h */
struct query_row;
struct query_result;

struct store_options {
    const char *data;          /* the folder; made if it is not there */
    struct clock_source clock; /* clock_system, or a test's own */
    bool accept_clock;         /* however far it is ahead of what the folder remembers */
    uint32_t history_days; /* ended reservations are pruned so long after their end, by the clock; 0: never */
    uint64_t
        journal_max; /* bytes that the book has not; over it new holds are refused until it has caught up */
    uint64_t segment_size; /* 0: the default */
    uint32_t close_ms; /* so long store_close waits for workers, and as long for the disk; 0: until done */
};

/* Takes the folder's lock, recovers, starts the threads. On a fault nothing is left running. */
struct status store_open(struct store **out, struct uv_loop_s *loop, const struct store_options *options);
/* Writes what is pending, seals the journal, lets the book catch up, joins the threads, then calls done. The
 * store is gone then. Where a worker or the disk is busy for longer than close_ms the process ends with code
 * 0 instead: nobody was told of what it works on, or the journal has it. */
void store_close(struct store *s, void (*done)(void *ctx), void *ctx);

/* The instant of this turn of the loop. */
int64_t store_now(struct store *s);

/* ---- Durability ---- */
uint64_t store_durable_seq(const struct store *s);
/* fn is called once for each synced batch, after store_durable_seq has moved. Two listeners at most; the
 * later one is called first. */
void store_on_durable(struct store *s, void (*fn)(void *ctx, uint64_t durable_seq), void *ctx);

/* ---- Commands ---- */
/* The outcome is valid only during the call. */
typedef void (*store_done_fn)(void *ctx, const struct outcome *outcome);
/* The command and all it points to must stay as they are until done is called. */
void store_submit(struct store *s, const struct command *command, store_done_fn done, void *ctx);

/* ---- Workers ---- */
/* Runs it on a thread of the pool, then calls done (NULL: nothing) on the loop's. For what would take the
 * loop more than a millisecond. store_close waits for it. */
void store_work(struct store *s, void (*run)(void *ctx), void (*done)(void *ctx), void *ctx);

/* Calls release(thing); by a worker if it is large, because unmapping tens of megabytes takes milliseconds.
 * Nobody else may use it any more. */
void store_reclaim(struct store *s, size_t size, void (*release)(void *thing), void *thing);

/* ---- Imports of seats ---- */
enum import_fault_kind { IMPORT_UNREADABLE, IMPORT_TOO_MANY };
struct import_fault {
    enum import_fault_kind kind;
    uint32_t line;     /* where in the body; 0: `pointer` says it */
    char pointer[128]; /* which value; "": none */
    char detail[160];
};
struct import_taken { /* a claimed seat that would be blocked or removed */
    struct text id;
    uint32_t item; /* removal: which of the ids names it first */
    enum unit_status status;
};
struct import_result {
    enum outcome_code code; /* OK, INVALID (with fault), NO_SUCH_EVENT, TAKEN, STORAGE_FULL ... */
    struct import_fault fault;
    const struct import_taken *taken; /* TAKEN: the first ITEMS_MAX of them; valid only during the call */
    uint32_t taken_count;
    struct text taken_event; /* removal: of which event; at == NULL: an import */
    uint32_t created, updated, removed;
    uint64_t seq;
};
/* Reads the body into rows by seat_row_put; runs on a worker thread and may touch only its ctx. False: fault
 * is set. */
typedef bool (*store_import_read_fn)(void *ctx, struct buf *rows, uint32_t *count,
                                     struct import_fault *fault);
void store_import(struct store *s, const struct actor *actor, struct text event, store_import_read_fn read,
                  void (*done)(void *ctx, const struct import_result *result), void *ctx);

/* OK, NO_SUCH_EVENT, NO_SUCH_SEAT (with fault: which), TAKEN ...; the ids are copied. */
void store_remove_seats(struct store *s, const struct actor *actor, struct text event, const struct text *ids,
                        uint32_t count, void (*done)(void *ctx, const struct import_result *result),
                        void *ctx);

/* ---- What is in memory, for views of it (view/) ---- */
/* The state at the instant of this turn, read-only. */
const struct state *store_state(struct store *s);
/* fn is called after every step that changed how something looks: the state's touches and moved say what. It
 * may not submit. One listener. */
void store_on_touched(struct store *s, void (*fn)(void *ctx), void *ctx);
/* fn does a slice of long work, of less than a millisecond, and says whether there is more. It is called a
 * few times a second, once in each turn while there is more, and then again after store_more. One
 * listener. */
void store_on_slice(struct store *s, bool (*fn)(void *ctx), void *ctx);
void store_more(struct store *s);
/* store_close was called: answer those who wait. Slices go on until all work is over. */
bool store_closing(const struct store *s);
/* fn is called when all work is over and the state is about to be freed. One listener. */
void store_on_closed(struct store *s, void (*fn)(void *ctx), void *ctx);

/* The owner of this queue entry has a stream open: call it at least every fifteen seconds. */
void store_queue_present(struct store *s, uint64_t event_number, uint32_t number);

/* ---- Lists, from the book ---- */
/* struct query and what comes back are in book/record/query.h. The rows come on the reader thread. */
typedef void (*store_row_fn)(void *ctx, const struct query_row *row);
/* The query and all it points to must stay as they are until done is called. */
void store_query(struct store *s, const struct query *query, store_row_fn row,
                 void (*done)(void *ctx, const struct query_result *result), void *ctx);

/* The first change that the journal still has: those before it are in the book alone. */
uint64_t store_oldest_seq(struct store *s);

/* ---- Condition and figures ---- */
struct store_stats {
    uint64_t seq, durable_seq, book_seq;
    uint64_t batches, batch_changes, batch_changes_max; /* since start */
    uint64_t sync_ns_total, sync_ns_max;
    uint64_t journal_bytes;
    uint64_t reservations[RESERVATION_STATUS_LAST +
                          1]; /* by enum reservation_status, as far as they are in memory: held is exact */
    uint64_t confirmed_total, expired_total, released_total, held_total; /* since start */
    uint64_t refunds_open, discrepancies; /* refunds due; payments that do not add up */
    int64_t clock_offset_ms;
    enum engine_condition condition; /* why new claims are refused, if they are */
    uint64_t pinned_ms; /* so long a reader of the book has kept segments from being freed; 0: none does */
    bool pinned;        /* the same, and it begins to matter: over journal_max, or the disk is full */
};
void store_stats(struct store *s, struct store_stats *out);

#endif
