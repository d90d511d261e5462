/* SPDX-License-Identifier: Apache-2.0 */
/* pg_rows.h — reads the rows of `log` in order, and verifies that they follow one another.
 *
 * Begins with the row that contains after_seq, which proves that this is the log it came from; it is verified and not
 * returned. If that row was trimmed, the next one proves it: its chain covers the one before. A few rows are read at a time.
 */
#ifndef LOG_PG_ROWS_H
#define LOG_PG_ROWS_H

#include "log/log.h"

struct pg;

struct pg_rows {
    struct pg *pg;
    int32_t shard;
    uint64_t after_seq;
    int next, count; /* rows of the answer that were read, and all */
    bool answered;   /* by the server, when it was last asked */
    bool begun;      /* a row was verified */
    bool expects;    /* the row that ends with after_seq must have this chain */
    uint32_t expected;
    /* Of the row verified last. */
    uint64_t last_first_seq, last_seq;
    uint32_t last_chain;
};

void pg_rows_init(struct pg_rows *r, struct pg *pg, int32_t shard, uint64_t after_seq);
void pg_rows_release(struct pg_rows *r);
/* The row that ends with after_seq must have this chain. */
void pg_rows_expect(struct pg_rows *r, uint32_t chain);
/* *found is false when there is no further row up to upto_seq, or the server does not answer: see `answered`. The batch is
 * valid until the next call. CORRUPT: a row is missing, or is not what was written after the one before it. */
struct status pg_rows_next(struct pg_rows *r, uint64_t upto_seq, struct log_batch *batch, bool *found);

#endif
