/* SPDX-License-Identifier: Apache-2.0 */
/* batcher.h — from the loop to the disk: collects changes, and makes them durable on its own thread.
 *
 *   loop     appends to the open batch, hands it over at the end of the turn, joined to one that is not taken yet
 *   thread   takes the batch that was handed over, writes, syncs, publishes durable_seq, wakes the loop once
 *
 * While one batch syncs, the next one fills: group commit without a timer. There are three buffers (open, handed over,
 * being written), so neither side ever waits for the other. The changes of one step of core (a command, or a slice of
 * timed work) are never split over two batches: recovery relies on that.
 *
 * If a write or sync fails, the thread ends the process at once: the loop already shows changes that may never become
 * durable, and the kernel's answers after a failed sync cannot be trusted. The thread seals the log when it was idle for
 * BATCHER_SEAL_MS, and at the end.
 */
#ifndef STORE_BATCHER_H
#define STORE_BATCHER_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/memory/buf.h"
#include "log/log.h"
#include "store/bell.h"

#define BATCHER_SEAL_MS 100
#define BATCHER_OPEN_MAX (256u << 20) /* reaching it is a bug: the loop stops optional work far below */

/* A place to split a batch that is too long for the log: `size` bytes, `count` changes and `sales` sales after the previous one. */
struct batcher_cut {
    size_t size;
    uint32_t count, sales;
};

struct batcher_batch {
    struct buf changes;
    uint32_t count;
    int64_t at_ms;
    struct sale *sales;
    uint32_t sale_count, sale_capacity;
    struct batcher_cut *cuts;
    uint32_t cut_count, cut_capacity;
    size_t cut_size; /* bytes, changes and sales up to the last cut */
    uint32_t cut_changes, cut_sales;
    bool new_segment; /* starts a new segment of the log */
};

struct batcher {
    struct log *log;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t wake, ending;
    struct batcher_batch batches[3];
    struct batcher_batch *open;    /* loop only */
    struct batcher_batch *handed;  /* under the mutex */
    struct batcher_batch *writing; /* thread only */
    int64_t at_ms;                 /* thread only: the instant of the last batch, for seals */
    bool stop;
    bool started, ended;
    struct bell *durable; /* rung after each synced batch */

    /* figures */
    _Atomic uint64_t batch_count, change_count, change_max, sync_ns_total, sync_ns_max;
};

/* at_ms: the server's clock now. */
void batcher_start(struct batcher *b, struct log *log, int64_t at_ms, struct bell *durable);
/* The buffer that the next command's changes are appended to. */
static inline struct buf *batcher_changes(struct batcher *b)
{
    return &b->open->changes;
}
/* The changes of a step, which batcher_appended counts next, sell and give back these seats. */
void batcher_sold(struct batcher *b, const struct sale *sales, uint32_t count);
/* A step has appended `count` changes, decided at at_ms. */
void batcher_appended(struct batcher *b, uint32_t count, int64_t at_ms);
/* The open batch starts a new segment of the log. */
static inline void batcher_begin_segment(struct batcher *b)
{
    b->open->new_segment = true;
}
static inline size_t batcher_pending(const struct batcher *b)
{
    return b->open->changes.size;
}
/* End of a turn: gives the open batch to the thread, unless an earlier one still waits and both together are too long. */
void batcher_hand_over(struct batcher *b);
/* Writes everything, seals, ends the thread. False: not done within limit_ms, on a busy disk; the thread still runs. */
bool batcher_stop(struct batcher *b, uint64_t limit_ms);

#endif
