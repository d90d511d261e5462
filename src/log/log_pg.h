/* SPDX-License-Identifier: Apache-2.0 */
/* log_pg.h — a log in a table of PostgreSQL, which several processes share: one of them writes.
 *
 * A batch is one row of `log`, written by one statement, which also checks three things: this process may still write (its
 * epoch and token are those in `fence`), the log was not halted (`fence.halted`), and the row before it is the one that this
 * process wrote last. So a process that has been replaced writes nothing, however late its statement arrives.
 *
 *   write ──► durable
 *         ──► no answer ──► room is AWAY after 2 s; the same statement again, until it is decided
 *         ──► fenced    ──► BUSY: another process writes now
 *         ──► disk full ──► room is NONE; again, until there is space
 *         ──► the row before it is not there: halts the log, so that no node goes on with it; CORRUPT
 *         ──► anything else: CORRUPT
 *
 * The same statement judges the seats that the batch sells or gives back: each is a row of `sold`, whose fence must be the
 * one from before the sale. If one differs, nothing of the batch is written: CORRUPT.
 *
 * The chain of a row is a checksum over its bytes, its numbers and the chain of the row before it.
 */
#ifndef LOG_LOG_PG_H
#define LOG_LOG_PG_H

#include "log/log.h"

#define LOG_PG_AWAY_MS 2000
#define LOG_PG_TOKEN_SIZE 16
#define LOG_PG_WRITER_NAME "holdfast writer %d" /* of the connection that writes, with the number of the site */

struct log_pg_options {
    const char *url; /* must stay valid */
    int32_t shard;   /* the number of the site */
    uint8_t id[16];  /* of the site */
    uint64_t epoch;  /* 0: another process writes */
    uint8_t token[LOG_PG_TOKEN_SIZE];
    uint64_t upto_seq; /* with epoch 0: what is known to be replicated; the book's end if that is later */
};

/* Where a row ends, and its chain. */
struct log_pg_row {
    uint64_t first_seq, last_seq;
    uint32_t chain;
};

/* Opens the log: to write, after this process has become the one that writes, or to follow. Passes the batches that the book
 * lacks to fn. CORRUPT: damage, or not the log of this book. */
struct status log_open_pg(struct log **out, const struct log_pg_options *options,
                          const struct log_anchor *after, log_replay_fn fn, void *ctx,
                          struct log_recovery *found);

/* While another process writes: the last row that was opened or followed. */
struct log_pg_row log_pg_last(struct log *l);
/* This row was applied, and is replicated: readers may read it. */
void log_pg_followed(struct log *l, const struct log_batch *batch);
/* From here on this process writes: it has applied every row that there is. */
void log_pg_own(struct log *l, uint64_t epoch, const uint8_t token[LOG_PG_TOKEN_SIZE]);

/* The chain of a row whose predecessor has the chain `before`. */
uint32_t log_pg_chain(uint32_t before, uint64_t epoch, const struct log_batch *batch);

/* Sets the answer of oldest_seq: the first change whose names may still be in the log, a snapshot or a node's book. Any
 * thread. */
void log_pg_set_oldest(struct log *l, uint64_t seq);

/* The moment since which a write has been undecided, by CLOCK_MONOTONIC in ns; 0: none is. Any thread. */
uint64_t log_pg_undecided_since_ns(const struct log *l);

#endif
