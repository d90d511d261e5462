/* SPDX-License-Identifier: Apache-2.0 */
/* snapshot.h — a copy of a node's book in the database, from which another node can start.
 *
 * A file in parts of 8 MiB, each written by a short statement of its own. Several nodes may try at once, and one may pause
 * for a while. So a row with part -1 has the random token of the attempt that counts. Each part is written only while the
 * row has this token, and the last statement deletes the row and inserts into `snapshot_done`.
 *
 *   claimed ──► part 0 ──► part 1 ──► … ──► done
 *
 * The digest is SHA-256 over the SHA-256 of all parts. A snapshot is any file to this module: the caller checks the book.
 */
#ifndef CLUSTER_SNAPSHOT_H
#define CLUSTER_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct pg;

#define SNAPSHOT_PART_SIZE ((size_t)8 << 20)
#define SNAPSHOT_DIGEST_SIZE 32
#define SNAPSHOT_TOKEN_SIZE 16

struct snapshot {
    uint64_t seq;   /* the last change in it; 0: there is none */
    uint32_t chain; /* of the row of the log that ends with seq */
    uint32_t parts;
    uint8_t digest[SNAPSHOT_DIGEST_SIZE];
    uint8_t token[SNAPSHOT_TOKEN_SIZE]; /* of the attempt that stored it; set by snapshot_put_parts */
};

/* Where a file is stored. */
struct snapshot_target {
    struct pg *pg;
    int32_t shard;
    uint8_t site[16];  /* its id: a node of another history writes nothing */
    size_t part_size;  /* SNAPSHOT_PART_SIZE; less in tests */
    bool (*stop)(void *ctx); /* asked between two parts; NULL: never */
    void *ctx;
};

/* The newest one that is done. IO: the server does not answer. */
struct status snapshot_newest(struct pg *pg, int32_t shard, struct snapshot *out);
/* Stores the file as the snapshot of s->seq and s->chain; sets the rest of *s. BUSY: nothing was stored, because another
 * attempt or a later snapshot was first, or because of `stop`. */
struct status snapshot_put(const struct snapshot_target *to, const char *path, struct snapshot *s);
/* The same without the last step, which the caller does in a transaction of its own: deleting the row of part -1, if it still
 * has s->token, and inserting into `snapshot_done`. */
struct status snapshot_put_parts(const struct snapshot_target *to, const char *path, struct snapshot *s);
/* Writes the snapshot to a file and syncs it; an existing file is replaced. BUSY: a part is gone, because there is a newer
 * snapshot. CORRUPT: the digest does not match. */
struct status snapshot_take(struct pg *pg, int32_t shard, const struct snapshot *s, const char *path);

#endif
