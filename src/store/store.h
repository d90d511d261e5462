/* SPDX-License-Identifier: Apache-2.0 */
/* store.h — the one door between the edge and everything that remembers.
 *
 * All of it is called on the loop thread, and every callback comes on the loop thread unless it says
 * otherwise. A callback may come before the call returns. Answers may be ahead of the disk: an answer with
 * seq > store_durable_seq must be kept back until store_on_durable has told of that seq.
 *
 * What it does not do: HTTP, JSON, who may call what (the role of the caller is the edge's business; whose
 * reservation it is, is core's).
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include <uv.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/status.h"
#include "book/query.h"
#include "core/calendar/calendar.h"
#include "core/command.h"
#include "core/outcome.h"

struct store;

struct store_options {
    const char *data;          /* the folder; made if it is not there */
    struct clock_source clock; /* clock_system, or a test's own */
    bool accept_clock;         /* however far it is ahead of what the folder remembers */
    uint32_t history_days; /* ended reservations are pruned so long after their end, by the clock; 0: never */
    uint64_t journal_max;  /* bytes; over it new holds are refused until the book has caught up */
    uint64_t segment_size; /* 0: the default */
    uint64_t answers_max;  /* bytes of availability answers that slow readers may keep; 0: the default */
    uint32_t close_ms; /* so long store_close waits for workers, and as long for the disk; 0: until done */
};

/* Takes the folder's lock, recovers, starts the threads. On a fault nothing is left running. */
struct status store_open(struct store **out, uv_loop_t *loop, const struct store_options *options);
/* Writes what is pending, seals the journal, lets the book catch up, joins the threads, then calls done. The
 * store is gone then. Where a worker or the disk is busy for longer than close_ms the process ends with code
 * 0 instead: nobody was told of what it works on, or the journal has it. */
void store_close(struct store *s, void (*done)(void *ctx), void *ctx);

/* The instant of this turn of the loop. */
int64_t store_now(struct store *s);

/* ---- Durability ---- */
uint64_t store_durable_seq(const struct store *s);
/* fn is called once for each synced batch, after store_durable_seq has moved. One listener. */
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

/* ---- Imports of seats ---- */
enum import_fault_kind { IMPORT_UNREADABLE, IMPORT_TOO_MANY };
struct import_fault {
    enum import_fault_kind kind;
    uint32_t line;     /* where in the body; 0: `pointer` says it */
    char pointer[128]; /* which value; "": none */
    char detail[160];
};
struct import_taken { /* a claimed seat that would be blocked */
    struct text id;
    enum seat_status status;
};
struct import_result {
    enum outcome_code code; /* OK, INVALID (with fault), NO_SUCH_EVENT, TAKEN, STORAGE_FULL ... */
    struct import_fault fault;
    const struct import_taken *taken; /* TAKEN: the first ITEMS_MAX of them; valid only during the call */
    uint32_t taken_count;
    uint32_t created, updated;
    uint64_t seq;
};
/* Reads the body into rows by seat_row_put; runs on a worker thread and may touch only its ctx. False: fault
 * is set. */
typedef bool (*store_import_read_fn)(void *ctx, struct buf *rows, uint32_t *count,
                                     struct import_fault *fault);
void store_import(struct store *s, const struct actor *actor, struct text event, store_import_read_fn read,
                  void (*done)(void *ctx, const struct import_result *result), void *ctx);

/* ---- The catalogue, from memory ---- */
struct event_view {
    struct event_image image; /* valid until the next turn of the loop */
    struct event_counts counts;
    uint64_t seq; /* the last change that touched it */
};
bool store_event_find(struct store *s, struct text id, struct event_view *out);
/* The event with the next greater number, for lists: begin with 0. */
bool store_event_after(struct store *s, uint64_t number, struct event_view *out);

struct seat_view {
    struct seat_image image;
    enum seat_status status;
    uint64_t version;
    uint64_t seq; /* wait for this */
};
/* OK, NO_SUCH_EVENT or NO_SUCH_SEAT. */
enum outcome_code store_seat_find(struct store *s, struct text event, struct text seat,
                                  struct seat_view *out);

/* An answer that is made once and shared by all who ask: a layout per version, availability per change. */
struct document {
    char etag[32]; /* with its quotes; "": none */
    struct buf plain;
    struct buf gzip; /* empty: there is none */
    uint64_t seq;
    uint32_t references;
    struct store *store; /* NULL: of no store */
    bool counted;        /* among the store's answers that somebody still reads */
};
void document_release(struct document *d);
/* done gets NULL when there is no such event, else a reference of its own (release it). */
void store_layout(struct store *s, struct text event, void (*done)(void *ctx, struct document *document),
                  void *ctx);

enum availability_format { AVAILABILITY_JSON, AVAILABILITY_MAP };
/* done gets the whole JSON answer, shared by all who ask before the next change. since: 0 for everything. OK:
 * the document is a reference of the caller's. NO_SUCH_EVENT; or UNAVAILABLE when too many answers are still
 * on their way to slow readers. */
typedef void (*store_availability_fn)(void *ctx, enum outcome_code code, struct document *document);
void store_availability(struct store *s, struct text event, enum availability_format format, uint64_t since,
                        store_availability_fn done, void *ctx);
/* The seq of the last removal of anything: whoever says that a thing is not there waits for it. */
uint64_t store_absent_seq(const struct store *s);

/* ---- Calendars, from memory ---- */
struct calendar_view {
    /* Valid until the next turn of the loop. Services no longer offered are `removed`. */
    struct calendar_image image;
    uint64_t seq; /* the last change that touched it or a claim on it */
};
bool store_calendar_find(struct store *s, struct text id, struct calendar_view *out);
/* The calendar with the next greater number, for lists: begin with 0. */
bool store_calendar_after(struct store *s, uint64_t number, struct calendar_view *out);
/* One page of the slots that could be claimed now: see calendar_slots of core/calendar/calendar.h. query->now_ms is
 * the store's to fill, and with a service (at == NULL: none) query->length_ms, too; `out` has room for
 * query->limit. OK, NO_SUCH_CALENDAR, or INVALID: the calendar offers no such service. */
enum outcome_code store_slots(struct store *s, struct text calendar, struct text service,
                              struct slots_query *query, struct slot *out, struct slots_page *page);
/* The confirmed bookings come from the book: store_query of QUERY_BOOKINGS, page by page. */

/* ---- Waiting rooms, from memory ---- */
/* OK, NO_SUCH_EVENT or NO_WAITING_ROOM. One entry is looked at by COMMAND_QUEUE_LOOK; the waiting list's
 * admin view comes from the book: store_query of QUERY_WAITING_LIST. */
enum outcome_code store_queue_find(struct store *s, struct text event, struct queue_view *out);
/* fn is called for each queue entry that has moved (admitted, passed over, finished, left), once that is
 * durable. One listener. */
void store_on_moved(struct store *s, void (*fn)(void *ctx, uint64_t event_number, uint32_t number),
                    void *ctx);
/* One entry as it is now, for streams: it neither settles nor counts as asking. False: there is none. *seq:
 * wait for this. */
bool store_queue_entry(struct store *s, uint64_t event_number, uint32_t number, struct queue_entry_image *out,
                       uint64_t *seq);
/* The rank of a waiting list's entry among those who wait, 1 being the first; 0: it does not wait any more.
 * *seq: wait for this. */
uint32_t store_list_position(struct store *s, uint64_t event_number, uint32_t number, uint64_t *seq);
/* Its owner has a stream open: call it at least every fifteen seconds. */
void store_queue_present(struct store *s, uint64_t event_number, uint32_t number);

/* What has happened to an event's seats and pools, for streams. */
struct touch_view {
    uint64_t seq;
    enum item_kind kind;
    struct text unit_id;
    enum seat_status status; /* seats */
    uint64_t version;        /* seats: the seat's own */
    uint32_t available;      /* pools */
};
/* Calls fn for each touch with after < seq <= durable_seq, in order. False: after is too old to be answered
 * (or from before a restart); nothing was called. number is event_image.number. */
bool store_touches(struct store *s, uint64_t event_number, uint64_t after,
                   void (*fn)(void *ctx, const struct touch_view *touch), void *ctx);

/* ---- Keys ---- */
struct key_view {
    struct key_image image;
    uint64_t seq;
};
/* By a value that is good now. */
bool store_key_find(struct store *s, const uint8_t hash[32], struct key_view *out);
bool store_key_named(struct store *s, struct text name, struct key_view *out);
bool store_key_after(struct store *s, struct text name,
                     struct key_view *out); /* in order of names; begin with "" */

/* ---- Lists, from the book ---- */
/* struct query and what comes back are in book/query.h. The rows come on the reader thread. */
typedef query_row_fn store_row_fn;
/* The query and all it points to must stay as they are until done is called. */
void store_query(struct store *s, const struct query *query, store_row_fn row,
                 void (*done)(void *ctx, const struct query_result *result), void *ctx);

/* ---- Condition and figures ---- */
enum store_condition { STORE_READY, STORE_FULL /* disk: 507 */, STORE_BEHIND /* book: 503 */ };
struct store_stats {
    uint64_t seq, durable_seq, book_seq;
    uint64_t batches, batch_changes, batch_changes_max; /* since start */
    uint64_t sync_ns_total, sync_ns_max;
    uint64_t journal_bytes;
    uint64_t reservations[7]; /* by enum reservation_status, as far as they are in memory: held is exact */
    uint64_t confirmed_total, expired_total, released_total, held_total; /* since start */
    int64_t clock_offset_ms;
    enum store_condition condition;
};
void store_stats(struct store *s, struct store_stats *out);

/* Of all waiting rooms and waiting lists together. */
struct entry_stats {
    uint64_t waiting, active; /* in queues: entries that wait, that are admitted */
    uint64_t listed;          /* waiting on lists */
    uint64_t joined_total, admitted_total, passed_over_total; /* queues, since start */
    uint64_t offered_total;                                   /* to lists, since start */
};
void store_entry_stats(const struct store *s, struct entry_stats *out);

#endif
