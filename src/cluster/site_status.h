/* SPDX-License-Identifier: Apache-2.0 */
/* site_status.h — the status of a site, for people: its owner, its log, its nodes. */
#ifndef CLUSTER_SITE_STATUS_H
#define CLUSTER_SITE_STATUS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "cluster/nodes.h"

struct pg;

struct site_status {
    uint64_t epoch;
    char owner[NODE_ID_SIZE_MAX + 1]; /* "": none */
    bool is_halted;
    char halted[256];             /* why */
    int32_t format;               /* the kinds of change that may be in the log */
    uint64_t first_seq, last_seq; /* of the log; 0: it is empty */
    uint64_t snapshot_seq;        /* of the newest one; 0: none */
    struct node_row *nodes;
    uint32_t node_count;
};

/* Release it in any case. */
struct status site_status_read(struct site_status *s, struct pg *pg, int32_t shard);
void site_status_release(struct site_status *s);

#endif
