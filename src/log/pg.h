/* SPDX-License-Identifier: Apache-2.0 */
/* pg.h — a connection to PostgreSQL. pg.c is the only file that uses libpq.
 *
 * Every call blocks, so the loop must not make any. A connection belongs to one thread. It is opened on first use, and
 * again after it was lost. Nothing is known then about the statement that was running: the caller must ask, or repeat it.
 *
 *   pg_run ──► PG_DONE       the answer is complete, and the server has committed the statement
 *          ──► PG_UNDECIDED  it may or may not have: no connection, or a server that is stopping, starting or overloaded
 *          ──► PG_FULL       not committed: the server's disk is full
 *          ──► PG_REFUSED    not committed: the server will not accept this statement, however often it is repeated
 */
#ifndef LOG_PG_H
#define LOG_PG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct pg;

enum pg_outcome { PG_DONE, PG_UNDECIDED, PG_FULL, PG_REFUSED };

struct pg_options {
    const char *url;  /* postgres://…; must stay valid */
    const char *name; /* application_name of this connection; must stay valid */
    /* How long a statement may wait for a lock; 0: limit_ms. Then the server gives it up, too: PG_UNDECIDED. */
    uint32_t lock_ms;
    /* Called on the caller's thread once a statement, with the time to connect, has taken longer than slow_ms. May be NULL. */
    void (*slow)(void *ctx);
    void *slow_ctx;
    uint32_t slow_ms;
    uint32_t limit_ms; /* then the connection is given up: PG_UNDECIDED */
};

enum pg_kind { PG_KIND_INT, PG_KIND_TEXT, PG_KIND_BYTES, PG_KIND_ID };
struct pg_value {
    enum pg_kind kind;
    int64_t number;
    const void *at; /* TEXT: ends with 0. ID: 16 bytes, for a column of type uuid */
    size_t size;    /* BYTES */
};
#define PG_INT(value) ((struct pg_value){.kind = PG_KIND_INT, .number = (int64_t)(value)})
#define PG_TEXT(text) ((struct pg_value){.kind = PG_KIND_TEXT, .at = (text)})
#define PG_BYTES(bytes, count) ((struct pg_value){.kind = PG_KIND_BYTES, .at = (bytes), .size = (count)})
#define PG_ID(id) ((struct pg_value){.kind = PG_KIND_ID, .at = (id)})

#define PG_VALUES_MAX 16

struct pg *pg_make(const struct pg_options *options); /* does not connect */
void pg_release(struct pg *p);                         /* NULL is allowed */

/* Runs one statement in a transaction of its own. `sql` must be a constant: the connection remembers it by its address. The
 * answer is valid until the next call. A commit with a warning (an interrupted wait for a standby, say) is PG_UNDECIDED. */
enum pg_outcome pg_run(struct pg *p, const char *sql, const struct pg_value *values, int count);
/* The same up to five times while it is PG_UNDECIDED: for statements that can be repeated. */
enum pg_outcome pg_run_repeated(struct pg *p, const char *sql, const struct pg_value *values, int count);
/* Runs several statements, without values, in one transaction. */
enum pg_outcome pg_script(struct pg *p, const char *sql);

/* Of the last answer. A column must be of an integer type, of type text or bytea, or uuid. */
int pg_rows_count(const struct pg *p);
bool pg_null(const struct pg *p, int row, int column);
int64_t pg_int(const struct pg *p, int row, int column);
const uint8_t *pg_bytes(const struct pg *p, int row, int column, size_t *size); /* text, too: ends with 0 */

/* Why the last call was not PG_DONE: a sentence, and the SQLSTATE ("" if the server did not say). */
const char *pg_fault(const struct pg *p);
const char *pg_state(const struct pg *p);
/* Whether it was because the connection lacks what was prepared on it, or has what another one prepared: a pooler runs the
 * statements of one connection on several. PG_UNDECIDED, and the connection is given up. */
bool pg_statement_lost(const struct pg *p);
/* Whether it was because something that the operator sets up is missing: a right, a table, the user or the database. It can come
 * back. */
bool pg_lacks_set_up(const struct pg *p);
/* Why, as a status, IO: "the database did not accept a statement", and why. */
struct status pg_fault_status(const struct pg *p);

#endif
