/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/trim.h"

#include "base/assertion.h"
#include "log/pg.h"

#define LOG_SLICE 256
#define PARTS_SLICE 8

#define GUARD                                                                                                \
    "WITH s AS (SELECT 1 FROM fence WHERE shard=$1::int AND epoch=$2 AND token=$3 AND halted IS NULL FOR SHARE)"

/* LEAST ignores NULL. Without nodes no row is needed; without a snapshot every row is. */
static const char log_sql[] =
    GUARD ", b AS (SELECT max(d.seq) AS done, LEAST(max(d.seq), (SELECT min(coalesce(book,0)) FROM node WHERE"
          " shard=$1::int AND seen > clock_timestamp() - interval '10 minutes')) AS upto"
          " FROM snapshot_done d WHERE d.shard=$1::int)"
          "DELETE FROM log WHERE shard=$1::int AND EXISTS (SELECT 1 FROM s) AND first_seq IN"
          " (SELECT first_seq FROM log WHERE shard=$1::int AND first_seq <= (SELECT upto FROM b WHERE done IS NOT NULL)"
          " AND first_seq+count-1 <= (SELECT upto FROM b)"
          " AND first_seq < (SELECT max(first_seq) FROM log WHERE shard=$1::int) ORDER BY first_seq LIMIT $4)"
          " RETURNING 1";
static const char done_sql[] =
    GUARD "DELETE FROM snapshot_done WHERE shard=$1::int AND EXISTS (SELECT 1 FROM s)"
          " AND seq < (SELECT max(seq) FROM snapshot_done WHERE shard=$1::int) AND (seq < $4 OR seq <"
          " (SELECT seq FROM snapshot_done WHERE shard=$1::int ORDER BY seq DESC OFFSET 1 LIMIT 1)) RETURNING 1";
/* Not listed in snapshot_done, so no node starts reading them. */
static const char parts_sql[] =
    GUARD "DELETE FROM snapshot WHERE shard=$1::int AND EXISTS (SELECT 1 FROM s) AND (seq, part) IN"
          " (SELECT p.seq, p.part FROM snapshot p WHERE p.shard=$1::int"
          " AND p.seq < (SELECT max(seq) FROM snapshot_done WHERE shard=$1::int)"
          " AND NOT EXISTS (SELECT 1 FROM snapshot_done d WHERE d.shard=$1::int AND d.seq=p.seq) LIMIT $4)"
          " RETURNING 1";

static struct status slices(const struct trim *t, const char *sql, int64_t limit, bool whole)
{
    const struct pg_value values[] = {PG_INT(t->shard), PG_INT(t->epoch), PG_ID(t->token), PG_INT(limit)};
    int deleted;
    do {
        if (t->stop && t->stop(t->ctx))
            return status_none();
        if (pg_run(t->pg, sql, values, 4) != PG_DONE)
            return status_make(STATUS_IO, "cannot trim the log: %.150s", pg_fault(t->pg));
        deleted = pg_rows_count(t->pg);
        ASSERT(whole || deleted <= limit);
    } while (!whole && deleted >= limit);
    return status_none();
}

struct status trim_run(const struct trim *t)
{
    ASSERT(t->epoch > 0 && t->erased <= INT64_MAX);
    struct status fault = slices(t, done_sql, (int64_t)t->erased, true);
    if (status_ok(&fault))
        fault = slices(t, parts_sql, PARTS_SLICE, false);
    return status_ok(&fault) ? slices(t, log_sql, LOG_SLICE, false) : fault;
}

struct status trim_extent(struct pg *pg, int32_t shard, struct trim_extent *out)
{
    static const char sql[] =
        "SELECT (SELECT min(first_seq) FROM log WHERE shard=$1::int),"
        " (SELECT first_seq+count-1 FROM log WHERE shard=$1::int ORDER BY first_seq DESC LIMIT 1),"
        " LEAST((SELECT min(first_seq) FROM log WHERE shard=$1::int),"
        " (SELECT min(seq)+1 FROM snapshot WHERE shard=$1::int), (SELECT min(seq)+1 FROM snapshot_done WHERE shard=$1::int),"
        " (SELECT min(coalesce(clean,0))+1 FROM node WHERE shard=$1::int))";
    const struct pg_value values[] = {PG_INT(shard)};
    if (pg_run(pg, sql, values, 1) != PG_DONE)
        return status_make(STATUS_IO, "cannot look at the log: %.150s", pg_fault(pg));
    if (pg_null(pg, 0, 0))
        return status_make(STATUS_CORRUPT, "the log in the database is empty");
    *out = (struct trim_extent){.first_seq = (uint64_t)pg_int(pg, 0, 0),
                                .last_seq = (uint64_t)pg_int(pg, 0, 1),
                                .oldest_seq = (uint64_t)pg_int(pg, 0, 2)};
    ASSERT(out->first_seq >= 1 && out->first_seq <= out->last_seq);
    ASSERT(out->oldest_seq >= 1 && out->oldest_seq <= out->first_seq);
    return status_none();
}
