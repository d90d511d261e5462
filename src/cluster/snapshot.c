/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/assertion.h"
#include "base/crypto/hash.h"
#include "base/crypto/random.h"
#include "base/memory/buf.h"
#include "base/memory/memory.h"
#include "log/pg.h"

#define PARTS_MAX 1000000

static struct status snapshot_fault(const struct pg *pg, enum pg_outcome outcome)
{
    return status_make(outcome == PG_FULL ? STATUS_FULL : STATUS_IO, "the database did not accept the snapshot: %.150s",
                       pg_fault(pg));
}

struct status snapshot_newest(struct pg *pg, int32_t shard, struct snapshot *out)
{
    static const char sql[] = "SELECT seq, chain, parts, digest FROM snapshot_done WHERE shard=$1::int"
                              " ORDER BY seq DESC LIMIT 1";
    const struct pg_value values[] = {PG_INT(shard)};
    enum pg_outcome outcome = pg_run_repeated(pg, sql, values, 1);
    *out = (struct snapshot){0};
    if (outcome != PG_DONE)
        return status_make(STATUS_IO, "cannot look for a snapshot: %.150s", pg_fault(pg));
    if (pg_rows_count(pg) == 0)
        return status_none();
    size_t size;
    const uint8_t *digest = pg_bytes(pg, 0, 3, &size);
    int64_t parts = pg_int(pg, 0, 2);
    if (size != sizeof(out->digest) || parts < 1 || parts > PARTS_MAX)
        return status_make(STATUS_CORRUPT, "the row of the snapshot with seq %lld cannot be read",
                           (long long)pg_int(pg, 0, 0));
    *out = (struct snapshot){.seq = (uint64_t)pg_int(pg, 0, 0),
                             .chain = (uint32_t)pg_int(pg, 0, 1),
                             .parts = (uint32_t)parts};
    memcpy(out->digest, digest, size);
    return status_none();
}

/* ---- Writing ---- */

/* $3: the token; $4: the site. From here on no other attempt can write this snapshot, unless it claims it in turn. */
static const char claim_sql[] =
    "INSERT INTO snapshot SELECT $1::int,$2,-1,$3 FROM site WHERE shard=$1::int AND id=$4"
    " AND NOT EXISTS (SELECT 1 FROM snapshot_done WHERE shard=$1::int AND seq>=$2)"
    " ON CONFLICT (shard, seq, part) DO UPDATE SET bytes=EXCLUDED.bytes RETURNING 1";
/* Parts of an earlier attempt. Once claimed, it cannot be completed, so checking snapshot_done is enough. */
static const char clear_sql[] =
    "DELETE FROM snapshot WHERE shard=$1::int AND seq=$2 AND part>=0"
    " AND NOT EXISTS (SELECT 1 FROM snapshot_done WHERE shard=$1::int AND seq>=$2)";
static const char part_sql[] =
    "WITH c AS (SELECT 1 FROM snapshot WHERE shard=$1::int AND seq=$2 AND part=-1 AND bytes=$3 FOR SHARE)"
    "INSERT INTO snapshot SELECT $1::int,$2,$4::int,$5 FROM c"
    " WHERE NOT EXISTS (SELECT 1 FROM snapshot_done WHERE shard=$1::int AND seq>=$2)"
    " ON CONFLICT (shard, seq, part) DO UPDATE SET bytes=EXCLUDED.bytes RETURNING 1";
/* A repeated one finds its own row. */
static const char done_sql[] =
    "WITH c AS (DELETE FROM snapshot WHERE shard=$1::int AND seq=$2 AND part=-1 AND bytes=$3"
    " AND EXISTS (SELECT 1 FROM site WHERE shard=$1::int AND id=$7) RETURNING 1),"
    "d AS (INSERT INTO snapshot_done SELECT $1::int,$2,$4::int,$5,$6 FROM c"
    " WHERE NOT EXISTS (SELECT 1 FROM snapshot_done WHERE shard=$1::int AND seq>=$2) RETURNING 1)"
    "SELECT 1 FROM d UNION ALL SELECT 1 FROM snapshot_done WHERE shard=$1::int AND seq=$2 AND digest=$6";

struct putting {
    const struct snapshot_target *to;
    struct snapshot *s;
    uint8_t token[SNAPSHOT_TOKEN_SIZE];
    uint8_t *part;
    struct buf digests;
};

static struct status superseded(void)
{
    return status_make(STATUS_BUSY, "another node is making a snapshot");
}

static struct status claim(struct putting *p)
{
    const struct pg_value values[] = {PG_INT(p->to->shard), PG_INT(p->s->seq), PG_BYTES(p->token, sizeof(p->token)),
                                      PG_ID(p->to->site)};
    enum pg_outcome outcome = pg_run_repeated(p->to->pg, claim_sql, values, 4);
    if (outcome != PG_DONE)
        return snapshot_fault(p->to->pg, outcome);
    if (pg_rows_count(p->to->pg) != 1)
        return superseded();
    outcome = pg_run_repeated(p->to->pg, clear_sql, values, 2);
    return outcome == PG_DONE ? status_none() : snapshot_fault(p->to->pg, outcome);
}

static struct status put_part(struct putting *p, size_t size)
{
    uint8_t digest[SNAPSHOT_DIGEST_SIZE];
    const struct pg_value values[] = {PG_INT(p->to->shard), PG_INT(p->s->seq), PG_BYTES(p->token, sizeof(p->token)),
                                      PG_INT(p->s->parts), PG_BYTES(p->part, size)};
    ASSERT(size >= 1 && size <= p->to->part_size && p->s->parts < PARTS_MAX);
    if (p->to->stop && p->to->stop(p->to->ctx))
        return status_make(STATUS_BUSY, "the snapshot was given up");
    hash_sha256(p->part, size, digest);
    buf_append(&p->digests, digest, sizeof(digest));
    p->s->parts++;
    enum pg_outcome outcome = pg_run_repeated(p->to->pg, part_sql, values, 5);
    if (outcome != PG_DONE)
        return snapshot_fault(p->to->pg, outcome);
    return pg_rows_count(p->to->pg) == 1 ? status_none() : superseded();
}

/* Reads until the part is full or the file ends. */
static struct status read_part(int file, uint8_t *part, size_t room, size_t *size)
{
    *size = 0;
    while (*size < room) {
        ssize_t more = read(file, part + *size, room - *size);
        if (more < 0 && errno == EINTR)
            continue;
        if (more < 0)
            return status_make(STATUS_IO, "cannot read the copy of the book: %s", strerror(errno));
        if (more == 0)
            break;
        *size += (size_t)more;
    }
    return status_none();
}

static struct status put_file(struct putting *p, int file)
{
    struct status fault = status_none();
    for (size_t size = 1; status_ok(&fault) && size;) {
        fault = read_part(file, p->part, p->to->part_size, &size);
        if (status_ok(&fault) && size)
            fault = put_part(p, size);
    }
    ASSERT(!status_ok(&fault) || p->digests.size == (size_t)p->s->parts * SNAPSHOT_DIGEST_SIZE);
    hash_sha256(p->digests.data, p->digests.size, p->s->digest);
    return fault;
}

static struct status put_done(struct putting *p)
{
    const struct pg_value values[] = {PG_INT(p->to->shard),
                                      PG_INT(p->s->seq),
                                      PG_BYTES(p->token, sizeof(p->token)),
                                      PG_INT(p->s->parts),
                                      PG_INT(p->s->chain),
                                      PG_BYTES(p->s->digest, sizeof(p->s->digest)),
                                      PG_ID(p->to->site)};
    ASSERT(p->s->parts >= 1); /* a book is never empty */
    enum pg_outcome outcome = pg_run_repeated(p->to->pg, done_sql, values, 7);
    if (outcome != PG_DONE)
        return snapshot_fault(p->to->pg, outcome);
    return pg_rows_count(p->to->pg) >= 1 ? status_none() : superseded();
}

/* Deletes what a failed attempt wrote. If the server cannot be reached, the next claim or trimming does. */
static void drop(struct putting *p)
{
    static const char sql[] = "WITH c AS (SELECT 1 FROM snapshot WHERE shard=$1::int AND seq=$2 AND part=-1 AND bytes=$3 FOR UPDATE)"
                              "DELETE FROM snapshot WHERE shard=$1::int AND seq=$2 AND EXISTS (SELECT 1 FROM c)";
    const struct pg_value values[] = {PG_INT(p->to->shard), PG_INT(p->s->seq), PG_BYTES(p->token, sizeof(p->token))};
    pg_run(p->to->pg, sql, values, 3);
}

static struct status put(const struct snapshot_target *to, const char *path, struct snapshot *s, bool done)
{
    struct putting p = {.to = to, .s = s};
    ASSERT(s->seq > 0 && to->part_size > 0);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return status_make(STATUS_IO, "cannot open %s: %s", path, strerror(errno));
    random_bytes(p.token, sizeof(p.token));
    memcpy(s->token, p.token, sizeof(s->token));
    p.part = memory_zeroed(1, to->part_size);
    buf_init(&p.digests, (size_t)PARTS_MAX * SNAPSHOT_DIGEST_SIZE);
    s->parts = 0;
    struct status fault = claim(&p);
    if (status_ok(&fault)) {
        fault = put_file(&p, file);
        if (status_ok(&fault) && done)
            fault = put_done(&p);
        if (!status_ok(&fault))
            drop(&p);
    }
    close(file);
    buf_release(&p.digests);
    free(p.part);
    return fault;
}

struct status snapshot_put(const struct snapshot_target *to, const char *path, struct snapshot *s)
{
    return put(to, path, s, true);
}

struct status snapshot_put_parts(const struct snapshot_target *to, const char *path, struct snapshot *s)
{
    return put(to, path, s, false);
}

/* ---- Reading ---- */

static struct status write_part(int file, const uint8_t *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t more = write(file, bytes + done, size - done);
        if (more < 0 && errno != EINTR)
            return status_make(status_of_errno(errno), "cannot write the copy of the book: %s", strerror(errno));
        done += more > 0 ? (size_t)more : 0;
    }
    return status_none();
}

static struct status take_part(struct pg *pg, int32_t shard, uint64_t seq, uint32_t part, int file, struct buf *digests)
{
    static const char sql[] = "SELECT bytes FROM snapshot WHERE shard=$1::int AND seq=$2 AND part=$3::int";
    const struct pg_value values[] = {PG_INT(shard), PG_INT(seq), PG_INT(part)};
    uint8_t digest[SNAPSHOT_DIGEST_SIZE];
    size_t size;
    if (pg_run_repeated(pg, sql, values, 3) != PG_DONE)
        return status_make(STATUS_IO, "cannot read the snapshot: %.150s", pg_fault(pg));
    if (pg_rows_count(pg) != 1)
        return status_make(STATUS_BUSY, "part %u of the snapshot with seq %llu is not in the database", part,
                           (unsigned long long)seq);
    const uint8_t *bytes = pg_bytes(pg, 0, 0, &size);
    hash_sha256(bytes, size, digest);
    buf_append(digests, digest, sizeof(digest));
    return write_part(file, bytes, size);
}

struct status snapshot_take(struct pg *pg, int32_t shard, const struct snapshot *s, const char *path)
{
    struct buf digests;
    uint8_t digest[SNAPSHOT_DIGEST_SIZE];
    ASSERT(s->seq > 0 && s->parts >= 1 && s->parts <= PARTS_MAX);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0)
        return status_make(status_of_errno(errno), "cannot create %s: %s", path, strerror(errno));
    buf_init(&digests, (size_t)PARTS_MAX * SNAPSHOT_DIGEST_SIZE);
    struct status fault = status_none();
    for (uint32_t part = 0; part < s->parts && status_ok(&fault); part++)
        fault = take_part(pg, shard, s->seq, part, file, &digests);
    hash_sha256(digests.data, digests.size, digest);
    buf_release(&digests);
    if (status_ok(&fault) && memcmp(digest, s->digest, sizeof(digest)) != 0)
        fault = status_make(STATUS_CORRUPT, "the snapshot with seq %llu is damaged: its digest does not match",
                            (unsigned long long)s->seq);
    if (status_ok(&fault) && fsync(file) != 0)
        fault = status_make(status_of_errno(errno), "cannot sync %s: %s", path, strerror(errno));
    close(file);
    return fault;
}
