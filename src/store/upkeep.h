/* SPDX-License-Identifier: Apache-2.0 */
/* upkeep.h — maintenance of a log in PostgreSQL: a thread that does this node's share.
 *
 * Every second it checks what there is to do:
 *
 *   the node's row   how far its book goes, and which erasures it has carried out       (cluster/nodes.h)
 *   a snapshot       when the log has grown by a gibibyte, or after an erasure          (cluster/snapshot.h)
 *   trimming         what no node needs; only if this node is the owner                 (cluster/trim.h)
 *   oldest change    that may still be found anywhere: log_pg_set_oldest
 *   all rows         what every node of the site wrote last, for upkeep_nodes             (store/nodes.c)
 *
 * After a fault it logs and tries again later. It reads the book through its own connection; the loop and the recorder
 * never wait for it.
 */
#ifndef STORE_UPKEEP_H
#define STORE_UPKEEP_H

#include <pthread.h>
#include <stdbool.h>

#include "cluster/snapshot.h"
#include "store/folder.h"
#include "store/recorder.h"
#include "store/shared.h"

struct node_row; /* cluster/nodes.h */

#define UPKEEP_SNAPSHOT_BYTES ((uint64_t)1 << 30)
#define UPKEEP_SNAPSHOT_MS 60000

struct upkeep {
    const struct shared *shared;
    const struct recorder *recorder;
    struct log *log;
    const char *book;
    char copy[FOLDER_PATH_MAX + 16]; /* of the book, while a snapshot is made */
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    bool started, stop, ended;

    /* under the mutex */
    struct node_row *nodes; /* as they were read last */
    uint32_t node_count;
    uint64_t nodes_ns; /* when, by CLOCK_MONOTONIC */

    /* thread only */
    struct pg *pg;
    struct snapshot newest;
    int64_t written_us; /* when this process wrote the node's row last, by the database's clock; 0: unknown */
    uint32_t alone;     /* how often no other process had written it in between */
    uint64_t made_ms;   /* when a snapshot was last begun, by CLOCK_MONOTONIC; 0: never */
    uint64_t regular_ms; /* when everything was last done */
};

void upkeep_start(struct upkeep *u, const struct shared *shared, const struct folder *folder,
                  const struct recorder *recorder, struct log *log);
/* False: it is copying the book, and not done after limit_ms; the thread still runs. */
bool upkeep_stop(struct upkeep *u, uint64_t limit_ms);
/* Copies the rows that were read last, `max` at most, with the time since each node was seen as of now. Any thread. */
uint32_t upkeep_nodes(struct upkeep *u, struct node_row *out, uint32_t max);

#endif
