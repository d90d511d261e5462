/* SPDX-License-Identifier: Apache-2.0 */
/* store.h — the interface between the edge and everything that stores data.
 *
 * All functions must be called on the loop thread, and every callback runs there unless it says otherwise. A callback may
 * run before the call returns. Answers may be ahead of the disk: an answer with seq > store_durable_seq must be held back
 * until store_on_durable has reported that seq.
 *
 * Not here: HTTP and JSON, the roles of callers (the edge checks them; core checks the owner of a reservation), and what is
 * shown of the state in memory (view/view.h).
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
    const char *data;          /* the data folder; created if it does not exist */
    struct clock_source clock; /* clock_system, or a test's own */
    bool accept_clock;         /* even if the clock is far ahead of the last change in the folder */
    uint32_t history_days;     /* ended reservations are pruned this many days after their end; 0: never */
    uint64_t
        journal_max; /* the book may lag by this many bytes; beyond, new holds are refused until it has caught up */
    uint64_t segment_size; /* 0: the default */
    uint32_t close_ms;     /* how long store_close waits for workers, and then for the disk; 0: until done */
};

/* Locks the folder, recovers, starts the threads. After a fault nothing is left running. */
struct status store_open(struct store **out, struct uv_loop_s *loop, const struct store_options *options);
/* Writes what is pending, seals the journal, lets the book catch up, joins the threads, frees the store, then calls `done`.
 * If a worker or the disk is busy for longer than close_ms, the process exits with code 0 instead: that work was never
 * acknowledged, or the journal has it. */
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
/* The command and everything it points to must not change until `done` is called. */
void store_submit(struct store *s, const struct command *command, store_done_fn done, void *ctx);

/* ---- Workers ---- */
/* Calls `run` on a thread of the pool, then `done` (may be NULL) on the loop. For work that would block the loop for more
 * than a millisecond. store_close waits for it. */
void store_work(struct store *s, void (*run)(void *ctx), void (*done)(void *ctx), void *ctx);

/* Calls release(thing), on a worker if it is large: unmapping tens of megabytes takes milliseconds. No other code may use
 * it any more. */
void store_reclaim(struct store *s, size_t size, void (*release)(void *thing), void *thing);

/* ---- Imports of seats ---- */
enum import_fault_kind { IMPORT_UNREADABLE, IMPORT_TOO_MANY };
struct import_fault {
    enum import_fault_kind kind;
    uint32_t line;     /* line of the body; 0: see `pointer` */
    char pointer[128]; /* JSON pointer to the value; "": none */
    char detail[160];
};
struct import_taken { /* a claimed seat that would be blocked or removed */
    struct text id;
    uint32_t item; /* removal: index of the first id that names it */
    enum unit_status status;
};
struct import_result {
    enum outcome_code code; /* OK, INVALID (with fault), NO_SUCH_EVENT, TAKEN, STORAGE_FULL ... */
    struct import_fault fault;
    const struct import_taken *taken; /* TAKEN: the first ITEMS_MAX of them; valid only during the call */
    uint32_t taken_count;
    struct text taken_event; /* removal: the event; none: an import */
    uint32_t created, updated, removed;
    uint64_t seq;
};
/* Reads the body into rows encoded by seat_row_put. Runs on a worker thread and may touch only its ctx. False: *fault is
 * set. */
typedef bool (*store_import_read_fn)(void *ctx, struct buf *rows, uint32_t *count,
                                     struct import_fault *fault);
void store_import(struct store *s, const struct actor *actor, struct text event, store_import_read_fn read,
                  void (*done)(void *ctx, const struct import_result *result), void *ctx);

/* Results: OK, NO_SUCH_EVENT, NO_SUCH_SEAT (`fault` says which), TAKEN ... The ids are copied. */
void store_remove_seats(struct store *s, const struct actor *actor, struct text event, const struct text *ids,
                        uint32_t count, void (*done)(void *ctx, const struct import_result *result),
                        void *ctx);

/* ---- The state in memory, for view/ ---- */
/* The state at the instant of this turn, read-only. */
const struct state *store_state(struct store *s);
/* fn is called after every step that changed what is shown: the state's touches and moved say where. It must not submit.
 * One listener. */
void store_on_touched(struct store *s, void (*fn)(void *ctx), void *ctx);
/* fn does a slice of long work, of less than a millisecond, and returns whether there is more. It is called a few times a
 * second, once per turn while there is more, and after store_more. One listener. */
void store_on_slice(struct store *s, bool (*fn)(void *ctx), void *ctx);
void store_more(struct store *s);
/* Whether store_close was called: answer everything that waits. Slices continue until all work is done. */
bool store_closing(const struct store *s);
/* fn is called when all work is done, just before the state is freed. One listener. */
void store_on_closed(struct store *s, void (*fn)(void *ctx), void *ctx);

/* The owner of this queue entry has an open stream: call it at least every fifteen seconds. */
void store_queue_present(struct store *s, uint64_t event_number, uint32_t number);

/* ---- Lists, from the book ---- */
/* struct query and its results are in book/record/query.h. `row` is called on a librarian thread. */
typedef void (*store_row_fn)(void *ctx, const struct query_row *row);
/* The query and everything it points to must not change until `done` is called. */
void store_query(struct store *s, const struct query *query, store_row_fn row,
                 void (*done)(void *ctx, const struct query_result *result), void *ctx);

/* The first change that is still in the journal: earlier ones are only in the book. */
uint64_t store_oldest_seq(struct store *s);

/* ---- Condition and figures ---- */
struct store_stats {
    uint64_t seq, durable_seq, book_seq;
    uint64_t batches, batch_changes, batch_changes_max; /* since start */
    uint64_t sync_ns_total, sync_ns_max;
    uint64_t journal_bytes;
    /* by enum reservation_status; only what is in memory, so of these only `held` is exact */
    uint64_t reservations[RESERVATION_STATUS_LAST + 1];
    uint64_t confirmed_total, expired_total, released_total, held_total; /* since start */
    uint64_t refunds_open, discrepancies; /* refunds due; payments that do not add up */
    int64_t clock_offset_ms;
    enum engine_condition condition; /* whether new claims are accepted, and if not, why */
    uint64_t
        pinned_ms; /* for how long a reader of the book has kept segments from being freed; 0: none does */
    bool pinned;   /* and it matters: the journal exceeds journal_max, or the disk is full */
};
void store_stats(struct store *s, struct store_stats *out);

#endif
