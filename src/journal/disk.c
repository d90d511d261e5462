/* SPDX-License-Identifier: Apache-2.0 */
#include "journal/disk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/assertion.h"

static int disk_result(int result)
{
    return result < 0 ? -errno : result;
}

static int real_open(void *owner, const char *path, enum disk_mode mode)
{
    (void)owner;
    static const int flags[] = {
        [DISK_READ] = O_RDONLY, [DISK_UPDATE] = O_RDWR, [DISK_CREATE] = O_RDWR | O_CREAT | O_TRUNC};
    return disk_result(open(path, flags[mode] | O_CLOEXEC, 0600));
}

static int real_close(void *owner, int handle)
{
    (void)owner;
    return disk_result(close(handle));
}

static int64_t real_read(void *owner, int handle, void *bytes, size_t size, uint64_t offset)
{
    (void)owner;
    ssize_t n = pread(handle, bytes, size, (off_t)offset);
    return n < 0 ? -errno : n;
}

static int64_t real_write(void *owner, int handle, const void *bytes, size_t size, uint64_t offset)
{
    (void)owner;
    ssize_t n = pwrite(handle, bytes, size, (off_t)offset);
    return n < 0 ? -errno : n;
}

static int real_sync_data(void *owner, int handle)
{
    (void)owner;
    return disk_result(fdatasync(handle));
}

static int real_sync(void *owner, int handle)
{
    (void)owner;
    return disk_result(fsync(handle));
}

static int real_sync_folder(void *owner, const char *folder)
{
    (void)owner;
    int handle = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (handle < 0)
        return -errno;
    int result = disk_result(fsync(handle));
    close(handle);
    return result;
}

static int64_t real_size(void *owner, int handle)
{
    (void)owner;
    struct stat st;
    return fstat(handle, &st) < 0 ? -errno : st.st_size;
}

static int real_drop_cache(void *owner, int handle)
{
    (void)owner;
    return -posix_fadvise(handle, 0, 0, POSIX_FADV_DONTNEED);
}

static int real_rename(void *owner, const char *from, const char *to)
{
    (void)owner;
    return disk_result(rename(from, to));
}

static int real_unlink(void *owner, const char *path)
{
    (void)owner;
    return disk_result(unlink(path));
}

static int real_make_folder(void *owner, const char *folder)
{
    (void)owner;
    return disk_result(mkdir(folder, 0700));
}

static int real_list(void *owner, const char *folder, disk_list_fn fn, void *ctx)
{
    (void)owner;
    DIR *dir = opendir(folder);
    if (!dir)
        return -errno;
    for (;;) {
        errno = 0;
        struct dirent *entry = readdir(dir);
        if (!entry)
            break;
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            fn(ctx, entry->d_name);
    }
    int result = -errno;
    closedir(dir);
    return result;
}

static int real_entropy(void *owner, void *bytes, size_t size)
{
    (void)owner;
    ASSERT(size <= 256); /* getrandom never returns less than asked for up to this size */
    return getrandom(bytes, size, 0) == (ssize_t)size ? 0 : -EIO;
}

/* clang-format off */
const struct disk disk_real = {
    .open = real_open, .close = real_close, .read = real_read, .write = real_write, .size = real_size,
    .sync_data = real_sync_data, .sync = real_sync, .drop_cache = real_drop_cache,
    .rename = real_rename, .unlink = real_unlink, .list = real_list,
    .make_folder = real_make_folder, .sync_folder = real_sync_folder,
    .entropy = real_entropy,
};
/* clang-format on */

int disk_open(const struct disk *d, const char *path, enum disk_mode mode)
{
    int handle;
    do
        handle = d->open(d->owner, path, mode);
    while (handle == -EINTR);
    return handle;
}

int64_t disk_read_all(const struct disk *d, int handle, void *bytes, size_t size, uint64_t offset)
{
    ASSERT(handle >= 0 && size <= INT64_MAX - offset);
    size_t done = 0;
    while (done < size) {
        int64_t n = d->read(d->owner, handle, (uint8_t *)bytes + done, size - done, offset + done);
        if (n == -EINTR)
            continue;
        if (n < 0)
            return n;
        if (n == 0)
            break;
        ASSERT((uint64_t)n <= size - done);
        done += (size_t)n;
    }
    return (int64_t)done;
}

int disk_write_all(const struct disk *d, int handle, const void *bytes, size_t size, uint64_t offset)
{
    ASSERT(handle >= 0 && size <= INT64_MAX - offset);
    size_t done = 0;
    while (done < size) {
        int64_t n = d->write(d->owner, handle, (const uint8_t *)bytes + done, size - done, offset + done);
        if (n == -EINTR)
            continue;
        if (n < 0)
            return (int)n;
        if (n == 0) /* no progress and no error: the loop would not end */
            return -EIO;
        ASSERT((uint64_t)n <= size - done);
        done += (size_t)n;
    }
    return 0;
}

struct status disk_fault(int error, const char *doing, const char *path)
{
    ASSERT(error < 0);
    bool full = error == -ENOSPC || error == -EDQUOT;
    return status_make(full ? STATUS_FULL : STATUS_IO, "cannot %s %s: %s", doing, path, strerror(-error));
}

struct status disk_folder_check(const char *folder)
{
    bool fits = strlen(folder) + DISK_NAME_MAX < DISK_PATH_MAX;
    return fits ? status_none() : status_make(STATUS_INVALID, "the path of the journal is too long");
}

void disk_path(char path[DISK_PATH_MAX], const char *folder, const char *name)
{
    int n = snprintf(path, DISK_PATH_MAX, "%s/%s", folder, name);
    ASSERT(n > 0 && n < DISK_PATH_MAX);
}

bool disk_name_ends(const char *name, const char *suffix)
{
    size_t n = strlen(name);
    size_t s = strlen(suffix);
    return n > s && strcmp(name + n - s, suffix) == 0;
}
