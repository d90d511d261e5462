/* SPDX-License-Identifier: Apache-2.0 */
/* adopt.h — the statements that declare a log valid although it lost acknowledged changes: see store/adopt.h.
 *
 *   begin ──► halt ──► (the seats that are sold, and a snapshot, are written) ──► end
 *
 * Until the last statement the log stays as it was, and from `halt` on no node writes or takes over. So an adoption that was
 * interrupted can be repeated. The last statement changes everything at once: the site gets a new id, epoch and token, the
 * snapshot counts, and the log is one first row that continues it.
 */
#ifndef CLUSTER_ADOPT_H
#define CLUSTER_ADOPT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "cluster/snapshot.h"
#include "log/log_pg.h"

struct pg;

/* Epochs and seqs that were lost are smaller than those that follow. */
#define ADOPT_RAISE ((uint64_t)1 << 32)

struct adoption {
    struct pg *pg;
    int32_t shard;
    uint8_t id[16]; /* of the site before */
    /* As they were at `begin`. */
    uint64_t epoch;
    int64_t beat;
    uint8_t token[LOG_PG_TOKEN_SIZE];
    int64_t now_ms; /* the database's time */
};

/* Watches the lease and the nodes for five seconds. BUSY: one of them is running. `pg`, `shard` and `id` are set. */
struct status adoption_begin(struct adoption *a);
/* BUSY: a node took over meanwhile, or the log does not end with this row any more. */
struct status adoption_halt(struct adoption *a, uint64_t last_seq, uint32_t last_chain);
/* `s` was stored by snapshot_put_parts. The log goes on with s->seq + 1, in epoch a->epoch + ADOPT_RAISE. BUSY: another
 * adoption, or a node, was first; nothing has changed. */
struct status adoption_end(struct adoption *a, const uint8_t new_id[16], const struct snapshot *s,
                           int64_t at_ms);

#endif
