/* SPDX-License-Identifier: Apache-2.0 */
#include "store/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/assertion.h"
#include "book/file/format.h"
#include "log/log_files.h"

#define COPY_AT_ONCE (1u << 30)

/* What a data folder may contain before its first start has completed. The first two names are unique to Holdfast: a folder
 * with one of them is ours, whatever else is in it. */
#define NAMES_OURS 2
static const char *const names[] = {
    "backup.lock", "book.sqlite", "book.sqlite-journal", "book.sqlite-wal", "book.sqlite-shm",
    "journal",     "owner.token", "lock",        "admin.key",           "admin.key.new",   "secret",
    "secret.new",  "lost+found",  "ticket.key",          "ticket.key.new",  ".",
    "..",
};
#define NAME_COUNT (sizeof(names) / sizeof(*names))
_Static_assert(NAMES_OURS < NAME_COUNT, "the unique names come first");

static bool path_join(char out[FOLDER_PATH_MAX], const char *data, const char *name)
{
    int size = snprintf(out, FOLDER_PATH_MAX, "%s/%s", data, name);
    return size > 0 && size < FOLDER_PATH_MAX - 64; /* room for the names of segments */
}

/* The path of a file in a folder whose path folder_set_paths has accepted. */
static void path_of(char out[FOLDER_PATH_MAX], const char *data, const char *name)
{
    bool fits = path_join(out, data, name);
    ASSERT(fits);
}

struct status folder_set_paths(struct folder *f, const char *data)
{
    *f = (struct folder){.lock = -1, .backup_lock = -1};
    if (!data[0] || !path_join(f->journal, data, "journal") || !path_join(f->book, data, "book.sqlite"))
        return status_make(STATUS_INVALID, "the path of the data folder is empty or too long");
    return status_none();
}

static struct status lock_take(int lock, const char *data, const char *path, int operation)
{
    ASSERT(lock >= 0 && (operation == 0 || operation == LOCK_EX || operation == LOCK_SH));
    if (operation && flock(lock, operation | LOCK_NB) != 0)
        return errno == EWOULDBLOCK
                   ? status_make(STATUS_BUSY, "another process is using the data folder %s", data)
                   : status_make(STATUS_IO, "cannot lock %s: %s", path, strerror(errno));
    return status_none();
}

static struct status lock_open(int *out, const char *data, const char *name, int operation)
{
    char path[FOLDER_PATH_MAX];
    path_of(path, data, name);
    ASSERT(*out < 0); /* a lock that is held would be lost */
    *out = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (*out < 0)
        return status_make(status_of_errno(errno), "cannot open %s: %s", path, strerror(errno));
    return lock_take(*out, data, path, operation);
}

/* The same for a folder that is only read. A lock file that does not exist is not locked. */
static struct status lock_open_existing(int *out, const char *data, const char *name, int operation)
{
    char path[FOLDER_PATH_MAX];
    path_of(path, data, name);
    ASSERT(*out < 0);
    *out = open(path, O_RDONLY | O_CLOEXEC);
    if (*out < 0)
        return errno == ENOENT ? status_none()
                               : status_make(STATUS_IO, "cannot open %s: %s", path, strerror(errno));
    return lock_take(*out, data, path, operation);
}

/* Blocks, but not for long: only the recorder locks it exclusively, while it frees segments. */
static struct status lock_share(int lock, const char *data)
{
    int failed;
    do
        failed = flock(lock, LOCK_SH);
    while (failed && errno == EINTR);
    return failed ? status_make(STATUS_IO, "cannot lock %s/backup.lock: %s", data, strerror(errno))
                  : status_none();
}

/* An interrupted copy must not be mistaken for a complete folder, or for a new one. */
static struct status refuse_incomplete(const char *data)
{
    char path[FOLDER_PATH_MAX];
    return path_join(path, data, FOLDER_INCOMPLETE) && access(path, F_OK) == 0
               ? status_make(STATUS_CORRUPT,
                             "a backup or restore into %s was interrupted; delete it and start again", data)
               : status_none();
}

/* A folder named by mistake must stay unchanged. If it cannot be listed, the calls that follow report why. */
static struct status refuse_foreign(const char *data)
{
    struct status fault = status_none();
    bool ours = false;
    DIR *dir = opendir(data);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        size_t i = 0;
        while (i < NAME_COUNT && strcmp(entry->d_name, names[i]) != 0)
            i++;
        ours |= i < NAMES_OURS;
        if (i == NAME_COUNT)
            fault = status_make(STATUS_INVALID,
                                "%s is not a Holdfast data folder: it contains %s; "
                                "use an empty or a new folder",
                                data, entry->d_name);
    }
    if (dir)
        closedir(dir);
    return ours ? status_none() : fault;
}

struct status folder_readable(const struct folder *f, const char *data)
{
    struct status fault = book_format_check(f->book);
    if (status_ok(&fault))
        fault = log_files_readable(f->journal);
    return fault.kind == STATUS_INVALID
               ? status_make(
                     STATUS_INVALID,
                     "%.100s was written by %s and is unchanged; open or export it with the version that "
                     "wrote it",
                     data, fault.text)
               : fault;
}

/* A path that cannot be a data folder is a mistake of the caller (INVALID), not of the disk. */
static struct status make_folder(const char *data)
{
    struct stat st;
    int error = mkdir(data, 0700) == 0 ? 0 : errno;
    if (error == EEXIST)
        return stat(data, &st) == 0 && !S_ISDIR(st.st_mode)
                   ? status_make(STATUS_INVALID, "%s is not a folder", data)
                   : status_none();
    if (error == ENOENT || error == ENOTDIR)
        return status_make(STATUS_INVALID, "cannot create %s: its parent %s", data,
                           error == ENOENT ? "does not exist" : "is not a folder");
    return error ? status_make(status_of_errno(error), "cannot create the data folder %s: %s", data,
                               strerror(error))
                 : status_none();
}

struct status folder_open(struct folder *f, const char *data)
{
    struct status fault = folder_set_paths(f, data);
    if (status_ok(&fault))
        fault = refuse_incomplete(data);
    if (status_ok(&fault))
        fault = refuse_foreign(data);
    if (status_ok(&fault))
        fault = make_folder(data); /* an existing one is left unchanged */
    if (status_ok(&fault))
        fault = folder_readable(f, data);
    if (!status_ok(&fault))
        return fault;
    /* flock instead of a pid file: the kernel releases it when the process dies, for whatever reason. */
    fault = lock_open(&f->lock, data, "lock", LOCK_EX);
    if (status_ok(&fault))
        /* Opened but not locked: the recorder tries to lock it each time before it frees segments. */
        fault = lock_open(&f->backup_lock, data, "backup.lock", 0);
    if (!status_ok(&fault))
        folder_close(f);
    ASSERT(status_ok(&fault) == (f->lock >= 0) && (f->lock >= 0) == (f->backup_lock >= 0));
    return fault;
}

struct status folder_open_read_only(struct folder *f, const char *data)
{
    struct status fault = folder_set_paths(f, data);
    if (status_ok(&fault))
        fault = refuse_incomplete(data);
    if (status_ok(&fault))
        fault = folder_readable(f, data);
    if (status_ok(&fault))
        fault = lock_open_existing(&f->lock, data, "lock", LOCK_EX);
    if (!status_ok(&fault))
        folder_close(f);
    return fault;
}

void folder_close(struct folder *f)
{
    if (f->lock >= 0)
        close(f->lock);
    if (f->backup_lock >= 0)
        close(f->backup_lock);
    f->lock = f->backup_lock = -1;
}

struct status folder_keep_segments(struct folder *f, const char *data)
{
    struct status fault = folder_set_paths(f, data);
    if (status_ok(&fault))
        fault = folder_readable(f, data);
    bool writable = access(data, W_OK) == 0;
    if (status_ok(&fault) && !writable) /* read-only here, but a server may run elsewhere */
        fault = lock_open_existing(&f->lock, data, "lock", LOCK_SH);
    else if (status_ok(&fault))
        fault = lock_open(&f->backup_lock, data, "backup.lock", 0);
    if (status_ok(&fault) && writable)
        fault = lock_share(f->backup_lock, data);
    if (!status_ok(&fault))
        folder_close(f);
    ASSERT(!status_ok(&fault) || !writable || f->backup_lock >= 0); /* no segment is freed from here on */
    return fault;
}

struct status folder_copy_file(const char *from_path, const char *to_path)
{
    int from = open(from_path, O_RDONLY | O_CLOEXEC);
    int to = from < 0 ? -1 : open(to_path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    ssize_t copied = 1;
    while (to >= 0 && copied > 0)
        copied = sendfile(to, from, NULL, COPY_AT_ONCE);
    bool failed = to < 0 || copied < 0;
    /* Saved before close() can change it. */
    int error = errno;
    if (from >= 0)
        close(from);
    if (to >= 0)
        close(to);
    return failed ? status_make(status_of_errno(error), "cannot copy %s to %s: %s", from_path, to_path,
                                strerror(error))
                  : status_none();
}
