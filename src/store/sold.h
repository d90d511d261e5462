/* SPDX-License-Identifier: Apache-2.0 */
/* sold.h — PostgreSQL's table of sold seats against the state. For tools. */
#ifndef STORE_SOLD_H
#define STORE_SOLD_H

#include <stdint.h>

#include "base/status.h"

struct pg;
struct sale;
struct state;

/* The seats that are sold by the table, by event and position, and the last change of the log at the same moment. */
struct sold_rows {
    uint64_t last_seq;
    struct sale *list;
    uint32_t count;
};
/* Reads all of them by one statement; nodes may be running. */
struct status sold_read(struct pg *pg, int32_t shard, struct sold_rows *out);
void sold_rows_release(struct sold_rows *rows);
/* Reports each seat of which the state, as of last_seq, says something else. */
void sold_compare(const struct sold_rows *rows, const struct state *state,
                  void (*report)(void *ctx, const char *sentence), void *ctx);

/* While the log is halted: makes the table match the state. Reads the rows of the site and writes those that differ, some thousand at a time. BUSY: the log is not halted, or has another
 * token; nothing more is written. */
struct status sold_write(struct pg *pg, int32_t shard, const uint8_t token[16], const struct state *state);

#endif
