/* SPDX-License-Identifier: Apache-2.0 */
#include "store/backup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/assertion.h"
#include "book/file/backup.h"
#include "book/record/load.h"
#include "book/record/writer.h"
#include "journal/journal.h"
#include "journal/journal_copy.h"
#include "log/log_files.h"
#include "store/folder.h"
#include "store/book_scratch_copy.h"

static struct status empty_folder(const char *path)
{
    if (mkdir(path, 0700) != 0 && errno != EEXIST)
        return status_make(status_of_errno(errno), "cannot create %s: %s", path, strerror(errno));
    DIR *folder = opendir(path);
    if (!folder)
        return status_make(STATUS_IO, "cannot open %s: %s", path, strerror(errno));
    bool empty = true;
    for (struct dirent *entry; empty && (entry = readdir(folder));)
        empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    closedir(folder);
    return empty ? status_none() : status_make(STATUS_INVALID, "%s is not empty", path);
}

static struct status sync_path(const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    bool synced = file >= 0 && fsync(file) == 0;
    if (file >= 0)
        close(file);
    return synced ? status_none()
                  : status_make(status_of_errno(errno), "cannot sync %s: %s", path, strerror(errno));
}

/* A missing key is not a fault: keys may come from the environment. */
static struct status copy_key(const char *from_folder, const char *to_folder, const char *name)
{
    char from[FOLDER_PATH_MAX], to[FOLDER_PATH_MAX];
    snprintf(from, sizeof(from), "%s/%s", from_folder, name);
    snprintf(to, sizeof(to), "%s/%s", to_folder, name);
    if (access(from, F_OK) != 0 && errno == ENOENT)
        return status_none();
    struct status fault = folder_copy_file(from, to);
    return status_ok(&fault) ? sync_path(to) : fault;
}

/* ---- All or nothing ----
 *
 * Everything is created in a folder inside the new one and moved up at the end, so that the remains of a crash
 * are recognised (folder.h) and never served.
 */

static struct status backup_begin(const char *to, char part[FOLDER_PATH_MAX])
{
    struct folder longest; /* the longest paths that will be used */
    struct status fault = empty_folder(to);
    snprintf(part, FOLDER_PATH_MAX, "%s/" FOLDER_INCOMPLETE, to);
    if (status_ok(&fault))
        fault = folder_set_paths(&longest, part);
    if (status_ok(&fault) && mkdir(part, 0700) != 0)
        fault = status_make(status_of_errno(errno), "cannot create %s: %s", part, strerror(errno));
    return fault;
}

static struct status finish(const char *to, const char *part)
{
    static const char *const names[] = {"journal", "admin.key", "secret", "ticket.key", "book.sqlite"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char made[FOLDER_PATH_MAX + 16], final[FOLDER_PATH_MAX + 16];
        snprintf(made, sizeof(made), "%s/%s", part, names[i]);
        snprintf(final, sizeof(final), "%s/%s", to, names[i]);
        /* A key that does not exist was not copied. */
        if (rename(made, final) != 0 && errno != ENOENT)
            return status_make(STATUS_IO, "cannot move %s: %s", made, strerror(errno));
    }
    /* The names are durable before the marker goes: while incomplete/ exists the folder is refused. */
    struct status fault = sync_path(to);
    if (status_ok(&fault) && rmdir(part) != 0)
        fault = status_make(STATUS_IO, "cannot delete %s: %s", part, strerror(errno));
    return status_ok(&fault) ? sync_path(to) : fault;
}

/* ---- A node's book, whose log is in PostgreSQL ---- */

static bool note_owner(void *owner, const struct change *c)
{
    if (c->kind == CHANGE_OWNER)
        *(bool *)owner = true;
    return true;
}

/* A folder that has lost its journal must not be taken for one: its book never had an owner, or it was restored from one. */
static struct status require_node(const char *book, struct book_meta *meta)
{
    bool owned = false;
    const struct book_load_sink sink = {.owner = &owned, .record = note_owner};
    struct status fault = book_load(book, INT64_MAX, &sink, meta);
    if (status_ok(&fault) && !(owned && meta->log.has_id && meta->log.has_chain && !meta->restored))
        fault = status_make(STATUS_CORRUPT, "the folder has lost its journal, and the book is not one of a node with --store");
    return fault;
}

/* The copy gets a journal of its own, which continues its book. Upgrades the book. */
static struct status give_journal(const struct folder *target, struct backup_report *report)
{
    struct book_writer *writer = NULL;
    struct book_meta meta;
    struct journal_anchor anchor;
    uint8_t id[16];
    struct status fault = book_writer_open(&writer, target->book);
    if (status_ok(&fault))
        fault = require_node(target->book, &meta);
    if (status_ok(&fault)) {
        log_files_anchor(&meta.log, &anchor);
        fault = journal_begin(&disk_real, target->journal, &anchor, meta.last_at_ms, id);
    }
    if (status_ok(&fault))
        fault = book_writer_tie(writer, id, meta.log.id);
    book_writer_close(writer);
    report->last_seq = report->book_seq;
    report->segments = 1;
    return fault;
}

static struct status copy_journal(const struct folder *source, const struct folder *target, struct backup_report *report)
{
    struct journal_recovery journal;
    if (access(source->journal, F_OK) != 0 && errno == ENOENT)
        return give_journal(target, report);
    struct status fault = journal_copy(&disk_real, source->journal, target->journal, report->book_seq, &journal);
    if (status_ok(&fault)) {
        report->last_seq = journal.last_seq > report->book_seq ? journal.last_seq : report->book_seq;
        report->segments = journal.segments;
    }
    return fault;
}

/* Assumes that no journal segment is freed: backup.lock is held, or no server is running. */
static struct status copy_folder(const struct folder *source, const char *from, const char *to,
                                 struct backup_report *report)
{
    struct folder target;
    struct status fault = folder_set_paths(&target, to);
    if (status_ok(&fault))
        /* The book first: segments are freed only up to what the book has, so the journal still reaches back
         * to it. */
        fault = book_backup_copy(source->book, target.book, &report->book_seq);
    if (status_ok(&fault))
        fault = copy_journal(source, &target, report);
    if (status_ok(&fault))
        fault = copy_key(from, to, "admin.key");
    if (status_ok(&fault))
        fault = copy_key(from, to, "secret");
    if (status_ok(&fault))
        fault = copy_key(from, to, "ticket.key");
    if (status_ok(&fault))
        fault = sync_path(to);
    return fault;
}

/* A book that was not closed can be read only where SQLite can create files beside it. */
static struct status copy_stopped(struct folder *source, const char *from, const char *to,
                                  struct backup_report *report)
{
    struct book_scratch_copy book_scratch_copy = {0};
    struct status fault = status_none();
    if (book_scratch_copy_has_log(source))
        fault = book_scratch_copy_make(&book_scratch_copy, source);
    if (status_ok(&fault))
        fault = copy_folder(source, from, to, report);
    book_scratch_copy_remove(&book_scratch_copy);
    return fault;
}

struct status backup_make(const char *from, const char *to, struct backup_report *report)
{
    struct folder source;
    struct status fault = folder_set_paths(&source, from);
    if (status_ok(&fault) && access(source.book, F_OK) != 0)
        fault = status_make(STATUS_INVALID, "%s is not a data folder: it has no book", from);
    if (status_ok(&fault))
        fault = folder_keep_segments(&source, from);
    if (!status_ok(&fault))
        return fault;
    char part[FOLDER_PATH_MAX];
    fault = backup_begin(to, part);
    if (status_ok(&fault))
        /* SQLite creates files beside a book in use; in a read-only folder, a copy elsewhere is used instead. */
        fault = access(from, W_OK) == 0 ? copy_folder(&source, from, part, report)
                                        : copy_stopped(&source, from, part, report);
    if (status_ok(&fault))
        fault = finish(to, part);
    folder_close(&source);
    return fault;
}

/* ---- Restoring ---- */

/* Also upgrades the book, if it is older. */
static struct status fork_journal(const struct folder *f, struct book_writer *writer)
{
    static const struct book_load_sink none; /* only the anchor is needed, not the records */
    struct book_meta meta;
    struct journal *journal = NULL;
    struct journal_anchor anchor;
    uint8_t id[16], parent[16];
    struct status fault = book_load(f->book, INT64_MAX, &none, &meta);
    log_files_anchor(&meta.log, &anchor);
    if (status_ok(&fault))
        fault = journal_open(&journal, &disk_real, f->journal, NULL, &anchor, NULL, NULL, NULL);
    if (!status_ok(&fault))
        return fault;
    journal_id(journal, parent);
    fault = journal_fork(journal);
    journal_id(journal, id);
    ASSERT(!status_ok(&fault) || memcmp(id, parent, sizeof(id)) != 0); /* a fork has a new id */
    journal_close(journal);
    /* A crash between the fork and the tie leaves incomplete/, and the whole copy is discarded. */
    return status_ok(&fault) ? book_writer_tie(writer, id, parent) : fault;
}

/* Checks that the copy can be served. */
static struct status verify_fork(const struct folder *f)
{
    static const struct book_load_sink none;
    struct book_meta meta;
    struct log_recovery found;
    struct status fault = book_load(f->book, INT64_MAX, &none, &meta);
    return status_ok(&fault) ? log_verify_files(f->journal, &meta.log, NULL, NULL, &found) : fault;
}

/* Gives the copy a history of its own. */
static struct status fork_copy(const char *part)
{
    struct folder target;
    struct book_writer *writer = NULL;
    struct status fault = folder_set_paths(&target, part);
    if (status_ok(&fault))
        fault = book_writer_open(&writer, target.book);
    if (status_ok(&fault))
        fault = fork_journal(&target, writer);
    /* Closing moves the log into the file, so what is verified is what will be opened. */
    book_writer_close(writer);
    return status_ok(&fault) ? verify_fork(&target) : fault;
}

struct status backup_restore(const char *from, const char *to, struct backup_report *report)
{
    struct folder source;
    char part[FOLDER_PATH_MAX];
    struct status fault = folder_open_read_only(&source, from);
    if (!status_ok(&fault))
        return fault;
    fault = backup_begin(to, part);
    if (status_ok(&fault))
        fault = copy_stopped(&source, from, part, report);
    if (status_ok(&fault))
        fault = fork_copy(part);
    if (status_ok(&fault))
        fault = finish(to, part);
    folder_close(&source);
    return fault;
}

struct status backup_book_complete(const char *data, uint64_t last_seq)
{
    struct folder folder;
    struct log_recovery journal = {0};
    const struct log_anchor after = {.seq = last_seq};
    struct status fault = folder_open_read_only(&folder, data);
    /* A server is running: its book catches up. */
    if (fault.kind == STATUS_BUSY)
        return status_none();
    if (status_ok(&fault))
        fault = log_verify_files(folder.journal, &after, NULL, NULL, &journal);
    folder_close(&folder);
    if (status_ok(&fault) && journal.last_seq > last_seq)
        return status_make(
            STATUS_BUSY,
            "the copy ends at seq %llu, but the journal continues to %llu: the server has not run since; "
            "start it once and export again",
            (unsigned long long)last_seq, (unsigned long long)journal.last_seq);
    return fault;
}
