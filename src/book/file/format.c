/* SPDX-License-Identifier: Apache-2.0 */
#include "book/file/format.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory/bytes.h"
#include "base/memory/memory.h"
#include "book/file/schema.h"
#include "book/file/page_sum.h"
#include "book/file/wal_check.h"
#include "book/file/wal_frame.h"

/* In the header of a file of SQLite; its numbers are big-endian. */
enum { AT_USER_VERSION = 60, AT_APPLICATION_ID = 68 };

/* 0: not ours, damaged, or without tables yet. */
static int64_t version_in(const uint8_t *page, size_t size)
{
    bool sound = memcmp(page, "SQLite format 3", 16) == 0 &&
                 bytes_load_big_u32(page + AT_APPLICATION_ID) == BOOK_APPLICATION_ID &&
                 (!page_sum_expected(page) || page_sum_fine(page, size, 1));
    return sound ? bytes_load_big_u32(page + AT_USER_VERSION) : 0;
}

/* Through SQLite, at the file alone: closing a descriptor of our own would drop the locks that this process may have
 * on it. */
static struct status look_at_file(const char *path, int64_t *version)
{
    uint8_t header[PAGE_SUM_HEADER_SIZE];
    struct sql *s;
    struct status status = sql_open(&s, path, SQL_LOOK);
    if (!status_ok(&status))
        return status.kind == STATUS_CORRUPT ? status_none() : status;
    size_t size = sql_bytes(s, 0, header, sizeof(header)) ? page_sum_page_size(header) : 0;
    uint8_t *page = size ? memory_get(size) : NULL;
    if (page && sql_bytes(s, 0, page, size))
        *version = version_in(page, size);
    status = sql_status(s);
    free(page);
    sql_close(s);
    return status;
}

/* *version becomes that of the last committed first page; it stays if there is none. */
static bool walk_log(int file, const uint8_t log_header[WAL_HEADER_SIZE], int64_t *version)
{
    int size = wal_frame_page_size(log_header);
    uint8_t *page = memory_get((size_t)size), header[WAL_FRAME_HEADER_SIZE];
    int64_t pending = 0, at = WAL_HEADER_SIZE;
    ssize_t got;
    while ((got = pread(file, header, sizeof(header), at)) == (ssize_t)sizeof(header) &&
           wal_frame_salted(header, log_header)) {
        at += (int64_t)sizeof(header);
        if (wal_frame_page_number(header) == 1 && (got = pread(file, page, (size_t)size, at)) == size)
            pending = version_in(page, (size_t)size);
        if (got < 0)
            break;
        if (wal_frame_commits(header) && pending)
            *version = pending;
        at += size;
    }
    free(page);
    return got >= 0;
}

static struct status look_at_log(const char *path, int64_t *version)
{
    uint8_t header[WAL_HEADER_SIZE];
    char *log = wal_path(path);
    struct status status = status_none();
    int file = open(log, O_RDONLY | O_CLOEXEC);
    ssize_t got = file < 0 ? 0 : pread(file, header, sizeof(header), 0);
    bool begun = got == (ssize_t)sizeof(header) && wal_frame_native(header) && wal_frame_header_fits(header);
    if (got < 0 || (begun && !walk_log(file, header, version)))
        status = status_make(STATUS_UNREADABLE, "Cannot read %s: %s.", log, strerror(errno));
    if (file >= 0)
        close(file);
    free(log);
    return status;
}

struct status book_format_check(const char *path)
{
    int64_t version = 0;
    /* A book that may not be read is for the one who opens it to report. */
    struct status status = access(path, R_OK) == 0 ? look_at_file(path, &version) : status_none();
    if (status_ok(&status))
        status = look_at_log(path, &version);
    return status_ok(&status) && version ? book_schema_readable(version) : status;
}
