/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/cluster_site.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/logging.h"
#include "base/memory/buf.h"
#include "base/memory/memory.h"
#include "cluster/first_row.h"
#include "cluster/pooler.h"
#include "log/pg.h"

#define SITE_NAME_SIZE_MAX 40
#define FIRST_SIZE_MAX 1024 /* of the first row */

struct status cluster_site_name_check(const char *name)
{
    size_t size = strlen(name);
    if (size >= 1 && size <= SITE_NAME_SIZE_MAX &&
        strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-_") == size)
        return status_none();
    return status_make(STATUS_INVALID,
                       "--site: expected 1 to 40 characters of a-z, 0-9, - and _, got \"%s\"", name);
}

/* ---- Set-up ---- */

/* Two nodes may do this at once: the lock lasts until the transaction ends. */
const char cluster_site_tables[] =
    "SELECT pg_advisory_xact_lock(1212573043);"
    "CREATE TABLE IF NOT EXISTS site (shard int PRIMARY KEY, name text UNIQUE NOT NULL, id uuid NOT NULL,"
    " format int NOT NULL, prints bytea NOT NULL, system text NOT NULL);"
    "CREATE TABLE IF NOT EXISTS fence (shard int PRIMARY KEY, epoch bigint NOT NULL, token uuid NOT NULL, halted text);"
    "CREATE TABLE IF NOT EXISTS lease (shard int PRIMARY KEY, epoch bigint NOT NULL, owner text, url text,"
    " beat bigint NOT NULL, durable bigint NOT NULL) WITH (fillfactor=10);"
    "CREATE TABLE IF NOT EXISTS node (shard int, id text, url text, format int NOT NULL, version text, book bigint,"
    " clean bigint, seen timestamptz, PRIMARY KEY (shard, id)) WITH (fillfactor=10);"
    "CREATE TABLE IF NOT EXISTS log (shard int, first_seq bigint, count int NOT NULL CHECK (count > 0), epoch bigint NOT NULL,"
    " at_ms bigint NOT NULL, chain bigint NOT NULL, bytes bytea NOT NULL, PRIMARY KEY (shard, first_seq));"
    "ALTER TABLE log ALTER COLUMN bytes SET STORAGE EXTERNAL;"
    "CREATE TABLE IF NOT EXISTS sold (shard int, event bigint, seat int, fence bigint NOT NULL, prev bigint NOT NULL,"
    " PRIMARY KEY (shard, event, seat));"
    "CREATE TABLE IF NOT EXISTS snapshot (shard int, seq bigint, part int, bytes bytea NOT NULL,"
    " PRIMARY KEY (shard, seq, part));"
    "CREATE TABLE IF NOT EXISTS snapshot_done (shard int, seq bigint, parts int NOT NULL, chain bigint NOT NULL,"
    " digest bytea NOT NULL, PRIMARY KEY (shard, seq));";

/* %s: name, prints, name; name; name, at_ms, chain, bytes. */
static const char rows[] =
    "INSERT INTO site SELECT coalesce(max(shard),0)+1,'%s',gen_random_uuid(),%d,'\\x%s',current_database()"
    " FROM site HAVING NOT EXISTS (SELECT 1 FROM site WHERE name='%s');"
    "INSERT INTO fence SELECT shard,1,gen_random_uuid(),NULL FROM site WHERE name='%s' ON CONFLICT DO NOTHING;"
    "INSERT INTO lease SELECT shard,1,NULL,NULL,0,1 FROM site WHERE name='%s' ON CONFLICT DO NOTHING;"
    "INSERT INTO log SELECT shard,1,1,1,%lld,%lld,'\\x%s' FROM site s WHERE name='%s'"
    " AND NOT EXISTS (SELECT 1 FROM log l WHERE l.shard=s.shard);";

static void hex_write(const uint8_t *bytes, size_t size, char *out)
{
    for (size_t i = 0; i < size; i++)
        snprintf(out + 2 * i, 3, "%02x", bytes[i]);
}

struct script {
    char prints[2 * SITE_PRINTS_SIZE + 1];
    char first[2 * FIRST_SIZE_MAX + 1];
    char text[16384];
};

static enum pg_outcome set_up(struct pg *pg, const struct cluster_site_options *o, int64_t at_ms)
{
    struct script *s = memory_zeroed(1, sizeof(*s));
    struct buf bytes;
    buf_init(&bytes, FIRST_SIZE_MAX);
    uint32_t chain = first_row_write(&(struct first_row){.seq = 1, .epoch = 1, .at_ms = at_ms, .node = o->node}, &bytes);
    hex_write(o->prints, sizeof(o->prints), s->prints);
    hex_write(bytes.data, bytes.size, s->first);
    size_t size = (size_t)snprintf(s->text, sizeof(s->text), "%s", cluster_site_tables);
    size += (size_t)snprintf(s->text + size, sizeof(s->text) - size, rows, o->name, SITE_FORMAT, s->prints, o->name,
                             o->name, o->name, (long long)at_ms, (long long)chain, s->first, o->name);
    ASSERT(size < sizeof(s->text));
    enum pg_outcome outcome = pg_script(pg, s->text);
    buf_release(&bytes);
    free(s);
    return outcome;
}

/* ---- Opening ---- */

static const char server_sql[] =
    "SELECT current_setting('server_version_num')::int, (current_setting('fsync')='on')::int,"
    " (current_setting('full_page_writes')='on')::int,"
    " (current_setting('synchronous_commit') IN ('on','remote_apply'))::int,"
    " (current_setting('synchronous_standby_names')<>'')::int, (extract(epoch FROM clock_timestamp())*1000)::bigint";
enum { VERSION, FSYNC, FULL_PAGES, SYNCHRONOUS, STANDBY, NOW_MS };

static struct status judge_server(const struct pg *pg, const struct cluster_site_options *o)
{
    if (pg_int(pg, 0, VERSION) < 130000)
        return status_make(STATUS_INVALID, "--store: needs PostgreSQL 13 or later");
    if (!pg_int(pg, 0, FSYNC) || !pg_int(pg, 0, FULL_PAGES))
        return status_make(STATUS_INVALID, "--store: the server has %s off, so it can lose what it acknowledged; turn it on",
                           pg_int(pg, 0, FSYNC) ? "full_page_writes" : "fsync");
    if (!pg_int(pg, 0, SYNCHRONOUS))
        return status_make(STATUS_INVALID,
                           "--store: synchronous_commit must be on or remote_apply for this user and database");
    if (o->require_standby && !pg_int(pg, 0, STANDBY))
        return status_make(STATUS_INVALID, "--require-standby: the server has no synchronous_standby_names");
    return status_none();
}

static struct status site_fault(const struct pg *pg, enum pg_outcome outcome)
{
    return status_make(outcome == PG_REFUSED ? STATUS_INVALID : STATUS_IO, "--store: %s", pg_fault(pg));
}

static const char site_sql[] = "SELECT shard, id, format, prints FROM site WHERE name=$1";

static struct status read_row(struct cluster_site *s, const struct pg *pg)
{
    size_t size;
    ASSERT(pg_rows_count(pg) == 1); /* the name of a site is unique */
    s->shard = (int32_t)pg_int(pg, 0, 0);
    const uint8_t *id = pg_bytes(pg, 0, 1, &size);
    ASSERT(size == sizeof(s->id));
    memcpy(s->id, id, sizeof(s->id));
    if (pg_int(pg, 0, 2) > SITE_FORMAT)
        return status_make(STATUS_INVALID, "--store: the log has format %lld, and this version reads up to %d",
                           (long long)pg_int(pg, 0, 2), SITE_FORMAT);
    return status_none();
}

static struct status read_site(struct cluster_site *s, struct pg *pg, const struct cluster_site_options *o)
{
    size_t size;
    struct status fault = read_row(s, pg);
    if (!status_ok(&fault))
        return fault;
    const uint8_t *prints = pg_bytes(pg, 0, 3, &size);
    bool ours = size == SITE_PRINTS_SIZE &&
                (memcmp(prints, o->prints, size) == 0 || memcmp(prints, o->prints_old, size) == 0);
    return ours ? status_none()
                : status_make(STATUS_INVALID, "the site was set up with another HOLDFAST_SECRET, HOLDFAST_TICKET_KEY or "
                                              "HOLDFAST_ADMIN_KEY: all nodes need the same ones");
}

/* Secrets are replaced node by node; the first node that has both says which ones come next. */
static const char prints_sql[] = "UPDATE site SET prints=$2 WHERE name=$1 AND prints=$3";

struct status cluster_site_server_check(struct pg *pg, const struct cluster_site_options *o, int64_t *now_ms)
{
    struct status fault = cluster_site_name_check(o->name);
    ASSERT(o->node[0]); /* the options were read */
    if (status_ok(&fault))
        fault = pooler_check(o->url);
    if (!status_ok(&fault))
        return fault;
    enum pg_outcome outcome = pg_run(pg, server_sql, NULL, 0);
    if (outcome != PG_DONE)
        return site_fault(pg, outcome);
    *now_ms = pg_int(pg, 0, NOW_MS) + o->offset_ms;
    return judge_server(pg, o);
}

struct status cluster_site_open(struct cluster_site *s, struct pg *pg, const struct cluster_site_options *o)
{
    const struct pg_value name[] = {PG_TEXT(o->name)};
    int64_t now_ms;
    struct status fault = cluster_site_server_check(pg, o, &now_ms);
    if (!status_ok(&fault))
        return fault;
    enum pg_outcome outcome = pg_run(pg, site_sql, name, 1);
    if ((outcome == PG_REFUSED && strcmp(pg_state(pg), "42P01") == 0) ||
        (outcome == PG_DONE && pg_rows_count(pg) == 0)) {
        outcome = set_up(pg, o, now_ms);
        if (outcome == PG_DONE)
            log_info("set up the site", {"site", LOG_STR(o->name)});
        if (outcome == PG_DONE)
            outcome = pg_run(pg, site_sql, name, 1);
    }
    if (outcome != PG_DONE)
        return site_fault(pg, outcome);
    fault = read_site(s, pg, o);
    const struct pg_value turn[] = {PG_TEXT(o->name), PG_BYTES(o->prints, SITE_PRINTS_SIZE),
                                    PG_BYTES(o->prints_old, SITE_PRINTS_SIZE)};
    if (status_ok(&fault) && memcmp(o->prints, o->prints_old, SITE_PRINTS_SIZE) != 0 &&
        (outcome = pg_run(pg, prints_sql, turn, 3)) != PG_DONE)
        fault = site_fault(pg, outcome);
    return fault;
}

struct status cluster_site_find(struct cluster_site *s, struct pg *pg, const char *name)
{
    const struct pg_value values[] = {PG_TEXT(name)};
    struct status fault = cluster_site_name_check(name);
    if (!status_ok(&fault))
        return fault;
    enum pg_outcome outcome = pg_run(pg, site_sql, values, 1);
    bool none = outcome == PG_REFUSED && strcmp(pg_state(pg), "42P01") == 0;
    if (none || (outcome == PG_DONE && pg_rows_count(pg) == 0))
        return status_make(STATUS_INVALID, "the database has no site \"%s\"", name);
    return outcome == PG_DONE ? read_row(s, pg) : site_fault(pg, outcome);
}
