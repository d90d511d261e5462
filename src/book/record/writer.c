/* SPDX-License-Identifier: Apache-2.0 */
#include "book/record/writer.h"

#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "book/record/check.h"
#include "book/record/kept.h"
#include "book/file/pages.h"
#include "book/record/prune.h"
#include "book/claim/reservation.h"
#include "book/file/schema.h"
#include "book/file/scrub.h"
#include "book/file/sql.h"
#include "book/file/wal_check.h"

struct book_writer {
    struct sql *sql;
    struct sql_statement *begin, *commit, *meta_set, *meta_tie, *meta_moved;
    struct book_parts parts;
    struct sql_statement **put; /* by kind of change; NULL: its part applies it */
    struct book_prune *prune;
    struct book_scrub scrub;

    uint64_t last_seq; /* committed */
    int64_t last_at_ms;
    uint64_t checkpointed_seq;

    bool ready;           /* opened without a fault */
    bool open;            /* a transaction is open */
    uint64_t applied_seq; /* the last change in it */
};

/* ---- Opening ---- */

/* A fault unless a setting that durability depends on is in effect. */
static void expect(struct sql *s, const char *pragma, const char *value)
{
    if (sql_sound(s) && !sql_answers(s, pragma, value))
        sql_fail(s, STATUS_DATABASE, "The book cannot be written safely: %s is not %s.", pragma, value);
}

static void configure(struct sql *s)
{
    if (!sql_sound(s))
        return;
    expect(s, "PRAGMA journal_mode = WAL", "wal");
    sql_run(s, "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -65536");
    expect(s, "PRAGMA secure_delete = ON", "1"); /* deleted data is overwritten: see book/file/scrub.h */
    expect(s, "PRAGMA synchronous", "2");
    expect(s, "PRAGMA foreign_keys", "1");
    expect(s, "PRAGMA wal_autocheckpoint", "0"); /* sql.c has replaced its hook */
}

static void writer_prepare(struct book_writer *w)
{
    struct sql *s = w->sql;
    w->begin = sql_prepare(s, "BEGIN IMMEDIATE");
    w->commit = sql_prepare(s, "COMMIT");
    w->meta_set = sql_prepare(s, "UPDATE meta SET last_seq = ?, last_at = ?, chain = ?, moved_seq = ?");
    w->meta_moved = sql_prepare(s, "UPDATE meta SET moved_seq = ?");
    w->meta_tie = sql_prepare(s, "UPDATE meta SET folder = ?, parent = ?");
#define MAKE_PART(part) w->parts.part = book_##part##_make(s);
    BOOK_PARTS(MAKE_PART)
    w->put = memory_zeroed((size_t)book_kept_count, sizeof(struct sql_statement *));
    for (int i = 0; i < book_kept_count; i++) {
        const struct book_kept *kept = &book_kept[i];
        ASSERT(!kept->put || (kept->record && !kept->apply)); /* one way to write it */
        if (kept->put)
            w->put[i] = book_record_prepare(s, kept->record, kept->put);
    }
    w->prune = book_prune_make(s, w->parts.reservation);
    book_scrub_prepare(&w->scrub, s);
}

/* Makes the directory entry of a new file durable. */
static void sync_folder(struct sql *s, const char *path)
{
    char *copy = memory_copy(path, strlen(path));
    int folder = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0 || fsync(folder) != 0)
        sql_fail(s, STATUS_IO, "Cannot sync the folder of %s.", path);
    if (folder >= 0)
        close(folder);
    free(copy);
}

/* ---- Whether the log is the book's ----
 *
 * The log and the file belong together, but SQLite accepts any log whose frames fit each other. So each
 * transaction records how far the file went without the log (moved_seq), and closing records that the file
 * has everything. This detects, before anything is written: a log that was cut short, a log beside an older
 * or newer file, and a file whose log disappeared while it was being moved.
 */

struct extent {
    bool known; /* could be read */
    uint64_t last_seq, moved_seq;
};

/* Only a read that failed is a fault here: what is damaged is found when the book is opened. */
static struct status extent_of(const char *path, enum sql_access access, struct extent *e)
{
    struct sql *s;
    *e = (struct extent){0};
    struct status status = book_pages_open(&s, path, access);
    if (!status_ok(&status))
        return status.kind == STATUS_UNREADABLE ? status : status_none();
    struct sql_statement *t = sql_prepare(s, "SELECT last_seq, moved_seq FROM meta");
    if (sql_next(t)) {
        *e = (struct extent){true, (uint64_t)sql_int(t, 0), (uint64_t)sql_int(t, 1)};
        sql_reset(t);
    }
    status = sql_unreadable(s) ? sql_status(s) : status_none();
    sql_close(s);
    return status;
}

static void keep_first(void *ctx, const char *sentence)
{
    struct status *first = ctx;
    if (status_ok(first))
        *first =
            status_make(STATUS_CORRUPT, "The book was not closed and its log is missing: %.180s", sentence);
}

/* Not closed cleanly, and no log: another program may have moved it into the file, or it was lost. Checks everything. */
static struct status judge_without_log(const char *path)
{
    struct extent file;
    struct status found = status_none(), status = extent_of(path, SQL_FILE, &file);
    if (!file.known || file.moved_seq == file.last_seq)
        return status;
    status = book_check(path, keep_first, &found);
    return status_ok(&status) ? found : status;
}

static struct status judge_log(const char *path)
{
    bool begun;
    struct status status = wal_check(path, &begun);
    if (!status_ok(&status) || access(path, F_OK) != 0)
        return status;
    if (!begun)
        return judge_without_log(path);
    struct extent file, with_log;
    status = extent_of(path, SQL_FILE, &file);
    if (status_ok(&status))
        status = extent_of(path, SQL_READ, &with_log);
    if (!status_ok(&status))
        return status;
    if (file.known && with_log.known && with_log.last_seq < file.last_seq)
        return status_make(STATUS_CORRUPT,
                           "The book's log is damaged or outdated: with it the book ends at change %llu, "
                           "without it at %llu.",
                           (unsigned long long)with_log.last_seq, (unsigned long long)file.last_seq);
    if (file.known && with_log.known && file.last_seq < with_log.moved_seq)
        return status_make(
            STATUS_CORRUPT,
            "The book is older than its log: it ends at change %llu, but the log starts at %llu.",
            (unsigned long long)file.last_seq, (unsigned long long)with_log.moved_seq);
    return status;
}

/* ---- Opening and closing ---- */

struct status book_writer_open(struct book_writer **out, const char *path)
{
    *out = NULL;
    struct book_writer *w = memory_zeroed(1, sizeof(*w));
    struct status status = judge_log(path);
    if (status_ok(&status))
        status = book_pages_open(&w->sql, path, SQL_WRITE);
    if (status_ok(&status)) {
        /* Writes nothing before the file is known to be a book. */
        book_schema_recognise(w->sql);
        configure(w->sql);
        book_schema_upgrade(w->sql);
        writer_prepare(w);
        w->last_seq = w->applied_seq = (uint64_t)sql_number(w->sql, "SELECT last_seq FROM meta");
        w->last_at_ms = sql_number(w->sql, "SELECT last_at FROM meta");
        sync_folder(w->sql, path);
        status = book_writer_checkpoint(w);
        if (status.kind == STATUS_FULL)
            status = status_none(); /* the write-ahead log keeps everything until there is room */
    }
    w->ready = status_ok(&status);
    ASSERT(!w->ready || (!w->open && w->applied_seq == w->last_seq));
    if (w->ready)
        *out = w;
    else
        book_writer_close(w);
    return status;
}

struct status book_writer_upgrades(const char *path, bool *yes)
{
    struct sql *s;
    *yes = false;
    struct status status = book_pages_open(&s, path, SQL_READ);
    if (!status_ok(&status))
        return status;
    *yes = book_schema_older(s);
    status = sql_status(s);
    sql_close(s);
    return status;
}

static struct status commit(struct book_writer *w)
{
    ASSERT(w->open && w->checkpointed_seq <= w->last_seq);
    sql_do(w->commit);
    struct status status = sql_status(w->sql);
    w->open = !status_ok(&status);
    return status;
}

/* Records that the file has everything and needs no log. If that fails, the log stays. */
static void mark_closed(struct book_writer *w)
{
    struct status status = book_writer_checkpoint(w);
    if (!status_ok(&status) || w->checkpointed_seq != w->last_seq)
        return;
    status = book_writer_begin(w);
    if (!status_ok(&status))
        return;
    sql_do_ints(w->meta_moved, w->last_seq);
    status = commit(w);
    if (!status_ok(&status))
        book_writer_rollback(w);
}

void book_writer_close(struct book_writer *w)
{
    if (!w)
        return;
    if (w->open)
        book_writer_rollback(w);
    if (w->ready)
        mark_closed(w);
    sql_close(w->sql);
    book_reservation_release(w->parts.reservation);
#define FREE_PART(part) free(w->parts.part);
    BOOK_PARTS(FREE_PART)
    free(w->put);
    free(w->prune);
    free(w);
}

/* ---- Transactions ---- */

struct status book_writer_begin(struct book_writer *w)
{
    ASSERT(!w->open);
    ASSERT(w->applied_seq == w->last_seq); /* a transaction that was rolled back left nothing behind */
    sql_do(w->begin);
    w->open = sql_sound(w->sql);
    struct status status = sql_status(w->sql);
    sql_forgive(w->sql);
    return status;
}

void book_writer_rollback(struct book_writer *w)
{
    ASSERT(w->open);
    sql_forgive(w->sql);
    sql_run(w->sql, "ROLLBACK");
    sql_forgive(w->sql); /* after some faults SQLite has already rolled back */
    book_hook_forget(w->parts.hook);
    book_audit_forget(w->parts.audit);
    book_touched_forget(w->parts.touched);
    w->open = false;
    w->applied_seq = w->last_seq;
}

static void apply(struct book_writer *w, const struct change *c)
{
    static const struct book_kept unknown;
    int kind = (int)c->kind;
    const struct book_kept *kept = kind > 0 && kind < book_kept_count ? &book_kept[kind] : &unknown;
    if (kept->apply) {
        kept->apply(&w->parts, c);
    } else if (kept->put) {
        struct sql_statement *t = w->put[kind];
        book_record_bind(t, kept->record, (const char *)c + kept->at);
        /* ?64 is the change's seq, for records that keep it. */
        if (sql_parameters(t) >> 63)
            sql_bind_int(t, 64, (int64_t)c->seq);
        sql_do(t);
    } else {
        sql_fail(w->sql, STATUS_CORRUPT, "Change %llu has an unknown kind, %d.", (unsigned long long)c->seq,
                 kind);
    }
}

static void touch(struct book_writer *w, const struct change *c)
{
    uint16_t at = change_known(c->kind) ? book_kept[c->kind].touches : 0;
    uint64_t number = 0;
    if (at)
        memcpy(&number, (const char *)c + at, sizeof(number));
    if (at && sql_sound(w->sql))
        book_touched_set(w->parts.touched, number, c->seq);
}

struct status book_writer_apply(struct book_writer *w, const struct change *c)
{
    ASSERT(w->open && w->applied_seq >= w->last_seq);
    /* The book already has it: replayed after a restart. */
    if (c->seq <= w->applied_seq)
        return status_none();
    if (c->seq != w->applied_seq + 1)
        sql_fail(w->sql, STATUS_CORRUPT, "Change %llu follows %llu: the changes between them are missing.",
                 (unsigned long long)c->seq, (unsigned long long)w->applied_seq);
    apply(w, c);
    touch(w, c);
    book_hook_note(w->parts.hook, c);
    book_audit_note(w->parts.audit, c);
    w->applied_seq = c->seq;
    return sql_status(w->sql);
}

struct status book_writer_commit(struct book_writer *w, uint64_t last_seq, int64_t last_at_ms, uint32_t chain)
{
    ASSERT(w->open);
    ASSERT(last_seq >= w->applied_seq);
    ASSERT(last_at_ms >= w->last_at_ms);
    /* In the same transaction as the changes, so that content and seq move together. */
    book_touched_write(w->parts.touched);
    sql_do_ints(w->meta_set, last_seq, last_at_ms, chain, w->checkpointed_seq);
    struct status status = commit(w);
    if (!status_ok(&status))
        return status;
    w->last_seq = w->applied_seq = last_seq;
    w->last_at_ms = last_at_ms;
    return status;
}

struct status book_writer_tie(struct book_writer *w, const uint8_t folder[16], const uint8_t parent[16])
{
    ASSERT(!parent || memcmp(folder, parent, 16) != 0); /* a fork has an id of its own */
    struct status status = book_writer_begin(w);
    if (!status_ok(&status))
        return status;
    sql_bind_blob(w->meta_tie, 1, folder, 16);
    if (parent)
        sql_bind_blob(w->meta_tie, 2, parent, 16);
    else
        sql_bind_null(w->meta_tie, 2);
    sql_do(w->meta_tie);
    status = commit(w);
    if (w->open)
        book_writer_rollback(w);
    return status;
}

uint64_t book_writer_seq(const struct book_writer *w)
{
    return w->last_seq;
}

int64_t book_writer_at_ms(const struct book_writer *w)
{
    return w->last_at_ms;
}

/* ---- Between transactions ---- */

uint64_t book_writer_log_bytes(const struct book_writer *w)
{
    return sql_log_bytes(w->sql);
}

struct status book_writer_checkpoint(struct book_writer *w)
{
    ASSERT(!w->open);
    bool whole;
    sql_checkpoint(w->sql, &whole);
    /* Readers may hold part of the log back: then no more segments may be freed. */
    if (whole)
        w->checkpointed_seq = w->last_seq;
    ASSERT(w->checkpointed_seq <= w->last_seq); /* segments up to it may be freed */
    struct status status = sql_status(w->sql);
    sql_forgive(w->sql);
    return status;
}

uint64_t book_writer_checkpointed_seq(const struct book_writer *w)
{
    return w->checkpointed_seq;
}

struct status book_writer_prune(struct book_writer *w, int64_t before_ms, uint64_t imports_over,
                                uint32_t limit, uint32_t *pruned, bool *done)
{
    struct status status = book_writer_begin(w);
    *pruned = 0;
    *done = true;
    if (!status_ok(&status))
        return status;
    /* The change that publishes such an import may not be in the book yet. */
    uint64_t over = imports_over <= w->last_seq ? imports_over : 0;
    book_prune_slice(w->prune, w->last_at_ms, before_ms, over, limit, pruned, done);
    /* An empty commit would still cost a sync. */
    bool anything = *pruned > 0 || !sql_sound(w->sql);
    if (anything)
        status = commit(w);
    if (w->open)
        book_writer_rollback(w);
    ASSERT(w->applied_seq == w->last_seq); /* pruning applies no change */
    return status;
}

/* ---- Erased people ---- */

uint64_t book_writer_erased(struct book_writer *w)
{
    return (uint64_t)sql_number(w->sql, "SELECT max(number) FROM erasures");
}

/* Merging writes, in a transaction of its own. */
static struct status scrub_merge(struct book_writer *w)
{
    ASSERT(w->scrub.stage <= SCRUB_MERGE); /* the later stages cannot run in a transaction */
    struct status status = book_writer_begin(w);
    if (!status_ok(&status))
        return status;
    book_scrub_step(&w->scrub);
    status = commit(w);
    if (w->open)
        book_writer_rollback(w);
    return status;
}

/* The file has everything, and the log is empty. Records that, so that after a crash the log does not seem lost. */
static struct status scrub_end(struct book_writer *w)
{
    ASSERT(w->scrub.stage == SCRUB_DONE && !w->open);
    w->checkpointed_seq = w->last_seq;
    struct status status = book_writer_begin(w);
    if (!status_ok(&status))
        return status;
    book_scrub_clean(&w->scrub);
    sql_do_ints(w->meta_moved, w->last_seq);
    status = commit(w);
    if (w->open)
        book_writer_rollback(w);
    return status;
}

struct status book_writer_scrub(struct book_writer *w, bool *more)
{
    ASSERT(!w->open);
    *more = book_scrub_due(&w->scrub);
    struct status status = status_none();
    if (!*more)
        return status;
    if (w->scrub.stage < SCRUB_TRUNCATE)
        return scrub_merge(w);
    bool done = book_scrub_step(&w->scrub);
    status = sql_status(w->sql);
    sql_forgive(w->sql);
    return done && status_ok(&status) ? scrub_end(w) : status;
}
