/* SPDX-License-Identifier: Apache-2.0 */
#include "book/file/wal_check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory/memory.h"
#include "book/file/wal_frame.h"

#define PAGE_SIZE_MIN 512 /* of SQLite's format; a power of two */
#define PAGE_SIZE_MAX 65536

struct walk {
    int file;
    int page_size;
    uint8_t header[WAL_HEADER_SIZE];
    uint8_t *frame;
    uint8_t sum[WAL_SUM_SIZE]; /* of the last good one */
    int error;                 /* errno of a read that failed; 0: none did */
};

/* Reads the frame with this number, from 0. False: there is none, or it is left over from before a restart. */
static bool read_frame(struct walk *w, int64_t number)
{
    int64_t size = WAL_FRAME_HEADER_SIZE + w->page_size;
    ssize_t got = pread(w->file, w->frame, (size_t)size, WAL_HEADER_SIZE + number * size);
    if (got < 0)
        w->error = errno;
    return got == size && wal_frame_salted(w->frame, w->header);
}

static bool frame_fits(struct walk *w)
{
    uint8_t header[WAL_FRAME_HEADER_SIZE];
    memcpy(header, w->frame, sizeof(header));
    wal_frame_sum(header, w->sum, w->frame + sizeof(header), w->page_size);
    bool fits = memcmp(header, w->frame, sizeof(header)) == 0;
    if (fits)
        memcpy(w->sum, header + sizeof(header) - WAL_SUM_SIZE, WAL_SUM_SIZE);
    return fits;
}

/* Whether a transaction ends at or after this frame and another one follows. */
static bool was_synced(struct walk *w, int64_t number)
{
    while (read_frame(w, number++))
        if (wal_frame_commits(w->frame))
            return read_frame(w, number);
    return false;
}

static struct status unreadable(const char *log, int error)
{
    return status_make(STATUS_UNREADABLE, "Cannot read %s: %s.", log, strerror(error));
}

static struct status wal_walk(struct walk *w, const char *log)
{
    /* SQLite writes sums in the machine's byte order and can read both; sql_vfs cannot. */
    if (!wal_frame_native(w->header))
        return status_make(STATUS_CORRUPT, "The log %s is damaged, or was written on another system.", log);
    if (!wal_frame_header_fits(w->header))
        return status_make(STATUS_CORRUPT, "The header of the log %s is damaged.", log);
    w->page_size = wal_frame_page_size(w->header);
    if (w->page_size < PAGE_SIZE_MIN || w->page_size > PAGE_SIZE_MAX || (w->page_size & (w->page_size - 1)))
        return status_make(STATUS_CORRUPT, "The log %s has an invalid page size, %d.", log, w->page_size);
    w->frame = memory_get(WAL_FRAME_HEADER_SIZE + (size_t)w->page_size);
    memcpy(w->sum, w->header + WAL_HEADER_SIZE - WAL_SUM_SIZE, WAL_SUM_SIZE);
    int64_t number = 0;
    while (read_frame(w, number) && frame_fits(w))
        number++;
    /* A frame with damaged salts looks like a left-over one: check what follows it, too. */
    bool damaged = was_synced(w, number) || was_synced(w, number + 1);
    if (w->error)
        return unreadable(log, w->error);
    if (damaged)
        return status_make(STATUS_CORRUPT, "Frame %lld of the log %s is damaged.", (long long)number + 1,
                           log);
    return status_none();
}

char *wal_path(const char *path)
{
    size_t size = strlen(path) + sizeof("-wal");
    char *log = memory_get(size);
    snprintf(log, size, "%s-wal", path);
    return log;
}

struct status wal_check(const char *path, bool *begun)
{
    char *log = wal_path(path);
    struct walk w = {.file = open(log, O_RDONLY | O_CLOEXEC)};
    struct status status = status_none();
    ssize_t got = w.file >= 0 ? pread(w.file, w.header, sizeof(w.header), 0) : errno == ENOENT ? 0 : -1;
    *begun = got == (ssize_t)sizeof(w.header);
    if (got < 0)
        status = unreadable(log, errno);
    else if (*begun)
        status = wal_walk(&w, log);
    if (w.file >= 0)
        close(w.file);
    free(w.frame);
    free(log);
    return status;
}
