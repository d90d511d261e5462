/* SPDX-License-Identifier: Apache-2.0 */
#include "log/log_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "journal/journal.h"
#include "journal/journal_reader.h"
#include "journal/segment.h"
#include "journal/tail.h"

/* More than the three batches that may be in flight when the disk turns out to be full. Each holds the requests that
 * arrive during one sync, and up to a megabyte of optional work. */
#define RESERVE_SIZE (8u << 20)
#define CUT_EVERY_MAX ((size_t)1 << 20)
_Static_assert(RESERVE_SIZE > 3 * CUT_EVERY_MAX, "the reserve holds the batches in flight");

struct files {
    struct log log; /* first: files_of casts */
    struct journal *journal;
    const char *folder;
};
_Static_assert(offsetof(struct files, log) == 0, "files_of and journal_of cast from one to the other");

static const struct log_ops files_ops;

static struct files *files_of(struct log *l)
{
    ASSERT(l->ops == &files_ops);
    return (struct files *)l;
}

static const struct journal *journal_of(const struct log *l)
{
    return ((const struct files *)l)->journal;
}

/* Called by the writer, the recorder and a worker. Each checks again after it has stored, so the last one to store leaves
 * what the journal says. */
static void files_publish_room(struct files *f)
{
    enum journal_space space;
    uint64_t bytes;
    do {
        space = journal_space(f->journal);
        atomic_store(&f->log.room, space == JOURNAL_SPACE_OK    ? LOG_ROOM_OK
                                   : space == JOURNAL_SPACE_LOW ? LOG_ROOM_LOW
                                                                : LOG_ROOM_NONE);
        bytes = journal_bytes(f->journal);
        atomic_store(&f->log.bytes, bytes);
    } while (space != journal_space(f->journal) || bytes != journal_bytes(f->journal));
}

/* ---- Writing ---- */

static struct status files_write(struct log *l, const struct log_batch *batch)
{
    struct files *f = files_of(l);
    uint64_t before_seq = log_durable_seq(l);
    ASSERT(batch->count >= 1 && batch->size >= batch->count); /* an empty batch would be a seal */
    struct status fault = journal_write(f->journal, batch->bytes, batch->size, batch->count, batch->at_ms);
    uint64_t durable_seq = journal_durable_seq(f->journal);
    ASSERT(durable_seq == before_seq + (status_ok(&fault) ? batch->count : 0)); /* all of it, or nothing */
    files_publish_room(f);
    atomic_store(&l->durable_seq, durable_seq);
    return fault;
}

static struct status files_seal(struct log *l, int64_t at_ms)
{
    return journal_seal(files_of(l)->journal, at_ms);
}

static struct status files_begin_segment(struct log *l)
{
    struct files *f = files_of(l);
    struct status fault = journal_begin_segment(f->journal);
    files_publish_room(f);
    return fault;
}

static struct status files_prepare(struct log *l)
{
    struct files *f = files_of(l);
    struct status fault = journal_prepare(f->journal);
    files_publish_room(f);
    return fault;
}

/* ---- Reading ---- */

struct log_reader {
    const struct log *log;
    struct journal_reader *journal;
};

static struct log_batch batch_of(const struct batch *b)
{
    ASSERT(b->count >= 1); /* seals are the journal's own */
    return (struct log_batch){.bytes = b->payload,
                              .size = b->size,
                              .count = b->count,
                              .at_ms = b->at_ms,
                              .first_seq = b->first_seq,
                              .chain = b->crc};
}

static struct status files_reader_open(struct log *l, uint64_t after_seq, struct log_reader **out)
{
    struct journal_reader *journal;
    ASSERT(after_seq <= log_durable_seq(l)); /* no book is ahead of its log */
    struct status fault = journal_reader_open(&journal, &disk_real, files_of(l)->folder, after_seq);
    if (!status_ok(&fault))
        return fault;
    *out = memory_get(sizeof(**out));
    **out = (struct log_reader){.log = l, .journal = journal};
    return fault;
}

static struct status files_reader_next(struct log_reader *r, struct log_batch *batch, bool *found)
{
    struct batch b;
    uint64_t durable_seq = log_durable_seq(r->log);
    struct status fault = journal_reader_next(r->journal, durable_seq, &b, found);
    if (!status_ok(&fault) || !*found)
        return fault;
    ASSERT(b.first_seq + b.count - 1 <= durable_seq); /* a batch becomes durable whole */
    *batch = batch_of(&b);
    return fault;
}

static void files_reader_close(struct log_reader *r)
{
    journal_reader_close(r->journal);
    free(r);
}

static struct status files_free_upto(struct log *l, uint64_t upto_seq, uint64_t erased)
{
    struct files *f = files_of(l);
    ASSERT(upto_seq <= log_durable_seq(l));
    struct status fault = erased ? tail_drop_copies(&disk_real, f->folder, erased) : status_none();
    if (status_ok(&fault))
        fault = journal_free(f->journal, upto_seq);
    files_publish_room(f);
    return fault;
}

/* ---- Figures ---- */

static bool files_prepare_due(const struct log *l)
{
    return journal_prepare_due(journal_of(l));
}

static bool files_exceeds(struct log *l, uint64_t seq, uint64_t limit)
{
    return journal_exceeds(files_of(l)->journal, seq, limit);
}

static uint64_t files_oldest_seq(struct log *l)
{
    return journal_oldest_seq(files_of(l)->journal);
}

/* ---- Opening and closing ---- */

static void files_close(struct log *l)
{
    journal_close(files_of(l)->journal);
    free(l);
}

void log_close(struct log *l)
{
    if (l)
        l->ops->close(l);
}

static const struct log_ops files_ops = {.write = files_write,
                                         .seal = files_seal,
                                         .begin_segment = files_begin_segment,
                                         .reader_open = files_reader_open,
                                         .reader_next = files_reader_next,
                                         .reader_close = files_reader_close,
                                         .free_upto = files_free_upto,
                                         .prepare = files_prepare,
                                         .prepare_due = files_prepare_due,
                                         .exceeds = files_exceeds,
                                         .oldest_seq = files_oldest_seq,
                                         .close = files_close};

struct replay {
    log_replay_fn fn;
    void *ctx;
};

static struct status on_batch(void *ctx, const struct batch *b)
{
    const struct replay *replay = ctx;
    struct log_batch batch = batch_of(b);
    return replay->fn(replay->ctx, &batch);
}

void log_files_anchor(const struct log_anchor *anchor, struct journal_anchor *out)
{
    *out = (struct journal_anchor){
        .seq = anchor->seq, .has_id = anchor->has_id, .has_crc = anchor->has_chain, .crc = anchor->chain};
    _Static_assert(sizeof(out->id) == sizeof(anchor->id), "an id is copied whole");
    memcpy(out->id, anchor->id, sizeof(out->id));
}

static void copy_recovery(const struct journal_recovery *j, struct log_recovery *found)
{
    *found = (struct log_recovery){.last_seq = j->last_seq,
                                   .last_at_ms = j->last_at_ms,
                                   .segments = j->segments,
                                   .batches = j->batches,
                                   .sealed = j->sealed,
                                   .torn = j->torn,
                                   .torn_seq = j->torn_seq,
                                   .torn_bytes = j->torn_bytes};
    _Static_assert(sizeof(found->torn_name) >= sizeof(j->torn_name), "names fit");
    snprintf(found->torn_name, sizeof(found->torn_name), "%s", j->torn_name);
}

struct status log_open_files(struct log **out, const char *folder, uint64_t segment_size,
                             const struct log_anchor *after, log_replay_fn fn, void *ctx,
                             struct log_recovery *found)
{
    struct journal_options options = {.segment_size = segment_size, .reserve_size = RESERVE_SIZE};
    struct journal_anchor anchor;
    struct journal_recovery recovery;
    struct replay replay = {fn, ctx};
    struct journal *journal;
    log_files_anchor(after, &anchor);
    struct status fault =
        journal_open(&journal, &disk_real, folder, &options, &anchor, on_batch, &replay, &recovery);
    if (!status_ok(&fault))
        return fault;
    copy_recovery(&recovery, found);
    ASSERT(found->last_seq == journal_durable_seq(journal)); /* what was replayed is on disk */
    journal_id(journal, found->id);                          /* not in `recovery` if it was just created */
    struct files *f = memory_zeroed(1, sizeof(*f));
    f->log.ops = &files_ops;
    f->journal = journal;
    f->folder = folder;
    /* A part exceeds this by the changes of one step at most; a quarter leaves room for the largest step. */
    size_t quarter = journal_payload_max(journal) / 4;
    f->log.cut_every = quarter < CUT_EVERY_MAX ? quarter : CUT_EVERY_MAX;
    ASSERT(f->log.cut_every > 0);
    atomic_init(&f->log.durable_seq, journal_durable_seq(journal));
    files_publish_room(f);
    *out = &f->log;
    return fault;
}

struct status log_verify_files(const char *folder, const struct log_anchor *after, log_replay_fn fn,
                               void *ctx, struct log_recovery *found)
{
    struct journal_anchor anchor;
    struct journal_recovery recovery;
    struct replay replay = {fn, ctx};
    log_files_anchor(after, &anchor);
    struct status fault =
        journal_verify(&disk_real, folder, &anchor, fn ? on_batch : NULL, &replay, &recovery);
    if (status_ok(&fault)) {
        copy_recovery(&recovery, found);
        memcpy(found->id, recovery.id, sizeof(found->id));
    }
    return fault;
}

struct status log_files_readable(const char *folder)
{
    return segment_format_check(&disk_real, folder);
}
