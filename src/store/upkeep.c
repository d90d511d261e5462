/* SPDX-License-Identifier: Apache-2.0 */
#include "store/upkeep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/assertion.h"
#include "base/logging.h"
#include "base/time/clock.h"
#include "cluster/nodes.h"
#include "cluster/trim.h"
#include "log/log_pg.h"
#include "log/pg.h"
#include "store/fatal_exit.h"
#include "store/snapshot_book.h"

#define TICK_MS 1000
#define REGULAR_MS 10000
#define STATEMENT_LIMIT_MS 30000
#define NICE 10

static uint64_t monotonic_ms(void)
{
    return clock_monotonic_ns() / 1000000;
}

static bool stopping(void *ctx)
{
    struct upkeep *u = ctx;
    pthread_mutex_lock(&u->mutex);
    bool stop = u->stop;
    pthread_mutex_unlock(&u->mutex);
    return stop;
}

/* Of two processes with one id, each would count as what the other one writes: the log would be trimmed, and an erasure
 * reported as done, by one book for both. The one that has had the row to itself for NODE_WATCH_MS stays. */
static void judge_row(struct upkeep *u, int64_t seen_us, int64_t before_us)
{
    bool changed = u->written_us && before_us != u->written_us;
    u->alone = u->written_us && !changed ? u->alone + 1 : u->alone;
    u->written_us = seen_us;
    if (!changed)
        return;
    struct status fault = status_make(STATUS_INVALID, "--node: another running node has the id \"%.100s\"", u->shared->options.node);
    if (u->alone * TICK_MS < NODE_WATCH_MS)
        fatal_exit("the id of this node is in use; ending the process", &fault);
    log_error("another process writes the row of this node", {"fault", LOG_STR(fault.text)});
}

static struct status write_row(struct upkeep *u)
{
    const struct store_shared *o = &u->shared->options;
    int64_t seen_us, before_us;
    struct status fault = node_write(u->pg, u->shared->site.shard,
                                     &(struct node){.id = o->node,
                                                    .url = o->advertise ? o->advertise : "",
                                                    .version = o->version ? o->version : "",
                                                    .book = recorder_seq(u->recorder),
                                                    .clean = recorder_clean(u->recorder)},
                                     &seen_us, &before_us);
    if (status_ok(&fault))
        judge_row(u, seen_us, before_us);
    else
        u->written_us = 0; /* it may have been written all the same */
    return fault;
}

/* ---- Snapshots ---- */

static bool snapshot_due(const struct upkeep *u)
{
    const struct store_shared *o = &u->shared->options;
    uint64_t limit = o->snapshot_bytes ? o->snapshot_bytes : UPKEEP_SNAPSHOT_BYTES;
    uint64_t pause_ms = o->snapshot_ms ? o->snapshot_ms : UPKEEP_SNAPSHOT_MS;
    uint64_t erased = recorder_last_erased(u->recorder);
    if (u->made_ms && monotonic_ms() - u->made_ms < pause_ms)
        return false;
    return (erased > u->newest.seq && recorder_clean(u->recorder) >= erased) ||
           u->log->ops->exceeds(u->log, u->newest.seq, limit);
}

static struct status make_snapshot(struct upkeep *u)
{
    struct snapshot made;
    struct snapshot_target to = {
        .pg = u->pg, .shard = u->shared->site.shard, .part_size = SNAPSHOT_PART_SIZE, .stop = stopping, .ctx = u};
    memcpy(to.site, u->shared->site.id, sizeof(to.site));
    u->made_ms = monotonic_ms();
    struct status fault = snapshot_book_make(u->book, u->copy, &made);
    if (status_ok(&fault))
        fault = snapshot_put(&to, u->copy, &made);
    snapshot_book_remove(u->copy);
    if (!status_ok(&fault))
        return fault;
    u->newest = made;
    log_info("made a snapshot", {"seq", LOG_INT(made.seq)}, {"parts", LOG_INT(made.parts)},
             {"ms", LOG_INT(monotonic_ms() - u->made_ms)});
    return fault;
}

static struct status snapshot_if_ours(struct upkeep *u)
{
    bool ours = false;
    int32_t shard = u->shared->site.shard;
    struct status fault = snapshot_newest(u->pg, shard, &u->newest);
    if (status_ok(&fault) && snapshot_due(u))
        fault = node_makes_snapshots(u->pg, shard, u->shared->options.node, &ours);
    return status_ok(&fault) && ours ? make_snapshot(u) : fault;
}

/* ---- Trimming ---- */

static struct status trim(struct upkeep *u)
{
    struct trim_extent left;
    struct trim t = {.pg = u->pg,
                     .shard = u->shared->site.shard,
                     .erased = recorder_last_erased(u->recorder),
                     .stop = stopping,
                     .ctx = u};
    struct status fault = status_none();
    if (lease_owned(&u->shared->lease)) {
        memcpy(t.token, u->shared->lease.token, sizeof(t.token));
        t.epoch = u->shared->lease.epoch;
        fault = trim_run(&t);
        if (status_ok(&fault))
            fault = node_raise_format(u->pg, u->shared->site.shard);
    }
    if (status_ok(&fault))
        fault = trim_extent(u->pg, u->shared->site.shard, &left);
    if (status_ok(&fault))
        log_pg_set_oldest(u->log, left.oldest_seq);
    return fault;
}

/* ---- The rows of all nodes ---- */

static struct status read_nodes(struct upkeep *u)
{
    struct node_row *rows, *old;
    uint32_t count;
    struct status fault = node_list(u->pg, u->shared->site.shard, &rows, &count);
    if (!status_ok(&fault))
        return fault;
    pthread_mutex_lock(&u->mutex);
    old = u->nodes;
    u->nodes = rows;
    u->node_count = count;
    u->nodes_ns = clock_monotonic_ns();
    pthread_mutex_unlock(&u->mutex);
    free(old);
    return fault;
}

uint32_t upkeep_nodes(struct upkeep *u, struct node_row *out, uint32_t max)
{
    pthread_mutex_lock(&u->mutex);
    uint32_t count = u->node_count < max ? u->node_count : max;
    int64_t since_ms = (int64_t)((clock_monotonic_ns() - u->nodes_ns) / 1000000);
    if (count)
        memcpy(out, u->nodes, count * sizeof(*out));
    pthread_mutex_unlock(&u->mutex);
    for (uint32_t i = 0; i < count; i++)
        out[i].ago_ms += since_ms;
    return count;
}

/* ---- The thread ---- */

/* The row every second, because a node whose row does not change counts as stopped. The rest every ten seconds, and every
 * second while the name of an erased person may be left anywhere. */
static struct status keep(struct upkeep *u)
{
    struct status fault = write_row(u);
    if (!status_ok(&fault))
        return fault;
    bool erasing = recorder_last_erased(u->recorder) >= u->log->ops->oldest_seq(u->log);
    if (!erasing && !snapshot_due(u) && u->regular_ms && monotonic_ms() - u->regular_ms < REGULAR_MS)
        return status_none();
    u->regular_ms = monotonic_ms();
    fault = snapshot_if_ours(u);
    return status_ok(&fault) ? trim(u) : fault;
}

static bool wait_for_tick(struct upkeep *u)
{
    struct timespec until = clock_deadline(TICK_MS);
    pthread_mutex_lock(&u->mutex);
    while (!u->stop && pthread_cond_timedwait(&u->wake, &u->mutex, &until) == 0)
        ;
    bool go_on = !u->stop;
    pthread_mutex_unlock(&u->mutex);
    return go_on;
}

static void *upkeep_run(void *ctx)
{
    struct upkeep *u = ctx;
    setpriority(PRIO_PROCESS, (id_t)gettid(), NICE); /* requests come first; a refusal does no harm */
    u->pg = pg_make(&(struct pg_options){
        .url = u->shared->options.url, .name = "holdfast upkeep", .limit_ms = STATEMENT_LIMIT_MS});
    snapshot_book_remove(u->copy);
    do {
        struct status fault = keep(u);
        if (status_ok(&fault))
            fault = read_nodes(u);
        if (!status_ok(&fault) && !stopping(u))
            log_warn("upkeep of the site failed; trying again", {"fault", LOG_STR(fault.text)});
    } while (wait_for_tick(u));
    pg_release(u->pg);
    pthread_mutex_lock(&u->mutex);
    u->ended = true;
    pthread_cond_broadcast(&u->wake);
    pthread_mutex_unlock(&u->mutex);
    return NULL;
}

void upkeep_start(struct upkeep *u, const struct shared *shared, const struct folder *folder,
                  const struct recorder *recorder, struct log *log)
{
    *u = (struct upkeep){.shared = shared, .recorder = recorder, .log = log, .book = folder->book, .started = true};
    snprintf(u->copy, sizeof(u->copy), "%s.snapshot", folder->book);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&u->wake, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_mutex_init(&u->mutex, NULL);
    int failed = pthread_create(&u->thread, NULL, upkeep_run, u);
    ASSERT(!failed);
    pthread_setname_np(u->thread, "hf-upkeep");
}

bool upkeep_stop(struct upkeep *u, uint64_t limit_ms)
{
    if (!u->started)
        return true;
    struct timespec until = clock_deadline(limit_ms);
    pthread_mutex_lock(&u->mutex);
    u->stop = true;
    pthread_cond_broadcast(&u->wake);
    while (!u->ended)
        if (pthread_cond_timedwait(&u->wake, &u->mutex, &until))
            break;
    bool ended = u->ended;
    pthread_mutex_unlock(&u->mutex);
    if (!ended)
        return false;
    pthread_join(u->thread, NULL);
    free(u->nodes);
    u->nodes = NULL;
    u->node_count = 0;
    pthread_mutex_destroy(&u->mutex);
    pthread_cond_destroy(&u->wake);
    u->started = false;
    return true;
}
