/* SPDX-License-Identifier: Apache-2.0 */
#include "store/batcher.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/assertion.h"
#include "base/time/clock.h"
#include "base/logging.h"
#include "base/memory/memory.h"
#include "core/claim/sale.h"
#include "store/fatal_exit.h"

void batcher_sold(struct batcher *b, const struct sale *sales, uint32_t count)
{
    struct batcher_batch *open = b->open;
    for (uint32_t i = 0; i < count; i++) {
        open->sales = memory_room(open->sales, open->sale_count, &open->sale_capacity, 64, sizeof(*open->sales));
        open->sales[open->sale_count++] = sales[i];
    }
}

void batcher_appended(struct batcher *b, uint32_t count, int64_t at_ms)
{
    struct batcher_batch *open = b->open;
    ASSERT(b->started && !b->stop); /* after the last hand-over nothing is written any more */
    ASSERT(at_ms >= open->at_ms);   /* time does not go back */
    open->count += count;
    open->at_ms = at_ms;
    ASSERT(count > 0 && open->changes.size >= open->count); /* no change is without bytes */
    /* Cuts are placed only here, between two steps of core: a step is never split. */
    if (open->changes.size - open->cut_size < b->log->cut_every)
        return;
    open->cuts = memory_room(open->cuts, open->cut_count, &open->cut_capacity, 8, sizeof(*open->cuts));
    open->cuts[open->cut_count++] = (struct batcher_cut){.size = open->changes.size - open->cut_size,
                                                         .count = open->count - open->cut_changes,
                                                         .sales = open->sale_count - open->cut_sales};
    ASSERT(open->count > open->cut_changes); /* a part of no changes would be a seal */
    open->cut_size = open->changes.size;
    open->cut_changes = open->count;
    open->cut_sales = open->sale_count;
}

static void batch_clear(struct batcher_batch *batch)
{
    buf_clear(&batch->changes);
    batch->count = batch->cut_count = batch->cut_changes = 0;
    batch->sale_count = batch->cut_sales = 0;
    batch->cut_size = 0;
    batch->new_segment = false;
}

static void swap(struct batcher_batch **a, struct batcher_batch **b)
{
    struct batcher_batch *c = *a;
    *a = *b;
    *b = c;
}

/* Whether the open batch still fits into the one that was handed over. Below the size of a cut neither has any. */
static bool fits(const struct batcher *b)
{
    return !b->open->new_segment && b->handed->changes.size + b->open->changes.size < b->log->cut_every;
}

/* The thread writes the open batch with the one that it has not taken yet: one sync less, and for those who wait one less to
 * wait for. */
static void join(struct batcher *b)
{
    struct batcher_batch *to = b->handed, *from = b->open;
    ASSERT(to->cut_count == 0 && from->cut_count == 0 && from->at_ms >= to->at_ms);
    for (uint32_t i = 0; i < from->sale_count; i++) {
        to->sales = memory_room(to->sales, to->sale_count, &to->sale_capacity, 64, sizeof(*to->sales));
        to->sales[to->sale_count++] = from->sales[i];
    }
    buf_append(&to->changes, from->changes.data, from->changes.size);
    to->count += from->count;
    to->at_ms = from->at_ms;
    batch_clear(from);
}

void batcher_hand_over(struct batcher *b)
{
    ASSERT((b->open->count == 0) == (b->open->changes.size == 0)); /* uncounted changes would be lost */
    ASSERT(!b->open->new_segment || b->open->count);
    if (b->open->count == 0)
        return;
    pthread_mutex_lock(&b->mutex);
    ASSERT(b->open != b->handed && b->open != b->writing && b->handed != b->writing);
    /* While the thread is busy, the batch that it takes next keeps filling: this is the group commit. */
    bool free_to_take = b->handed->count == 0;
    if (free_to_take) {
        swap(&b->open, &b->handed);
        ASSERT(b->open->count == 0 && b->open->changes.size == 0);
        pthread_cond_signal(&b->wake);
    } else if (fits(b)) {
        join(b);
    }
    pthread_mutex_unlock(&b->mutex);
}

static const char unwritable[] = "cannot write the journal; ending the process";

static void raise_max(_Atomic uint64_t *most, uint64_t value)
{
    if (value > atomic_load_explicit(most, memory_order_relaxed))
        atomic_store_explicit(most, value, memory_order_relaxed);
}

static void write_part(struct batcher *b, const struct log_batch *part)
{
    uint64_t start = clock_monotonic_ns();
    struct status fault = b->log->ops->write(b->log, part);
    if (!status_ok(&fault))
        fatal_exit(unwritable, &fault);
    uint64_t took = clock_monotonic_ns() - start;
    atomic_fetch_add_explicit(&b->batch_count, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&b->change_count, part->count, memory_order_relaxed);
    atomic_fetch_add_explicit(&b->sync_ns_total, took, memory_order_relaxed);
    raise_max(&b->change_max, part->count);
    raise_max(&b->sync_ns_max, took);
    /* Rings may be merged: the loop reads durable_seq, it does not count wake-ups. */
    bell_ring(b->durable);
}

static void write_batch(struct batcher *b, struct batcher_batch *batch)
{
    struct log_batch rest = {.bytes = batch->changes.data,
                             .size = batch->changes.size,
                             .count = batch->count,
                             .at_ms = batch->at_ms,
                             .sales = batch->sales,
                             .sale_count = batch->sale_count};
    uint64_t before_seq = log_durable_seq(b->log);
    if (batch->new_segment) {
        struct status fault = b->log->ops->begin_segment(b->log);
        if (!status_ok(&fault))
            fatal_exit(unwritable, &fault);
    }
    /* A batch that fits is written whole: each write costs a sync. */
    for (uint32_t i = 0; batch->changes.size > 2 * b->log->cut_every && i < batch->cut_count; i++) {
        const struct batcher_cut *cut = &batch->cuts[i];
        ASSERT(cut->size <= rest.size && cut->count <= rest.count && cut->sales <= rest.sale_count);
        struct log_batch part = rest;
        part.size = cut->size;
        part.count = cut->count;
        part.sale_count = cut->sales;
        write_part(b, &part);
        rest.bytes += cut->size;
        rest.size -= cut->size;
        rest.count -= cut->count;
        rest.sales += rest.sales ? cut->sales : 0;
        rest.sale_count -= cut->sales;
    }
    ASSERT(rest.count || !rest.sale_count);
    if (rest.count)
        write_part(b, &rest);
    ASSERT(log_durable_seq(b->log) == before_seq + batch->count); /* each change once */
}

/* Waits for a batch. False: none came in time, or the thread must stop. */
static bool take(struct batcher *b, bool *stop)
{
    struct timespec until = clock_deadline(BATCHER_SEAL_MS);
    pthread_mutex_lock(&b->mutex);
    while (b->handed->count == 0 && !b->stop)
        if (pthread_cond_timedwait(&b->wake, &b->mutex, &until) == ETIMEDOUT)
            break;
    bool taken = b->handed->count > 0;
    ASSERT(b->writing->count == 0); /* written, and cleared */
    if (taken)
        swap(&b->handed, &b->writing);
    /* A batch handed over before the stop is still written. */
    *stop = b->stop && !taken;
    pthread_mutex_unlock(&b->mutex);
    return taken;
}

static void *batcher_run(void *ctx)
{
    struct batcher *b = ctx;
    bool stop = false;
    while (!stop) {
        if (take(b, &stop)) {
            ASSERT(b->writing->at_ms >= b->at_ms);
            b->at_ms = b->writing->at_ms;
            write_batch(b, b->writing);
            batch_clear(b->writing);
        } else {
            /* Idle or stopping: followed by a seal, damage to the last batch cannot be mistaken for a torn
             * write. */
            struct status fault = b->log->ops->seal(b->log, b->at_ms);
            if (!status_ok(&fault))
                fatal_exit(unwritable, &fault);
        }
    }
    pthread_mutex_lock(&b->mutex);
    b->ended = true;
    pthread_cond_signal(&b->ending);
    pthread_mutex_unlock(&b->mutex);
    return NULL;
}

void batcher_start(struct batcher *b, struct log *log, int64_t at_ms, struct bell *durable)
{
    *b = (struct batcher){.log = log, .at_ms = at_ms, .durable = durable, .started = true};
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&b->wake, &monotonic);
    pthread_cond_init(&b->ending, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_mutex_init(&b->mutex, NULL);
    for (int i = 0; i < 3; i++)
        buf_init(&b->batches[i].changes, BATCHER_OPEN_MAX);
    b->open = &b->batches[0];
    b->handed = &b->batches[1];
    b->writing = &b->batches[2];
    int failed = pthread_create(&b->thread, NULL, batcher_run, b);
    ASSERT(!failed);
    pthread_setname_np(b->thread, "hf-journal");
}

bool batcher_stop(struct batcher *b, uint64_t limit_ms)
{
    if (!b->started)
        return true;
    struct timespec until = clock_deadline(limit_ms);
    uint64_t until_ns = clock_monotonic_ns() + limit_ms * 1000000;
    /* Until the thread has taken the batch that was handed over before. */
    while (b->open->count && clock_monotonic_ns() < until_ns) {
        batcher_hand_over(b);
        if (b->open->count)
            sched_yield();
    }
    pthread_mutex_lock(&b->mutex);
    b->stop = true;
    pthread_cond_signal(&b->wake);
    while (!b->ended)
        if (pthread_cond_timedwait(&b->ending, &b->mutex, &until))
            break;
    bool ended = b->ended;
    pthread_mutex_unlock(&b->mutex);
    /* The thread may be stuck in a sync and still use all of this: free nothing, the caller ends the process. It is
     * not done either if the thread ended before it was given the last batch. */
    if (!ended || b->open->count)
        return false;
    pthread_join(b->thread, NULL);
    for (int i = 0; i < 3; i++) {
        ASSERT(b->batches[i].count == 0);
        buf_release(&b->batches[i].changes);
        free(b->batches[i].cuts);
        free(b->batches[i].sales);
    }
    pthread_mutex_destroy(&b->mutex);
    pthread_cond_destroy(&b->wake);
    pthread_cond_destroy(&b->ending);
    b->started = false;
    return true;
}
