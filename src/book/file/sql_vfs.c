/* SPDX-License-Identifier: Apache-2.0 */
#include "book/file/sql_vfs.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "book/file/page_sum.h"
#include "book/file/page_wipe.h"
#include "book/file/wal_frame.h"

#define PAGE_SIZE_MIN 512

/* SQLite allocates szOsFile bytes: this struct, and after it the file of SQLite's own VFS. */
struct summed_file {
    sqlite3_file base;
    uint8_t *page; /* a copy of what is written, with its sum */
    int page_size;

    /* a database */
    bool sums;        /* pages have checksums, or get them in a new file */
    bool holes;       /* pages of zeros are accepted */
    bool trusted;     /* nothing is verified */
    bool unreadable;  /* a read of the file or its log has failed */
    uint32_t damaged; /* the last page found damaged */
    uint32_t pages;   /* the most pages it has had; 0: not known yet */

    /* its log */
    struct summed_file *database;
    bool native;  /* its checksums use this machine's byte order */
    int64_t held; /* the frame whose header waits for its page; 0: none */
    uint8_t header[WAL_FRAME_HEADER_SIZE];
    int64_t last; /* the frame written last, with last_sum; 0: read it */
    uint8_t last_sum[WAL_SUM_SIZE];
};

_Static_assert(sizeof(struct summed_file) % _Alignof(sqlite3_int64) == 0, "the file after it is aligned");

/* Operations of xFileControl; below 100 they are SQLite's. */
enum {
    CONTROL_DAMAGED = 4801,
    CONTROL_UNREADABLE,
    CONTROL_SUMS,
    CONTROL_SET_SUMS,
    CONTROL_HOLES,
    CONTROL_TRUST
};

static sqlite3_vfs *below(sqlite3_vfs *vfs)
{
    return vfs->pAppData;
}

static sqlite3_file *real(sqlite3_file *file)
{
    return (sqlite3_file *)((struct summed_file *)file + 1);
}

/* ---- Pages ---- */

static bool is_page(int size, sqlite3_int64 offset)
{
    return size >= PAGE_SIZE_MIN && (size & (size - 1)) == 0 && offset % size == 0;
}

static bool is_header(const void *bytes, int size, sqlite3_int64 offset)
{
    return offset == 0 && size >= (int)PAGE_SUM_HEADER_SIZE && memcmp(bytes, "SQLite format 3", 16) == 0;
}

/* SQLite takes EIO for a damaged file and reports a corrupt database. But the disk failed: the data on it may be fine. */
static int read_real(struct summed_file *f, void *bytes, int size, sqlite3_int64 offset)
{
    sqlite3_file *file = real(&f->base);
    int code = file->pMethods->xRead(file, bytes, size, offset);
    if (code == SQLITE_IOERR_CORRUPTFS)
        code = SQLITE_IOERR_READ;
    if (code == SQLITE_IOERR_READ)
        (f->database ? f->database : f)->unreadable = true;
    return code;
}

static int summed_read(sqlite3_file *file, void *bytes, int size, sqlite3_int64 offset)
{
    struct summed_file *f = (struct summed_file *)file;
    int code = read_real(f, bytes, size, offset);
    if (code != SQLITE_OK)
        return code;
    /* The header says whether pages have sums, and SQLite reads the first page first. */
    if (is_header(bytes, size, offset))
        f->sums = page_sum_expected(bytes);
    if (!f->sums || f->trusted || !is_page(size, offset))
        return SQLITE_OK;
    uint32_t number = (uint32_t)(offset / size) + 1;
    ASSERT(number > 0); /* SQLite's files have at most 2^32 - 2 pages */
    if (page_sum_fine(bytes, (size_t)size, number) || (f->holes && page_sum_hole(bytes, (size_t)size)))
        return SQLITE_OK;
    f->damaged = number;
    return SQLITE_IOERR_DATA;
}

static int write_real(struct summed_file *f, const void *bytes, int size, sqlite3_int64 offset)
{
    sqlite3_file *file = real(&f->base);
    return file->pMethods->xWrite(file, bytes, size, offset);
}

/* Whether page_wipe can recognise the free space of a page: see page_wipe.h. */
static bool may_wipe(struct summed_file *database, int size, uint32_t number)
{
    sqlite3_int64 bytes = 0;
    if (!database->pages &&
        real(&database->base)->pMethods->xFileSize(real(&database->base), &bytes) == SQLITE_OK)
        database->pages = (uint32_t)(bytes / size);
    if (number > database->pages)
        database->pages = number;
    return database->pages < PAGE_WIPE_PAGES_MAX;
}

/* A copy of the page, with its sum and with free space wiped; valid until the next call. */
static const uint8_t *with_sum(struct summed_file *f, const void *bytes, int size, uint32_t number)
{
    ASSERT(is_page(size, 0) && number > 0);
    if (size > f->page_size) {
        f->page = memory_grow(f->page, (size_t)size, 1);
        f->page_size = size;
    }
    /* A copy: the bytes belong to SQLite's cache. */
    memcpy(f->page, bytes, (size_t)size);
    if (may_wipe(f->database ? f->database : f, size, number))
        page_wipe(f->page, (size_t)size - PAGE_SUM_SIZE, number);
    page_sum_put(f->page, (size_t)size, number);
    return f->page;
}

static int summed_write(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 offset)
{
    struct summed_file *f = (struct summed_file *)file;
    if (is_header(bytes, size, offset))
        f->sums = page_sum_expected(bytes);
    if (f->sums && is_page(size, offset))
        bytes = with_sum(f, bytes, size, (uint32_t)(offset / size) + 1);
    return write_real(f, bytes, size, offset);
}

static int summed_control(sqlite3_file *file, int operation, void *argument)
{
    struct summed_file *f = (struct summed_file *)file;
    switch (operation) {
    case CONTROL_DAMAGED:
        *(uint32_t *)argument = f->damaged;
        return SQLITE_OK;
    case CONTROL_UNREADABLE:
        *(int *)argument = f->unreadable;
        return SQLITE_OK;
    case CONTROL_SUMS:
        *(int *)argument = f->sums;
        return SQLITE_OK;
    case CONTROL_SET_SUMS:
        f->sums = *(const int *)argument;
        return SQLITE_OK;
    case CONTROL_HOLES:
        f->holes = *(const int *)argument;
        return SQLITE_OK;
    case CONTROL_TRUST:
        f->trusted = true;
        return SQLITE_OK;
    default:
        return real(file)->pMethods->xFileControl(real(file), operation, argument);
    }
}

static int summed_close(sqlite3_file *file)
{
    struct summed_file *f = (struct summed_file *)file;
    free(f->page);
    return real(file)->pMethods->xClose(real(file));
}

/* ---- The log ----
 *
 * A page gets its sum before it goes into the log, so that it has one even if another program moves the log into the
 * database, as the last program to close it does. SQLite writes the header of a frame, with a checksum over its own copy of
 * the page, and then the page:
 *
 *   header ──held──► page: sum added, the header's checksum recomputed ──► both are written
 *
 * SQLite continues from the checksum that it computed, so the next header is recomputed as well. If a page changes again in
 * the same transaction, SQLite writes it without a header, and later, from what it reads in the file, all headers from
 * there on without pages: those are correct.
 */

static int release_header(struct summed_file *f)
{
    int64_t frame = f->held;
    ASSERT(frame == 0 || frame >= WAL_HEADER_SIZE);
    f->held = f->last = 0;
    return frame ? write_real(f, f->header, sizeof(f->header), frame) : SQLITE_OK;
}

static int write_frame(struct summed_file *f, const void *bytes, int size)
{
    int64_t frame = f->held;
    int code = SQLITE_OK;
    ASSERT(frame >= WAL_HEADER_SIZE); /* its header waits */
    /* Frames are usually written in order, so the previous checksum is known. */
    if (f->last == 0 || f->last + size + WAL_FRAME_HEADER_SIZE != frame)
        code = read_real(f, f->last_sum, WAL_SUM_SIZE, wal_frame_sum_before(frame, size));
    if (code != SQLITE_OK)
        return code;
    const uint8_t *page = with_sum(f, bytes, size, wal_frame_page_number(f->header));
    wal_frame_sum(f->header, f->last_sum, page, size);
    memcpy(f->last_sum, f->header + sizeof(f->header) - WAL_SUM_SIZE, WAL_SUM_SIZE);
    f->held = 0;
    f->last = frame;
    code = write_real(f, f->header, sizeof(f->header), frame);
    return code == SQLITE_OK ? write_real(f, page, size, frame + WAL_FRAME_HEADER_SIZE) : code;
}

/* The page of a frame that was already written. */
static int write_again(struct summed_file *f, const void *bytes, int size, int64_t frame)
{
    uint8_t header[WAL_FRAME_HEADER_SIZE];
    int code = read_real(f, header, sizeof(header), frame);
    if (code != SQLITE_OK)
        return code;
    const uint8_t *page = with_sum(f, bytes, size, wal_frame_page_number(header));
    return write_real(f, page, size, frame + WAL_FRAME_HEADER_SIZE);
}

static int log_write(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 offset)
{
    struct summed_file *f = (struct summed_file *)file;
    ASSERT(f->database && !f->database->database);
    if (offset == 0 && size == WAL_HEADER_SIZE)
        f->native = wal_frame_native(bytes);
    bool mine = f->database->sums && f->native;
    if (mine && f->held && offset == f->held + WAL_FRAME_HEADER_SIZE && is_page(size, 0))
        return write_frame(f, bytes, size);
    /* A held header that its page does not follow is written unchanged. */
    int code = release_header(f);
    if (code != SQLITE_OK)
        return code;
    if (mine && size == WAL_FRAME_HEADER_SIZE) {
        memcpy(f->header, bytes, sizeof(f->header));
        f->held = offset;
        return SQLITE_OK;
    }
    if (mine && is_page(size, 0) && wal_frame_of_page(offset, size) >= 0)
        return write_again(f, bytes, size, wal_frame_of_page(offset, size));
    return write_real(f, bytes, size, offset);
}

static int log_read(sqlite3_file *file, void *bytes, int size, sqlite3_int64 offset)
{
    struct summed_file *f = (struct summed_file *)file;
    int code = f->held ? release_header(f) : SQLITE_OK;
    if (code == SQLITE_OK)
        code = read_real(f, bytes, size, offset);
    if (code == SQLITE_OK && offset == 0 && size == WAL_HEADER_SIZE)
        f->native = wal_frame_native(bytes);
    return code;
}

static int log_sync(sqlite3_file *file, int flags)
{
    struct summed_file *f = (struct summed_file *)file;
    int code = f->held ? release_header(f) : SQLITE_OK;
    return code == SQLITE_OK ? real(file)->pMethods->xSync(real(file), flags) : code;
}

static int log_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    struct summed_file *f = (struct summed_file *)file;
    /* Also discards a held header. */
    f->held = f->last = 0;
    return real(file)->pMethods->xTruncate(real(file), size);
}

static int log_close(sqlite3_file *file)
{
    struct summed_file *f = (struct summed_file *)file;
    int code = f->held ? release_header(f) : SQLITE_OK;
    int closed = summed_close(file);
    return code == SQLITE_OK ? closed : code;
}

/* ---- Passed on ---- */

/* clang-format off */
#define PASS_ON(name, parameters, call) \
    static int name parameters { return real(file)->pMethods->call; }
PASS_ON(log_control, (sqlite3_file *file, int operation, void *argument),
        xFileControl(real(file), operation, argument))
PASS_ON(summed_truncate, (sqlite3_file *file, sqlite3_int64 size), xTruncate(real(file), size))
PASS_ON(summed_sync, (sqlite3_file *file, int flags), xSync(real(file), flags))
PASS_ON(summed_size, (sqlite3_file *file, sqlite3_int64 *size), xFileSize(real(file), size))
PASS_ON(summed_lock, (sqlite3_file *file, int lock), xLock(real(file), lock))
PASS_ON(summed_unlock, (sqlite3_file *file, int lock), xUnlock(real(file), lock))
PASS_ON(summed_reserved, (sqlite3_file *file, int *out), xCheckReservedLock(real(file), out))
PASS_ON(summed_sector_size, (sqlite3_file *file), xSectorSize(real(file)))
PASS_ON(summed_device, (sqlite3_file *file), xDeviceCharacteristics(real(file)))
PASS_ON(summed_shm_map, (sqlite3_file *file, int page, int size, int extend, void volatile **out),
        xShmMap(real(file), page, size, extend, out))
PASS_ON(summed_shm_lock, (sqlite3_file *file, int offset, int count, int flags),
        xShmLock(real(file), offset, count, flags))
PASS_ON(summed_shm_unmap, (sqlite3_file *file, int remove), xShmUnmap(real(file), remove))
/* clang-format on */

static void summed_shm_barrier(sqlite3_file *file)
{
    real(file)->pMethods->xShmBarrier(real(file));
}

/* Version 2, without memory mapping, which would read pages without verifying them. */
#define PASSED_ON                                                                                            \
    .xFileSize = summed_size, .xLock = summed_lock, .xUnlock = summed_unlock,                                \
    .xCheckReservedLock = summed_reserved, .xSectorSize = summed_sector_size,                                \
    .xDeviceCharacteristics = summed_device, .xShmMap = summed_shm_map, .xShmLock = summed_shm_lock,         \
    .xShmBarrier = summed_shm_barrier, .xShmUnmap = summed_shm_unmap

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = summed_close,
    .xRead = summed_read,
    .xWrite = summed_write,
    .xTruncate = summed_truncate,
    .xSync = summed_sync,
    .xFileControl = summed_control,
    PASSED_ON,
};

static const sqlite3_io_methods log_methods = {
    .iVersion = 2,
    .xClose = log_close,
    .xRead = log_read,
    .xWrite = log_write,
    .xTruncate = log_truncate,
    .xSync = log_sync,
    .xFileControl = log_control,
    PASSED_ON,
};

/* ---- Opening ---- */

static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags)
{
    bool log = flags & SQLITE_OPEN_WAL;
    /* Temporary files need no checksums. */
    if (!log && !(flags & SQLITE_OPEN_MAIN_DB))
        return below(vfs)->xOpen(below(vfs), name, file, flags, out_flags);
    struct summed_file *f = (struct summed_file *)file;
    *f = (struct summed_file){.sums = true}; /* for a new file; an existing one says so in its header */
    if (log) {
        f->database = (struct summed_file *)sqlite3_database_file_object(name);
        ASSERT(f->database->base.pMethods == &methods); /* opened here, so the cast is valid */
    }
    memset(real(file), 0, sizeof(*real(file)));
    int code = below(vfs)->xOpen(below(vfs), name, real(file), flags, out_flags);
    f->base.pMethods = !real(file)->pMethods ? NULL : log ? &log_methods : &methods;
    return code;
}

static sqlite3_vfs summed;

static void register_once(void)
{
    sqlite3_vfs *plain = sqlite3_vfs_find(NULL);
    ASSERT(plain && plain->iVersion >= 2);
    summed = *plain; /* everything but opening is the same */
    summed.zName = "holdfast";
    summed.pNext = NULL;
    summed.szOsFile = (int)sizeof(struct summed_file) + plain->szOsFile;
    summed.pAppData = plain;
    summed.xOpen = vfs_open;
    int code = sqlite3_vfs_register(&summed, 0);
    ASSERT(code == SQLITE_OK);
}

const char *sql_vfs_name(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, register_once);
    return summed.zName;
}

/* ---- For the connection ---- */

uint32_t sql_vfs_damaged(sqlite3 *handle)
{
    uint32_t number = 0;
    sqlite3_file_control(handle, "main", CONTROL_DAMAGED, &number);
    return number;
}

int sql_vfs_unreadable(sqlite3 *handle)
{
    int yes = 0;
    sqlite3_file_control(handle, "main", CONTROL_UNREADABLE, &yes);
    return yes;
}

int sql_vfs_sums(sqlite3 *handle)
{
    int yes = 0;
    sqlite3_file_control(handle, "main", CONTROL_SUMS, &yes);
    return yes;
}

void sql_vfs_set_sums(sqlite3 *handle, int yes)
{
    sqlite3_file_control(handle, "main", CONTROL_SET_SUMS, &yes);
}

void sql_vfs_allow_holes(sqlite3 *handle, int yes)
{
    sqlite3_file_control(handle, "main", CONTROL_HOLES, &yes);
}

void sql_vfs_trust(sqlite3 *handle)
{
    sqlite3_file_control(handle, "main", CONTROL_TRUST, NULL);
}

char *sql_vfs_immutable_uri(const char *path)
{
    static const char hex[] = "0123456789ABCDEF", scheme[] = "file:", query[] = "?immutable=1";
    char *uri = memory_get(sizeof(scheme) + 3 * strlen(path) + sizeof(query)), *to = uri;
    memcpy(to, scheme, sizeof(scheme) - 1);
    to += sizeof(scheme) - 1;
    for (; *path; path++) {
        unsigned char c = (unsigned char)*path;
        if (c == '%' || c == '?' || c == '#') {
            *to++ = '%';
            *to++ = hex[c >> 4];
            *to++ = hex[c & 15];
        } else {
            *to++ = (char)c;
        }
    }
    memcpy(to, query, sizeof(query));
    return uri;
}
