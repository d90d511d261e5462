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

#include "book/file/format.h"
#include "log/log_files.h"

#define COPY_AT_ONCE (1u << 30)

/* What may be in a data folder that has not been served yet, or not to the end of its first start. The first two are
 * nobody else's: with one of them the folder is ours, whatever else is in it. */
#define NAMES_OURS 2
static const char *const names[] = {
    "backup.lock", "book.sqlite", "book.sqlite-journal", "book.sqlite-wal", "book.sqlite-shm",
    "journal",     "lock",        "admin.key",           "admin.key.new",   "secret",
    "secret.new",  "lost+found",  "ticket.key",          "ticket.key.new",  ".",
    "..",
};
#define NAME_COUNT (sizeof(names) / sizeof(*names))

static bool path_join(char out[FOLDER_PATH_MAX], const char *data, const char *name)
{
    int size = snprintf(out, FOLDER_PATH_MAX, "%s/%s", data, name);
    return size > 0 && size < FOLDER_PATH_MAX - 64; /* room for the names of segments */
}

struct status folder_name(struct folder *f, const char *data)
{
    *f = (struct folder){.lock = -1, .backup_lock = -1};
    if (!data[0] || !path_join(f->journal, data, "journal") || !path_join(f->book, data, "book.sqlite"))
        return status_make(STATUS_INVALID, "the path of the data folder is empty or too long");
    return status_none();
}

static struct status lock_take(int lock, const char *data, const char *path, int operation)
{
    if (operation && flock(lock, operation | LOCK_NB) != 0)
        return errno == EWOULDBLOCK
                   ? status_make(STATUS_BUSY, "another process is using the data folder %s", data)
                   : status_make(STATUS_IO, "cannot lock %s: %s", path, strerror(errno));
    return status_none();
}

static struct status lock_open(int *out, const char *data, const char *name, int operation)
{
    char path[FOLDER_PATH_MAX];
    path_join(path, data, name);
    *out = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (*out < 0)
        return status_make(status_of_errno(errno), "cannot open %s: %s", path, strerror(errno));
    return lock_take(*out, data, path, operation);
}

/* The same for a folder that is only read: a lock file that does not exist is held by nobody. */
static struct status lock_look(int *out, const char *data, const char *name, int operation)
{
    char path[FOLDER_PATH_MAX];
    path_join(path, data, name);
    *out = open(path, O_RDONLY | O_CLOEXEC);
    if (*out < 0)
        return errno == ENOENT ? status_none()
                               : status_make(STATUS_IO, "cannot open %s: %s", path, strerror(errno));
    return lock_take(*out, data, path, operation);
}

/* Waits: the recorder has it for the moment in which it frees segments, and nobody else has it alone. */
static struct status lock_share(int lock, const char *data)
{
    int failed;
    do
        failed = flock(lock, LOCK_SH);
    while (failed && errno == EINTR);
    return failed ? status_make(STATUS_IO, "cannot lock %s/backup.lock: %s", data, strerror(errno))
                  : status_none();
}

/* An interrupted copy must not be taken for a whole folder, or for a new one. */
static struct status refuse_incomplete(const char *data)
{
    char path[FOLDER_PATH_MAX];
    return path_join(path, data, FOLDER_INCOMPLETE) && access(path, F_OK) == 0
               ? status_make(STATUS_CORRUPT,
                             "a backup or restore into %s was interrupted; delete it and start again", data)
               : status_none();
}

/* Whoever names a wrong folder finds it as it was. One that cannot be listed is judged by what comes next. */
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
                                "name an empty or a new one",
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

/* A path that cannot be a data folder is the caller's mistake, not the disk's. */
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
    struct status fault = folder_name(f, data);
    if (status_ok(&fault))
        fault = refuse_incomplete(data);
    if (status_ok(&fault))
        fault = refuse_foreign(data);
    if (status_ok(&fault))
        fault = make_folder(data); /* one that is there is left as it is */
    if (status_ok(&fault))
        fault = folder_readable(f, data);
    if (!status_ok(&fault))
        return fault;
    /* flock and not a pid file: the kernel drops it when the process dies, however it dies. */
    fault = lock_open(&f->lock, data, "lock", LOCK_EX);
    if (status_ok(&fault))
        /* Opened, not locked: the recorder tries the lock each time before it frees segments. */
        fault = lock_open(&f->backup_lock, data, "backup.lock", 0);
    if (!status_ok(&fault))
        folder_close(f);
    return fault;
}

struct status folder_look(struct folder *f, const char *data)
{
    struct status fault = folder_name(f, data);
    if (status_ok(&fault))
        fault = refuse_incomplete(data);
    if (status_ok(&fault))
        fault = folder_readable(f, data);
    if (status_ok(&fault))
        fault = lock_look(&f->lock, data, "lock", LOCK_EX);
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
    struct status fault = folder_name(f, data);
    if (status_ok(&fault))
        fault = folder_readable(f, data);
    bool writable = access(data, W_OK) == 0;
    if (status_ok(&fault) && !writable) /* what is read-only here may be served from elsewhere */
        fault = lock_look(&f->lock, data, "lock", LOCK_SH);
    else if (status_ok(&fault))
        fault = lock_open(&f->backup_lock, data, "backup.lock", 0);
    if (status_ok(&fault) && writable)
        fault = lock_share(f->backup_lock, data);
    if (!status_ok(&fault))
        folder_close(f);
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
    /* Before close() can change it. */
    int error = errno;
    if (from >= 0)
        close(from);
    if (to >= 0)
        close(to);
    return failed ? status_make(status_of_errno(error), "cannot copy %s to %s: %s", from_path, to_path,
                                strerror(error))
                  : status_none();
}
