/* SPDX-License-Identifier: Apache-2.0 */
#include "journal/journal.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/memory/bytes.h"
#include "base/logging.h"
#include "base/memory/memory.h"
#include "journal/replay.h"
#include "journal/spare.h"

struct journal {
    const struct disk *disk;
    char folder[DISK_PATH_MAX];
    size_t payload_max;

    /* The writer's own. */
    int handle; /* the newest segment */
    struct segment_header segment;
    uint64_t offset; /* where the next batch goes */
    uint64_t next_seq;
    int64_t at_ms;
    uint32_t prev_crc;
    bool sealed;
    struct status broken; /* the first fault; OK while there is none */
    uint8_t *memory;
    uint8_t *buffer; /* memory, aligned; room for the longest batch */

    /* Shared. */
    struct spare spare;
    pthread_mutex_t lock; /* the list */
    struct segment_list segments;
    _Atomic uint64_t durable_seq;
    _Atomic uint64_t bytes;
    _Atomic uint64_t room; /* bytes left in the newest segment */
};

static struct status journal_break(struct journal *j, struct status status)
{
    ASSERT(!status_ok(&status));
    ASSERT(status_ok(&j->broken)); /* the first fault is the one to report */
    j->broken = status;
    return status;
}

static void publish_room(struct journal *j)
{
    ASSERT(j->offset % BATCH_ALIGNMENT == 0 && j->offset <= j->segment.size);
    atomic_store(&j->room, j->segment.size - j->offset);
}

static void add_segment(struct journal *j)
{
    pthread_mutex_lock(&j->lock);
    size_t count = j->segments.count;
    ASSERT(count == 0 || j->segments.entries[count - 1].first_seq < j->segment.first_seq);
    segment_list_add(&j->segments, j->segment.first_seq, j->segment.size);
    pthread_mutex_unlock(&j->lock);
    /* Outside the lock: a figure for /metrics, not part of the list. */
    atomic_fetch_add(&j->bytes, j->segment.size);
}

static struct status put_batch(struct journal *j, struct batch_header *h)
{
    ASSERT((uintptr_t)j->buffer % BATCH_ALIGNMENT == 0);
    ASSERT(batch_extent(h->size) <= j->segment.size - j->offset);
    ASSERT(h->durable_seq < h->first_seq && h->first_seq >= j->segment.first_seq);
    struct batch_place place = segment_place(&j->segment, j->offset);
    batch_encode(h, &place, j->buffer);
    /* One write for header, payload and padding: a crash then tears one extent, as tail.h assumes. */
    int result = disk_write_all(j->disk, j->handle, j->buffer, (size_t)batch_extent(h->size), j->offset);
    if (result < 0)
        return disk_fault(result, "write a batch to", j->folder);
    /* fdatasync is enough: the file was filled with zeros, so neither its size nor its blocks change. */
    result = j->disk->sync_data(j->disk->owner, j->handle);
    return result < 0 ? disk_fault(result, "sync a batch in", j->folder) : status_none();
}

/* Ends the newest segment once the next one is durable: if that file disappears later, recovery notices.
 * Skipped where seals have used up the space. */
static struct status close_segment(struct journal *j)
{
    struct batch_header h = {.size = BATCH_CLOSING_SIZE,
                             .first_seq = j->next_seq,
                             .durable_seq = j->next_seq - 1,
                             .at_ms = j->at_ms,
                             .prev_crc = j->prev_crc};
    ASSERT(j->next_seq >= j->segment.first_seq);
    bool replaced = j->next_seq == j->segment.first_seq; /* the next one has its name */
    if (j->handle < 0 || replaced || j->offset + batch_extent(h.size) > j->segment.size)
        return status_none();
    bytes_store_u64(j->buffer + BATCH_HEADER_SIZE, j->next_seq);
    return put_batch(j, &h);
}

/* Starts the segment of the next seq under this id. Assumes that the one before is complete and durable. */
static struct status next_segment(struct journal *j, const struct segment_header *named)
{
    ASSERT(status_ok(&j->broken));
    ASSERT(j->next_seq - 1 == atomic_load(&j->durable_seq));
    struct segment_header h = *named;
    h.size = j->spare.size;
    h.first_seq = j->next_seq;
    h.at_ms = j->at_ms;
    h.prev_crc = j->prev_crc;
    int handle;
    /* A salt per segment: if the file system gives us blocks of an old segment, its batches do not verify. */
    int drawn = j->disk->entropy(j->disk->owner, &h.salt, sizeof h.salt);
    if (drawn < 0)
        return disk_fault(drawn, "draw a salt for", j->folder);
    struct status status = spare_begin(&j->spare, &h, &handle);
    if (!status_ok(&status))
        return status;
    ASSERT(handle >= 0);
    /* Only now that the next one is durable: a closing seal without a successor counts as damage. */
    status = close_segment(j);
    if (!status_ok(&status)) {
        j->disk->close(j->disk->owner, handle);
        return status;
    }
    if (j->handle >= 0)
        j->disk->close(j->disk->owner, j->handle);
    j->handle = handle;
    j->segment = h;
    j->offset = SEGMENT_HEADER_SIZE;
    add_segment(j);
    publish_room(j);
    return status;
}

/* Takes over what replay found and makes it durable. A process that was killed may have left whole batches
 * that were never synced: once they are shown to anyone they must stay. */
static struct status take_over(struct journal *j, struct replay *r, struct journal_recovery *report)
{
    char name[SEGMENT_NAME_MAX];
    struct status status = status_none();
    ASSERT(r->segments.entries[r->segments.count - 1].first_seq == r->newest.first_seq);
    ASSERT(r->chain.next_seq >= r->newest.first_seq && !r->chain.closed);
    segment_name(name, r->newest.first_seq);
    if (r->tail.torn) {
        status = tail_cut(&r->tail, j->disk, j->folder, name, j->handle, report->torn_seq, report->torn_name);
        if (!status_ok(&status))
            return status;
        log_warn("journal: a torn last batch was cut off", {"segment", LOG_STR(name)},
                 {"offset", LOG_INT(r->tail.offset)}, {"seq", LOG_INT(report->torn_seq)},
                 {"kept_as", LOG_STR(report->torn_name)});
    }
    int result = j->disk->sync(j->disk->owner, j->handle);
    if (result >= 0)
        result = j->disk->sync_folder(j->disk->owner, j->folder);
    if (result < 0)
        return disk_fault(result, "sync", name);
    j->segment = r->newest;
    /* A torn batch was cut, so the next one is written in its place, over zeros. */
    j->offset = r->tail.offset;
    j->next_seq = r->chain.next_seq;
    j->at_ms = r->chain.at_ms;
    j->prev_crc = r->chain.prev_crc;
    j->sealed = r->chain.sealed;
    j->segments = r->segments; /* taken, not copied: replay_release must not free it */
    r->segments = (struct segment_list){0};
    for (size_t i = 0; i < j->segments.count; i++)
        atomic_fetch_add(&j->bytes, j->segments.entries[i].size);
    publish_room(j);
    return status;
}

static struct status make_folder(const struct journal *j)
{
    int result = j->disk->make_folder(j->disk->owner, j->folder);
    return result < 0 && result != -EEXIST ? disk_fault(result, "create", j->folder) : status_none();
}

static struct status sync_parent(const struct journal *j)
{
    char parent[DISK_PATH_MAX];
    snprintf(parent, sizeof parent, "%s", j->folder);
    char *slash = strrchr(parent, '/');
    if (!slash)
        snprintf(parent, sizeof parent, ".");
    else
        *(slash == parent ? slash + 1 : slash) = '\0';
    int result = j->disk->sync_folder(j->disk->owner, parent);
    return result < 0 ? disk_fault(result, "sync", parent) : status_none();
}

/* The folder may exist without being durable, if the process that made it was killed: so its parent is synced
 * in any case. */
static struct status start_fresh(struct journal *j)
{
    j->sealed = true;
    int drawn = j->disk->entropy(j->disk->owner, j->segment.journal_id, sizeof j->segment.journal_id);
    if (drawn < 0)
        return disk_fault(drawn, "draw an id for", j->folder);
    struct status status = sync_parent(j);
    return status_ok(&status) ? next_segment(j, &j->segment) : status;
}

/* Opens the newest segment for writing and makes sure that what is read next is what the device has: a sync
 * that failed in an earlier life may have left pages in memory that look written and are not. Pages that were
 * never synced go to the device first, so they are kept. */
static struct status settle_newest(struct journal *j)
{
    struct segment_list list;
    char path[DISK_PATH_MAX];
    char name[SEGMENT_NAME_MAX];
    struct status status = segment_list_read(&list, j->disk, j->folder);
    bool any = status_ok(&status) && list.count > 0;
    segment_name(name, any ? list.entries[list.count - 1].first_seq : 0);
    segment_list_release(&list);
    if (!any)
        return status;
    disk_path(path, j->folder, name);
    j->handle = disk_open(j->disk, path, DISK_UPDATE);
    if (j->handle < 0)
        return disk_fault(j->handle, "open", path);
    int result = j->disk->sync(j->disk->owner, j->handle);
    if (result < 0)
        return disk_fault(result, "sync", path);
    j->disk->drop_cache(j->disk->owner, j->handle); /* only advice: nothing depends on its answer */
    return status;
}

static struct status recover(struct journal *j, const struct journal_anchor *after, journal_replay_fn fn,
                             void *ctx, struct journal_recovery *report)
{
    bool fresh = after->seq == 0 && !after->has_id; /* otherwise a missing folder is damage */
    struct status status = fresh ? make_folder(j) : status_none();
    if (status_ok(&status))
        status = spare_sweep(j->disk, j->folder);
    if (status_ok(&status))
        status = settle_newest(j);
    if (!status_ok(&status))
        return status;
    struct replay replay;
    /* After settle_newest, which makes the device and the page cache agree. */
    status = replay_run(&replay, j->disk, j->folder, after, fn, ctx);
    if (status_ok(&status)) {
        replay_report(&replay, after->seq, report);
        status = replay.segments.count > 0 ? take_over(j, &replay, report) : start_fresh(j);
    }
    replay_release(&replay);
    return status;
}

static struct journal *make(const struct disk *disk, const char *folder, uint64_t segment_size,
                            uint64_t reserve_size)
{
    struct journal *j = memory_zeroed(1, sizeof *j);
    j->disk = disk;
    j->handle = -1;
    j->next_seq = 1;
    snprintf(j->folder, sizeof j->folder, "%s", folder);
    j->broken = status_none();
    pthread_mutex_init(&j->lock, NULL);
    spare_init(&j->spare, disk, j->folder, segment_size, reserve_size);
    return j;
}

static void make_buffer(struct journal *j)
{
    uint64_t here = segment_payload_max(j->segment.size);
    uint64_t next = segment_payload_max(j->spare.size);
    /* The folder may have been written with another segment size: a batch must fit both. */
    j->payload_max = (size_t)(here < next ? here : next);
    ASSERT(!j->memory && j->payload_max > 0);
    /* Pages beyond the longest batch are never touched, so they cost nothing. */
    j->memory = memory_zeroed(1, (size_t)batch_extent(j->payload_max) + BATCH_ALIGNMENT);
    uintptr_t aligned = ((uintptr_t)j->memory + BATCH_ALIGNMENT - 1) / BATCH_ALIGNMENT * BATCH_ALIGNMENT;
    j->buffer = j->memory + (aligned - (uintptr_t)j->memory);
}

struct status journal_open(struct journal **out, const struct disk *disk, const char *folder,
                           const struct journal_options *options, const struct journal_anchor *after,
                           journal_replay_fn fn, void *ctx, struct journal_recovery *report)
{
    struct journal_recovery unwanted;
    uint64_t size = options && options->segment_size ? options->segment_size : JOURNAL_SEGMENT_SIZE;
    *out = NULL;
    if (!segment_size_valid(size))
        return status_make(STATUS_INVALID, "invalid size of a journal segment: %" PRIu64 " bytes", size);
    struct status status = disk_folder_check(folder);
    if (!status_ok(&status))
        return status;
    ASSERT(after->seq < UINT64_MAX);
    struct journal *j = make(disk, folder, size, options ? options->reserve_size : 0);
    status = recover(j, after, fn, ctx, report ? report : &unwanted);
    if (!status_ok(&status)) {
        journal_close(j);
        return status;
    }
    ASSERT(j->next_seq > after->seq); /* what the book has, the journal has */
    /* recover() has synced everything it read: all of it counts as durable. */
    atomic_store(&j->durable_seq, j->next_seq - 1);
    make_buffer(j);
    *out = j;
    return status;
}

struct status journal_begin(const struct disk *disk, const char *folder, const struct journal_anchor *after, int64_t at_ms,
                            uint8_t id[16])
{
    ASSERT(after->has_crc && after->seq > 0 && after->seq < UINT64_MAX);
    struct status status = disk_folder_check(folder);
    if (!status_ok(&status))
        return status;
    struct journal *j = make(disk, folder, JOURNAL_SEGMENT_SIZE, 0);
    j->next_seq = after->seq + 1;
    j->at_ms = at_ms;
    j->prev_crc = after->crc;
    atomic_store(&j->durable_seq, after->seq);
    status = make_folder(j);
    if (status_ok(&status))
        status = start_fresh(j);
    journal_id(j, id);
    journal_close(j);
    return status;
}

/* The newest segment has no change yet: the next one has its name and takes its place. */
static void give_up_newest(struct journal *j)
{
    ASSERT(j->next_seq == j->segment.first_seq);
    pthread_mutex_lock(&j->lock);
    ASSERT(j->segments.entries[j->segments.count - 1].first_seq == j->segment.first_seq);
    j->segments.count--;
    pthread_mutex_unlock(&j->lock);
    atomic_fetch_sub(&j->bytes, j->segment.size);
    /* Its seals, if it has any, go with the file: the chain goes on from the segment before. */
    j->prev_crc = j->segment.prev_crc;
}

struct status journal_fork(struct journal *j)
{
    static const uint8_t none[sizeof j->segment.parent_id];
    struct segment_header named = j->segment;
    bool replaces = j->next_seq == j->segment.first_seq;
    bool forked = memcmp(named.parent_id, none, sizeof none) != 0;
    /* A fork that replaces an empty fork keeps that one's parent: the segment before it is the parent's. */
    if (!replaces || !forked)
        memcpy(named.parent_id, j->segment.journal_id, sizeof named.parent_id);
    int drawn = j->disk->entropy(j->disk->owner, named.journal_id, sizeof named.journal_id);
    if (drawn < 0)
        return journal_break(j, disk_fault(drawn, "draw an id for", j->folder));
    ASSERT(memcmp(named.journal_id, named.parent_id, sizeof named.journal_id) != 0);
    if (replaces)
        give_up_newest(j);
    j->sealed = true;
    struct status status = next_segment(j, &named);
    return status_ok(&status) ? status : journal_break(j, status);
}

void journal_id(const struct journal *j, uint8_t id[16])
{
    memcpy(id, j->segment.journal_id, sizeof j->segment.journal_id);
}

void journal_close(struct journal *j)
{
    if (!j)
        return;
    if (j->handle >= 0)
        j->disk->close(j->disk->owner, j->handle);
    segment_list_release(&j->segments);
    spare_release(&j->spare);
    pthread_mutex_destroy(&j->lock);
    free(j->memory);
    free(j);
}

/* Writes and syncs the batch whose payload is in the buffer, at the end of the newest segment. */
static struct status append(struct journal *j, size_t size, uint32_t count, int64_t at_ms)
{
    uint64_t extent = batch_extent(size);
    ASSERT(j->next_seq - 1 == atomic_load(&j->durable_seq)); /* one batch at a time is under way */
    ASSERT(count > 0 || (size == 0 && !j->sealed));
    struct batch_header h = {.size = (uint32_t)size,
                             .count = count,
                             .first_seq = j->next_seq,
                             .durable_seq = j->next_seq - 1,
                             /* Never backwards: recovery takes the last instant as the floor of the clock. */
                             .at_ms = at_ms > j->at_ms ? at_ms : j->at_ms,
                             .prev_crc = j->prev_crc};
    struct status status = put_batch(j, &h);
    if (!status_ok(&status))
        return journal_break(j, status);
    j->offset += extent;
    j->next_seq += count;
    j->at_ms = h.at_ms;
    j->prev_crc = h.header_crc;
    j->sealed = count == 0;
    ASSERT(j->sealed || j->offset + batch_extent(0) <= j->segment.size); /* a seal always fits behind it */
    publish_room(j);
    atomic_store(&j->durable_seq, j->next_seq - 1); /* last: a thread that sees it may read the batch */
    return status_none();
}

/* The next segment, of the same journal. */
static struct status go_on(struct journal *j)
{
    ASSERT(j->next_seq > j->segment.first_seq); /* an empty segment has room for any batch */
    struct segment_header same = j->segment;
    memset(same.parent_id, 0, sizeof same.parent_id); /* only the first segment of a fork names one */
    return next_segment(j, &same);
}

struct status journal_begin_segment(struct journal *j)
{
    if (!status_ok(&j->broken))
        return j->broken;
    if (j->next_seq == j->segment.first_seq)
        return status_none();
    struct status status = go_on(j);
    if (status.kind == STATUS_FULL) /* nothing was changed: the newest is used to its end */
        return status_none();
    return status_ok(&status) ? status : journal_break(j, status);
}

struct status journal_write(struct journal *j, const void *payload, size_t size, uint32_t count,
                            int64_t at_ms)
{
    ASSERT(count > 0);
    ASSERT(size <= j->payload_max);
    ASSERT(count <= UINT64_MAX - j->next_seq);
    if (!status_ok(&j->broken))
        return j->broken;
    /* Room for a seal is kept behind every batch: journal_seal must work even when the disk is full. */
    if (j->offset + batch_extent(size) + batch_extent(0) > j->segment.size) {
        struct status status = go_on(j);
        if (!status_ok(&status))
            return journal_break(j, status);
    }
    memcpy(j->buffer + BATCH_HEADER_SIZE, payload, size);
    return append(j, size, count, at_ms);
}

struct status journal_seal(struct journal *j, int64_t at_ms)
{
    if (!status_ok(&j->broken))
        return j->broken;
    return j->sealed ? status_none() : append(j, 0, 0, at_ms);
}

size_t journal_payload_max(const struct journal *j)
{
    return j->payload_max;
}

uint64_t journal_next_seq(const struct journal *j)
{
    return j->next_seq;
}

uint64_t journal_durable_seq(const struct journal *j)
{
    return atomic_load(&j->durable_seq);
}

uint64_t journal_bytes(const struct journal *j)
{
    return atomic_load(&j->bytes);
}

uint64_t journal_segments(struct journal *j)
{
    pthread_mutex_lock(&j->lock);
    uint64_t count = j->segments.count;
    pthread_mutex_unlock(&j->lock);
    return count;
}

bool journal_exceeds(struct journal *j, uint64_t seq, uint64_t limit)
{
    uint64_t bytes = 0;
    if (seq >= journal_durable_seq(j))
        return false;
    pthread_mutex_lock(&j->lock);
    /* From the newest back: the first that begins with seq + 1 or before is the last that can have later ones. */
    for (size_t i = j->segments.count; i-- > 0 && bytes <= limit;) {
        bytes += j->segments.entries[i].size;
        if (j->segments.entries[i].first_seq <= seq + 1)
            break;
    }
    pthread_mutex_unlock(&j->lock);
    return bytes > limit;
}

uint64_t journal_oldest_seq(struct journal *j)
{
    pthread_mutex_lock(&j->lock);
    ASSERT(j->segments.count > 0);
    uint64_t seq = j->segments.entries[0].first_seq;
    pthread_mutex_unlock(&j->lock);
    return seq;
}

enum journal_space journal_space(const struct journal *j)
{
    const struct spare *s = &j->spare;
    if (!atomic_load(&s->full))
        return JOURNAL_SPACE_OK;
    int ready = spare_ready(s);
    if (ready == s->count)
        return JOURNAL_SPACE_OK;
    ASSERT(ready < s->count);
    /* Advice, not a promise: while the writer starts the next segment the sum may be off by one. */
    uint64_t left = atomic_load(&j->room) + (uint64_t)ready * s->size;
    uint64_t reserve = (uint64_t)(s->count - 1) * s->size;
    return left < reserve / 4 ? JOURNAL_SPACE_NONE : JOURNAL_SPACE_LOW;
}

struct status journal_prepare(struct journal *j)
{
    return spare_fill(&j->spare);
}

bool journal_prepare_due(const struct journal *j)
{
    return spare_ready(&j->spare) < j->spare.count;
}

/* The oldest segment, if it can be freed: the next one starts at or before upto_seq, and two remain. */
static bool find_freeable(struct journal *j, uint64_t upto_seq, struct segment_entry *entry)
{
    pthread_mutex_lock(&j->lock);
    bool may = j->segments.count > 2 && j->segments.entries[1].first_seq <= upto_seq;
    if (may)
        *entry = j->segments.entries[0];
    pthread_mutex_unlock(&j->lock);
    return may;
}

static struct status unlink_segment(struct journal *j, uint64_t first_seq)
{
    char name[SEGMENT_NAME_MAX];
    char path[DISK_PATH_MAX];
    segment_name(name, first_seq);
    disk_path(path, j->folder, name);
    int result = j->disk->unlink(j->disk->owner, path);
    if (result < 0 && result != -ENOENT) /* an earlier attempt may have got this far */
        return disk_fault(result, "delete", path);
    /* One by one: if a crash could keep a later unlink and lose an earlier one, the journal would have a
     * hole. */
    result = j->disk->sync_folder(j->disk->owner, j->folder);
    return result < 0 ? disk_fault(result, "sync", j->folder) : status_none();
}

struct status journal_free(struct journal *j, uint64_t upto_seq)
{
    ASSERT(upto_seq <= journal_durable_seq(j));
    struct segment_entry oldest;
    while (find_freeable(j, upto_seq, &oldest)) {
        /* Without the lock: unlink and sync may take long, and the writer must not wait for them. */
        struct status status = unlink_segment(j, oldest.first_seq);
        if (!status_ok(&status))
            return status;
        pthread_mutex_lock(&j->lock);
        ASSERT(j->segments.entries[0].first_seq == oldest.first_seq); /* the writer adds at the end only */
        segment_list_drop_first(&j->segments);
        pthread_mutex_unlock(&j->lock);
        atomic_fetch_sub(&j->bytes, oldest.size);
    }
    return status_none();
}
