/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/lease.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/assertion.h"
#include "base/crypto/random.h"
#include "base/logging.h"
#include "base/time/clock.h"
#include "log/pg.h"

#define LEASE_NAME "holdfast lease %d"
#define LOOK_MS 200            /* between two tries while the server does not answer */
#define ANSWER_LIMIT_MS 30000  /* the server does not answer at start */
#define RENEW_LIMIT_MS 4000

static int64_t boot_ms(void)
{
    return clock_system.boot_ms(clock_system.owner);
}

static uint64_t boot_ns(void)
{
    return (uint64_t)boot_ms() * 1000000;
}

/* The database read its clock at some instant between sent_ms and now. As long as that fits what is known, nothing moves:
 * slow answers do not make the clock jump. */
static void learn_time(struct lease *l, int64_t database_ms, int64_t sent_ms)
{
    int64_t least = database_ms - boot_ms(), most = database_ms - sent_ms, known = atomic_load(&l->ahead_ms);
    ASSERT(least <= most); /* asked before it was answered */
    atomic_store(&l->ahead_ms, known < least ? least : known > most ? most : known);
}

static void sleep_ms(uint32_t ms)
{
    struct timespec left = {.tv_sec = ms / 1000, .tv_nsec = (ms % 1000) * 1000000L};
    while (nanosleep(&left, &left) != 0)
        ;
}

/* ---- The token of this node's last epoch ---- */

static bool token_remembered(const char *path, const uint8_t *token)
{
    uint8_t there[LOG_PG_TOKEN_SIZE];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool same = fd >= 0 && read(fd, there, sizeof(there)) == sizeof(there) &&
                memcmp(there, token, sizeof(there)) == 0;
    if (fd >= 0)
        close(fd);
    return same;
}

/* Only a hint, which saves a wait of five seconds: a crash may lose it. */
static void token_remember(const char *path, const uint8_t *token)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, token, LOG_PG_TOKEN_SIZE) != LOG_PG_TOKEN_SIZE)
        log_warn("cannot remember the token of this epoch", {"path", LOG_STR(path)});
    if (fd >= 0)
        close(fd);
}

/* ---- Looking ---- */

static const char look_sql[] =
    "SELECT " LEASE_COLUMNS " FROM lease l JOIN fence f ON f.shard=l.shard WHERE l.shard=$1::int";
enum { EPOCH, BEAT, FREE, OWN, TOKEN, WHY, HALTED, NOW_MS, DURABLE, URL };
_Static_assert(URL + 1 == LEASE_COLUMN_COUNT, "a name for each of LEASE_COLUMNS");

void lease_init(struct lease *l, const struct lease_options *options)
{
    ASSERT(options->node && options->node[0] && options->token_path && options->shard >= 1);
    *l = (struct lease){.options = *options};
    snprintf(l->name, sizeof(l->name), LEASE_NAME, options->shard);
    atomic_init(&l->ahead_ms, INT64_MAX); /* unknown: the first answer brings it down */
}

void lease_read(struct lease *l, const struct pg *pg, int64_t sent_ms, struct lease_seen *out)
{
    size_t size;
    const uint8_t *token = pg_bytes(pg, 0, TOKEN, &size);
    ASSERT(size == LOG_PG_TOKEN_SIZE);
    learn_time(l, pg_int(pg, 0, NOW_MS), sent_ms);
    *out = (struct lease_seen){.epoch = (uint64_t)pg_int(pg, 0, EPOCH),
                               .durable = (uint64_t)pg_int(pg, 0, DURABLE),
                               .beat = pg_int(pg, 0, BEAT),
                               .own = pg_int(pg, 0, OWN) == 1,
                               .halted = pg_int(pg, 0, HALTED) == 1};
    memcpy(out->token, token, size);
    out->free = pg_int(pg, 0, FREE) == 1 || (out->own && token_remembered(l->options.token_path, token));
    snprintf(out->url, sizeof(out->url), "%s", (const char *)pg_bytes(pg, 0, URL, &size));
    snprintf(out->why, sizeof(out->why), "%.150s", (const char *)pg_bytes(pg, 0, WHY, &size));
}

struct status lease_look(struct lease *l, struct pg *pg, struct lease_seen *out)
{
    const struct pg_value values[] = {PG_INT(l->options.shard), PG_TEXT(l->options.node)};
    uint64_t began_ns = clock_monotonic_ns();
    int64_t sent_ms = boot_ms();
    enum pg_outcome outcome;
    while ((outcome = pg_run(pg, look_sql, values, 2)) == PG_UNDECIDED || outcome == PG_FULL) {
        if (clock_monotonic_ns() - began_ns > ANSWER_LIMIT_MS * 1000000ull)
            return status_make(STATUS_IO, "--store: %s", pg_fault(pg));
        sleep_ms(LOOK_MS);
        sent_ms = boot_ms();
    }
    if (outcome != PG_DONE || pg_rows_count(pg) != 1)
        return status_make(pg_lacks_set_up(pg) ? STATUS_INVALID : STATUS_CORRUPT, "cannot read the lease of the site: %s",
                           pg_fault(pg));
    lease_read(l, pg, sent_ms, out);
    return status_none();
}

/* The time before the first look does not count: the beat must stay the same from that look on. */
bool lease_due(struct lease *l, const struct lease_seen *seen)
{
    bool same = l->watched && seen->epoch == l->watched_epoch && seen->beat == l->watched_beat &&
                memcmp(seen->token, l->watched_token, sizeof(seen->token)) == 0;
    if (!same) {
        l->watched = true;
        memcpy(l->watched_token, seen->token, sizeof(seen->token));
        l->watched_epoch = seen->epoch;
        l->watched_beat = seen->beat;
        l->since_ns = boot_ns();
        l->patience_ns = (LEASE_TAKE_MS + random_u64() % LEASE_RANDOM_MS) * 1000000ull;
    }
    return !seen->halted && (seen->free || boot_ns() - l->since_ns >= l->patience_ns);
}

void lease_watch_anew(struct lease *l)
{
    l->watched = false;
}

bool lease_is_ours(const struct lease *l, const struct lease_seen *seen)
{
    return l->epoch && seen->epoch == l->epoch && memcmp(seen->token, l->token, sizeof(seen->token)) == 0;
}

/* A row that is followed by another was replicated before that one was sent, because one write is in flight at a time. */
static const char replicated_sql[] =
    "SELECT least(greatest(coalesce((SELECT max(first_seq)-1 FROM log WHERE shard=$1::int),0), l.durable),"
    " (SELECT first_seq+count-1 FROM log WHERE shard=$1::int ORDER BY first_seq DESC LIMIT 1))"
    " FROM lease l WHERE l.shard=$1::int";

struct status lease_replicated(struct pg *pg, int32_t shard, uint64_t *upto_seq)
{
    const struct pg_value values[] = {PG_INT(shard)};
    if (pg_run(pg, replicated_sql, values, 1) != PG_DONE || pg_rows_count(pg) != 1 || pg_null(pg, 0, 0))
        return status_make(STATUS_IO, "cannot read the lease of the site: %s", pg_fault(pg));
    *upto_seq = (uint64_t)pg_int(pg, 0, 0);
    return status_none();
}

/* ---- Taking over ---- */

/* After a failover that lost rows, the durable seq that the earlier owner wrote may be beyond the end of this log: then it
 * becomes that end.
 *
 * Both rows or none, and the lease first. It waits for a write of the log that is under way; whatever the earlier owner wrote
 * lies before this commit, and nothing of its epoch comes after it. */
static const char take_sql[] =
    "WITH l AS (UPDATE lease SET epoch=epoch+1, owner=$3, url=$4, beat=0, durable=least(durable,(SELECT first_seq+count-1"
    " FROM log WHERE shard=$1::int ORDER BY first_seq DESC LIMIT 1)) WHERE shard=$1::int AND epoch=$2 AND beat=$6"
    " RETURNING 1),"
    "f AS (UPDATE fence SET epoch=$2+1, token=$5 WHERE shard=$1::int AND halted IS NULL AND (SELECT count(*) FROM l)=1"
    " RETURNING 1)"
    "SELECT n.l, CASE WHEN n.l=n.f THEN 1 ELSE 1/(n.l-n.l) END"
    " FROM (SELECT (SELECT count(*) FROM l) l, (SELECT count(*) FROM f) f) n";
/* After its answer was lost: decides whether it was committed and is replicated. */
static const char taken_sql[] = "UPDATE fence SET token=token WHERE shard=$1::int AND epoch=$2 AND token=$3 RETURNING 1";

/* Ends backends of the previous owner that still hold locks. Once this node owns the site they cannot write, and what
 * they have written lies before that. Those that wait for the standby stay: the takeover would wait for it as well, and what
 * they have written would become visible before it is replicated. */
static const char end_sql[] =
    "SELECT pg_terminate_backend(pid)::int FROM pg_stat_activity WHERE datname=current_database()"
    " AND application_name IN ($1,$2) AND state<>'idle' AND wait_event IS DISTINCT FROM 'SyncRep'";
#define LOCK_TIMEOUT "55P03"
#define LOCKED_OUT_MAX 2

static void note_lock(struct lease *l, struct pg *pg)
{
    char writer[48];
    if (strcmp(pg_state(pg), LOCK_TIMEOUT) != 0 || ++l->locked_out < LOCKED_OUT_MAX)
        return;
    snprintf(writer, sizeof(writer), LOG_PG_WRITER_NAME, l->options.shard);
    const struct pg_value values[] = {PG_TEXT(writer), PG_TEXT(l->name)};
    if (pg_run(pg, end_sql, values, 2) != PG_DONE)
        log_warn("cannot end connections of the previous owner, which holds locks", {"fault", LOG_STR(pg_fault(pg))});
    else if (pg_rows_count(pg))
        log_warn("ended connections of the previous owner, which held locks", {"connections", LOG_INT(pg_rows_count(pg))});
    l->locked_out = 0;
}

static enum pg_outcome begin_take(struct lease *l, struct pg *pg, const struct lease_seen *seen, bool *taken)
{
    ASSERT(seen->epoch >= 1); /* set-up wrote 1 */
    random_bytes(l->token, sizeof(l->token));
    token_remember(l->options.token_path, l->token);
    const struct pg_value values[] = {
        PG_INT(l->options.shard), PG_INT(seen->epoch),
        PG_TEXT(l->options.node), PG_TEXT(l->options.advertise ? l->options.advertise : ""),
        PG_ID(l->token),          PG_INT(seen->beat)};
    l->taking_epoch = seen->epoch + 1;
    l->taking_ns = boot_ns();
    enum pg_outcome outcome = pg_run(pg, take_sql, values, 6);
    *taken = outcome == PG_DONE && pg_int(pg, 0, 0) == 1;
    note_lock(l, pg);
    return outcome;
}

static enum pg_outcome decide_take(struct lease *l, struct pg *pg, bool *taken)
{
    const struct pg_value mine[] = {PG_INT(l->options.shard), PG_INT(l->taking_epoch), PG_ID(l->token)};
    enum pg_outcome outcome = pg_run(pg, taken_sql, mine, 3);
    *taken = outcome == PG_DONE && pg_rows_count(pg) == 1;
    return outcome;
}

struct status lease_take(struct lease *l, struct pg *pg, const struct lease_seen *seen, bool *taken)
{
    enum pg_outcome outcome = l->undecided ? decide_take(l, pg, taken) : begin_take(l, pg, seen, taken);
    l->undecided = outcome == PG_UNDECIDED || outcome == PG_FULL;
    if (outcome == PG_REFUSED && strcmp(pg_state(pg), "22012") != 0) /* 22012: halted in this instant */
        return status_make(pg_lacks_set_up(pg) ? STATUS_INVALID : STATUS_IO, "cannot take over the lease: %s", pg_fault(pg));
    if (!*taken)
        return status_none();
    l->epoch = l->taking_epoch;
    atomic_store(&l->sent_ns, l->taking_ns); /* of the statement whose effect others see, however late it is decided */
    ASSERT(l->epoch > 1 && atomic_load(&l->ahead_ms) != INT64_MAX); /* set-up wrote epoch 1; the look, the time */
    log_info("took over the site", {"epoch", LOG_INT(l->epoch)});
    return status_none();
}

struct status lease_take_whole(struct lease *l, struct pg *pg, const struct lease_seen *seen, bool *taken)
{
    uint64_t began_ns = clock_monotonic_ns();
    struct status fault = lease_take(l, pg, seen, taken);
    while (status_ok(&fault) && l->undecided) {
        if (clock_monotonic_ns() - began_ns > ANSWER_LIMIT_MS * 1000000ull)
            return status_make(STATUS_IO, "--store: %s", pg_fault(pg));
        sleep_ms(LOOK_MS);
        fault = lease_take(l, pg, seen, taken);
    }
    return fault;
}

/* ---- Renewing ---- */

/* An epoch can come again after a failover that lost rows; the token of it cannot. */
#define MINE " WHERE shard=$1::int AND epoch=$2 AND EXISTS (SELECT 1 FROM fence WHERE shard=$1::int AND epoch=$2 AND token=$4)"
static const char renew_sql[] = "UPDATE lease SET beat=beat+1, durable=$3" MINE
                                " RETURNING (extract(epoch FROM clock_timestamp())*1000)::bigint";
/* Only repeats what is true, so this commit waits for no standby and no disk. */
static const char durable_sql[] = "UPDATE lease SET durable=$3" MINE " AND set_config('synchronous_commit','local',true)='local'";

static void renew(struct lease *l, struct pg *pg)
{
    uint64_t durable_seq = log_durable_seq(l->log);
    const struct pg_value values[] = {PG_INT(l->options.shard), PG_INT(l->epoch), PG_INT(durable_seq), PG_ID(l->token)};
    uint64_t sent_ns = boot_ns();
    if (pg_run(pg, renew_sql, values, 4) != PG_DONE)
        return;
    ASSERT(pg_rows_count(pg) <= 1);
    if (pg_rows_count(pg) == 0) {
        log_error("another node owns the site now; ending the process");
        _exit(status_exit_code(STATUS_BUSY));
    }
    l->written_seq = durable_seq;
    atomic_store(&l->sent_ns, sent_ns);
    learn_time(l, pg_int(pg, 0, 0), (int64_t)(sent_ns / 1000000));
}

/* Leaves out the log, which this node must not write yet. */
static const char keep_sql[] = "UPDATE lease SET beat=beat+1, durable=greatest(durable,$3)" MINE " RETURNING 1";

void lease_keep(struct lease *l, struct pg *pg)
{
    uint64_t sent_ns = boot_ns();
    if (sent_ns - atomic_load(&l->sent_ns) < LEASE_RENEW_MS * 1000000ull)
        return;
    const struct pg_value values[] = {PG_INT(l->options.shard), PG_INT(l->epoch), PG_INT(0), PG_ID(l->token)};
    if (pg_run(pg, keep_sql, values, 4) == PG_DONE && pg_rows_count(pg) == 1)
        atomic_store(&l->sent_ns, sent_ns);
}

/* Nothing was written since the last look, and the row does not say how far the log is durable. */
static void write_durable(struct lease *l, struct pg *pg)
{
    uint64_t before_seq = l->durable_seq;
    l->durable_seq = log_durable_seq(l->log);
    if (l->durable_seq != before_seq || l->durable_seq == l->written_seq)
        return;
    const struct pg_value values[] = {PG_INT(l->options.shard), PG_INT(l->epoch), PG_INT(l->durable_seq),
                                      PG_ID(l->token)};
    if (pg_run(pg, durable_sql, values, 4) == PG_DONE)
        l->written_seq = l->durable_seq;
}

/* False: it must stop. */
static bool lease_wait(struct lease *l, uint64_t wait_ms)
{
    struct timespec until = clock_deadline(wait_ms);
    pthread_mutex_lock(&l->mutex);
    while (!l->stop && pthread_cond_timedwait(&l->wake, &l->mutex, &until) == 0)
        ;
    bool go_on = !l->stop;
    pthread_mutex_unlock(&l->mutex);
    return go_on;
}

static void *lease_run(void *ctx)
{
    struct lease *l = ctx;
    struct pg *pg = pg_make(&(struct pg_options){
        .url = l->options.url, .name = l->name, .limit_ms = RENEW_LIMIT_MS, .lock_ms = RENEW_LIMIT_MS});
    uint64_t renewed_ns = 0;
    do {
        if (boot_ns() - renewed_ns >= LEASE_RENEW_MS * 1000000ull) {
            renewed_ns = boot_ns();
            renew(l, pg);
        } else {
            write_durable(l, pg);
        }
    } while (lease_wait(l, LEASE_DURABLE_MS));
    static const char back_sql[] = "UPDATE lease SET owner=NULL, url=NULL, durable=$3" MINE;
    const struct pg_value values[] = {PG_INT(l->options.shard), PG_INT(l->epoch), PG_INT(log_durable_seq(l->log)),
                                      PG_ID(l->token)};
    if (pg_run(pg, back_sql, values, 4) != PG_DONE)
        log_warn("could not give the lease back; another node must wait until it runs out");
    pg_release(pg);
    return NULL;
}

void lease_start(struct lease *l, const struct log *log)
{
    ASSERT(!l->running && l->epoch && log);
    l->log = log;
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&l->wake, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_mutex_init(&l->mutex, NULL);
    l->running = true;
    atomic_store_explicit(&l->owned, true, memory_order_release);
    int failed = pthread_create(&l->thread, NULL, lease_run, l);
    ASSERT(!failed);
    pthread_setname_np(l->thread, "hf-lease");
}

void lease_give_back(struct lease *l)
{
    if (!l->running)
        return;
    atomic_store_explicit(&l->owned, false, memory_order_release);
    pthread_mutex_lock(&l->mutex);
    l->stop = true;
    pthread_cond_signal(&l->wake);
    pthread_mutex_unlock(&l->mutex);
}

void lease_stop(struct lease *l)
{
    if (!l->running)
        return;
    lease_give_back(l);
    pthread_join(l->thread, NULL);
    pthread_mutex_destroy(&l->mutex);
    pthread_cond_destroy(&l->wake);
    l->running = false;
}

bool lease_holds(const struct lease *l)
{
    return lease_owned(l) && boot_ns() < atomic_load(&l->sent_ns) + LEASE_ANSWER_MS * 1000000ull;
}
