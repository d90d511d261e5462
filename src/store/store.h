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
#include "core/claim/gate.h"
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

/* Several processes share one log, in PostgreSQL. All texts must stay valid. */
struct store_shared {
    const char *url;       /* postgres://… */
    const char *site;      /* the name of the log */
    const char *node;      /* the id of this process */
    const char *advertise; /* where other nodes reach it */
    const char *version;   /* of the program */
    uint64_t snapshot_bytes; /* of the log after which a snapshot is made; 0: the default */
    uint32_t snapshot_ms;    /* at least between two of them; 0: the default */
    bool require_standby;
    bool gate_off; /* the copy has no verdict (store_gate) */
    uint8_t prints[32], prints_old[32]; /* fingerprints of the secrets, and of those that are being replaced */
};

struct store_options {
    const char *data;          /* the data folder; created if it does not exist */
    const struct store_shared *shared; /* NULL: a journal in the data folder */
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
/* The wall clock that store_now is slewed towards. With a shared log it is the database's, which all nodes know, however
 * far apart their store_now are after that clock was changed. */
int64_t store_wall(const struct store *s);

/* ---- Durability ---- */
uint64_t store_durable_seq(const struct store *s);
/* fn is called once for each synced batch, after store_durable_seq has moved. Two listeners at most; the
 * later one is called first. */
void store_on_durable(struct store *s, void (*fn)(void *ctx, uint64_t durable_seq), void *ctx);

/* How old what this process shows may be: 0 where it decides. A copy that is STORE_GATE_LAG_MS behind refuses nothing
 * (store_gate); one that is more than STORE_LAG_MAX_MS behind answers nothing (store_may_answer). */
#define STORE_GATE_LAG_MS 1000
#define STORE_LAG_MAX_MS 10000
uint64_t store_lag_ms(const struct store *s);

/* How long an answer may wait until its changes are durable; after that it is undecided. */
uint64_t store_patience_ns(const struct store *s);
/* False: another process may decide by now, or this one is too far behind the one that does, so nothing may be answered from
 * memory. Always true with a journal of its own. */
bool store_may_answer(const struct store *s);

/* ---- Commands ---- */
/* The last change that another process decided, as far as the log is shared: views know when each later one touched what, but
 * only by batches what earlier ones touched. 0: every change was decided here. UINT64_MAX: none was. */
uint64_t store_decides_after(const struct store *s);
/* Whether this process decides. If not, it shows what another one decided: commands that change something and imports are
 * refused, and nothing may act by a timer. */
bool store_decides(const struct store *s);
/* Where the process that decides is reached, such as "http://10.0.0.7:8080". "": this one decides, or it is not known which
 * does, or that one has been silent for too long. Valid until the loop's next turn. */
const char *store_owner_url(const struct store *s);
/* The outcome is valid only during the call. */
typedef void (*store_done_fn)(void *ctx, const struct outcome *outcome);
/* The command and everything it points to must not change until `done` is called. */
void store_submit(struct store *s, const struct command *command, store_done_fn done, void *ctx);

/* Where this process follows another one: the verdict of its copy on a COMMAND_HOLD or COMMAND_ITEMS_ADD
 * (core/claim/gate.h). GATE_REFUSES: TAKEN, for seats that are sold or held, or that have `intents`; *out is the answer,
 * valid until the next call of the store. Otherwise the process that decides must be asked. There is no verdict where this
 * one does, while the copy lags, and with gate_off. */
enum gate_verdict store_gate(struct store *s, const struct command *command, const struct gate_intents *intents,
                             const struct outcome **out);
/* Counts of what was refused so, for the process that decides: rows to be passed to its store_add_refusals. Appends and
 * forgets them; at most REFUSAL_ROWS_SIZE bytes (core/claim/refusal.h). Returns how many. */
uint32_t store_take_refusals(struct store *s, struct buf *rows);
/* Adds them to the counts of this process: of the one that decides, or again of the one that could not pass them on. False:
 * they cannot be read. */
bool store_add_refusals(struct store *s, struct text rows);

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

/* The owner of this queue entry has an open stream: call it at least every fifteen seconds. Does nothing unless this process
 * decides: presence counts where people are admitted. */
void store_queue_present(struct store *s, uint64_t event_number, uint32_t number);
/* The same for a person who polled another process. */
void store_queue_polled(struct store *s, uint64_t event_number, uint32_t number);

/* ---- Lists, from the book ---- */
/* struct query and its results are in book/record/query.h. `row` is called on a librarian thread. */
typedef void (*store_row_fn)(void *ctx, const struct query_row *row);
/* The query and everything it points to must not change until `done` is called. */
void store_query(struct store *s, const struct query *query, store_row_fn row,
                 void (*done)(void *ctx, const struct query_result *result), void *ctx);

/* The first change that may still be in the journal: earlier ones are only in the book, without the names of people who were
 * erased since. With a log that several nodes share: that no node, snapshot or row of the log has any more. */
uint64_t store_oldest_seq(struct store *s);

/* ---- Nodes ---- */
#define STORE_NODES_MAX 64
struct store_node {
    char id[129], url[256], version[64];
    bool own, owner;
    uint64_t epoch;    /* of this node; of another: what this node knows of the site */
    uint64_t book_seq; /* the last change in its book */
    int64_t seen_ms;   /* when it last wrote its row */
};
/* The processes that share the log, by id; STORE_NODES_MAX at most. This one is as it is now, the others as they said last;
 * each says something every second, or every few while it makes a snapshot. Without a shared log: none. */
uint32_t store_nodes(struct store *s, struct store_node out[STORE_NODES_MAX]);

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
    bool shared;   /* the log is shared with other processes; then: */
    uint64_t epoch;  /* of the owner by whose decisions the state is as it is */
    uint64_t lag_ms; /* behind the owner */
};
void store_stats(struct store *s, struct store_stats *out);

#endif
