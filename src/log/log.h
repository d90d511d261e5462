/* SPDX-License-Identifier: Apache-2.0 */
/* log.h — the interface of a log: the place where changes become durable, in batches and in order.
 *
 * log_files.c implements it with the files of journal/, log_pg.c with a table of PostgreSQL. Apart from opening a log
 * (store/recovery.c), looking at a folder (store/folder.c) and backups, the store uses this header only. A log does not
 * know what a change is: a batch is `count` changes in opaque bytes, and its first change has the seq after the last
 * change of the previous batch.
 *
 * Threads. Each operation belongs to one thread, as the table says. What is read several times per command (room, bytes,
 * durable_seq) is an atomic in struct log: written by the thread that changes it, read inline by any thread. That leaves
 * one indirect call per batch.
 */
#ifndef LOG_LOG_H
#define LOG_LOG_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct log;
struct log_reader;
struct sale; /* core/claim/sale.h */

enum log_room {
    LOG_ROOM_OK,
    LOG_ROOM_LOW, /* the rest is reserved for commits and releases */
    LOG_ROOM_NONE, /* refuse everything that writes */
    LOG_ROOM_AWAY /* the same: a batch has been undecided for a while; only a log on another machine */
};

struct log_batch {
    const uint8_t *bytes;
    size_t size;
    uint32_t count; /* number of changes, at least 1 */
    int64_t at_ms;  /* the server's clock at its last change */
    /* The seats that its changes sell and give back, in order: for a log that judges sales. Readers do not set them. */
    const struct sale *sales;
    uint32_t sale_count;
    /* Set by readers only: */
    uint64_t first_seq;
    uint32_t chain; /* its checksum, which also covers the checksums of all earlier batches */
};

/* How a book identifies its log, so that no other log is mistaken for it. Stored in the book's table `meta`. */
struct log_anchor {
    uint64_t seq;   /* the last change in the book */
    bool has_id;    /* false: a new book, and id is not set */
    bool has_chain; /* the same for chain */
    uint8_t id[16];
    uint32_t chain; /* log_batch.chain of the batch that ends with seq */
};

/* What was found when a log was opened. */
struct log_recovery {
    uint8_t id[16];
    uint64_t last_seq;  /* the last change */
    int64_t last_at_ms; /* the latest instant in the log; 0: none */
    uint64_t segments, batches;
    bool sealed;         /* ends with a seal, so no acknowledged batch can be missing */
    bool torn;           /* ended with a torn batch, which was never acknowledged */
    uint64_t torn_seq;   /* the first seq of the torn batch */
    uint64_t torn_bytes; /* its length */
    char torn_name[80];  /* the file with a copy of it */
};

/* Called for each batch with a change after the anchor's seq; the caller skips the changes it already has. The batch is
 * valid during the call. A status other than OK ends the recovery with that status. */
typedef struct status (*log_replay_fn)(void *ctx, const struct log_batch *batch);

struct log_ops {
    /* Batcher thread. OK: the batch is durable, and log_durable_seq has moved. After a fault the caller must end the
     * process: the batch may or may not be on disk. */
    struct status (*write)(struct log *l, const struct log_batch *batch);
    /* Marks the end while idle: from then on, damage to the last batch cannot be mistaken for a torn write. */
    struct status (*seal)(struct log *l, int64_t at_ms);
    /* The next batch starts a new segment, so that earlier ones can be freed. */
    struct status (*begin_segment)(struct log *l);

    /* Recorder thread. Reads the batches after after_seq, never beyond log_durable_seq; *found is false when there are
     * no more yet. A batch is valid until the next call; the first one may start before after_seq + 1. */
    struct status (*reader_open)(struct log *l, uint64_t after_seq, struct log_reader **out);
    struct status (*reader_next)(struct log_reader *r, struct log_batch *batch, bool *found);
    void (*reader_close)(struct log_reader *r);
    /* Frees the segments that end before upto_seq. The batch that ends with upto_seq stays: a book identifies its log by
     * it. If a person was erased (`erased` is the seq, or 0), copies of torn batches up to that seq are deleted as well:
     * they may contain the name. */
    struct status (*free_upto)(struct log *l, uint64_t upto_seq, uint64_t erased);

    /* Worker thread: allocates the next segments. A full disk is not a fault: log_room reports it. */
    struct status (*prepare)(struct log *l);

    /* Any thread. */
    bool (*prepare_due)(const struct log *l);
    bool (*exceeds)(struct log *l, uint64_t seq, uint64_t limit); /* more than `limit` bytes after seq */
    uint64_t (*oldest_seq)(struct log *l); /* the first change that is still in the log */

    void (*close)(struct log *l); /* does not write: seal first */
};

struct log {
    const struct log_ops *ops;
    size_t cut_every; /* bytes after which a long batch is split, between two steps of core */
    _Atomic uint64_t durable_seq;
    _Atomic uint64_t bytes;
    _Atomic int room; /* enum log_room */
};

static inline enum log_room log_room(const struct log *l)
{
    return (enum log_room)atomic_load_explicit(&l->room, memory_order_relaxed);
}
static inline uint64_t log_bytes(const struct log *l)
{
    return atomic_load_explicit(&l->bytes, memory_order_relaxed);
}
static inline uint64_t log_durable_seq(const struct log *l)
{
    return atomic_load(&l->durable_seq);
}

void log_close(struct log *l); /* NULL is allowed */

#endif
