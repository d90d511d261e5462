/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/adopt.h"

#include <string.h>
#include <time.h>

#include "base/assertion.h"
#include "base/crypto/random.h"
#include "base/memory/buf.h"
#include "base/time/clock.h"
#include "cluster/first_row.h"
#include "cluster/lease.h"
#include "cluster/nodes.h"
#include "log/pg.h"

#define LOOK_MS 200
#define FIRST_SIZE_MAX 1024 /* of the first row */
#define ADOPTING "holdfast cluster adopt has begun and not finished; run it again"

static struct status busy(void)
{
    return status_make(STATUS_BUSY, "a node is running, or another adopt; stop all nodes of the site first");
}

/* ---- Beginning ---- */

static const char look_sql[] = "SELECT l.epoch, l.beat, (l.owner IS NOT NULL)::int, f.token, f.epoch, "
                               "(extract(epoch FROM clock_timestamp())*1000)::bigint"
                               " FROM lease l JOIN fence f ON f.shard=l.shard JOIN site s ON s.shard=l.shard "
                               "WHERE l.shard=$1::int AND s.id=$2";
enum { EPOCH, BEAT, OWNED, TOKEN, FENCE_EPOCH, NOW_MS };

static struct status look(struct adoption *a, bool *owned)
{
    const struct pg_value values[] = {PG_INT(a->shard), PG_ID(a->id)};
    size_t size;
    if (pg_run_repeated(a->pg, look_sql, values, 2) != PG_DONE)
        return pg_fault_status(a->pg);
    if (pg_rows_count(a->pg) != 1)
        return busy();
    a->epoch = (uint64_t)pg_int(a->pg, 0, EPOCH);
    a->beat = pg_int(a->pg, 0, BEAT);
    *owned = pg_int(a->pg, 0, OWNED) == 1;
    const uint8_t *token = pg_bytes(a->pg, 0, TOKEN, &size);
    ASSERT(size == sizeof(a->token));
    memcpy(a->token, token, size);
    a->now_ms = pg_int(a->pg, 0, NOW_MS);
    if (a->epoch != (uint64_t)pg_int(a->pg, 0, FENCE_EPOCH))
        return status_make(STATUS_CORRUPT, "the site's rows in lease and fence have different epochs");
    return status_none();
}

static void wait_ms(uint32_t ms)
{
    struct timespec left = {.tv_sec = ms / 1000, .tv_nsec = (ms % 1000) * 1000000L};
    while (nanosleep(&left, &left) != 0)
        ;
}

/* An owner renews its lease each second. */
static struct status watch_lease(struct adoption *a)
{
    bool owned;
    struct status fault = look(a, &owned);
    const struct adoption first = *a;
    uint64_t began_ns = clock_monotonic_ns();
    while (status_ok(&fault) && owned && clock_monotonic_ns() - began_ns < LEASE_TAKE_MS * 1000000ull) {
        wait_ms(LOOK_MS);
        fault = look(a, &owned);
        if (status_ok(&fault) && (a->epoch != first.epoch || a->beat != first.beat))
            fault = busy();
    }
    return fault;
}

struct status adoption_begin(struct adoption *a)
{
    struct status fault = watch_lease(a);
    return status_ok(&fault) ? node_watch(a->pg, a->shard, NULL) : fault;
}

/* ---- Halting ---- */

struct status adoption_halt(struct adoption *a, uint64_t last_seq, uint32_t last_chain)
{
    static const char halt_sql[] =
        "UPDATE fence SET halted=coalesce(halted,$3) WHERE shard=$1::int AND token=$2 RETURNING 1";
    /* A second statement: it sees every row that was written before the first one. */
    static const char end_sql[] =
        "SELECT first_seq+count-1, chain FROM log WHERE shard=$1::int ORDER BY first_seq DESC LIMIT 1";
    const struct pg_value values[] = {PG_INT(a->shard), PG_ID(a->token), PG_TEXT(ADOPTING)};
    if (pg_run_repeated(a->pg, halt_sql, values, 3) != PG_DONE)
        return pg_fault_status(a->pg);
    if (pg_rows_count(a->pg) != 1)
        return busy();
    if (pg_run_repeated(a->pg, end_sql, values, 1) != PG_DONE)
        return pg_fault_status(a->pg);
    bool same = pg_rows_count(a->pg) == 1 && (uint64_t)pg_int(a->pg, 0, 0) == last_seq &&
                (uint32_t)pg_int(a->pg, 0, 1) == last_chain;
    return same ? status_none() : busy();
}

/* ---- The end ---- */

/* All or nothing: without the row of the log, the division by zero undoes the statement. The locks in the order of a takeover,
 * and the site's row before the fence, as in halt.c. */
static const char end_sql[] =
    "WITH l AS (UPDATE lease SET epoch=$7, owner=NULL, url=NULL, beat=0, durable=$10+1 WHERE shard=$1::int "
    "AND epoch=$4 AND beat=$5"
    " RETURNING 1),"
    "s AS (UPDATE site SET id=$3 WHERE shard=$1::int AND id=$2 AND EXISTS (SELECT 1 FROM l) RETURNING 1),"
    "f AS (UPDATE fence SET epoch=$7, token=$8, halted=NULL WHERE shard=$1::int AND token=$6 AND EXISTS "
    "(SELECT 1 FROM s)"
    " RETURNING 1),"
    "k AS (DELETE FROM snapshot WHERE shard=$1::int AND seq=$10 AND part=-1 AND bytes=$9 AND EXISTS (SELECT "
    "1 FROM f) RETURNING 1),"
    "d AS (INSERT INTO snapshot_done SELECT $1::int,$10,$11::int,$12,$13 FROM k),"
    "o AS (DELETE FROM snapshot_done WHERE shard=$1::int AND seq<$10 AND EXISTS (SELECT 1 FROM k)),"
    "p AS (DELETE FROM snapshot WHERE shard=$1::int AND seq<$10 AND EXISTS (SELECT 1 FROM k)),"
    "x AS (DELETE FROM log WHERE shard=$1::int AND EXISTS (SELECT 1 FROM k)),"
    "r AS (INSERT INTO log SELECT $1::int,$10+1,1,$7,$14,$15,$16 FROM k RETURNING 1),"
    "n AS (SELECT count(*) r FROM r)"
    "SELECT CASE WHEN r=1 THEN 1 ELSE 1/(r-r) END FROM n";
#define NOT_AS_BEFORE "22012" /* division by zero */

/* After its answer was lost: decides whether it was committed and is replicated. */
static const char ended_sql[] = "UPDATE site SET id=id WHERE shard=$1::int AND id=$2 RETURNING 1";

struct status adoption_end(struct adoption *a, const uint8_t new_id[16], const struct snapshot *s,
                           int64_t at_ms)
{
    struct buf bytes;
    uint8_t token[LOG_PG_TOKEN_SIZE];
    uint64_t epoch = a->epoch + ADOPT_RAISE;
    random_bytes(token, sizeof(token));
    buf_init(&bytes, FIRST_SIZE_MAX);
    uint32_t chain = first_row_write(
        &(struct first_row){
            .seq = s->seq + 1, .epoch = epoch, .before = s->chain, .at_ms = at_ms, .node = "adopt"},
        &bytes);
    const struct pg_value values[] = {PG_INT(a->shard),
                                      PG_ID(a->id),
                                      PG_ID(new_id),
                                      PG_INT(a->epoch),
                                      PG_INT(a->beat),
                                      PG_ID(a->token),
                                      PG_INT(epoch),
                                      PG_ID(token),
                                      PG_BYTES(s->token, sizeof(s->token)),
                                      PG_INT(s->seq),
                                      PG_INT(s->parts),
                                      PG_INT(s->chain),
                                      PG_BYTES(s->digest, sizeof(s->digest)),
                                      PG_INT(at_ms),
                                      PG_INT(chain),
                                      PG_BYTES(bytes.data, bytes.size)};
    _Static_assert(sizeof(values) / sizeof(values[0]) <= PG_VALUES_MAX, "one statement");
    const struct pg_value mine[] = {PG_INT(a->shard), PG_ID(new_id)};
    enum pg_outcome outcome = pg_run(a->pg, end_sql, values, sizeof(values) / sizeof(values[0]));
    bool done = outcome == PG_DONE;
    if (outcome == PG_UNDECIDED) {
        outcome = pg_run_repeated(a->pg, ended_sql, mine, 2);
        done = outcome == PG_DONE && pg_rows_count(a->pg) == 1;
    }
    buf_release(&bytes);
    if (done)
        return status_none();
    if (outcome == PG_DONE || strcmp(pg_state(a->pg), NOT_AS_BEFORE) == 0)
        return outcome == PG_DONE
                   ? status_make(STATUS_IO, "the database did not decide the last statement; run adopt again")
                   : busy();
    return pg_fault_status(a->pg);
}
