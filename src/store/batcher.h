/* SPDX-License-Identifier: Apache-2.0 */
/* batcher.h — from the loop to the disk: collects changes, and a thread of its own makes them durable.
 *
 *   loop     appends to the open batch, hands it over at the end of its turn
 *   thread   takes what was handed over, writes, syncs, publishes durable_seq, wakes the loop once
 *
 * While one batch syncs the next one fills: group commit without a timer. There are three buffers (open,
 * handed over, being written), so neither side ever waits for the other. The changes of one step of core (a
 * command, or what the passing of time does) are never split over two batches: recovery relies on that.
 *
 * A write or sync that fails ends the process, from the thread, at once: nothing that was not acknowledged
 * may stay visible, and what the kernel says after a failed sync cannot be trusted. When idle for
 * BATCHER_SEAL_MS, and at the end, the thread seals the log.
 */
#ifndef STORE_BATCHER_H
#define STORE_BATCHER_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/memory/buf.h"
#include "log/log.h"
#include "store/bell.h"

#define BATCHER_SEAL_MS 100
#define BATCHER_OPEN_MAX (256u << 20) /* a bug if ever reached: the loop stops optional work far below */

/* A place where a batch too long for one batch of the log may be cut: after `size` more bytes and `count` more
 * changes. */
struct batcher_cut {
    size_t size;
    uint32_t count;
};

struct batcher_batch {
    struct buf changes;
    uint32_t count;
    int64_t at_ms;
    struct batcher_cut *cuts;
    uint32_t cut_count, cut_capacity;
    size_t cut_size; /* bytes and changes up to the last cut */
    uint32_t cut_changes;
    bool new_segment; /* of the log: it begins one */
};

struct batcher {
    struct log *log;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t wake, ending;
    struct batcher_batch batches[3];
    struct batcher_batch *open;    /* the loop's */
    struct batcher_batch *handed;  /* under the mutex */
    struct batcher_batch *writing; /* the thread's */
    int64_t at_ms;                 /* the thread's: the instant of the last batch, for seals */
    bool stop;
    bool started, ended;
    struct bell *durable; /* rung after each synced batch */

    /* figures */
    _Atomic uint64_t batch_count, change_count, change_most, sync_ns_total, sync_ns_most;
};

/* at_ms: the server's clock now. */
void batcher_start(struct batcher *b, struct log *log, int64_t at_ms, struct bell *durable);
/* The buffer that the next command's changes are appended to. */
static inline struct buf *batcher_changes(struct batcher *b)
{
    return &b->open->changes;
}
/* A command has appended this many changes, decided at this instant. */
void batcher_appended(struct batcher *b, uint32_t count, int64_t at_ms);
/* What is in the open batch goes into a new segment of the log. */
static inline void batcher_begin_segment(struct batcher *b)
{
    b->open->new_segment = true;
}
static inline size_t batcher_pending(const struct batcher *b)
{
    return b->open->changes.size;
}
/* End of a turn: gives the open batch to the thread if it is free to take one. */
void batcher_hand_over(struct batcher *b);
/* Writes everything, seals, ends the thread. False: not done within limit_ms, on a busy disk; the thread goes
 * on. */
bool batcher_stop(struct batcher *b, uint64_t limit_ms);

#endif
