/* SPDX-License-Identifier: Apache-2.0 */
/* nodes.h — the nodes of a site: one row each.
 *
 * Each node writes its own row. The rows decide how far the log may be trimmed (`book`, of nodes seen in the last ten minutes)
 * and whether the name of an erased person is gone (`clean`, of all nodes). The row of a node that will not come back is
 * deleted (node_forget); if it does come back, it finds no row and begins with a new book.
 */
#ifndef CLUSTER_NODES_H
#define CLUSTER_NODES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct pg;

#define NODE_WATCH_MS 3000
#define NODE_ID_SIZE_MAX 128

struct node {
    const char *id; /* these must stay valid */
    const char *url;
    const char *version;
    uint64_t book;  /* the last change in its book */
    uint64_t clean; /* its book has no name of a person who was erased up to this change */
};

/* A row as it was read. */
struct node_row {
    char id[NODE_ID_SIZE_MAX + 1], url[256], version[64];
    int32_t format;
    uint64_t book, clean;
    int64_t seen_us; /* by the database's clock; 0: never */
    int64_t ago_ms;  /* since then */
    bool owner;
};

/* Writes the row, seen now: *seen_us, by the database's clock, and *before_us until now (0: never). Both may be NULL. */
struct status node_write(struct pg *pg, int32_t shard, const struct node *node, int64_t *seen_us, int64_t *before_us);
/* Whether there is a row, and what its `clean` is. */
struct status node_find(struct pg *pg, int32_t shard, const char *id, bool *found, uint64_t *clean);
/* All rows, by id; the caller frees *rows. */
struct status node_list(struct pg *pg, int32_t shard, struct node_row **rows, uint32_t *count);
/* Watches the row of this node, or of every node (NULL), for NODE_WATCH_MS. BUSY: it changes, so the node is running. */
struct status node_watch(struct pg *pg, int32_t shard, const char *id);
/* Whether this node makes the site's snapshots: the follower with the smallest id, or the owner if it is alone. */
struct status node_makes_snapshots(struct pg *pg, int32_t shard, const char *id, bool *yes);
/* Deletes the row of a node that will not come back. INVALID: there is none, or it owns the site. BUSY: the node is running. */
struct status node_forget(struct pg *pg, int32_t shard, const char *id);
/* Lets the log have the kinds of change of this version, once every node seen in the last day can read them. */
struct status node_raise_format(struct pg *pg, int32_t shard);

#endif
