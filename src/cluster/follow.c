/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/follow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/logging.h"
#include "base/memory/memory.h"
#include "base/time/clock.h"
#include "core/change.h"
#include "log/pg.h"

#define PAGE 16 /* rows of a poll, the first of which is known */
#define POLL_BUSY_MS 10
#define POLL_IDLE_MS 50
#define POLL_LIMIT_MS 4000
#define LOCK_MS 3000
#define WAITING_BYTES_MAX ((size_t)16 << 20) /* rows that the loop has not applied; then polls pause */

/* Bytes that are known, of the first row and of the one that is held back, are not sent again. */
static const char poll_sql[] =
    "SELECT " LEASE_COLUMNS ", g.first_seq, g.count, g.epoch, g.at_ms, g.chain, g.bytes"
    " FROM lease l JOIN fence f ON f.shard=l.shard LEFT JOIN LATERAL (SELECT first_seq, count, epoch, at_ms, chain,"
    " CASE WHEN first_seq=$3 OR (first_seq=$4 AND chain=$5) THEN NULL ELSE bytes END AS bytes"
    " FROM log WHERE shard=$1::int AND first_seq >= $3 ORDER BY first_seq LIMIT 16) g ON true"
    " WHERE l.shard=$1::int ORDER BY g.first_seq";
enum { FIRST_SEQ = LEASE_COLUMN_COUNT, COUNT, EPOCH, AT_MS, CHAIN, BYTES };

/* ---- The log was cut, or trimmed ---- */

static const char extent_sql[] = "SELECT min(first_seq), max(first_seq) FROM log WHERE shard=$1::int";
/* Only if a server that accepts writes shows it: a standby may merely be behind. */
static const char halt_sql[] =
    "UPDATE fence SET halted=coalesce(halted,$2) WHERE shard=$1::int AND NOT EXISTS"
    " (SELECT 1 FROM log WHERE shard=$1::int AND first_seq=$3 AND chain=$4) RETURNING 1";

/* The row that was passed on last is missing, or another. Returns if that was a false alarm. */
static void lose(struct follow *f)
{
    const struct follow_options *o = &f->options;
    const struct pg_value shard[] = {PG_INT(o->shard)};
    struct status fault;
    if (pg_run(f->pg, extent_sql, shard, 1) != PG_DONE || pg_rows_count(f->pg) != 1)
        return;
    bool empty = pg_null(f->pg, 0, 0);
    if (!empty && (uint64_t)pg_int(f->pg, 0, 0) > f->passed.first_seq) {
        fault = status_make(STATUS_BUSY, "the rows of the log after seq %llu were trimmed while this node was away; "
                                         "start it again, and it takes the snapshot",
                            (unsigned long long)f->passed.last_seq);
        o->fault(o->ctx, &fault);
        return;
    }
    char why[160];
    snprintf(why, sizeof(why), "node %.60s has a change with seq %llu that the log no longer has", o->lease->options.node,
             (unsigned long long)f->passed.last_seq);
    const struct pg_value values[] = {PG_INT(o->shard), PG_TEXT(why), PG_INT(f->passed.first_seq),
                                      PG_INT(f->passed.chain)};
    if (pg_run(f->pg, halt_sql, values, 4) != PG_DONE || pg_rows_count(f->pg) != 1)
        return;
    fault = status_make(STATUS_CORRUPT, "the log was halted: %s", why);
    o->fault(o->ctx, &fault);
}

/* ---- Rows ---- */

static void pass_on(struct follow *f, struct follow_row *r)
{
    ASSERT(r->batch.first_seq == f->passed.last_seq + 1); /* no row is left out, and none comes twice */
    r->next = NULL;
    f->passed = (struct log_pg_row){r->batch.first_seq, r->batch.first_seq + r->batch.count - 1, r->batch.chain};
    pthread_mutex_lock(&f->mutex);
    ASSERT(!f->first == !f->last);
    if (f->last)
        f->last->next = r;
    else
        f->first = r;
    f->last = r;
    f->bytes += r->batch.size;
    pthread_mutex_unlock(&f->mutex);
}

/* Row i of the answer, verified as the one after `before`; NULL: it does not follow it. */
static struct follow_row *follow_row_verified(struct follow *f, int i, const struct log_pg_row *before)
{
    struct log_batch batch = {.first_seq = (uint64_t)pg_int(f->pg, i, FIRST_SEQ),
                              .count = (uint32_t)pg_int(f->pg, i, COUNT),
                              .at_ms = pg_int(f->pg, i, AT_MS),
                              .chain = (uint32_t)pg_int(f->pg, i, CHAIN)};
    uint64_t epoch = (uint64_t)pg_int(f->pg, i, EPOCH);
    struct follow_row *held = f->held;
    f->held = NULL;
    if (pg_null(f->pg, i, BYTES)) {
        ASSERT(held && held->batch.first_seq == batch.first_seq && held->batch.chain == batch.chain);
        return held;
    }
    follow_row_release(held); /* another one was written in its place */
    batch.bytes = pg_bytes(f->pg, i, BYTES, &batch.size);
    bool follows = batch.first_seq == before->last_seq + 1 && log_pg_chain(before->chain, epoch, &batch) == batch.chain;
    struct follow_row *r = follows ? follow_row_make(&batch, epoch, f->complete_ns) : NULL;
    struct status fault = r ? follow_row_load(r, f->scratch) : status_none();
    if (!status_ok(&fault))
        f->options.fault(f->options.ctx, &fault);
    return r;
}

/* Whether the first row of the answer is the one that was passed on last, or, if that was trimmed, the one after it. */
static bool begins_here(const struct follow *f, bool *known)
{
    uint64_t first_seq = pg_null(f->pg, 0, FIRST_SEQ) ? 0 : (uint64_t)pg_int(f->pg, 0, FIRST_SEQ);
    *known = first_seq == f->passed.first_seq;
    return *known ? (uint32_t)pg_int(f->pg, 0, CHAIN) == f->passed.chain : first_seq == f->passed.last_seq + 1;
}

/* Passes on what is replicated; *passed says how many rows. False: the rows are not those after the ones before, as on a server
 * that is behind. */
static bool take_rows(struct follow *f, uint64_t durable_seq, int *passed)
{
    int count = pg_rows_count(f->pg);
    bool known = true;
    if (!begins_here(f, &known)) {
        lose(f);
        return false;
    }
    for (int i = known; i < count; i++) {
        struct log_pg_row before = f->passed;
        struct follow_row *r = follow_row_verified(f, i, &before);
        if (!r) {
            lose(f);
            return false;
        }
        uint64_t last_seq = r->batch.first_seq + r->batch.count - 1;
        if (i + 1 < count || last_seq <= durable_seq || f->decided) {
            pass_on(f, r);
            (*passed)++;
        } else {
            f->held = r;
        }
    }
    return true;
}

/* ---- Polls ---- */

struct polled {
    bool answered, complete, ours;
    int passed;
    struct lease_seen seen;
};

static bool owner_silent(struct follow *f, const struct lease_seen *seen)
{
    uint64_t now_ns = clock_monotonic_ns();
    if (!f->beat_ns || seen->epoch != f->beat_epoch || seen->beat != f->beat) {
        f->beat_epoch = seen->epoch;
        f->beat = seen->beat;
        f->beat_ns = now_ns;
    }
    return now_ns - f->beat_ns >= LEASE_ANSWER_MS * 1000000ull;
}

static void follow_publish(struct follow *f, const struct polled *p, uint64_t sent_ns)
{
    bool silent = owner_silent(f, &p->seen);
    const char *url = p->seen.own || p->seen.free || silent ? "" : p->seen.url;
    pthread_mutex_lock(&f->mutex);
    bool news = p->passed || strcmp(url, f->owner_url) != 0;
    f->answered_ns = sent_ns;
    if (p->complete)
        f->complete_ns = sent_ns;
    f->held_ns = f->held ? f->held->seen_ns : 0;
    snprintf(f->owner_url, sizeof(f->owner_url), "%s", url);
    pthread_mutex_unlock(&f->mutex);
    if (news)
        f->options.wake(f->options.ctx);
}

static void note_halted(struct follow *f, const struct lease_seen *seen)
{
    if (seen->halted && !f->halted)
        log_error("the log was halted: no node writes or takes over until `holdfast cluster adopt`",
                  {"why", LOG_STR(seen->why)});
    f->halted = seen->halted;
}

/* Another node has taken over since, because this one was slow to begin, or in its place, on a server that lost our takeover:
 * then the epoch is the same and the token is not. What was passed on is replicated all the same. */
static void follow_again(struct follow *f)
{
    log_warn("another node took over before this one began to decide; following it");
    f->decided = false;
}

static struct polled poll_once(struct follow *f)
{
    const struct follow_options *o = &f->options;
    struct polled p = {0};
    const struct pg_value values[] = {PG_INT(o->shard), PG_TEXT(o->lease->options.node), PG_INT(f->passed.first_seq),
                                      PG_INT(f->held ? f->held->batch.first_seq : 0),
                                      PG_INT(f->held ? f->held->batch.chain : 0)};
    uint64_t sent_ns = clock_monotonic_ns();
    int64_t sent_ms = clock_system.boot_ms(clock_system.owner);
    enum pg_outcome outcome = pg_run(f->pg, poll_sql, values, 5);
    p.answered = outcome == PG_DONE && pg_rows_count(f->pg) > 0;
    if (!p.answered) {
        if (outcome == PG_REFUSED)
            log_warn("cannot read the log; trying again", {"fault", LOG_STR(pg_fault(f->pg))});
        return p;
    }
    lease_read(o->lease, f->pg, sent_ms, &p.seen);
    note_halted(f, &p.seen);
    p.complete = pg_rows_count(f->pg) < PAGE;
    /* A server without our takeover may show an older end of the log. */
    p.ours = f->decided && lease_is_ours(o->lease, &p.seen);
    if (f->decided && !p.ours && p.seen.epoch >= o->lease->epoch)
        follow_again(f);
    if (f->decided && !p.ours)
        return p;
    p.answered = take_rows(f, p.seen.durable, &p.passed);
    if (p.answered)
        follow_publish(f, &p, sent_ns);
    else if (p.passed)
        o->wake(o->ctx);
    return p;
}

/* ---- The thread ---- */

/* Waits, and longer while there is much to apply. False: it must stop. */
static bool follow_wait(struct follow *f, uint64_t wait_ms)
{
    struct timespec until = clock_deadline(wait_ms);
    pthread_mutex_lock(&f->mutex);
    while (!f->stop && pthread_cond_timedwait(&f->changed, &f->mutex, &until) == 0)
        ;
    while (!f->stop && f->bytes > WAITING_BYTES_MAX)
        pthread_cond_wait(&f->changed, &f->mutex);
    bool go_on = !f->stop;
    pthread_mutex_unlock(&f->mutex);
    return go_on;
}

static bool all_applied(struct follow *f)
{
    pthread_mutex_lock(&f->mutex);
    bool empty = !f->first;
    pthread_mutex_unlock(&f->mutex);
    return empty;
}

static bool is_leaving(struct follow *f)
{
    pthread_mutex_lock(&f->mutex);
    bool leaving = f->leaving;
    pthread_mutex_unlock(&f->mutex);
    return leaving;
}

static void take_over(struct follow *f, const struct lease_seen *seen)
{
    struct status fault = lease_take(f->options.lease, f->taker, seen, &f->decided);
    if (!status_ok(&fault))
        log_warn("cannot take over the site; trying again", {"fault", LOG_STR(fault.text)});
}

/* True: this node owns the site, and all of the log was passed on and applied. */
static bool follow_step(struct follow *f, uint64_t *wait_ms)
{
    struct polled p = poll_once(f);
    if (f->decided)
        lease_keep(f->options.lease, f->taker);
    *wait_ms = p.passed || f->held || f->decided ? POLL_BUSY_MS : POLL_IDLE_MS;
    if (p.answered && !p.complete)
        *wait_ms = 0;
    if (!p.answered)
        lease_watch_anew(f->options.lease);
    if (!p.answered || !p.complete || p.passed || !all_applied(f))
        return false;
    if (f->decided)
        return p.ours && !f->held;
    bool due = lease_due(f->options.lease, &p.seen);
    if ((due || f->options.lease->undecided) && !is_leaving(f))
        take_over(f, &p.seen);
    return false;
}

static void *follow_run(void *ctx)
{
    struct follow *f = ctx;
    uint64_t wait_ms = 0;
    bool taken = false;
    f->scratch = memory_zeroed(1, sizeof(*f->scratch));
    f->pg = pg_make(&(struct pg_options){.url = f->options.url, .name = "holdfast follower", .limit_ms = POLL_LIMIT_MS});
    f->taker = pg_make(&(struct pg_options){
        .url = f->options.url, .name = "holdfast takeover", .limit_ms = POLL_LIMIT_MS, .lock_ms = LOCK_MS});
    while (!taken && follow_wait(f, wait_ms))
        taken = follow_step(f, &wait_ms);
    pg_release(f->pg);
    pg_release(f->taker);
    follow_row_release(f->held);
    free(f->scratch);
    pthread_mutex_lock(&f->mutex);
    f->taken = taken;
    f->ended = true;
    pthread_cond_broadcast(&f->changed);
    pthread_mutex_unlock(&f->mutex);
    if (taken)
        f->options.wake(f->options.ctx);
    return NULL;
}

void follow_start(struct follow *f, const struct follow_options *options)
{
    ASSERT(options->since_ns > 0 && options->since_ns <= clock_monotonic_ns());
    *f = (struct follow){.options = *options,
                         .passed = options->last,
                         .answered_ns = options->since_ns,
                         .complete_ns = options->since_ns,
                         .started = true};
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&f->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_mutex_init(&f->mutex, NULL);
    int failed = pthread_create(&f->thread, NULL, follow_run, f);
    ASSERT(!failed);
    pthread_setname_np(f->thread, "hf-follow");
}

void follow_leave(struct follow *f)
{
    if (!f->started)
        return;
    pthread_mutex_lock(&f->mutex);
    f->leaving = true;
    pthread_mutex_unlock(&f->mutex);
}

bool follow_stop(struct follow *f, uint64_t limit_ms)
{
    if (!f->started)
        return true;
    struct timespec until = clock_deadline(limit_ms);
    pthread_mutex_lock(&f->mutex);
    f->stop = true;
    pthread_cond_broadcast(&f->changed);
    while (!f->ended)
        if (pthread_cond_timedwait(&f->changed, &f->mutex, &until))
            break;
    bool ended = f->ended;
    pthread_mutex_unlock(&f->mutex);
    if (!ended)
        return false;
    pthread_join(f->thread, NULL);
    while (f->first) {
        struct follow_row *r = f->first;
        f->first = r->next;
        follow_row_release(r);
    }
    pthread_mutex_destroy(&f->mutex);
    pthread_cond_destroy(&f->changed);
    f->started = false;
    return true;
}

/* ---- The loop ---- */

struct follow_row *follow_first(struct follow *f)
{
    pthread_mutex_lock(&f->mutex);
    struct follow_row *r = f->first;
    pthread_mutex_unlock(&f->mutex);
    return r;
}

void follow_applied(struct follow *f)
{
    pthread_mutex_lock(&f->mutex);
    struct follow_row *r = f->first;
    ASSERT(r && f->bytes >= r->batch.size);
    f->first = r->next;
    if (!f->first)
        f->last = NULL;
    f->bytes -= r->batch.size;
    pthread_cond_signal(&f->changed);
    pthread_mutex_unlock(&f->mutex);
    follow_row_release(r);
}

bool follow_taken(struct follow *f)
{
    pthread_mutex_lock(&f->mutex);
    bool taken = f->taken;
    pthread_mutex_unlock(&f->mutex);
    return taken;
}

void follow_owner_url(struct follow *f, char out[LEASE_URL_SIZE])
{
    pthread_mutex_lock(&f->mutex);
    memcpy(out, f->owner_url, LEASE_URL_SIZE);
    pthread_mutex_unlock(&f->mutex);
}

uint64_t follow_lag_ms(struct follow *f)
{
    pthread_mutex_lock(&f->mutex);
    uint64_t since_ns = f->first       ? f->first->seen_ns
                        : f->held_ns   ? f->held_ns
                        : f->answered_ns > f->complete_ns ? f->complete_ns /* there are rows that no poll has shown */
                                                          : f->answered_ns;
    pthread_mutex_unlock(&f->mutex);
    uint64_t now_ns = clock_monotonic_ns();
    return now_ns > since_ns ? (now_ns - since_ns) / 1000000 : 0;
}
