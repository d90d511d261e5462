/* SPDX-License-Identifier: Apache-2.0 */
/* log.h — what the store asks of its log: the place where changes become durable, in batches and in order.
 *
 * log_files.c keeps it in the files of journal/. The store knows this header alone, so that a log of another kind is
 * another file here and nothing else. Does not know what a change is: a batch is `count` changes in opaque bytes, and its
 * first change has the seq after the last one of the batch before.
 *
 * Threads. Each operation belongs to one thread, as the table says. What is asked several times a command (room, bytes,
 * durable_seq) is an atomic in struct log, written by whoever changes it and read inline by any thread; the server pays
 * one indirect call a batch.
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

enum log_room {
    LOG_ROOM_OK,
    LOG_ROOM_LOW, /* what is left is for commits and releases */
    LOG_ROOM_NONE /* refuse whatever writes */
};

struct log_batch {
    const uint8_t *bytes;
    size_t size;
    uint32_t count; /* changes in it, at least 1 */
    int64_t at_ms;  /* the last instant of the server's clock */
    /* When it is read: */
    uint64_t first_seq;
    uint32_t chain; /* its checksum, which covers those of all batches before it */
};

/* What opening a log found. */
struct log_recovery {
    uint8_t id[16];
    uint64_t last_seq;  /* of the last change */
    int64_t last_at_ms; /* the greatest instant remembered, 0: none */
    uint64_t segments, batches;
    bool sealed;         /* nothing acknowledged could have been cut */
    bool torn;           /* a torn last batch was there, which was never acknowledged */
    uint64_t torn_seq;   /* the first seq it would have had */
    uint64_t torn_bytes; /* and how long it was */
    char torn_name[80];  /* the file that has a copy of it */
};

/* Called for each batch with a change later than the anchor's; the caller skips the changes it has. The batch is valid
 * during the call. A status that is not OK ends the recovery with it. */
typedef struct status (*log_replay_fn)(void *ctx, const struct log_batch *batch);

struct log_ops {
    /* The batcher's thread. OK: durable, and log_durable_seq has moved. A fault ends the process: what was not durable
     * may be, and nobody may be told. */
    struct status (*write)(struct log *l, const struct log_batch *batch);
    /* Nothing more comes for a moment: damage to the last batch can no longer pass for a torn one. */
    struct status (*seal)(struct log *l, int64_t at_ms);
    /* The next batch begins a new segment, so that those before it can be freed. */
    struct status (*begin_segment)(struct log *l);

    /* The recorder's thread. Reads what follows after_seq, never beyond log_durable_seq; *found is false when there is no
     * more yet. A batch is valid until the next call; the first one may begin before after_seq + 1. */
    struct status (*reader_open)(struct log *l, uint64_t after_seq, struct log_reader **out);
    struct status (*reader_next)(struct log_reader *r, struct log_batch *batch, bool *found);
    void (*reader_close)(struct log_reader *r);
    /* Gives back what ends before upto_seq; the batch that ends with it stays, so that a book that ends there can be
     * recognised. With `erased` (0: nobody was) copies of what was torn up to that seq go as well: they may have a name
     * that is to be forgotten. */
    struct status (*free_upto)(struct log *l, uint64_t upto_seq, uint64_t erased);

    /* A worker: makes room for what comes. No space is no fault: log_room says so. */
    struct status (*prepare)(struct log *l);

    /* Any thread. */
    bool (*prepare_due)(const struct log *l);
    bool (*exceeds)(struct log *l, uint64_t seq, uint64_t limit); /* more than `limit` bytes later than seq */
    uint64_t (*oldest_seq)(struct log *l);                        /* the first change that it still has */

    void (*close)(struct log *l); /* writes nothing: seal first */
};

struct log {
    const struct log_ops *ops;
    size_t cut_every; /* bytes after which a batch is cut, between two steps of core */
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

void log_close(struct log *l); /* NULL is fine */

#endif
