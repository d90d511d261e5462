/* SPDX-License-Identifier: Apache-2.0 */
#include "store/recorder.h"

#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/assertion.h"
#include "base/time/clock.h"
#include "base/logging.h"
#include "base/memory/memory.h"
#include "store/fatal_exit.h"

#define IDLE_MS 100
#define REST_TIMES 4
#define REST_MS_MAX 800
#define BUSY_PERCENT 25u /* a loop that is less busy does not need to be yielded to */
#define BUSY_WINDOW_NS 20000000u
#define FAULT_MS 500
#define NICE 10
#define STOP_MS 500
#define PRUNE_AT_ONCE 1000u
_Static_assert(RECORDER_CHANGES < RECORDER_CHANGES_FAR && RECORDER_CHANGES_FAR < RECORDER_LAG / 4,
               "far behind, transactions are larger, but still a part of the lag");
_Static_assert(BUSY_PERCENT < 50, "between the two the pause is proportional");

static uint64_t monotonic_ms(void)
{
    return clock_monotonic_ns() / 1000000;
}

void recorder_init(struct recorder *r, struct book_writer *writer, struct log *log, int backup_lock,
                   uint32_t history_days)
{
    *r = (struct recorder){.writer = writer,
                           .log = log,
                           .backup_lock = backup_lock,
                           .history_days = history_days,
                           .last_at_ms = book_writer_at_ms(writer),
                           .pruned_all = true,
                           .erased = book_writer_erased(writer),
                           .scrubbing = true,
                           .change = memory_zeroed(1, sizeof(struct change))};
    ASSERT(!log ||
           book_writer_seq(writer) <= log_durable_seq(log)); /* recovery refuses a book ahead of its log */
    atomic_init(&r->seq, book_writer_seq(writer));
    atomic_init(&r->last_erased, r->erased);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&r->wake, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_mutex_init(&r->mutex, NULL);
}

/* ---- One transaction ---- */

static struct status apply_batch(struct recorder *r, const struct log_batch *batch, uint64_t after)
{
    struct bytes_reader in = bytes_reader_make(batch->bytes, batch->size);
    for (uint32_t i = 0; i < batch->count; i++) {
        uint64_t seq = batch->first_seq + i;
        if (!change_decode(&in, seq, r->change))
            return status_make(STATUS_CORRUPT, "cannot read the change with seq %llu",
                               (unsigned long long)seq);
        /* A reader returns whole batches: the first one may start with changes that the book already has. */
        if (seq <= after)
            continue;
        struct status fault = book_writer_apply(r->writer, r->change);
        if (!status_ok(&fault))
            return fault;
        if (r->change->kind == CHANGE_ERASED) {
            /* The name must leave the file, and old segments, soon. */
            r->erased = r->change->erased.number;
            if (r->erased > recorder_last_erased(r))
                atomic_store_explicit(&r->last_erased, r->erased, memory_order_relaxed);
            r->scrubbing = true;
            r->checkpoint_ms = 0;
        }
    }
    if (batch->at_ms > r->last_at_ms)
        r->last_at_ms = batch->at_ms;
    return status_none();
}

/* Reads and applies batches until the transaction is large or old enough, or there are no more. */
static struct status fill(struct recorder *r, uint64_t *seq, uint32_t *chain)
{
    bool far = log_durable_seq(r->log) - *seq >= RECORDER_LAG / 4;
    uint64_t began = monotonic_ms(), first = *seq;
    for (;;) {
        struct log_batch batch;
        bool found;
        /* Only what is durable: the book must never be ahead of the journal. */
        struct status fault = r->log->ops->reader_next(r->reader, &batch, &found);
        if (status_ok(&fault) && found)
            fault = apply_batch(r, &batch, *seq);
        if (!status_ok(&fault) || !found)
            return fault;
        ASSERT(batch.first_seq + batch.count - 1 > *seq); /* a reader only moves forward */
        *seq = batch.first_seq + batch.count - 1;
        *chain = batch.chain;
        if (*seq - first >= (far ? RECORDER_CHANGES_FAR : RECORDER_CHANGES) ||
            monotonic_ms() - began >= (far ? RECORDER_MS_FAR : RECORDER_MS))
            return status_none();
    }
}

static void publish(struct recorder *r, uint64_t seq)
{
    ASSERT(seq > recorder_seq(r) && seq <= log_durable_seq(r->log));
    /* After the commit: a thread that sees this seq may read it from the book. */
    atomic_store_explicit(&r->seq, seq, memory_order_release);
    bell_ring(r->recorded);
}

static void close_reader(struct recorder *r)
{
    if (r->reader)
        r->log->ops->reader_close(r->reader);
    r->reader = NULL;
}

static struct status record(struct recorder *r)
{
    uint64_t seq = recorder_seq(r);
    struct status fault = status_none();
    ASSERT(seq == book_writer_seq(r->writer) && seq < log_durable_seq(r->log));
    if (!r->reader)
        fault = r->log->ops->reader_open(r->log, seq, &r->reader);
    if (status_ok(&fault))
        fault = book_writer_begin(r->writer);
    if (!status_ok(&fault))
        return fault;
    uint32_t chain = 0;
    fault = fill(r, &seq, &chain);
    if (status_ok(&fault) && seq == recorder_seq(r)) {
        /* A log on another machine that does not answer now: what is there is read later. */
        book_writer_rollback(r->writer);
        return fault;
    }
    if (status_ok(&fault))
        fault = book_writer_commit(r->writer, seq, r->last_at_ms, chain);
    if (status_ok(&fault)) {
        ASSERT(book_writer_seq(r->writer) == seq);
        publish(r, seq);
        return fault;
    }
    book_writer_rollback(r->writer);
    ASSERT(book_writer_seq(r->writer) == recorder_seq(r)); /* all of it is read again */
    close_reader(r);                                       /* its position is past the end of the book */
    return fault;
}

/* ---- Maintenance ---- */

static void note_pinned(struct recorder *r)
{
    bool pinned = book_writer_checkpointed_seq(r->writer) < book_writer_seq(r->writer);
    if (!pinned || r->pinned_since_ms == 0)
        atomic_store_explicit(&r->pinned_since_ms, pinned ? monotonic_ms() : 0, memory_order_relaxed);
}

uint64_t recorder_pinned_ms(const struct recorder *r)
{
    uint64_t since = atomic_load_explicit(&r->pinned_since_ms, memory_order_relaxed);
    uint64_t now = monotonic_ms();
    return since == 0 ? 0 : now > since ? now - since : 1;
}

static struct status checkpoint(struct recorder *r)
{
    struct status fault = book_writer_checkpoint(r->writer);
    if (!status_ok(&fault))
        return fault;
    note_pinned(r);
    ASSERT(book_writer_checkpointed_seq(r->writer) <= recorder_seq(r)); /* segments up to it are freed */
    /* A running backup needs the segments after its copy of the book. */
    if (flock(r->backup_lock, LOCK_EX | LOCK_NB) != 0)
        return fault;
    fault = r->log->ops->free_upto(r->log, book_writer_checkpointed_seq(r->writer), r->erased);
    if (status_ok(&fault))
        r->erased = 0;
    flock(r->backup_lock, LOCK_UN);
    return fault;
}

static bool behind(struct recorder *r)
{
    return recorder_seq(r) < log_durable_seq(r->log);
}

/* Prunes what ended history_days ago by the server's clock, so that pruning goes on even when nothing happens. While the
 * book is behind, its own time counts: changes that are not recorded yet may concern what would be pruned. */
static struct status prune(struct recorder *r, int64_t now_ms)
{
    int64_t at_ms = now_ms > r->last_at_ms && !behind(r) ? now_ms : r->last_at_ms;
    int64_t before_ms =
        r->history_days ? at_ms - (int64_t)r->history_days * 86400000 - RECORDER_PRUNE_GRACE_MS : 0;
    uint64_t imports_over = atomic_load_explicit(&r->imports_over, memory_order_relaxed);
    uint32_t pruned;
    return book_writer_prune(r->writer, before_ms > 0 ? before_ms : 0, imports_over, PRUNE_AT_ONCE, &pruned,
                             &r->pruned_all);
}

static struct status run_maintenance(struct recorder *r)
{
    struct status fault = status_none();
    uint64_t now = monotonic_ms();
    if (r->scrubbing)
        fault = book_writer_scrub(r->writer, &r->scrubbing);
    if (!status_ok(&fault))
        return fault;
    if (!r->scrubbing)
        atomic_store_explicit(&r->clean, recorder_seq(r), memory_order_release);
    bool large = book_writer_log_bytes(r->writer) > RECORDER_LOG_MAX && r->pinned_since_ms == 0;
    if (now >= r->checkpoint_ms || large) {
        /* Set first, so that a checkpoint that fails is not repeated at once. */
        r->checkpoint_ms = now + RECORDER_CHECKPOINT_MS;
        fault = checkpoint(r);
    }
    int64_t now_ms = atomic_load_explicit(&r->now_ms, memory_order_relaxed);
    if (status_ok(&fault) && (now_ms >= r->prune_at_ms || !r->pruned_all)) {
        r->prune_at_ms = now_ms + RECORDER_PRUNE_MS;
        fault = prune(r, now_ms);
    }
    return fault;
}

/* ---- The thread ---- */

/* Waits up to wait_ms, or until recorder_hurry. False: the thread must stop. */
static bool wait_for_work(struct recorder *r, uint64_t wait_ms)
{
    struct timespec until = clock_deadline(wait_ms);
    pthread_mutex_lock(&r->mutex);
    while (!r->stop && !r->hurry)
        if (pthread_cond_timedwait(&r->wake, &r->mutex, &until))
            break;
    r->hurry = false;
    bool go_on = !r->stop;
    pthread_mutex_unlock(&r->mutex);
    return go_on;
}

static void log_or_exit(const struct status *fault)
{
    if (status_ok(fault))
        return;
    if (fault->kind == STATUS_CORRUPT || fault->kind == STATUS_UNREADABLE)
        fatal_exit("the book or the journal is damaged, or the book cannot be read; ending the process",
                   fault);
    log_error("cannot write the book; the journal keeps everything until it can be written",
              {"fault", LOG_STR(fault->text)});
}

uint64_t recorder_rest_ms(uint64_t lag, uint32_t busy_percent, uint64_t took_ms)
{
    ASSERT(busy_percent <= 100);
    if (lag == 0)
        return IDLE_MS;
    if (lag >= RECORDER_LAG)
        return 0;
    uint64_t rest = took_ms * REST_TIMES < REST_MS_MAX ? took_ms * REST_TIMES : REST_MS_MAX;
    if (busy_percent >= BUSY_PERCENT)
        /* Between a quarter and a half: proportional. */
        return busy_percent < 50 ? rest * busy_percent / 50 : rest;
    if (lag >= RECORDER_CHANGES)
        return 0;
    return rest < IDLE_MS ? rest : IDLE_MS; /* collects more: a few changes are not worth a transaction */
}

/* The share of time since the last sample in which the loop was not idle. Time in which it had work but no processor
 * counts as busy. */
static uint32_t loop_busy(struct recorder *r)
{
    uint64_t now_ns = uv_hrtime(), idle_ns = uv_metrics_idle_time(r->recorded->poll.loop);
    uint64_t passed_ns = now_ns - r->sampled_ns, waited_ns = idle_ns - r->sampled_idle_ns;
    /* A shorter window would measure noise. */
    if (passed_ns < BUSY_WINDOW_NS)
        return r->busy_percent;
    r->sampled_ns = now_ns;
    r->sampled_idle_ns = idle_ns;
    r->busy_percent = waited_ns < passed_ns ? (uint32_t)(100 - waited_ns * 100 / passed_ns) : 0;
    return r->busy_percent;
}

static uint64_t rest_ms(struct recorder *r, uint64_t took_ms)
{
    uint32_t busy_percent = loop_busy(r);
    uint64_t durable_seq = log_durable_seq(r->log);
    ASSERT(recorder_seq(r) <= durable_seq); /* the book is never ahead of the log */
    return recorder_rest_ms(durable_seq - recorder_seq(r), busy_percent, took_ms);
}

static void *recorder_run(void *ctx)
{
    struct recorder *r = ctx;
    bool go_on = true;
    setpriority(PRIO_PROCESS, (id_t)gettid(), NICE); /* answers come first; it may be refused */
    while (go_on) {
        uint64_t began = monotonic_ms();
        struct status fault = status_none();
        bool was_behind = behind(r);
        uint64_t before_seq = recorder_seq(r);
        if (was_behind)
            fault = record(r);
        log_or_exit(&fault);
        /* Nothing came: a log on another machine does not answer now. */
        bool failed = !status_ok(&fault) || (was_behind && recorder_seq(r) == before_seq);
        fault = run_maintenance(r);
        log_or_exit(&fault);
        failed = failed || !status_ok(&fault);
        go_on = wait_for_work(r, failed ? FAULT_MS : rest_ms(r, monotonic_ms() - began));
    }
    /* Bounded: the rest is read from the journal at the next start. */
    uint64_t until = monotonic_ms() + STOP_MS;
    while (behind(r) && monotonic_ms() < until) {
        struct status fault = record(r);
        log_or_exit(&fault);
        if (!status_ok(&fault))
            break;
    }
    close_reader(r);
    book_writer_close(r->writer); /* moves its log into the database, which may take a while */
    r->writer = NULL;
    pthread_mutex_lock(&r->mutex);
    r->ended = true;
    pthread_cond_broadcast(&r->wake);
    pthread_mutex_unlock(&r->mutex);
    return NULL;
}

void recorder_start(struct recorder *r, struct bell *recorded)
{
    ASSERT(!r->started && r->writer && r->log);
    r->recorded = recorded;
    r->started = true;
    int failed = pthread_create(&r->thread, NULL, recorder_run, r);
    ASSERT(!failed);
    pthread_setname_np(r->thread, "hf-book");
}

void recorder_hurry(struct recorder *r)
{
    pthread_mutex_lock(&r->mutex);
    r->hurry = true;
    pthread_cond_signal(&r->wake);
    pthread_mutex_unlock(&r->mutex);
}

bool recorder_stop(struct recorder *r, uint64_t limit_ms)
{
    if (!r->started)
        return true;
    struct timespec until = clock_deadline(limit_ms);
    pthread_mutex_lock(&r->mutex);
    r->stop = true;
    pthread_cond_broadcast(&r->wake);
    while (!r->ended)
        if (pthread_cond_timedwait(&r->wake, &r->mutex, &until))
            break;
    bool ended = r->ended;
    pthread_mutex_unlock(&r->mutex);
    if (!ended)
        return false;
    pthread_join(r->thread, NULL);
    r->started = false;
    return true;
}

void recorder_close(struct recorder *r)
{
    ASSERT(!r->started); /* while the thread runs, it owns the writer */
    if (!r->change)
        return;
    book_writer_close(r->writer);
    free(r->change);
    r->change = NULL;
    pthread_mutex_destroy(&r->mutex);
    pthread_cond_destroy(&r->wake);
}
