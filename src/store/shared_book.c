/* SPDX-License-Identifier: Apache-2.0 */
#include "store/shared_book.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/logging.h"
#include "base/time/clock.h"
#include "book/record/writer.h"
#include "cluster/halt.h"
#include "cluster/nodes.h"
#include "cluster/trim.h"
#include "log/pg.h"
#include "log/pg_rows.h"
#include "store/snapshot_book.h"

#define LIMIT_MS 60000

struct preparing {
    const struct shared *s;
    const struct folder *f;
    struct pg *pg;
    struct log_anchor book; /* seq 0: there is none */
    struct trim_extent log;
    bool known; /* this node has a row */
    uint64_t clean;
    bool taking; /* the snapshot replaces the book */
};

static struct status look_at_book(struct preparing *p)
{
    struct book_writer *writer = NULL;
    struct book_meta meta;
    if (access(p->f->book, F_OK) != 0)
        return status_none();
    /* Merges its log, and upgrades it. */
    struct status fault = book_writer_open(&writer, p->f->book);
    book_writer_close(writer);
    if (status_ok(&fault))
        fault = snapshot_book_meta(p->f->book, &meta);
    if (status_ok(&fault))
        p->book = meta.log;
    return fault;
}

/* This book has changes that the log lacks: halts it. */
static struct status halt(const struct preparing *p, const char *why)
{
    char text[256];
    snprintf(text, sizeof(text), "the node %.100s has changes that the log lacks: %.110s", p->s->options.node, why);
    struct status fault = halt_log(p->pg, p->s->site.shard, p->s->site.id, text);
    log_error("halted the log: the book has changes that it lost", {"fault", LOG_STR(why)});
    return status_ok(&fault) ? status_make(STATUS_CORRUPT,
                                           "the log was halted, because it has lost changes: %.120s; see holdfast cluster adopt", why)
                             : fault;
}

/* A book of this log: the row that it ends with must be there. */
static struct status find_row(struct preparing *p)
{
    struct pg_rows rows;
    struct log_batch batch;
    bool found;
    pg_rows_init(&rows, p->pg, p->s->site.shard, p->book.seq);
    if (p->book.has_chain)
        pg_rows_expect(&rows, p->book.chain);
    struct status fault = pg_rows_next(&rows, UINT64_MAX, &batch, &found);
    if (status_ok(&fault) && !rows.answered)
        fault = status_make(STATUS_IO, "cannot look at the log: %.150s", pg_fault(p->pg));
    pg_rows_release(&rows);
    return fault;
}

static bool trimmed(const struct preparing *p)
{
    return p->book.seq + 1 < p->log.first_seq;
}

static struct status compare(struct preparing *p)
{
    struct status missing = find_row(p);
    if (missing.kind != STATUS_CORRUPT)
        return missing;
    /* An owner may have trimmed it since the first look. */
    struct status fault = trim_extent(p->pg, p->s->site.shard, &p->log);
    return status_ok(&fault) && !trimmed(p) ? halt(p, missing.text) : fault;
}

/* A book of another log is from before an adoption, which raised the seq beyond all others, or it is in the wrong folder. */
static struct status judge_other(struct preparing *p)
{
    if (p->book.seq > p->log.last_seq)
        return status_make(STATUS_CORRUPT, "the book in the data folder belongs to another log than the database has, and ends "
                                           "with a later seq, %llu",
                           (unsigned long long)p->book.seq);
    log_warn("the book belongs to an abandoned log; taking the snapshot instead", {"seq", LOG_INT(p->book.seq)});
    p->taking = true;
    return status_none();
}

static struct status judge_book(struct preparing *p)
{
    p->taking = p->book.seq == 0;
    if (p->taking)
        return status_none();
    if (p->book.has_id && memcmp(p->book.id, p->s->site.id, sizeof(p->book.id)) != 0)
        return judge_other(p);
    struct status fault = trimmed(p) ? status_none() : compare(p);
    p->taking = trimmed(p) || !p->known;
    return fault;
}

/* A crash in between leaves no book: the next start takes the snapshot again. */
static struct status replace_book(const struct preparing *p, const char *taken)
{
    snapshot_book_remove(p->f->book);
    if (rename(taken, p->f->book) != 0)
        return status_make(STATUS_IO, "cannot rename %s: %s", taken, strerror(errno));
    return status_none();
}

static struct status book_take_snapshot(const struct preparing *p)
{
    struct snapshot snapshot;
    char taken[FOLDER_PATH_MAX + 16];
    snprintf(taken, sizeof(taken), "%s.taken", p->f->book);
    struct status fault = snapshot_book_take(p->pg, p->s->site.shard, taken, &snapshot);
    if (status_ok(&fault) && snapshot.seq)
        fault = replace_book(p, taken);
    else if (status_ok(&fault) && p->log.first_seq == 1)
        snapshot_book_remove(p->f->book); /* the log has all of it */
    else if (status_ok(&fault))
        fault = status_make(STATUS_CORRUPT, "the log begins with seq %llu, and there is no snapshot of what was before",
                            (unsigned long long)p->log.first_seq);
    snapshot_book_remove(taken);
    if (status_ok(&fault) && snapshot.seq)
        log_info("took the snapshot", {"seq", LOG_INT(snapshot.seq)});
    return fault;
}

static struct status book_prepare(struct preparing *p)
{
    struct status fault = look_at_book(p);
    if (status_ok(&fault))
        fault = node_find(p->pg, p->s->site.shard, p->s->options.node, &p->known, &p->clean);
    if (status_ok(&fault))
        fault = trim_extent(p->pg, p->s->site.shard, &p->log);
    if (status_ok(&fault))
        fault = judge_book(p);
    if (!status_ok(&fault))
        return fault;
    /* From here on rows that this node needs are kept, and names in its snapshot count as present. */
    fault = node_write(p->pg, p->s->site.shard,
                       &(struct node){.id = p->s->options.node,
                                      .url = p->s->options.advertise ? p->s->options.advertise : "",
                                      .version = p->s->options.version ? p->s->options.version : "",
                                      .book = p->taking ? 0 : p->book.seq,
                                      .clean = p->taking ? 0 : p->clean},
                       NULL, NULL);
    return status_ok(&fault) && p->taking ? book_take_snapshot(p) : fault;
}

struct status shared_book_prepare(struct shared *s, const struct folder *f, uint64_t *oldest_seq)
{
    struct preparing p = {.s = s, .f = f};
    p.pg = pg_make(&(struct pg_options){.url = s->options.url, .name = "holdfast start", .limit_ms = LIMIT_MS});
    struct status fault = book_prepare(&p);
    if (status_ok(&fault))
        fault = trim_extent(p.pg, s->site.shard, &p.log);
    s->replicated_ns = clock_monotonic_ns();
    if (status_ok(&fault))
        fault = lease_replicated(p.pg, s->site.shard, &s->replicated_seq);
    *oldest_seq = p.log.oldest_seq ? p.log.oldest_seq : 1;
    pg_release(p.pg);
    return fault;
}
