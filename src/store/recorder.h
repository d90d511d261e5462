/* SPDX-License-Identifier: Apache-2.0 */
/* recorder.h — the thread that writes the book: reads synced batches from the journal and writes them into SQLite.
 *
 * It reads the files instead of getting the batches in memory, so a book that falls behind costs disk; in memory it costs
 * only the reservations that have ended since, which are forgotten once they are recorded. Up to RECORDER_CHANGES changes
 * or RECORDER_MS go into one transaction, more when it is far behind. Owns the one connection that writes and checkpoints;
 * frees journal segments once a synced checkpoint covers them, and prunes history.
 *
 * After a fault of the book it logs and tries again later: meanwhile the journal keeps everything. Damage, and a book that
 * cannot be read, end the process.
 */
#ifndef STORE_RECORDER_H
#define STORE_RECORDER_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/status.h"
#include "book/record/writer.h"
#include "log/log.h"
#include "store/bell.h"

#define RECORDER_CHANGES 10000u /* per transaction */
#define RECORDER_MS 200
#define RECORDER_CHANGES_FAR 50000u /* the same when far behind: fewer, larger transactions are faster */
#define RECORDER_MS_FAR 1000
#define RECORDER_LOG_MAX (256u << 20) /* bytes of the book's log that cause an early checkpoint */
#define RECORDER_CHECKPOINT_MS 5000
#define RECORDER_PRUNE_MS 10000
#define RECORDER_LAG 500000u /* changes; further behind, it works without pauses */

/* Reservations that ended history_days ago are no longer shown (deferred.c), and are pruned this much later: by then no
 * command that has seen one can still change it. */
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
    _Atomic uint64_t seq;   /* the last change in the book */
    _Atomic int64_t now_ms; /* the server's clock, set by the loop */
    _Atomic uint64_t imports_over;
    _Atomic uint64_t last_erased; /* seq of the last erasure in the book; 0: none */
    _Atomic uint64_t clean;       /* the file has no name of a person erased up to this change */
    _Atomic uint64_t
        pinned_since_ms; /* since when readers have kept every checkpoint incomplete; 0: they do not */

    /* thread only */
    struct log_reader *reader;
    struct change *change;
    int64_t last_at_ms;
    uint64_t checkpoint_ms;
    uint64_t erased; /* seq of the last erasure, while copies of torn batches may contain the name; 0: none */
    bool scrubbing;  /* the file may still contain bytes of erased people */
    int64_t prune_at_ms; /* by the server's clock */
    bool pruned_all;
    uint64_t sampled_ns, sampled_idle_ns; /* when it last measured how busy the loop is */
    uint32_t busy_percent;
};

/* Takes ownership of the writer. The loop of `recorded` must measure its idle time. */
void recorder_init(struct recorder *r, struct book_writer *writer, struct log *log, int backup_lock,
                   uint32_t history_days);
void recorder_start(struct recorder *r, struct bell *recorded);
/* Sets the server's clock, by which history is pruned. Call it before the start, and regularly. */
static inline void recorder_set_now(struct recorder *r, int64_t now_ms)
{
    atomic_store_explicit(&r->now_ms, now_ms, memory_order_relaxed);
}
/* Every import that started before this seq has ended: it was published or given up. */
static inline void recorder_imports_over(struct recorder *r, uint64_t seq)
{
    atomic_store_explicit(&r->imports_over, seq, memory_order_relaxed);
}
/* A query waits for the book: write now instead of collecting more. */
void recorder_hurry(struct recorder *r);
static inline uint64_t recorder_seq(const struct recorder *r)
{
    return atomic_load_explicit(&r->seq, memory_order_acquire);
}
/* The last erasure in the book, or 0; and up to which change the file is clean of erased names. Any thread. */
static inline uint64_t recorder_last_erased(const struct recorder *r)
{
    return atomic_load_explicit(&r->last_erased, memory_order_relaxed);
}
static inline uint64_t recorder_clean(const struct recorder *r)
{
    return atomic_load_explicit(&r->clean, memory_order_acquire);
}
/* For how long readers of the book have kept its log from being moved into the file, so that no segment could be freed; 0:
 * they do not. Such a reader belongs to another program: ours are short. */
uint64_t recorder_pinned_ms(const struct recorder *r);
/* Lets the book catch up for up to half a second, closes it and ends the thread. The journal keeps the rest. False: not
 * done after limit_ms, on a busy disk or machine; the thread still runs. */
bool recorder_stop(struct recorder *r, uint64_t limit_ms);
/* How long to pause after a transaction of took_ms, with the book `lag` changes behind and the loop busy for busy_percent
 * of the time. The recorder yields to a busy loop: it pauses several times as long as it worked, and less if the loop is
 * busy for less than half of the time. It does not pause when the loop is idle, nor, at any load, once it is RECORDER_LAG
 * behind: the lag stays bounded. */
uint64_t recorder_rest_ms(uint64_t lag, uint32_t busy_percent, uint64_t took_ms);
void recorder_close(struct recorder *r); /* after recorder_stop, or without recorder_start */

#endif
