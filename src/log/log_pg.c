/* SPDX-License-Identifier: Apache-2.0 */
#include "log/log_pg.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/assertion.h"
#include "base/crypto/crc32c.h"
#include "base/logging.h"
#include "base/memory/buf.h"
#include "base/memory/memory.h"
#include "base/time/clock.h"
#include "log/pg.h"
#include "log/pg_rows.h"
#include "log/sales.h"

/* 700 holds, which another process applies in 2 ms. A step is never split, so a row may be longer. */
#define CUT_EVERY ((size_t)64 << 10)
#define STATEMENT_LIMIT_MS 15000 /* a server that hangs: the statement is repeated, at another server if there is one */
#define OPEN_LIMIT_MS 30000
#define PAUSE_MS_FIRST 20
#define PAUSE_MS_MAX 1000
#define COLUMN_SIZE_MAX ((size_t)64 << 20)

struct log_pg {
    struct log log; /* first: log_pg_of casts */
    struct log_pg_options options;
    char writer_name[48];
    struct pg *writer; /* batcher's thread */
    /* The last row. The loop's while another process writes, then the batcher's thread's, which gets its first batch later. */
    uint64_t last_first_seq;
    uint32_t last_chain;
    struct sale *sales; /* of the batch that is being written: one row per seat, and their columns */
    uint32_t sale_count, sale_capacity;
    struct buf columns[SALES_COLUMNS];
    uint64_t written_bytes, written_changes; /* by this process, and what it replayed */
    _Atomic uint64_t change_bytes;           /* of a change, on average */
    _Atomic uint64_t freed_seq;              /* the book has everything up to it */
    _Atomic uint64_t oldest_seq;
    _Atomic uint64_t undecided_ns;
};
_Static_assert(offsetof(struct log_pg, log) == 0, "log_pg_of casts from one to the other");

static const struct log_ops pg_ops;

static struct log_pg *log_pg_of(struct log *l)
{
    ASSERT(l->ops == &pg_ops);
    return (struct log_pg *)l;
}

/* ---- Writing ---- */

uint32_t log_pg_chain(uint32_t before, uint64_t epoch, const struct log_batch *batch)
{
    const uint64_t numbers[] = {before, epoch, batch->first_seq, batch->count, (uint64_t)batch->at_ms};
    uint8_t head[sizeof(numbers)];
    for (size_t i = 0; i < sizeof(head); i++)
        head[i] = (uint8_t)(numbers[i / 8] >> (8 * (i % 8)));
    return crc32c(crc32c(0, head, sizeof(head)), batch->bytes, batch->size);
}

/* One statement, so that a process which is stopped in the middle of it never holds a lock: the server has all of it before it
 * takes the first one. Its answer says g: this process may write; l: the row was written by this statement; and the epoch and
 * chain of the row that is there, if it was there before. */
#define APPEND_LOG                                                                                                     \
    "WITH s AS (SELECT 1 FROM fence WHERE shard=$1::int AND epoch=$2 AND token=$3 AND halted IS NULL FOR SHARE),"      \
    "l AS (INSERT INTO log SELECT $1::int,$4,$5::int,$2,$6,$7,$8 FROM s"                                               \
    " WHERE EXISTS (SELECT 1 FROM log WHERE shard=$1::int AND first_seq=$9 AND first_seq+count=$4 AND chain=$10)"      \
    " ON CONFLICT (shard, first_seq) DO NOTHING RETURNING 1)"
#define APPEND_FOUND                                                                                                   \
    " (SELECT epoch FROM log WHERE shard=$1::int AND first_seq=$4),"                                                   \
    " (SELECT chain FROM log WHERE shard=$1::int AND first_seq=$4)"
#define APPEND_VALUES 10
static const char append_sql[] =
    APPEND_LOG "SELECT (SELECT count(*) FROM s), (SELECT count(*) FROM l)," APPEND_FOUND;

/* The same for a batch with sales. Each of them takes a row of `sold` from the fence before it to its own, or does nothing:
 * if fewer rows were changed than there are sales, a seat differs from what this process knows, and the division by zero
 * undoes the whole statement. A row that was already there came with its sales. */
static const char append_sales_sql[] = APPEND_LOG
    ",c AS (INSERT INTO sold SELECT $1::int,f.event,f.seat,f.fence,f.prev FROM l,"
    " unnest($11::text::bigint[],$12::text::int[],$13::text::bigint[],$14::text::bigint[]) f(event,seat,fence,prev)"
    " WHERE f.prev=0 OR (SELECT 1 FROM sold o WHERE o.shard=$1::int AND o.event=f.event AND o.seat=f.seat)=1"
    " ON CONFLICT (shard, event, seat) DO UPDATE SET fence=EXCLUDED.fence, prev=EXCLUDED.prev"
    " WHERE sold.fence=EXCLUDED.prev RETURNING 1),"
    "n AS (SELECT (SELECT count(*) FROM s) g, (SELECT count(*) FROM l) l, (SELECT count(*) FROM c) k)"
    "SELECT g, l," APPEND_FOUND ", CASE WHEN l=0 OR k=$15 THEN 1 ELSE 1/(l-l) END FROM n";
#define SALE_REFUSED "22012" /* division by zero */

enum append { APPEND_DURABLE, APPEND_AGAIN, APPEND_FENCED, APPEND_OTHER, APPEND_MISSING };

/* What the answer of the statement says. */
static enum append read_answer(const struct log_pg *p, uint32_t chain)
{
    bool may_write = pg_int(p->writer, 0, 0) == 1, written = pg_int(p->writer, 0, 1) == 1;
    if (!may_write)
        return APPEND_FENCED;
    if (written)
        return APPEND_DURABLE;
    if (pg_null(p->writer, 0, 2))
        return APPEND_MISSING;
    /* An earlier try wrote it. The lock of the row in `fence` gives this statement a commit of its own, which has waited for
     * the standby. */
    bool ours = (uint64_t)pg_int(p->writer, 0, 2) == p->options.epoch && pg_int(p->writer, 0, 3) == chain;
    return ours ? APPEND_DURABLE : APPEND_OTHER;
}

static enum append append_once(struct log_pg *p, const struct log_batch *batch, uint32_t chain)
{
    const struct pg_value values[] = {
        PG_INT(p->options.shard), PG_INT(p->options.epoch), PG_ID(p->options.token),
        PG_INT(batch->first_seq), PG_INT(batch->count),     PG_INT(batch->at_ms),
        PG_INT(chain),            PG_BYTES(batch->bytes, batch->size), PG_INT(p->last_first_seq),
        PG_INT(p->last_chain),
        PG_TEXT(p->columns[SALES_EVENT].data), PG_TEXT(p->columns[SALES_SEAT].data),
        PG_TEXT(p->columns[SALES_FENCE].data), PG_TEXT(p->columns[SALES_PREV].data),
        PG_INT(p->sale_count),
    };
    switch (p->sale_count
                ? pg_run(p->writer, append_sales_sql, values, (int)(sizeof(values) / sizeof(values[0])))
                : pg_run(p->writer, append_sql, values, APPEND_VALUES)) {
    case PG_DONE:
        return read_answer(p, chain);
    case PG_FULL:
        atomic_store(&p->log.room, LOG_ROOM_NONE);
        return APPEND_AGAIN;
    case PG_UNDECIDED:
        return APPEND_AGAIN;
    case PG_REFUSED:
        /* Anything else is a fault of this program or of the data. */
        return pg_lacks_set_up(p->writer) ? APPEND_AGAIN : APPEND_OTHER;
    }
    return APPEND_OTHER;
}

static void pause_for(uint32_t ms)
{
    struct timespec left = {.tv_sec = ms / 1000, .tv_nsec = (ms % 1000) * 1000000L};
    while (nanosleep(&left, &left) != 0)
        ;
}

static void on_slow(void *owner)
{
    struct log_pg *p = owner;
    log_warn("the database has not answered a write for two seconds");
    if (log_room(&p->log) == LOG_ROOM_OK)
        atomic_store(&p->log.room, LOG_ROOM_AWAY);
}

/* Repeats the statement until it is decided. A row that is missing twice is missing: the first time, the statement may have
 * had an older view of the table than the one that wrote it. */
static enum append append(struct log_pg *p, const struct log_batch *batch, uint32_t chain)
{
    uint32_t pause_ms = PAUSE_MS_FIRST, missing = 0;
    uint64_t began_ns = clock_monotonic_ns();
    atomic_store(&p->undecided_ns, began_ns);
    for (;;) {
        enum append answer = append_once(p, batch, chain);
        missing += answer == APPEND_MISSING;
        if (answer != APPEND_AGAIN && !(answer == APPEND_MISSING && missing == 1))
            return answer;
        if (clock_monotonic_ns() - began_ns > LOG_PG_AWAY_MS * 1000000ull &&
            log_room(&p->log) == LOG_ROOM_OK) {
            log_warn("cannot write to the database; trying again", {"fault", LOG_STR(pg_fault(p->writer))});
            atomic_store(&p->log.room, LOG_ROOM_AWAY);
        }
        pause_for(pause_ms);
        pause_ms = pause_ms * 2 < PAUSE_MS_MAX ? pause_ms * 2 : PAUSE_MS_MAX;
    }
}

static void publish_bytes(struct log_pg *p)
{
    uint64_t changes = log_durable_seq(&p->log) - atomic_load(&p->freed_seq);
    uint64_t each = p->written_changes ? p->written_bytes / p->written_changes : 0;
    atomic_store(&p->change_bytes, each);
    atomic_store(&p->log.bytes, each * changes);
}

static struct status decided(struct log_pg *p, enum append answer, uint64_t first_seq)
{
    switch (answer) {
    case APPEND_DURABLE:
        return status_none();
    case APPEND_FENCED:
        return status_make(STATUS_BUSY, "another process writes the log now, or the log was halted");
    case APPEND_MISSING:
        return status_make(STATUS_CORRUPT, "the log no longer has the row with seq %llu, which was written last",
                           (unsigned long long)first_seq - 1);
    case APPEND_OTHER:
    case APPEND_AGAIN:
        break;
    }
    if (strcmp(pg_state(p->writer), SALE_REFUSED) == 0)
        return status_make(STATUS_CORRUPT,
                           "a sale was refused: a seat that the batch with seq %llu sells or gives back is not in the "
                           "database as it is here; nothing of the batch was written",
                           (unsigned long long)first_seq);
    return pg_fault(p->writer)[0]
               ? status_make(STATUS_CORRUPT, "the database refused a batch: %s", pg_fault(p->writer))
               : status_make(STATUS_CORRUPT, "the log has another row with seq %llu",
                             (unsigned long long)first_seq);
}

/* This process may write, and the log lacks what it wrote last: acknowledged changes were lost, and no node may go on. `adopt`
 * changes the token, so this then has no effect. */
static void halt(struct log_pg *p, const struct status *why)
{
    static const char sql[] =
        "UPDATE fence SET halted=$4 WHERE shard=$1::int AND epoch=$2 AND token=$3 AND halted IS NULL";
    const struct pg_value values[] = {PG_INT(p->options.shard), PG_INT(p->options.epoch), PG_ID(p->options.token),
                                      PG_TEXT(why->text)};
    if (pg_run_repeated(p->writer, sql, values, 4) == PG_DONE)
        log_error("halted the log: it lost changes of this node", {"fault", LOG_STR(why->text)});
    else
        log_error("cannot halt a log that lost changes", {"fault", LOG_STR(pg_fault(p->writer))});
}

/* Folds the sales of a batch, and writes their columns. */
static struct status take_sales(struct log_pg *p, const struct log_batch *batch)
{
    p->sale_count = 0;
    for (uint32_t i = 0; i < batch->sale_count; i++) {
        p->sales = memory_room(p->sales, p->sale_count, &p->sale_capacity, 64, sizeof(*p->sales));
        p->sales[p->sale_count++] = batch->sales[i];
    }
    struct status fault = sales_fold(p->sales, &p->sale_count);
    for (int i = 0; p->sale_count && i < SALES_COLUMNS; i++) {
        buf_clear(&p->columns[i]);
        sales_write_column(&p->columns[i], p->sales, p->sale_count, (enum sales_column)i);
    }
    return fault;
}

static struct status pg_write(struct log *l, const struct log_batch *given)
{
    struct log_pg *p = log_pg_of(l);
    struct log_batch batch = *given;
    ASSERT(p->options.epoch && batch.count >= 1 && batch.size >= batch.count);
    batch.first_seq = log_durable_seq(l) + 1;
    uint32_t chain = log_pg_chain(p->last_chain, p->options.epoch, &batch);
    struct status fault = take_sales(p, &batch);
    if (status_ok(&fault)) {
        enum append answer = append(p, &batch, chain);
        fault = decided(p, answer, batch.first_seq);
        if (answer == APPEND_MISSING)
            halt(p, &fault);
    }
    if (!status_ok(&fault))
        return fault;
    p->last_first_seq = batch.first_seq;
    p->last_chain = chain;
    p->written_bytes += batch.size;
    p->written_changes += batch.count;
    atomic_store(&p->undecided_ns, 0);
    if (log_room(l) != LOG_ROOM_OK)
        log_info("the database accepts writes again");
    atomic_store(&l->room, LOG_ROOM_OK);
    atomic_store(&l->durable_seq, batch.first_seq + batch.count - 1);
    publish_bytes(p);
    return fault;
}

/* The server's own log guards its last batch. */
static struct status pg_seal(struct log *l, int64_t at_ms)
{
    ASSERT(l->ops == &pg_ops && at_ms >= 0);
    return status_none();
}

/* Rows are freed one by one. */
static struct status pg_nothing(struct log *l)
{
    ASSERT(l->ops == &pg_ops);
    return status_none();
}

/* ---- Reading ---- */

struct log_reader {
    const struct log *log;
    struct pg *pg;
    struct pg_rows rows;
};

static struct pg *reader_connection(const struct log_pg *p)
{
    return pg_make(&(struct pg_options){
        .url = p->options.url, .name = "holdfast reader", .limit_ms = STATEMENT_LIMIT_MS});
}

static struct status pg_reader_open(struct log *l, uint64_t after_seq, struct log_reader **out)
{
    struct log_pg *p = log_pg_of(l);
    struct log_reader *r = memory_zeroed(1, sizeof(*r));
    ASSERT(after_seq <= log_durable_seq(l));
    r->log = l;
    r->pg = reader_connection(p);
    pg_rows_init(&r->rows, r->pg, p->options.shard, after_seq);
    *out = r;
    return status_none();
}

/* While the server cannot be asked there is nothing new: the batches are still there later. */
static struct status pg_reader_next(struct log_reader *r, struct log_batch *batch, bool *found)
{
    return pg_rows_next(&r->rows, log_durable_seq(r->log), batch, found);
}

static void pg_reader_close(struct log_reader *r)
{
    pg_rows_release(&r->rows);
    pg_release(r->pg);
    free(r);
}

/* Rows stay: another process may need them to start. cluster/trim.h deletes those that none needs. */
static struct status pg_free_upto(struct log *l, uint64_t upto_seq, uint64_t erased)
{
    (void)erased;
    ASSERT(upto_seq <= log_durable_seq(l));
    atomic_store(&log_pg_of(l)->freed_seq, upto_seq);
    return status_none();
}

/* ---- Figures ---- */

static bool pg_prepare_due(const struct log *l)
{
    ASSERT(l->ops == &pg_ops);
    return false;
}

/* By the average size of a change. */
static bool pg_exceeds(struct log *l, uint64_t seq, uint64_t limit)
{
    uint64_t lacks = seq < log_durable_seq(l) ? log_durable_seq(l) - seq : 0;
    return atomic_load(&log_pg_of(l)->change_bytes) * lacks > limit;
}

static uint64_t pg_oldest_seq(struct log *l)
{
    return atomic_load(&log_pg_of(l)->oldest_seq);
}

void log_pg_set_oldest(struct log *l, uint64_t seq)
{
    ASSERT(seq >= 1);
    atomic_store(&log_pg_of(l)->oldest_seq, seq);
}

uint64_t log_pg_undecided_since_ns(const struct log *l)
{
    return l->ops == &pg_ops ? atomic_load(&((const struct log_pg *)l)->undecided_ns) : 0;
}

/* ---- Following ---- */

struct log_pg_row log_pg_last(struct log *l)
{
    const struct log_pg *p = log_pg_of(l);
    return (struct log_pg_row){p->last_first_seq, log_durable_seq(l), p->last_chain};
}

void log_pg_followed(struct log *l, const struct log_batch *batch)
{
    struct log_pg *p = log_pg_of(l);
    ASSERT(!p->options.epoch && batch->first_seq == log_durable_seq(l) + 1);
    p->last_first_seq = batch->first_seq;
    p->last_chain = batch->chain;
    p->written_bytes += batch->size;
    p->written_changes += batch->count;
    atomic_store(&l->durable_seq, batch->first_seq + batch->count - 1);
    publish_bytes(p);
}

void log_pg_own(struct log *l, uint64_t epoch, const uint8_t token[LOG_PG_TOKEN_SIZE])
{
    struct log_pg *p = log_pg_of(l);
    ASSERT(!p->options.epoch && epoch);
    p->options.epoch = epoch;
    memcpy(p->options.token, token, sizeof(p->options.token));
}

/* ---- Opening and closing ---- */

static void pg_close(struct log *l)
{
    struct log_pg *p = log_pg_of(l);
    pg_release(p->writer);
    for (int i = 0; i < SALES_COLUMNS; i++)
        buf_release(&p->columns[i]);
    free(p->sales);
    free(p);
}

static const struct log_ops pg_ops = {.write = pg_write,
                                      .seal = pg_seal,
                                      .begin_segment = pg_nothing,
                                      .reader_open = pg_reader_open,
                                      .reader_next = pg_reader_next,
                                      .reader_close = pg_reader_close,
                                      .free_upto = pg_free_upto,
                                      .prepare = pg_nothing,
                                      .prepare_due = pg_prepare_due,
                                      .exceeds = pg_exceeds,
                                      .oldest_seq = pg_oldest_seq,
                                      .close = pg_close};

static const char owns_sql[] = "SELECT 1 FROM fence WHERE shard=$1::int AND epoch=$2 AND token=$3";

/* Whether this connection's server has the takeover of this process: one that was cut off from its standby may still answer,
 * and show rows that are not replicated. */
static struct status judge_server(const struct log_pg *p, struct pg *reader)
{
    const struct pg_value values[] = {PG_INT(p->options.shard), PG_INT(p->options.epoch), PG_ID(p->options.token)};
    if (!p->options.epoch)
        return status_none();
    if (pg_run(reader, owns_sql, values, 3) != PG_DONE)
        return status_make(STATUS_IO, "cannot read the log: %s", pg_fault(reader));
    return pg_rows_count(reader) == 1
               ? status_none()
               : status_make(STATUS_BUSY, "the database that answered does not know the takeover of this process");
}

/* Reads everything after the book, and leaves last_first_seq and last_chain at the last row. */
static struct status replay(struct log_pg *p, const struct log_anchor *after, log_replay_fn fn, void *ctx,
                            struct log_recovery *found)
{
    struct pg_rows rows;
    struct log_batch batch;
    bool more = true;
    struct pg *reader = reader_connection(p);
    pg_rows_init(&rows, reader, p->options.shard, after->seq);
    if (after->has_chain)
        pg_rows_expect(&rows, after->chain);
    uint64_t upto_seq = p->options.epoch                      ? UINT64_MAX
                        : p->options.upto_seq > after->seq ? p->options.upto_seq
                                                             : after->seq;
    uint64_t began_ns = clock_monotonic_ns();
    struct status fault = judge_server(p, reader);
    while (status_ok(&fault) && more) {
        fault = pg_rows_next(&rows, upto_seq, &batch, &more);
        if (status_ok(&fault) && !more && !rows.answered) {
            /* A missing answer does not mean the end of the log. */
            if (clock_monotonic_ns() - began_ns > OPEN_LIMIT_MS * 1000000ull)
                fault = status_make(STATUS_IO, "cannot read the log: %s", pg_fault(reader));
            more = true;
            pause_for(PAUSE_MS_FIRST);
            continue;
        }
        if (!status_ok(&fault) || !more)
            break;
        found->batches++;
        found->last_at_ms = batch.at_ms;
        p->written_bytes += batch.size;
        p->written_changes += batch.count;
        fault = fn(ctx, &batch);
    }
    if (status_ok(&fault))
        fault = judge_server(p, reader); /* it may have connected again */
    if (status_ok(&fault) && !rows.begun)
        fault = status_make(STATUS_CORRUPT, "the log in the database is empty");
    p->last_first_seq = rows.last_first_seq;
    p->last_chain = rows.last_chain;
    found->last_seq = rows.last_seq;
    pg_rows_release(&rows);
    pg_release(reader);
    return fault;
}

struct status log_open_pg(struct log **out, const struct log_pg_options *options,
                          const struct log_anchor *after, log_replay_fn fn, void *ctx,
                          struct log_recovery *found)
{
    *found = (struct log_recovery){.sealed = true};
    memcpy(found->id, options->id, sizeof(found->id));
    if (after->has_id && memcmp(after->id, options->id, sizeof(after->id)) != 0)
        return status_make(STATUS_CORRUPT, "the book in the data folder belongs to another log than the database has");
    struct log_pg *p = memory_zeroed(1, sizeof(*p));
    p->log = (struct log){.ops = &pg_ops, .cut_every = CUT_EVERY};
    p->options = *options;
    for (int i = 0; i < SALES_COLUMNS; i++)
        buf_init(&p->columns[i], COLUMN_SIZE_MAX);
    snprintf(p->writer_name, sizeof(p->writer_name), LOG_PG_WRITER_NAME, options->shard);
    p->writer = pg_make(&(struct pg_options){.url = options->url,
                                             .name = p->writer_name,
                                             .slow = on_slow,
                                             .slow_ctx = p,
                                             .slow_ms = LOG_PG_AWAY_MS,
                                             .limit_ms = STATEMENT_LIMIT_MS});
    atomic_init(&p->log.room, LOG_ROOM_OK);
    struct status fault = replay(p, after, fn, ctx, found);
    if (!status_ok(&fault)) {
        pg_close(&p->log);
        return fault;
    }
    atomic_init(&p->log.durable_seq, found->last_seq);
    atomic_init(&p->freed_seq, after->seq);
    atomic_init(&p->oldest_seq, 1);
    publish_bytes(p);
    *out = &p->log;
    return fault;
}
