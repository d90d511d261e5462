/* SPDX-License-Identifier: Apache-2.0 */
/* sql.h — wraps SQLite: only sql.c, sql_vfs.c (which verifies pages) and sql_zone.c include sqlite3.h.
 *
 * Faults stick: after the first one every call on the connection does nothing and returns nothing, so a caller does all its
 * work and checks sql_status once. sql_forgive clears the fault, after a rollback. A connection and its statements belong to
 * one thread at a time.
 *
 *   struct sql_statement *find = sql_prepare(s, "SELECT name FROM events WHERE number = ?");
 *   sql_bind_int(find, 1, 7);
 *   while (sql_next(find))
 *       use(sql_text(find, 0));
 */
#ifndef BOOK_SQL_H
#define BOOK_SQL_H

#include "base/status.h"
#include "core/types.h"

struct sql;
struct sql_statement;

enum sql_access {
    SQL_WRITE, /* creates the file if needed; the one connection that writes and checkpoints */
    SQL_READ,  /* cannot write or checkpoint; creates no files beside a book that is not open elsewhere */
    SQL_FILE,  /* the same, but reads the file alone, without the log beside it */
    SQL_LOOK,  /* the same as SQL_FILE, without verifying checksums: to describe damage */
};

/* Whether there is a log beside the database: while it is open, and after a process was killed. */
bool sql_has_log(const char *path);
struct status sql_open(struct sql **out, const char *path, enum sql_access access);
#define SQL_PAGE_NAME_SIZE 160
typedef void sql_page_name_fn(const char *path, uint32_t number, char out[SQL_PAGE_NAME_SIZE]);
/* The same; faults about a damaged page call it by the text from `name`. NULL: by its number. */
struct status sql_open_naming(struct sql **out, const char *path, enum sql_access access,
                              sql_page_name_fn *name);
void sql_close(struct sql *s); /* with its statements; NULL is allowed */

struct status sql_status(const struct sql *s);
bool sql_sound(const struct sql *s); /* no fault so far */
void sql_forgive(struct sql *s);
/* Reports a fault found by the caller; the first one stays. */
void sql_fail(struct sql *s, enum status_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void sql_run(struct sql *s, const char *text);       /* any number of statements without results */
int64_t sql_number(struct sql *s, const char *text); /* the first column of the first row; 0: none */
bool sql_answers(struct sql *s, const char *text,
                 const char *word); /* whether the first result is this text */

/* The connection owns the statement. NULL after a fault; every function here accepts that. */
struct sql_statement *sql_prepare(struct sql *s, const char *text);

/* Parameters count from 1. Texts must stay valid until the statement has run. */
void sql_bind_int(struct sql_statement *t, int parameter, int64_t value);
void sql_bind_text(struct sql_statement *t, int parameter, struct text value); /* none is NULL */
void sql_bind_word(struct sql_statement *t, int parameter,
                   const char *word); /* NUL-terminated; NULL is NULL */
void sql_bind_blob(struct sql_statement *t, int parameter, const void *bytes, size_t size);
void sql_bind_copy(struct sql_statement *t, int parameter, struct text value); /* copies the text */
void sql_bind_null(struct sql_statement *t, int parameter);
/* Binds numbers, from ?1 on. */
void sql_bind_list(struct sql_statement *t, const int64_t *values, size_t count);
#define SQL_LIST(...) (const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t)
#define sql_bind_ints(t, ...) sql_bind_list(t, SQL_LIST(__VA_ARGS__))
uint64_t
sql_parameters(const struct sql_statement *t); /* its numbered parameters: bit 0 is ?1, bit 63 is ?64 */

/* Steps to the next row. False: there is none, or a fault; the statement can be bound and run again. */
bool sql_next(struct sql_statement *t);
/* Runs a statement without results, and returns how many rows it changed. */
int64_t sql_do(struct sql_statement *t);
int64_t sql_do_list(struct sql_statement *t, const int64_t *values, size_t count);
#define sql_do_ints(t, ...) sql_do_list(t, SQL_LIST(__VA_ARGS__)) /* sql_bind_ints and sql_do */
/* The same. False: a constraint refused it, which is not a fault. */
bool sql_try(struct sql_statement *t);
int64_t sql_changed(const struct sql *s); /* rows changed by the last statement */
void sql_reset(struct sql_statement *t);  /* discards the remaining rows */

int sql_columns(struct sql_statement *t); /* how many a row has */
/* Columns count from 0. Texts and blobs are valid until the next step. */
int64_t sql_int(struct sql_statement *t, int column);
struct text sql_text(struct sql_statement *t, int column);
const void *sql_blob(struct sql_statement *t, int column, size_t size); /* NULL: not of this size */
size_t sql_size(struct sql_statement *t, int column);                   /* of a text or blob, in bytes */
bool sql_null(struct sql_statement *t, int column);

/* After this many nanoseconds statements are interrupted, with a fault of kind BUSY. 0: never. */
void sql_set_budget(struct sql *s, uint64_t budget_ns);
/* From any thread, while the connection is open: interrupts the running statement, with the same fault. */
void sql_interrupt(struct sql *s);
/* False, with the same fault, if the budget is used up: for work made of many short statements. */
bool sql_in_time(struct sql *s);

/* For the writer: the size of the write-ahead log, in bytes. */
uint64_t sql_log_bytes(const struct sql *s);
/* Moves the log into the database file and syncs it. *whole: all of it was moved; readers may hold part of it back. */
void sql_checkpoint(struct sql *s, bool *whole);

/* Whether a read of the file or its log has failed, even one that SQLite ignored, as its integrity check does. Then there is
 * a fault of kind UNREADABLE. */
bool sql_unreadable(struct sql *s);

/* Reads `size` bytes of the file at `offset`; not verified with SQL_LOOK. False: the file is shorter, or a fault. */
bool sql_bytes(struct sql *s, int64_t offset, void *bytes, size_t size);

/* Copies the whole database, as the open read transaction sees it, into a new file, synced. BUSY: it was not open when it
 * was opened here, and a server has started to write it since. */
void sql_copy(struct sql *s, const char *path);

#endif
