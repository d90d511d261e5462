/* SPDX-License-Identifier: Apache-2.0 */
/* trim.h — deletes what no node needs any more from the log and the snapshots of a site.
 *
 *   rows of the log    contained in the newest snapshot and in the book of every node seen in the last ten minutes; never
 *                      the last row
 *   snapshots          all but the two newest; those from before an erasure as soon as there is a later one
 *   parts              of snapshots that were never completed and are older than the newest
 *
 * Only the owner does this. Each statement deletes a slice of rows, and checks epoch and token like a write of the log.
 */
#ifndef CLUSTER_TRIM_H
#define CLUSTER_TRIM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "log/log_pg.h"

struct pg;

struct trim {
    struct pg *pg;
    int32_t shard;
    uint64_t epoch;
    uint8_t token[LOG_PG_TOKEN_SIZE];
    uint64_t erased; /* the last erasure; 0: none */
    bool (*stop)(void *ctx); /* asked between two slices */
    void *ctx;
};

struct status trim_run(const struct trim *t);

/* What is left of the log: its first and last change. oldest_seq: the first change whose names may still be in the log, a
 * snapshot or a node's book. */
struct trim_extent {
    uint64_t first_seq, last_seq, oldest_seq;
};
struct status trim_extent(struct pg *pg, int32_t shard, struct trim_extent *out);

#endif
