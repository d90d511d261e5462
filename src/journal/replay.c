/* SPDX-License-Identifier: Apache-2.0 */
#include "journal/replay.h"

#include <inttypes.h>
#include <string.h>

#include "base/assertion.h"

struct listener {
    const struct journal_anchor *after;
    bool anchored; /* the batch that ends with after->seq is the one that the book knows */
    journal_replay_fn fn;
    void *ctx;
};

static bool needs_anchor(const struct journal_anchor *after)
{
    return after->has_crc && after->seq > 0;
}

static const char foreign[] = "the book belongs to another journal, or to another copy of this one";

static struct status replay_batch(struct listener *l, const struct scan *s, const struct batch *batch)
{
    if (batch->count == 0)
        return status_none();
    uint64_t last_seq = batch->first_seq + batch->count - 1;
    ASSERT(!l->anchored || last_seq > l->after->seq); /* each seq comes once */
    /* The book commits at batch ends only, so its anchor is the end of some batch. */
    if (last_seq == l->after->seq)
        l->anchored = batch->crc == l->after->crc;
    if (last_seq <= l->after->seq)
        return status_none();
    /* Before anything is shown: what lies beyond the book's last batch must continue that very batch. */
    if (needs_anchor(l->after) && !l->anchored)
        return scan_corrupt(s, 0, l->after->seq, foreign);
    return l->fn ? l->fn(l->ctx, batch) : status_none();
}

static struct status read_segment(struct replay *r, struct scan *s, struct listener *l, bool newest)
{
    for (;;) {
        struct batch batch;
        enum scan_found found;
        struct status status = scan_next(s, &r->chain, &batch, &found);
        if (!status_ok(&status))
            return status;
        if (found != SCAN_BATCH)
            return tail_judge(&r->tail, s, &r->chain, found, newest);
        status = replay_batch(l, s, &batch);
        if (!status_ok(&status))
            return status;
    }
}

static struct status read_segments(struct replay *r, struct scan *s, const char *folder, struct listener *l)
{
    ASSERT(r->segments.count > 0 && !r->chain.begun);
    for (size_t i = 0; i < r->segments.count; i++) {
        struct segment_entry *entry = &r->segments.entries[i];
        struct status status = scan_open(s, &r->chain, folder, entry->first_seq);
        if (status_ok(&status)) {
            entry->size = s->header.size;
            /* A journal that was begun after the book, or whose earlier segments are gone: its header names the batch. */
            if (i == 0 && entry->first_seq == l->after->seq + 1)
                l->anchored = s->header.prev_crc == l->after->crc;
            status = read_segment(r, s, l, i + 1 == r->segments.count);
        }
        if (!status_ok(&status))
            return status;
    }
    r->newest = s->header;
    ASSERT(r->chain.next_seq >= r->newest.first_seq && r->tail.offset <= r->newest.size);
    /* Only now: in the middle the next segment would have cleared it. */
    if (r->chain.closed)
        return scan_corrupt(s, s->offset, r->chain.next_seq, "the segment after this one is missing");
    return status_none();
}

/* The book is made from durable batches of this journal only: what it has, the journal had. */
static struct status check_book(const struct replay *r, const struct scan *s, const struct listener *l)
{
    const struct journal_anchor *after = l->after;
    const char *reason = NULL;
    ASSERT(r->chain.begun && s->offset == r->tail.offset); /* the scan is at the end of the journal */
    if (r->chain.next_seq - 1 < after->seq)
        reason = "the journal ends before the book does";
    else if (after->has_id && memcmp(after->id, r->newest.journal_id, sizeof after->id) != 0)
        reason = "the journal and the book belong to different folders";
    else if (needs_anchor(after) && !l->anchored)
        reason = foreign;
    return reason ? scan_corrupt(s, s->offset, after->seq, reason) : status_none();
}

/* No segment at all. A book that was made from a journal cannot be without it: what was acknowledged since is
 * in there, and nowhere else. */
static struct status check_none(const char *folder, const struct journal_anchor *after)
{
    if (after->seq == 0 && !after->has_id)
        return status_none();
    return status_make(STATUS_CORRUPT,
                       "there is no journal in %s, but the book, which ends at seq %" PRIu64
                       ", was written from one: everything acknowledged after that is missing",
                       folder, after->seq);
}

struct status replay_run(struct replay *r, const struct disk *disk, const char *folder,
                         const struct journal_anchor *after, journal_replay_fn fn, void *ctx)
{
    *r = (struct replay){0};
    struct status status = segment_list_read(&r->segments, disk, folder);
    if (!status_ok(&status))
        return status;
    if (r->segments.count == 0)
        return check_none(folder, after);
    if (r->segments.entries[0].first_seq - 1 > after->seq) {
        char name[SEGMENT_NAME_MAX];
        segment_name(name, r->segments.entries[0].first_seq);
        return status_make(STATUS_CORRUPT,
                           "journal %s, offset 0, seq %" PRIu64 ": the segments before it are missing", name,
                           after->seq + 1);
    }
    struct listener listener = {.after = after, .fn = fn, .ctx = ctx};
    struct scan scan;
    scan_init(&scan, disk);
    status = read_segments(r, &scan, folder, &listener);
    if (status_ok(&status))
        status = check_book(r, &scan, &listener);
    scan_release(&scan);
    return status;
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
    ASSERT(report->last_seq + 1 >= report->first_seq && report->last_seq >= after_seq);
    report->last_at_ms = r->chain.at_ms;
    memcpy(report->id, r->newest.journal_id, sizeof report->id);
    memcpy(report->parent, r->newest.parent_id, sizeof report->parent);
    report->segments = r->segments.count;
    report->batches = r->chain.batches;
    report->end_offset = r->tail.offset;
    report->sealed = r->chain.sealed;
    report->torn = r->tail.torn;
    report->torn_seq = r->tail.torn ? r->chain.next_seq : 0;
    report->torn_bytes = r->tail.bytes;
}

struct status journal_verify(const struct disk *disk, const char *folder, const struct journal_anchor *after,
                             journal_replay_fn fn, void *ctx, struct journal_recovery *report)
{
    struct replay replay;
    struct status status = replay_run(&replay, disk, folder, after, fn, ctx);
    if (status_ok(&status))
        replay_report(&replay, after->seq, report);
    replay_release(&replay);
    return status;
}
