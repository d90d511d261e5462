/* SPDX-License-Identifier: Apache-2.0 */
/* local.c — opens and closes the embedded store, and reports its figures. */
#include "store/local.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/assertion.h"
#include "base/logging.h"
#include "base/memory/memory.h"
#include "base/time/rfc3339.h"
#include "engine/import.h"
#include "store/shared_book.h"

static void store_release(struct store *s)
{
    /* First, because the view reads the state. */
    if (s->on_closed)
        s->on_closed(s->on_closed_ctx);
    if (s->shared)
        following_release(&s->following);
    if (s->state)
        state_release(s->state);
    log_close(s->log);
    folder_close(&s->folder);
    free(s->shared);
    free(s);
}

#define ANSWER_PATIENCE_NS 4000000000u
#define CLOCK_AHEAD_MS (365 * 86400000LL)

/* Refuses a clock that is far ahead: time never goes back, so everything written with it would stay ahead. */
static struct status judge_clock(const struct store *s, int64_t last_at_ms)
{
    const struct clock_source *clock = &s->options.clock;
    int64_t wall_ms = clock->wall_ms(clock->owner);
    if (s->options.accept_clock || last_at_ms == 0 || wall_ms - last_at_ms <= CLOCK_AHEAD_MS)
        return status_none();
    char wall[RFC3339_SIZE + 1] = {0}, last[RFC3339_SIZE + 1] = {0};
    rfc3339_write(wall_ms, wall);
    rfc3339_write(last_at_ms, last);
    return status_make(STATUS_INVALID,
                       "the clock says %s, more than a year after the last change in the data folder, %s; if "
                       "the clock is right, start with --accept-clock",
                       wall, last);
}

/* Records in a new book which log it belongs to. */
static struct status tie(struct book_writer *writer, const struct recovery *found)
{
    return found->anchor.has_id ? status_none() : book_writer_tie(writer, found->log.id, NULL);
}

/* Loads the whole state; no thread runs yet. */
static struct status recover(struct store *s)
{
    struct book_writer *writer;
    struct recovery found;
    uint64_t oldest_seq = 1;
    struct status fault = folder_open(&s->folder, s->options.data);
    if (status_ok(&fault) && s->options.shared) {
        s->shared = memory_zeroed(1, sizeof(*s->shared));
        fault = shared_open(s->shared, &s->options, &s->folder);
        s->options.clock = shared_clock(s->shared);
        if (status_ok(&fault))
            fault = shared_book_prepare(s->shared, &s->folder, &oldest_seq);
    }
    if (status_ok(&fault))
        fault = book_writer_open(&writer, s->folder.book);
    if (!status_ok(&fault))
        return fault;
    struct log_pg_options pg;
    if (s->shared)
        pg = shared_log(s->shared);
    fault = recovery_run(&s->folder, &(struct recovery_log){s->options.segment_size, s->shared ? &pg : NULL},
                         &s->state, &s->log, &found);
    if (status_ok(&fault) && s->shared)
        log_pg_set_oldest(s->log, oldest_seq);
    if (status_ok(&fault))
        fault = judge_clock(s, found.last_at_ms);
    if (status_ok(&fault))
        fault = tie(writer, &found);
    /* Even after a fault: recorder_close then closes the writer. */
    recorder_init(&s->recorder, writer, s->log, s->folder.backup_lock, s->options.history_days);
    if (!status_ok(&fault))
        return fault;
    /* Starts at the last recorded instant or later: time does not go back across a restart. */
    clock_init(&s->clock, s->options.clock, found.last_at_ms);
    return status_none();
}

/* With a shared log: this node took it over at the start, or follows the one that has it. */
static void begin_role(struct store *s)
{
    struct lease *lease = &s->shared->lease;
    if (lease->epoch) {
        lease_start(lease, s->log);
        engine_begin_epoch(&s->engine, lease->epoch, (struct text){s->shared->options.node, strlen(s->shared->options.node)},
                           store_now(s));
        return;
    }
    engine_set_role(&s->engine, ENGINE_FOLLOWER);
    state_follow_begin(s->state);
    state_follow_end(s->state);
    following_start(&s->following);
}

struct status store_open(struct store **out, uv_loop_t *loop, const struct store_options *options)
{
    struct store *s = memory_zeroed(1, sizeof(*s));
    s->loop = loop;
    s->thread = pthread_self();
    s->options = *options;
    if (s->options.close_ms == 0)
        s->options.close_ms = UINT32_MAX;
    struct status fault = recover(s);
    if (status_ok(&fault))
        fault = librarian_start(&s->librarian, s->folder.book, &s->answered);
    if (!status_ok(&fault)) {
        recorder_close(&s->recorder);
        store_release(s);
        return fault;
    }
    s->durable_seq = log_durable_seq(s->log);
    ASSERT(s->durable_seq == s->state->seq); /* all that was recovered is on disk */
    ASSERT(recorder_seq(&s->recorder) <= s->durable_seq);
    /* Handles before threads: the threads wake the loop through them. */
    turn_open(s);
    batcher_start(&s->batcher, s->log, store_now(s), &s->durable);
    local_start_engine(s);
    if (s->shared)
        begin_role(s);
    recorder_set_now(&s->recorder, store_now(s));
    if (store_decides(s)) {
        state_imports_over(s->state);
        recorder_imports_over(&s->recorder, s->state->seq);
    }
    recorder_start(&s->recorder, &s->recorded);
    if (s->shared)
        upkeep_start(&s->upkeep, s->shared, &s->folder, &s->recorder, s->log);
    engine_due(&s->engine, store_now(s)); /* before anything is shown; turn_open has scheduled the rest */
    *out = s;
    return status_none();
}

static void on_turns_over(struct store *s)
{
    void (*closed)(void *ctx) = s->closed;
    void *ctx = s->closed_ctx;
    ASSERT(s->handles == 0 && !s->working && !s->deferred);
    store_release(s);
    closed(ctx);
}

/* Ends the process without waiting for the rest. Everything acknowledged is durable; what is left was never acknowledged
 * (a large import being read, a change not on disk yet), or is a book that is behind its journal. */
static _Noreturn void exit_at_once(void)
{
    log_info("stopped before all work was done; no acknowledged change is lost");
    _exit(0);
}

/* No work is left outside the loop: joins the threads. */
static void close_threads(struct store *s)
{
    ASSERT(!s->working && !s->import_first && engine_idle(&s->engine));
    librarian_stop(&s->librarian);
    engine_write_refusals(&s->engine, store_now(s));
    uint64_t limit_ms = s->options.close_ms, began_ns = clock_monotonic_ns();
    if (s->shared && !following_stop(&s->following, limit_ms))
        exit_at_once();
    /* The log first, so that the recorder finds every change on disk. */
    if (!batcher_stop(&s->batcher, limit_ms))
        exit_at_once();
    ASSERT(log_durable_seq(s->log) == s->state->seq); /* every decision is on disk */
    /* Nothing is written any more, so another node can take over while the book still catches up. */
    if (s->shared)
        lease_give_back(&s->shared->lease);
    /* Before the recorder: while it copies the book, the book's own log cannot be moved into the file. */
    if (s->shared && !upkeep_stop(&s->upkeep, limit_ms))
        exit_at_once();
    uint64_t took_ms = (clock_monotonic_ns() - began_ns) / 1000000;
    bool recorded = recorder_stop(&s->recorder, took_ms < limit_ms ? limit_ms - took_ms : 0);
    if (s->shared)
        lease_stop(&s->shared->lease);
    if (!recorded)
        exit_at_once();
    recorder_close(&s->recorder);
    turn_close(s, on_turns_over);
}

static void on_closing_tick(uv_timer_t *handle)
{
    struct store *s = handle->data;
    /* While closing, store_more does nothing: this timer does the slices instead. */
    deferred_run(s);
    librarian_cancel_report(&s->librarian);
    engine_import_give_up(&s->engine, OUTCOME_UNAVAILABLE);
    engine_retry(&s->engine, store_now(s));
    if (s->on_slice)
        s->on_slice(s->on_slice_ctx);
    bool quiet = !s->working && engine_idle(&s->engine) && !s->import_first && librarian_idle(&s->librarian);
    if (quiet)
        close_threads(s);
    else if (uv_now(s->loop) >= s->close_ms)
        exit_at_once();
}

void store_close(struct store *s, void (*done)(void *ctx), void *ctx)
{
    ASSERT(local_on_loop(s) && !s->closing);
    s->closing = true;
    if (s->shared)
        follow_leave(&s->following.follow);
    s->closed = done;
    s->closed_ctx = ctx;
    uv_idle_stop(&s->more);
    s->close_ms = uv_now(s->loop) + s->options.close_ms;
    uv_timer_start(&s->tick, on_closing_tick, 0, 10);
}

void store_stats(struct store *s, struct store_stats *out)
{
    *out = (struct store_stats){
        .seq = s->state->seq,
        .durable_seq = s->durable_seq,
        .book_seq = recorder_seq(&s->recorder),
        .batches = s->batcher.batch_count,
        .batch_changes = s->batcher.change_count,
        .batch_changes_max = s->batcher.change_max,
        .sync_ns_total = s->batcher.sync_ns_total,
        .sync_ns_max = s->batcher.sync_ns_max,
        .journal_bytes = log_bytes(s->log),
        .confirmed_total = s->state->totals.confirmed,
        .expired_total = s->state->totals.expired,
        .released_total = s->state->totals.released,
        .held_total = s->state->totals.held,
        .refunds_open = ledger_open(s->state),
        .discrepancies = ledger_discrepancies(s->state),
        .clock_offset_ms = clock_offset_ms(&s->clock),
        .condition = engine_condition(&s->engine),
        .pinned_ms = recorder_pinned_ms(&s->recorder),
        .shared = s->shared != NULL,
        .epoch = state_epoch(s->state),
        .lag_ms = store_lag_ms(s),
    };
    ASSERT(local_on_loop(s) && out->durable_seq <= out->seq && out->book_seq <= out->seq);
    out->pinned =
        out->pinned_ms && (out->condition == ENGINE_FULL || out->journal_bytes > s->options.journal_max);
    _Static_assert(sizeof(out->reservations) == sizeof(s->state->by_status), "one count for each status");
    memcpy(out->reservations, s->state->by_status, sizeof(out->reservations));
}

uint64_t store_patience_ns(const struct store *s)
{
    return s->shared ? ANSWER_PATIENCE_NS : UINT64_MAX;
}

bool store_may_answer(const struct store *s)
{
    if (!s->shared)
        return true;
    return store_decides(s) ? lease_holds(&s->shared->lease) : store_lag_ms(s) <= STORE_LAG_MAX_MS;
}

uint64_t store_lag_ms(const struct store *s)
{
    /* The mutex of the reading thread is all that it touches. */
    return store_decides(s) ? 0 : follow_lag_ms(&((struct store *)s)->following.follow);
}

uint64_t store_oldest_seq(struct store *s)
{
    return s->log->ops->oldest_seq(s->log);
}
