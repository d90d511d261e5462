/* SPDX-License-Identifier: Apache-2.0 */
/* written.h — what a test wrote to a journal, and whether recovery returns it.
 *
 * The payload of a batch follows from its first seq and its size, so only these are remembered.
 */
#ifndef TESTS_LIB_WRITTEN_H
#define TESTS_LIB_WRITTEN_H

#include <stdio.h>
#include <string.h>

#include "after.h"
#include "base/memory/memory.h"

#define WRITTEN_MAX 2048
#define WRITTEN_FOLDER "/data/journal"

struct written_batch {
    uint64_t first_seq;
    uint32_t count;
    size_t size;
    int64_t at_ms;
};

struct written {
    struct written_batch batches[WRITTEN_MAX];
    size_t count;
    size_t acknowledged; /* of them; the next one can be there or not */
    uint64_t book_seq;   /* what the book claims to have: recovery starts after it */
};

/* What recovery has returned so far. */
struct witness {
    const struct written *written;
    size_t at; /* the next expected one of written */
    size_t given;
    bool wrong;
};

static inline void written_payload(uint8_t *out, size_t size, uint64_t first_seq)
{
    uint64_t x = first_seq * 0x9E3779B97F4A7C15u + size;
    for (size_t i = 0; i < size; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        out[i] = (uint8_t)x;
    }
}

/* Writes one batch and remembers it; it is acknowledged if the journal says so. */
static inline struct status written_add(struct written *w, struct journal *j, size_t size, uint32_t count,
                                        int64_t at_ms)
{
    static _Thread_local uint8_t payload[1 << 20];
    uint64_t first_seq = journal_next_seq(j);
    written_payload(payload, size, first_seq);
    w->batches[w->count++] =
        (struct written_batch){.first_seq = first_seq, .count = count, .size = size, .at_ms = at_ms};
    struct status status = journal_write(j, payload, size, count, at_ms);
    if (status_ok(&status))
        w->acknowledged = w->count;
    return status;
}

static inline bool written_equals(const struct written_batch *w, const struct batch *b)
{
    static _Thread_local uint8_t payload[1 << 20];
    written_payload(payload, w->size, w->first_seq);
    return w->first_seq == b->first_seq && w->count == b->count && w->size == b->size &&
           w->at_ms == b->at_ms && memcmp(payload, b->payload, b->size) == 0;
}

static inline struct witness witness_make(const struct written *w, uint64_t after_seq)
{
    struct witness v = {.written = w};
    while (v.at < w->count && w->batches[v.at].first_seq + w->batches[v.at].count - 1 <= after_seq)
        v.at++;
    return v;
}

static inline struct status witness_see(void *ctx, const struct batch *batch)
{
    struct witness *v = ctx;
    const struct written *w = v->written;
    if (v->at >= w->count || !written_equals(&w->batches[v->at], batch))
        v->wrong = true;
    else
        v->at++;
    v->given++;
    return status_none();
}

/* Opens with a witness. Afterwards the batches that recovery did not return are forgotten: they were never there. */
static inline struct status written_open(struct written *w, struct journal **j, const struct disk *disk,
                                         uint64_t segment_size, struct witness *v,
                                         struct journal_recovery *report)
{
    struct journal_options options = {.segment_size = segment_size};
    *v = witness_make(w, w->book_seq);
    struct status status =
        journal_open(j, disk, WRITTEN_FOLDER, &options, AFTER(w->book_seq), witness_see, v, report);
    if (status_ok(&status) && !v->wrong && v->at >= w->acknowledged) {
        w->count = v->at;
        w->acknowledged = v->at;
    }
    return status;
}

#endif
