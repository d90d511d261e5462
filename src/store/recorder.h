/* SPDX-License-Identifier: Apache-2.0 */
/* recorder.h — the thread that keeps the book: reads synced batches from the journal and writes them into
 * SQLite.
 *
 * It reads the files rather than being handed the batches, so a book that falls behind costs disk; in memory
 * it costs only the reservations that have ended since, which are forgotten once they are recorded. Up to
 * RECORDER_CHANGES changes or RECORDER_MS go into one transaction, more when it is far behind. Owns the one
 * connection that writes and checkpoints; frees journal segments once a synced checkpoint covers them, and
 * prunes history.
 *
 * A fault of the book is logged and tried again after a while: the journal has everything meanwhile. Damage,
 * and a book that cannot be read, end the process.
 */
#ifndef STORE_RECORDER_H
#define STORE_RECORDER_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/status.h"
#include "book/record/writer.h"
#include "log/log.h"
#include "store/bell.h"

#define RECORDER_CHANGES 10000u /* in one transaction */
#define RECORDER_MS 200
#define RECORDER_CHANGES_FAR 50000u /* the same when it is far behind: fewer, larger ones are faster */
#define RECORDER_MS_FAR 1000
#define RECORDER_LOG_MAX (256u << 20) /* bytes of the book's log before it is checkpointed out of turn */
#define RECORDER_CHECKPOINT_MS 5000
#define RECORDER_PRUNE_MS 10000
#define RECORDER_LAG 500000u /* changes; further behind it works without a rest */

/* What ended history_days ago is no longer handed out (deferred.c), and is pruned so much later: by then nothing that was
 * handed out before can still change. */
#define RECORDER_PRUNE_GRACE_MS 60000

struct recorder {
    struct book_writer *writer;
    struct log *log;
    int backup_lock;       /* a file that `holdfast backup` locks while segments must stay */
    uint32_t history_days; /* see RECORDER_PRUNE_GRACE_MS */
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    bool started, stop, hurry, ended;
    struct bell *recorded;
    _Atomic uint64_t seq;   /* what the book has */
    _Atomic int64_t now_ms; /* the server's clock, as the loop told it last */
    _Atomic uint64_t imports_over;
    _Atomic uint64_t
        pinned_since_ms; /* the first checkpoint in a row that readers kept from being whole; 0: none */

    /* the thread's own */
    struct log_reader *reader;
    struct change *change;
    int64_t last_at_ms;
    uint64_t checkpoint_ms;
    uint64_t
        erased; /* the last person who was, by seq, as long as copies of torn batches may have the name; 0: none */
    bool scrubbing;      /* the file may have what erased people left */
    int64_t prune_at_ms; /* by the server's clock */
    bool pruned_all;
    uint64_t looked_ns, looked_idle_ns; /* when it last looked how busy the loop was */
    uint32_t busy_percent;
};

/* Takes the writer. The loop of `recorded` must measure its idle time. */
void recorder_init(struct recorder *r, struct book_writer *writer, struct log *log, int backup_lock,
                   uint32_t history_days);
void recorder_start(struct recorder *r, struct bell *recorded);
/* The server's clock, by which history is counted. Before the start, and now and then. */
static inline void recorder_tell_now(struct recorder *r, int64_t now_ms)
{
    atomic_store_explicit(&r->now_ms, now_ms, memory_order_relaxed);
}
/* Every import that started before this seq is over: published, or given up. */
static inline void recorder_imports_over(struct recorder *r, uint64_t seq)
{
    atomic_store_explicit(&r->imports_over, seq, memory_order_relaxed);
}
/* Somebody waits for the book: write now instead of collecting more. Otherwise it looks ten times a
 * second. */
void recorder_hurry(struct recorder *r);
static inline uint64_t recorder_seq(const struct recorder *r)
{
    return atomic_load_explicit(&r->seq, memory_order_acquire);
}
/* For how long readers of the book have kept its log from being moved into the file, so that no segment could be
 * freed; 0: they do not. A reader that stays is another program's: ours are short. */
uint64_t recorder_pinned_ms(const struct recorder *r);
/* Lets the book catch up for up to half a second, closes it and ends the thread. The journal keeps what is
 * left. False: not done after limit_ms, on a busy disk or machine; the thread goes on. */
bool recorder_stop(struct recorder *r, uint64_t limit_ms);
/* How long the recorder rests after a transaction that took took_ms, with the book `lag` changes behind and
 * the loop busy for busy_percent of the time. It yields to a busy loop: it rests several times as long as it
 * worked, less if the loop is busy for less than half of the time. It hurries when the loop is idle, and
 * whatever the load once it is RECORDER_LAG behind, so that the lag stays bounded. */
uint64_t recorder_rest_ms(uint64_t lag, uint32_t busy_percent, uint64_t took_ms);
void recorder_close(struct recorder *r); /* after recorder_stop, or without recorder_start */

#endif
