/* SPDX-License-Identifier: Apache-2.0 */
#include "journal/replay.h"

#include <inttypes.h>

#include "base/assertion.h"

struct listener {
    uint64_t after_seq;
    journal_replay_fn fn;
    void *ctx;
};

static struct status tell(const struct listener *l, const struct batch *batch)
{
    bool later = batch->count > 0 && batch->first_seq + batch->count - 1 > l->after_seq;
    return later && l->fn ? l->fn(l->ctx, batch) : status_none();
}

static struct status read_segment(struct replay *r, struct scan *s, const struct listener *l, bool newest)
{
    for (;;) {
        struct batch batch;
        enum scan_found found;
        struct status status = scan_next(s, &r->chain, &batch, &found);
        if (!status_ok(&status))
            return status;
        if (found != SCAN_BATCH)
            return tail_judge(&r->tail, s, &r->chain, found, newest);
        status = tell(l, &batch);
        if (!status_ok(&status))
            return status;
    }
}

static struct status read_segments(struct replay *r, struct scan *s, const char *folder,
                                   const struct listener *l)
{
    for (size_t i = 0; i < r->segments.count; i++) {
        struct segment_entry *entry = &r->segments.entries[i];
        struct status status = scan_open(s, &r->chain, folder, entry->first_seq);
        if (status_ok(&status)) {
            entry->size = s->header.size;
            status = read_segment(r, s, l, i + 1 == r->segments.count);
        }
        if (!status_ok(&status))
            return status;
    }
    r->newest = s->header;
    return status_none();
}

/* The book is made from durable batches only: what it has, the journal had. */
static struct status check_reach(const struct replay *r, uint64_t after_seq)
{
    char name[SEGMENT_NAME_MAX];
    uint64_t last_seq = r->chain.next_seq - 1;
    if (last_seq >= after_seq)
        return status_none();
    segment_name(name, r->newest.first_seq);
    return status_make(STATUS_CORRUPT,
                       "journal %s, offset %" PRIu64 ", seq %" PRIu64 ": the journal ends before seq %" PRIu64
                       ", which the book has",
                       name, r->tail.offset, r->chain.next_seq, after_seq);
}

struct status replay_run(struct replay *r, const struct disk *disk, const char *folder, uint64_t after_seq,
                         journal_replay_fn fn, void *ctx)
{
    *r = (struct replay){0};
    struct status status = segment_list_read(&r->segments, disk, folder);
    if (!status_ok(&status) || r->segments.count == 0)
        return status;
    if (r->segments.entries[0].first_seq - 1 > after_seq) {
        char name[SEGMENT_NAME_MAX];
        segment_name(name, r->segments.entries[0].first_seq);
        return status_make(STATUS_CORRUPT,
                           "journal %s, offset 0, seq %" PRIu64 ": the segments before it are missing", name,
                           after_seq + 1);
    }
    struct listener listener = {.after_seq = after_seq, .fn = fn, .ctx = ctx};
    struct scan scan;
    scan_init(&scan, disk);
    status = read_segments(r, &scan, folder, &listener);
    scan_release(&scan);
    return status_ok(&status) ? check_reach(r, after_seq) : status;
}

void replay_release(struct replay *r)
{
    segment_list_release(&r->segments);
}

void replay_report(const struct replay *r, uint64_t after_seq, struct journal_recovery *report)
{
    *report = (struct journal_recovery){.first_seq = after_seq + 1, .last_seq = after_seq, .sealed = true};
    if (r->segments.count == 0)
        return;
    ASSERT(r->chain.begun);
    report->first_seq = r->segments.entries[0].first_seq;
    report->last_seq = r->chain.next_seq - 1;
    report->last_at_ms = r->chain.at_ms;
    report->segments = r->segments.count;
    report->batches = r->chain.batches;
    report->end_offset = r->tail.offset;
    report->sealed = r->chain.sealed;
    report->torn = r->tail.torn;
    report->torn_seq = r->tail.torn ? r->chain.next_seq : 0;
    report->torn_bytes = r->tail.bytes;
}
