/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/new_site.h"

#include <string.h>

#include "base/assertion.h"
#include "base/crypto/random.h"
#include "base/memory/buf.h"
#include "cluster/first_row.h"
#include "log/pg.h"

#define FIRST_SIZE_MAX 1024
#define MOVING "holdfast migrate has begun and not finished; run it again"

/* ---- Beginning ---- */

/* Of two at the same time one fails: both would take the same number. */
static const char create_sql[] =
    "WITH s AS (INSERT INTO site SELECT "
    "coalesce(max(shard),0)+1,$1,gen_random_uuid(),$2::int,$3,current_database() FROM site"
    " HAVING NOT EXISTS (SELECT 1 FROM site WHERE name=$1) RETURNING shard),"
    "f AS (INSERT INTO fence SELECT shard,0,$4,$5 FROM s)"
    "INSERT INTO lease SELECT shard,0,NULL,NULL,0,0 FROM s";
/* A site that was begun and not completed; no node owns it. */
static const char take_sql[] =
    "UPDATE fence f SET token=$2 FROM site s WHERE s.name=$1 AND f.shard=s.shard AND f.epoch=0"
    " AND f.halted=$3 RETURNING f.shard, s.id";
static const char prints_sql[] = "UPDATE site SET prints=$2, format=$3::int WHERE shard=$1::int";

static struct status take(struct new_site *n, const struct cluster_site_options *o)
{
    const struct pg_value values[] = {PG_TEXT(o->name), PG_ID(n->token), PG_TEXT(MOVING)};
    size_t size;
    if (pg_run_repeated(n->pg, take_sql, values, 3) != PG_DONE)
        return pg_fault_status(n->pg);
    if (pg_rows_count(n->pg) != 1)
        return status_make(STATUS_INVALID, "the database has a site \"%s\" already; choose another --site",
                           o->name);
    n->site.shard = (int32_t)pg_int(n->pg, 0, 0);
    const uint8_t *id = pg_bytes(n->pg, 0, 1, &size);
    ASSERT(size == sizeof(n->site.id));
    memcpy(n->site.id, id, size);
    const struct pg_value prints[] = {PG_INT(n->site.shard), PG_BYTES(o->prints, SITE_PRINTS_SIZE),
                                      PG_INT(SITE_FORMAT)};
    return pg_run_repeated(n->pg, prints_sql, prints, 3) == PG_DONE ? status_none() : pg_fault_status(n->pg);
}

struct status new_site_begin(struct new_site *n, struct pg *pg, const struct cluster_site_options *o)
{
    *n = (struct new_site){.pg = pg};
    struct status fault = cluster_site_server_check(pg, o, &n->now_ms);
    if (!status_ok(&fault))
        return fault;
    random_bytes(n->token, sizeof(n->token));
    const struct pg_value values[] = {PG_TEXT(o->name), PG_INT(SITE_FORMAT),
                                      PG_BYTES(o->prints, SITE_PRINTS_SIZE), PG_ID(n->token),
                                      PG_TEXT(MOVING)};
    if (pg_script(pg, cluster_site_tables) != PG_DONE ||
        pg_run_repeated(pg, create_sql, values, 5) != PG_DONE)
        return pg_fault_status(pg);
    return take(n, o);
}

/* ---- The end ---- */

/* All or nothing: without the row of the log, the division by zero undoes the statement. */
static const char end_sql[] =
    "WITH f AS (UPDATE fence SET epoch=$3, halted=NULL WHERE shard=$1::int AND token=$2 AND epoch=0 "
    "RETURNING 1),"
    "l AS (UPDATE lease SET epoch=$3, durable=$5+1 WHERE shard=$1::int AND EXISTS (SELECT 1 FROM f)),"
    "k AS (DELETE FROM snapshot WHERE shard=$1::int AND seq=$5 AND part=-1 AND bytes=$4 AND EXISTS (SELECT 1 "
    "FROM f) RETURNING 1),"
    "d AS (INSERT INTO snapshot_done SELECT $1::int,$5,$6::int,$7,$8 FROM k),"
    "p AS (DELETE FROM snapshot WHERE shard=$1::int AND seq<>$5 AND EXISTS (SELECT 1 FROM k)),"
    "r AS (INSERT INTO log SELECT $1::int,$5+1,1,$3,$9,$10,$11 FROM k RETURNING 1),"
    "n AS (SELECT count(*) r FROM r)"
    "SELECT CASE WHEN r=1 THEN 1 ELSE 1/(r-r) END FROM n";
#define NOT_AS_BEFORE "22012" /* division by zero */

/* After its answer was lost: decides whether it was committed and is replicated. */
static const char ended_sql[] =
    "UPDATE fence SET epoch=epoch WHERE shard=$1::int AND token=$2 AND epoch>0 RETURNING 1";

struct status new_site_end(struct new_site *n, const struct snapshot *s, uint64_t epoch, int64_t at_ms)
{
    struct buf bytes;
    buf_init(&bytes, FIRST_SIZE_MAX);
    uint32_t chain = first_row_write(
        &(struct first_row){
            .seq = s->seq + 1, .epoch = epoch, .before = s->chain, .at_ms = at_ms, .node = "migrate"},
        &bytes);
    const struct pg_value values[] = {PG_INT(n->site.shard),
                                      PG_ID(n->token),
                                      PG_INT(epoch),
                                      PG_BYTES(s->token, sizeof(s->token)),
                                      PG_INT(s->seq),
                                      PG_INT(s->parts),
                                      PG_INT(s->chain),
                                      PG_BYTES(s->digest, sizeof(s->digest)),
                                      PG_INT(at_ms),
                                      PG_INT(chain),
                                      PG_BYTES(bytes.data, bytes.size)};
    enum pg_outcome outcome = pg_run(n->pg, end_sql, values, sizeof(values) / sizeof(values[0]));
    bool done = outcome == PG_DONE;
    if (outcome == PG_UNDECIDED) {
        outcome = pg_run_repeated(n->pg, ended_sql, values, 2);
        done = outcome == PG_DONE && pg_rows_count(n->pg) == 1;
    }
    buf_release(&bytes);
    if (done)
        return status_none();
    if (outcome == PG_DONE)
        return status_make(STATUS_IO, "the database did not decide the last statement; run migrate again");
    return strcmp(pg_state(n->pg), NOT_AS_BEFORE) == 0
               ? status_make(STATUS_BUSY, "another migrate is writing this site")
               : pg_fault_status(n->pg);
}
