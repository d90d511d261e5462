/* SPDX-License-Identifier: Apache-2.0 */
#include "journal/spare.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/memory/memory.h"

#define FILL_CHUNK (1u << 20)

static void ready_path(char path[DISK_PATH_MAX], const char *folder, int place, const char *suffix)
{
    char name[SEGMENT_NAME_MAX];
    snprintf(name, sizeof name, "ready-%d.%s", place, suffix);
    disk_path(path, folder, name);
}

static size_t chunk_size(uint64_t left)
{
    return left < FILL_CHUNK ? (size_t)left : FILL_CHUNK;
}

/* The header's block may hold the header of a begin that a crash undid; the next begin writes over it. */
static bool spare_usable(const struct disk *d, int handle, uint64_t size)
{
    if (d->size(d->owner, handle) != (int64_t)size)
        return false;
    uint8_t *chunk = memory_get(chunk_size(size));
    bool zero = true;
    for (uint64_t at = SEGMENT_HEADER_SIZE; zero && at < size; at += FILL_CHUNK) {
        size_t want = chunk_size(size - at);
        zero = disk_read_all(d, handle, chunk, want, at) == (int64_t)want && batch_is_zero(chunk, want);
    }
    free(chunk);
    return zero;
}

static struct status spare_adopt(const struct disk *d, const char *path, uint64_t size, bool *adopted)
{
    *adopted = false;
    int handle = disk_open(d, path, DISK_READ);
    if (handle == -ENOENT)
        return status_none();
    if (handle < 0)
        return disk_fault(handle, "open", path);
    /* Read in full: a spare that is not all zeros would make recovery see batches where there are none. */
    *adopted = spare_usable(d, handle, size);
    d->close(d->owner, handle);
    if (*adopted)
        return status_none();
    int result = d->unlink(d->owner, path);
    return result < 0 ? disk_fault(result, "delete", path) : status_none();
}

static int write_zeros(const struct disk *d, int handle, uint64_t size)
{
    uint8_t *chunk = memory_zeroed(1, chunk_size(size));
    int result = 0;
    for (uint64_t at = 0; result >= 0 && at < size; at += FILL_CHUNK)
        result = disk_write_all(d, handle, chunk, chunk_size(size - at), at);
    free(chunk);
    return result;
}

static struct status make_spare(const struct disk *d, const char *path, const char *spare, uint64_t size)
{
    int handle = disk_open(d, path, DISK_CREATE);
    if (handle < 0)
        return disk_fault(handle, "create", path);
    int result = write_zeros(d, handle, size);
    if (result >= 0)
        result = d->sync(d->owner, handle);
    int closed = d->close(d->owner, handle);
    if (result >= 0)
        result = closed; /* some file systems report a full disk only here */
    if (result >= 0)
        result = d->rename(d->owner, path, spare);
    if (result >= 0)
        return status_none();
    /* Give the space back at once: the book and other programs may be short of it too. */
    d->unlink(d->owner, path);
    return disk_fault(result, "fill", path);
}

static struct status fill_place(const struct disk *d, const char *folder, int place, uint64_t size, bool full)
{
    char path[DISK_PATH_MAX];
    char spare[DISK_PATH_MAX];
    ready_path(path, folder, place, "tmp");
    ready_path(spare, folder, place, "spare");
    bool adopted;
    /* One that an earlier life made is used also when the disk is full: its space is already there. */
    struct status s = spare_adopt(d, spare, size, &adopted);
    if (!status_ok(&s) || adopted)
        return s;
    s = full ? disk_fault(-ENOSPC, "fill", path) : make_spare(d, path, spare, size);
    if (!status_ok(&s))
        return s;
    int result = d->sync_folder(d->owner, folder);
    return result < 0 ? disk_fault(result, "sync", folder) : status_none();
}

static int write_header(const struct disk *d, int handle, const struct segment_header *header)
{
    uint8_t block[SEGMENT_HEADER_SIZE];
    segment_header_encode(header, block);
    int result = disk_write_all(d, handle, block, sizeof block, 0);
    return result < 0 ? result : d->sync(d->owner, handle);
}

static struct status begin_place(const struct disk *d, const char *folder, int place,
                                 const struct segment_header *header, int *handle)
{
    char spare[DISK_PATH_MAX];
    char path[DISK_PATH_MAX];
    char name[SEGMENT_NAME_MAX];
    ready_path(spare, folder, place, "spare");
    segment_name(name, header->first_seq);
    disk_path(path, folder, name);
    int opened = disk_open(d, spare, DISK_UPDATE);
    if (opened < 0)
        return disk_fault(opened, "open", spare);
    int result = write_header(d, opened, header);
    if (result >= 0)
        result = d->rename(d->owner, spare, path);
    if (result >= 0)
        result = d->sync_folder(d->owner, folder);
    if (result < 0) {
        d->close(d->owner, opened);
        return disk_fault(result, "start", path);
    }
    *handle = opened;
    return status_none();
}

struct sweep {
    char names[16][SEGMENT_NAME_MAX];
    int count;
};

static void sweep_name(void *ctx, const char *name)
{
    struct sweep *s = ctx;
    /* One crash leaves one or two. Of more than there is room for the rest go at the next start. */
    if (disk_name_ends(name, ".tmp") && s->count < 16 && strlen(name) < SEGMENT_NAME_MAX)
        snprintf(s->names[s->count++], SEGMENT_NAME_MAX, "%s", name);
}

struct status spare_sweep(const struct disk *d, const char *folder)
{
    struct sweep s = {0};
    int result = d->list(d->owner, folder, sweep_name, &s);
    if (result < 0 && result != -ENOENT)
        return disk_fault(result, "list", folder);
    for (int i = 0; i < s.count; i++) {
        char path[DISK_PATH_MAX];
        disk_path(path, folder, s.names[i]);
        result = d->unlink(d->owner, path);
        if (result < 0)
            return disk_fault(result, "delete", path);
    }
    return status_none();
}

void spare_init(struct spare *s, const struct disk *disk, const char *folder, uint64_t size, uint64_t reserve)
{
    ASSERT(segment_size_valid(size));
    *s = (struct spare){.disk = disk, .folder = folder, .size = size};
    s->count = 1 + (int)(reserve > size ? (reserve + size - 1) / size : 1);
    ASSERT(s->count >= 2); /* the next one and a reserve; also says that the division fits an int */
    ASSERT((uint64_t)(s->count - 1) * size >= reserve); /* what the caller asked for fits the reserve */
    s->places = memory_zeroed((size_t)s->count, sizeof *s->places);
    _Static_assert(SPARE_EMPTY == 0, "zeroed places are empty");
    pthread_mutex_init(&s->filling, NULL);
}

void spare_release(struct spare *s)
{
    pthread_mutex_destroy(&s->filling);
    free(s->places);
}

int spare_ready(const struct spare *s)
{
    int ready = 0;
    for (int i = 0; i < s->count; i++)
        ready += atomic_load(&s->places[i]) == SPARE_READY;
    return ready;
}

/* Fills the place if it is empty and fewer than `want` are ready. */
static struct status fill_one(struct spare *s, int place, int want, bool full)
{
    struct status status = status_none();
    ASSERT(place >= 0 && place < s->count);
    pthread_mutex_lock(&s->filling);
    if (spare_ready(s) < want && atomic_load(&s->places[place]) == SPARE_EMPTY) {
        status = fill_place(s->disk, s->folder, place, s->size, full);
        ASSERT(atomic_load(&s->places[place]) == SPARE_EMPTY); /* the writer takes only what is ready */
        if (status_ok(&status))
            atomic_store(&s->places[place], SPARE_READY);
        if (status.kind == STATUS_FULL)
            atomic_store(&s->full, true);
        else if (spare_ready(s) == s->count) /* not before: the reserve must be whole */
            atomic_store(&s->full, false);
        ASSERT(spare_ready(s) <= want); /* only this lock adds, the writer only takes */
        ASSERT(!atomic_load(&s->full) || spare_ready(s) < s->count); /* journal_space relies on it */
    }
    pthread_mutex_unlock(&s->filling);
    return status;
}

/* Fills empty places until `want` are ready; one by one, so that a writer who waits can go on with the first.
 * When there is no space for one there is none for the next, but that may be there from an earlier life. */
static struct status fill_until(struct spare *s, int want)
{
    struct status first = status_none();
    ASSERT(want >= 1 && want <= s->count);
    for (int i = 0; i < s->count; i++) {
        struct status status = fill_one(s, i, want, first.kind == STATUS_FULL);
        if (status_ok(&first))
            first = status;
    }
    return spare_ready(s) >= want ? status_none() : first;
}

struct status spare_fill(struct spare *s)
{
    struct status status = fill_until(s, s->count);
    return status.kind == STATUS_FULL ? status_none() : status;
}

static int spare_take(struct spare *s)
{
    for (int i = 0; i < s->count; i++) {
        int ready = SPARE_READY;
        if (atomic_compare_exchange_strong(&s->places[i], &ready, SPARE_TAKEN))
            return i;
    }
    return -1;
}

struct status spare_begin(struct spare *s, const struct segment_header *header, int *handle)
{
    ASSERT(header->size == s->size);
    struct status status = status_none();
    int reserve = s->count - 1; /* how many must be ready, including the one taken now */
    /* When the disk is known to be full, trying again would stall the writer for nothing. */
    if (spare_ready(s) < reserve && !atomic_load(&s->full))
        status = fill_until(s, reserve);
    int place = spare_take(s);
    if (place < 0 && status_ok(&status)) { /* `full` may be out of date: one more try */
        status = fill_until(s, 1);
        place = spare_take(s);
    }
    if (place < 0)
        return status;
    status = begin_place(s->disk, s->folder, place, header, handle);
    ASSERT(atomic_load(&s->places[place]) == SPARE_TAKEN);
    /* After a fault the place stays taken: what became of its file is unknown. */
    if (status_ok(&status))
        atomic_store(&s->places[place], SPARE_EMPTY);
    return status;
}
