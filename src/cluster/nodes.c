/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/nodes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "base/time/clock.h"
#include "cluster/cluster_site.h"
#include "log/pg.h"

#define LOOK_MS 200

static struct status node_fault(const struct pg *pg)
{
    return status_make(STATUS_IO, "cannot use the table of nodes: %.150s", pg_fault(pg));
}

struct status node_write(struct pg *pg, int32_t shard, const struct node *n, int64_t *seen_us, int64_t *before_us)
{
    /* The last column is read from before the statement. */
    static const char sql[] = "INSERT INTO node (shard,id,url,format,version,book,clean,seen) VALUES"
                              " ($1::int,$2,$3,$4::int,$5,$6,$7,clock_timestamp())"
                              " ON CONFLICT (shard, id) DO UPDATE SET url=EXCLUDED.url, "
                              "format=EXCLUDED.format, version=EXCLUDED.version,"
                              " book=EXCLUDED.book, clean=EXCLUDED.clean, seen=EXCLUDED.seen"
                              " RETURNING (extract(epoch FROM seen)*1000000)::bigint,"
                              " coalesce((SELECT (extract(epoch FROM o.seen)*1000000)::bigint FROM node o"
                              " WHERE o.shard=$1::int AND o.id=$2),0)";
    const struct pg_value values[] = {PG_INT(shard),       PG_TEXT(n->id),      PG_TEXT(n->url),
                                      PG_INT(SITE_FORMAT), PG_TEXT(n->version), PG_INT(n->book),
                                      PG_INT(n->clean)};
    ASSERT(n->id[0] && n->url && n->version);
    if (pg_run(pg, sql, values, 7) != PG_DONE)
        return node_fault(pg);
    ASSERT(pg_rows_count(pg) == 1);
    if (seen_us)
        *seen_us = pg_int(pg, 0, 0);
    if (before_us)
        *before_us = pg_int(pg, 0, 1);
    return status_none();
}

struct status node_find(struct pg *pg, int32_t shard, const char *id, bool *found, uint64_t *clean)
{
    static const char sql[] = "SELECT coalesce(clean,0) FROM node WHERE shard=$1::int AND id=$2";
    const struct pg_value values[] = {PG_INT(shard), PG_TEXT(id)};
    if (pg_run(pg, sql, values, 2) != PG_DONE)
        return node_fault(pg);
    ASSERT(pg_rows_count(pg) <= 1); /* by the primary key */
    *found = pg_rows_count(pg) == 1;
    *clean = *found ? (uint64_t)pg_int(pg, 0, 0) : 0;
    return status_none();
}

struct status node_makes_snapshots(struct pg *pg, int32_t shard, const char *id, bool *yes)
{
    static const char sql[] =
        "SELECT (coalesce((SELECT min(n.id) FROM node n JOIN lease l ON l.shard=n.shard WHERE n.shard=$1::int"
        " AND n.id IS DISTINCT FROM l.owner AND n.seen > clock_timestamp() - interval '1 minute'), $2) = "
        "$2)::int";
    const struct pg_value values[] = {PG_INT(shard), PG_TEXT(id)};
    if (pg_run(pg, sql, values, 2) != PG_DONE)
        return node_fault(pg);
    ASSERT(pg_rows_count(pg) == 1 && !pg_null(pg, 0, 0));
    *yes = pg_int(pg, 0, 0) == 1;
    return status_none();
}

/* ---- Looking at all of them ---- */

static const char list_sql[] =
    "SELECT n.id, coalesce(n.url,''), coalesce(n.version,''), n.format, coalesce(n.book,0), "
    "coalesce(n.clean,0),"
    " coalesce((extract(epoch FROM n.seen)*1000000)::bigint,0),"
    " coalesce((extract(epoch FROM clock_timestamp()-n.seen)*1000)::bigint,0), "
    "coalesce((n.id=l.owner)::int,0)"
    " FROM node n LEFT JOIN lease l ON l.shard=n.shard WHERE n.shard=$1::int ORDER BY n.id";
enum { ID, URL, VERSION, FORMAT, BOOK, CLEAN, SEEN, AGO, OWNER };

static void read_text(const struct pg *pg, int row, int column, char *out, size_t room)
{
    size_t size;
    snprintf(out, room, "%s", (const char *)pg_bytes(pg, row, column, &size));
}

struct status node_list(struct pg *pg, int32_t shard, struct node_row **rows, uint32_t *count)
{
    const struct pg_value values[] = {PG_INT(shard)};
    *rows = NULL;
    *count = 0;
    if (pg_run(pg, list_sql, values, 1) != PG_DONE)
        return node_fault(pg);
    *count = (uint32_t)pg_rows_count(pg);
    *rows = memory_zeroed(*count + 1u, sizeof(**rows));
    for (uint32_t i = 0; i < *count; i++) {
        struct node_row *n = &(*rows)[i];
        int row = (int)i;
        read_text(pg, row, ID, n->id, sizeof(n->id));
        read_text(pg, row, URL, n->url, sizeof(n->url));
        read_text(pg, row, VERSION, n->version, sizeof(n->version));
        n->format = (int32_t)pg_int(pg, row, FORMAT);
        n->book = (uint64_t)pg_int(pg, row, BOOK);
        n->clean = (uint64_t)pg_int(pg, row, CLEAN);
        n->seen_us = pg_int(pg, row, SEEN);
        n->ago_ms = pg_int(pg, row, AGO);
        n->owner = pg_int(pg, row, OWNER) == 1;
    }
    return status_none();
}

static const struct node_row *row_of(const struct node_row *rows, uint32_t count, const char *id)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(rows[i].id, id) == 0)
            return &rows[i];
    return NULL;
}

/* A row that is new, or was written since the first look. */
static struct status look_again(struct pg *pg, int32_t shard, const char *id, const struct node_row *first,
                                uint32_t first_count)
{
    struct node_row *now;
    uint32_t count;
    struct status fault = node_list(pg, shard, &now, &count);
    for (uint32_t i = 0; i < count && status_ok(&fault); i++) {
        const struct node_row *before = row_of(first, first_count, now[i].id);
        bool meant = !id || strcmp(id, now[i].id) == 0;
        if (meant && (!before || before->seen_us != now[i].seen_us))
            fault = status_make(STATUS_BUSY, "the node \"%.100s\" is running; stop it first", now[i].id);
    }
    free(now);
    return fault;
}

static void wait_ms(uint32_t ms)
{
    struct timespec left = {.tv_sec = ms / 1000, .tv_nsec = (ms % 1000) * 1000000L};
    while (nanosleep(&left, &left) != 0)
        ;
}

struct status node_watch(struct pg *pg, int32_t shard, const char *id)
{
    struct node_row *first;
    uint32_t count;
    struct status fault = node_list(pg, shard, &first, &count);
    uint64_t began_ns = clock_monotonic_ns();
    while (status_ok(&fault) && clock_monotonic_ns() - began_ns < NODE_WATCH_MS * 1000000ull) {
        wait_ms(LOOK_MS);
        fault = look_again(pg, shard, id, first, count);
    }
    free(first);
    return fault;
}

/* ---- Forgetting ---- */

static struct status judge_forgotten(const struct node_row *row, const char *id)
{
    if (!row)
        return status_make(STATUS_INVALID, "the site has no node \"%.100s\"", id);
    if (row->owner)
        return status_make(STATUS_INVALID,
                           "the node \"%.100s\" owns the site; another one must take over first", id);
    return status_none();
}

struct status node_forget(struct pg *pg, int32_t shard, const char *id)
{
    /* Not if the node came back, or took over, in the meantime. */
    static const char sql[] =
        "DELETE FROM node WHERE shard=$1::int AND id=$2 AND coalesce((extract(epoch FROM "
        "seen)*1000000)::bigint,0)=$3"
        " AND NOT EXISTS (SELECT 1 FROM lease WHERE shard=$1::int AND owner=$2) RETURNING 1";
    struct node_row *rows;
    uint32_t count;
    struct status fault = node_list(pg, shard, &rows, &count);
    const struct node_row *row = status_ok(&fault) ? row_of(rows, count, id) : NULL;
    if (status_ok(&fault))
        fault = judge_forgotten(row, id);
    if (status_ok(&fault))
        fault = node_watch(pg, shard, id);
    if (status_ok(&fault)) {
        const struct pg_value values[] = {PG_INT(shard), PG_TEXT(id), PG_INT(row->seen_us)};
        if (pg_run(pg, sql, values, 3) != PG_DONE)
            fault = node_fault(pg);
        else if (pg_rows_count(pg) != 1)
            fault = status_make(STATUS_BUSY, "the node \"%.100s\" is running; stop it first", id);
    }
    free(rows);
    return fault;
}

struct status node_raise_format(struct pg *pg, int32_t shard)
{
    static const char sql[] =
        "UPDATE site SET format=$2::int WHERE shard=$1::int AND format<$2::int AND NOT EXISTS"
        " (SELECT 1 FROM node WHERE shard=$1::int AND format<$2::int"
        " AND seen > clock_timestamp() - interval '1 day')";
    const struct pg_value values[] = {PG_INT(shard), PG_INT(SITE_FORMAT)};
    return pg_run(pg, sql, values, 2) == PG_DONE ? status_none() : node_fault(pg);
}
