/* SPDX-License-Identifier: Apache-2.0 */
#include "book/file/sql.h"

#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/assertion.h"
#include "base/time/clock.h"
#include "base/memory/memory.h"
#include "book/file/page_sum.h"
#include "book/file/sql_vfs.h"
#include "book/file/sql_zone.h"
#include "book/file/wal_check.h"

#define BUSY_TIMEOUT_MS 1000
#define BUDGET_CHECK_STEPS 1000

struct sql_statement {
    sqlite3_stmt *handle;
    struct sql *sql;
    uint64_t parameters; /* see sql_parameters */
    struct sql_statement *next;
};

struct sql {
    sqlite3 *handle;
    struct sql_statement *statements;
    struct status status;
    uint64_t deadline_ns; /* 0: none */
    uint64_t log_bytes;
    int64_t page_size;
    char *path;
    sql_page_name_fn *page_name; /* NULL: by number */
    bool immutable;              /* not open elsewhere: read without creating files beside it */
    struct stat opened;          /* immutable: the file as it was when it was opened */
};

/* ---- Faults ---- */

/* clang-format off */
static enum status_kind kind_of(int code)
{
    if (code == SQLITE_IOERR_DATA) /* from sql_vfs.c: a wrong checksum */
        return STATUS_CORRUPT;
    if (code == SQLITE_IOERR_READ)
        return STATUS_UNREADABLE;
    switch (code & 0xff) {
    case SQLITE_BUSY: case SQLITE_LOCKED: case SQLITE_INTERRUPT:                     return STATUS_BUSY;
    case SQLITE_FULL:                                                                return STATUS_FULL;
    case SQLITE_IOERR: case SQLITE_CANTOPEN: case SQLITE_READONLY: case SQLITE_PERM: return STATUS_IO;
    case SQLITE_CORRUPT: case SQLITE_NOTADB:                                         return STATUS_CORRUPT;
    case SQLITE_CONSTRAINT: /* core never decides that */                            return STATUS_CORRUPT;
    default:                                                                         return STATUS_DATABASE;
    }
}
/* clang-format on */

struct status sql_status(const struct sql *s)
{
    return s->status;
}

bool sql_sound(const struct sql *s)
{
    return status_ok(&s->status);
}

void sql_forgive(struct sql *s)
{
    s->status = status_none();
}

void sql_fail(struct sql *s, enum status_kind kind, const char *format, ...)
{
    /* Only the first fault: later ones are its consequences. */
    ASSERT(kind != STATUS_OK);
    if (!sql_sound(s))
        return;
    char text[sizeof(s->status.text)];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    s->status = status_make(kind, "%s", text);
}

static void fail_with(struct sql *s, int code, const char *doing)
{
    uint32_t page = code == SQLITE_IOERR_DATA ? sql_vfs_damaged(s->handle) : 0;
    if (page && sql_sound(s)) {
        char name[SQL_PAGE_NAME_SIZE];
        if (s->page_name)
            s->page_name(s->path, page, name);
        else
            snprintf(name, sizeof(name), "page %u", page);
        sql_fail(s, STATUS_CORRUPT,
                 "The checksum of %s does not match: it is damaged, or another program wrote it.", name);
    }
    sql_fail(s, kind_of(code), "The book: %s (%s%.100s).", sqlite3_errmsg(s->handle), doing ? "in " : "",
             doing ? doing : "no statement");
}

/* ---- Opening and closing ---- */

/* Memory statistics would take a lock on every allocation, and are not used. Statement journals, which triggers need, stay in
 * memory: one that may spill to a file allocates and frees 64 KiB every time. */
static void configure(void)
{
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    sqlite3_config(SQLITE_CONFIG_STMTJRNL_SPILL, -1);
}

static int on_commit(void *owner, sqlite3 *handle, const char *database, int pages)
{
    (void)handle, (void)database;
    struct sql *s = owner;
    ASSERT(s->page_size > 0 && pages >= 0);
    /* Each page has a frame header of 24 bytes in the log. */
    s->log_bytes = (uint64_t)pages * (uint64_t)(s->page_size + 24);
    return SQLITE_OK;
}

bool sql_has_log(const char *path)
{
    char *log = wal_path(path);
    bool there = access(log, F_OK) == 0;
    free(log);
    return there;
}

static int open_handle(struct sql *s, const char *path, enum sql_access access)
{
    int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX;
    if (access == SQL_WRITE)
        return sqlite3_open_v2(path, &s->handle,
                               SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                               sql_vfs_name());
    /* Without a log it is not open elsewhere, and SQLite would create one just to read. */
    s->immutable = access != SQL_READ || (!sql_has_log(path) && stat(path, &s->opened) == 0);
    if (!s->immutable)
        return sqlite3_open_v2(path, &s->handle, flags, sql_vfs_name());
    char *uri = sql_vfs_immutable_uri(path);
    int code = sqlite3_open_v2(uri, &s->handle, flags | SQLITE_OPEN_URI, sql_vfs_name());
    free(uri);
    if (code == SQLITE_OK && access == SQL_LOOK)
        sql_vfs_trust(s->handle);
    return code;
}

/* For a new file: SQLite keeps these bytes of each page free. */
static void reserve_for_sums(struct sql *s)
{
    int bytes = PAGE_SUM_SIZE;
    sqlite3_file_control(s->handle, "main", SQLITE_FCNTL_RESERVE_BYTES, &bytes);
}

struct status sql_open(struct sql **out, const char *path, enum sql_access access)
{
    return sql_open_naming(out, path, access, NULL);
}

struct status sql_open_naming(struct sql **out, const char *path, enum sql_access access,
                              sql_page_name_fn *name)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, configure);
    *out = NULL;
    struct sql *s = memory_zeroed(1, sizeof(*s));
    s->path = memory_copy(path, strlen(path));
    s->page_name = name;
    int code = open_handle(s, path, access);
    if (code != SQLITE_OK) {
        struct status status = status_make(kind_of(code), "Cannot open %s: %s.", path,
                                           s->handle ? sqlite3_errmsg(s->handle) : "out of memory");
        sql_close(s);
        return status;
    }
    sqlite3_extended_result_codes(s->handle, 1);
    sqlite3_busy_timeout(s->handle, BUSY_TIMEOUT_MS);
    if (sql_zone_register(s->handle) != SQLITE_OK)
        sql_fail(s, STATUS_INVALID, "Cannot define functions: %s.", sqlite3_errmsg(s->handle));
    sqlite3_db_config(s->handle, SQLITE_DBCONFIG_DEFENSIVE, access != SQL_WRITE, NULL);
    /* A reader that closes last must not checkpoint: only the writer does. */
    sqlite3_db_config(s->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, access != SQL_WRITE, NULL);
    if (access == SQL_WRITE)
        reserve_for_sums(s);
    else
        sql_run(s, "PRAGMA query_only = ON");
    s->page_size = sql_number(s, "PRAGMA page_size");
    if (access == SQL_WRITE)
        /* Replaces automatic checkpoints: the recorder decides when. */
        sqlite3_wal_hook(s->handle, on_commit, s);
    struct status status = sql_status(s);
    if (status_ok(&status))
        *out = s;
    else
        sql_close(s);
    return status;
}

static void discard(struct sql_statement *t)
{
    if (t)
        sqlite3_finalize(t->handle);
    free(t);
}

void sql_close(struct sql *s)
{
    if (!s)
        return;
    for (struct sql_statement *t; (t = s->statements);) {
        s->statements = t->next;
        discard(t);
    }
    /* Not close_v2, which would hide an open statement. */
    int code = sqlite3_close(s->handle);
    ASSERT(code == SQLITE_OK);
    free(s->path);
    free(s);
}

/* ---- Statements ---- */

static struct sql_statement *prepare(struct sql *s, const char *text, unsigned flags)
{
    sqlite3_stmt *handle;
    const char *rest;
    if (!sql_sound(s))
        return NULL;
    int code = sqlite3_prepare_v3(s->handle, text, -1, flags, &handle, &rest);
    if (code != SQLITE_OK) {
        fail_with(s, code, text);
        return NULL;
    }
    ASSERT(handle && !*rest);                           /* one statement: a second would never run */
    ASSERT(sqlite3_bind_parameter_count(handle) <= 64); /* the bits of `parameters` */
    struct sql_statement *t = memory_zeroed(1, sizeof(*t));
    *t = (struct sql_statement){.handle = handle, .sql = s};
    for (int i = 0; i < sqlite3_bind_parameter_count(handle); i++)
        /* Only numbered parameters have a name. */
        t->parameters |= sqlite3_bind_parameter_name(handle, i + 1) ? UINT64_C(1) << i : 0;
    return t;
}

struct sql_statement *sql_prepare(struct sql *s, const char *text)
{
    struct sql_statement *t = prepare(s, text, SQLITE_PREPARE_PERSISTENT);
    if (t) {
        t->next = s->statements;
        s->statements = t;
    }
    return t;
}

void sql_run(struct sql *s, const char *text)
{
    if (!sql_sound(s))
        return;
    int code = sqlite3_exec(s->handle, text, NULL, NULL, NULL);
    if (code != SQLITE_OK)
        fail_with(s, code, text);
}

int64_t sql_number(struct sql *s, const char *text)
{
    struct sql_statement *t = prepare(s, text, 0);
    int64_t number = sql_next(t) ? sql_int(t, 0) : 0;
    discard(t);
    return number;
}

bool sql_answers(struct sql *s, const char *text, const char *word)
{
    struct sql_statement *t = prepare(s, text, 0);
    bool same = sql_next(t) && text_equal(sql_text(t, 0), (struct text){word, strlen(word)});
    discard(t);
    return same;
}

/* A bind can fail only if memory is exhausted or the parameter does not exist: a bug. */
static void bound(int code)
{
    ASSERT(code == SQLITE_OK);
}

void sql_bind_int(struct sql_statement *t, int parameter, int64_t value)
{
    if (t)
        bound(sqlite3_bind_int64(t->handle, parameter, value));
}

void sql_bind_text(struct sql_statement *t, int parameter, struct text value)
{
    ASSERT(value.size <= INT_MAX && (value.at || !value.size));
    if (t)
        bound(sqlite3_bind_text(t->handle, parameter, value.at, (int)value.size, SQLITE_STATIC));
}

void sql_bind_word(struct sql_statement *t, int parameter, const char *word)
{
    sql_bind_text(t, parameter, (struct text){word, word ? strlen(word) : 0});
}

void sql_bind_blob(struct sql_statement *t, int parameter, const void *bytes, size_t size)
{
    if (t)
        /* A NULL pointer would bind NULL and not an empty blob. */
        bound(sqlite3_bind_blob64(t->handle, parameter, size ? bytes : "", size, SQLITE_TRANSIENT));
}

void sql_bind_copy(struct sql_statement *t, int parameter, struct text value)
{
    ASSERT(value.at && value.size <= INT_MAX); /* NULL would be bound as NULL */
    if (t)
        bound(sqlite3_bind_text(t->handle, parameter, value.at, (int)value.size, SQLITE_TRANSIENT));
}

void sql_bind_null(struct sql_statement *t, int parameter)
{
    if (t)
        bound(sqlite3_bind_null(t->handle, parameter));
}

void sql_bind_list(struct sql_statement *t, const int64_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sql_bind_int(t, (int)i + 1, values[i]);
}

uint64_t sql_parameters(const struct sql_statement *t)
{
    return t ? t->parameters : 0;
}

bool sql_next(struct sql_statement *t)
{
    if (!t || !sql_sound(t->sql)) {
        sql_reset(t);
        return false;
    }
    int code = sqlite3_step(t->handle);
    if (code == SQLITE_ROW)
        return true;
    if (code != SQLITE_DONE)
        fail_with(t->sql, code, sqlite3_sql(t->handle));
    sqlite3_reset(t->handle);
    return false;
}

int64_t sql_do(struct sql_statement *t)
{
    bool row = sql_next(t);
    ASSERT(!row);
    return t && sql_sound(t->sql) ? sqlite3_changes64(t->sql->handle) : 0;
}

int64_t sql_do_list(struct sql_statement *t, const int64_t *values, size_t count)
{
    sql_bind_list(t, values, count);
    return sql_do(t);
}

bool sql_try(struct sql_statement *t)
{
    if (!t || !sql_sound(t->sql))
        return true;
    int code = sqlite3_step(t->handle);
    ASSERT(code != SQLITE_ROW);
    bool refused = (code & 0xff) == SQLITE_CONSTRAINT;
    if (code != SQLITE_DONE && !refused)
        fail_with(t->sql, code, sqlite3_sql(t->handle));
    sqlite3_reset(t->handle);
    return !refused;
}

int64_t sql_changed(const struct sql *s)
{
    return sqlite3_changes64(s->handle);
}

void sql_reset(struct sql_statement *t)
{
    if (t)
        sqlite3_reset(t->handle);
}

int sql_columns(struct sql_statement *t)
{
    return sqlite3_column_count(t->handle);
}

int64_t sql_int(struct sql_statement *t, int column)
{
    return sqlite3_column_int64(t->handle, column);
}

struct text sql_text(struct sql_statement *t, int column)
{
    /* One lookup for pointer and size: millions are read at start. The value is unprotected, which is safe because the
     * connection belongs to one thread. */
    sqlite3_value *value = sqlite3_column_value(t->handle, column);
    const char *at = (const char *)sqlite3_value_text(value);
    return (struct text){at, at ? (size_t)sqlite3_value_bytes(value) : 0};
}

const void *sql_blob(struct sql_statement *t, int column, size_t size)
{
    const void *at = sqlite3_column_blob(t->handle, column);
    return sql_size(t, column) == size ? at : NULL;
}

size_t sql_size(struct sql_statement *t, int column)
{
    return (size_t)sqlite3_column_bytes(t->handle, column);
}

bool sql_null(struct sql_statement *t, int column)
{
    return sqlite3_column_type(t->handle, column) == SQLITE_NULL;
}

/* ---- Bounded time ---- */

static int on_progress(void *owner)
{
    const struct sql *s = owner;
    return clock_monotonic_ns() > s->deadline_ns;
}

void sql_interrupt(struct sql *s)
{
    sqlite3_interrupt(s->handle);
}

void sql_set_budget(struct sql *s, uint64_t budget_ns)
{
    s->deadline_ns = budget_ns ? clock_monotonic_ns() + budget_ns : 0;
    sqlite3_progress_handler(s->handle, BUDGET_CHECK_STEPS, budget_ns ? on_progress : NULL, s);
}

bool sql_in_time(struct sql *s)
{
    if (s->deadline_ns && clock_monotonic_ns() > s->deadline_ns)
        sql_fail(s, STATUS_BUSY, "The query took too long.");
    return sql_sound(s);
}

/* ---- The log and copies ---- */

uint64_t sql_log_bytes(const struct sql *s)
{
    return s->log_bytes;
}

void sql_checkpoint(struct sql *s, bool *whole)
{
    *whole = false;
    if (!sql_sound(s))
        return;
    int in_log = 0, moved = 0;
    ASSERT(sqlite3_get_autocommit(s->handle)); /* between transactions */
    /* PASSIVE never waits for readers; what they hold back is moved next time. */
    int code = sqlite3_wal_checkpoint_v2(s->handle, NULL, SQLITE_CHECKPOINT_PASSIVE, &in_log, &moved);
    if (code == SQLITE_BUSY)
        return; /* another process is checkpointing; we try again later */
    if (code != SQLITE_OK) {
        fail_with(s, code, "checkpoint");
        return;
    }
    ASSERT(moved <= in_log);
    *whole = in_log == moved;
    if (*whole)
        s->log_bytes = 0;
}

bool sql_unreadable(struct sql *s)
{
    if (sql_vfs_unreadable(s->handle))
        sql_fail(s, STATUS_UNREADABLE, "The book: a read of %s or of its log failed.", s->path);
    return s->status.kind == STATUS_UNREADABLE;
}

bool sql_bytes(struct sql *s, int64_t offset, void *bytes, size_t size)
{
    sqlite3_file *file = NULL;
    ASSERT(offset >= 0 && size <= INT_MAX);
    sqlite3_file_control(s->handle, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    bool read = file && file->pMethods && file->pMethods->xRead(file, bytes, (int)size, offset) == SQLITE_OK;
    return read || (sql_unreadable(s), false);
}

/* Whether the file was opened as immutable, but another process has changed it. */
static bool was_changed(const struct sql *s)
{
    struct stat now;
    return s->immutable &&
           (sql_has_log(s->path) || stat(s->path, &now) != 0 || now.st_size != s->opened.st_size ||
            now.st_mtim.tv_sec != s->opened.st_mtim.tv_sec ||
            now.st_mtim.tv_nsec != s->opened.st_mtim.tv_nsec);
}

void sql_copy(struct sql *s, const char *path)
{
    struct sql *to;
    if (!sql_sound(s))
        return;
    ASSERT(!sqlite3_get_autocommit(s->handle)); /* a transaction is open: the copy is what it sees */
    struct status status = sql_open(&to, path, SQL_WRITE);
    if (!status_ok(&status)) {
        sql_fail(s, status.kind, "%s", status.text);
        return;
    }
    /* Pages are copied unchanged, so both files must have checksums, or neither. */
    sql_vfs_set_sums(to->handle, sql_vfs_sums(s->handle));
    sql_vfs_allow_holes(s->handle, true);
    sqlite3_backup *backup = sqlite3_backup_init(to->handle, "main", s->handle, "main");
    /* In one step: otherwise a change of the source would restart the copy. */
    int code = backup ? sqlite3_backup_step(backup, -1) : sqlite3_errcode(to->handle);
    sqlite3_backup_finish(backup);
    sql_vfs_allow_holes(s->handle, false);
    if (was_changed(s))
        sql_fail(s, STATUS_BUSY, "A server started to write %s while it was copied; try again.", s->path);
    else if (code == SQLITE_IOERR_DATA)
        fail_with(s, code, NULL);
    else if (code != SQLITE_DONE)
        sql_fail(s, kind_of(code), "Cannot copy to %s: %s.", path, sqlite3_errstr(code));
    sql_close(to);
}
