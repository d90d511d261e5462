/* SPDX-License-Identifier: Apache-2.0 */
/* witness.c — loaded before the C library (LD_PRELOAD), records what a process does to the files under a folder: what
 * was written, and what a sync has covered. From that tests/crash/lib/power.js computes what the disk would hold if the
 * power failed at any point.
 *
 *   WITNESS_FOLDER   the folder; files elsewhere, and SQLite's -shm files, which do not have to last, are ignored
 *   WITNESS_LOG      the file that the records are appended to; several processes can follow one another
 *
 * A record is `struct record`, then its bytes. It is appended after the call has succeeded and before the caller knows,
 * so anything the process sends afterwards comes later. A sync has two records. It covers what comes before the first,
 * and only once the second is there.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define FILES_MAX 4096

struct record {
    uint32_t size; /* of the bytes after it */
    uint32_t kind; /* a letter, see the callers of tell */
    uint64_t file; /* an opening of a file: greater than 0, never reused */
    uint64_t number;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int log_file = -1;
static const char *folder;
static uint64_t files[FILES_MAX]; /* by descriptor; 0: not ours */
static uint64_t next_file, next_sync;
static volatile sig_atomic_t doomed;

/* Without a complete record nothing is proved. */
static _Noreturn void give_up(const char *why)
{
    syscall(SYS_write, 2, why, strlen(why));
    _exit(99);
}

static void on_signal(int number)
{
    (void)number;
    doomed = 1;
}

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("WITNESS_LOG");
    folder = getenv("WITNESS_FOLDER");
    if (!path || !folder)
        give_up("witness: WITNESS_FOLDER and WITNESS_LOG must be set\n");
    log_file = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (log_file < 0)
        give_up("witness: the log cannot be opened\n");
    next_file = next_sync = (uint64_t)getpid() << 32;
    signal(SIGUSR2, on_signal);
}

static void lock(void)
{
    pthread_mutex_lock(&mutex);
    if (doomed)
        kill(getpid(), SIGKILL);
}

static void unlock(void)
{
    pthread_mutex_unlock(&mutex);
}

static bool ours(const char *path)
{
    size_t size = strlen(folder), whole = strlen(path);
    if (strncmp(path, folder, size) != 0 || (path[size] != '/' && path[size] != '\0'))
        return false;
    return whole < 4 || strcmp(path + whole - 4, "-shm") != 0;
}

static uint64_t file_of(int fd)
{
    return fd >= 0 && fd < FILES_MAX ? __atomic_load_n(&files[fd], __ATOMIC_RELAXED) : 0;
}

static void tell(char kind, uint64_t file, uint64_t number, const void *bytes, size_t size)
{
    struct record record = {(uint32_t)size, (uint32_t)kind, file, number};
    struct iovec parts[2] = {{&record, sizeof record}, {(void *)(uintptr_t)bytes, size}};
    if (syscall(SYS_writev, log_file, parts, 2) != (long)(sizeof record + size))
        give_up("witness: the log cannot be written\n");
}

/* ---- Replacements for the C library's ---- */

/* O: the bytes are the path; the number has 1 for "create it if necessary", 2 for "empty it". */
static int opened(const char *path, int flags, mode_t mode)
{
    if (!ours(path))
        return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    lock();
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    if (fd >= FILES_MAX)
        give_up("witness: too many files\n");
    if (fd >= 0) {
        __atomic_store_n(&files[fd], ++next_file, __ATOMIC_RELAXED);
        tell('O', next_file, (flags & O_CREAT ? 1u : 0u) | (flags & O_TRUNC ? 2u : 0u), path, strlen(path));
    }
    unlock();
    return fd;
}

#define OPEN(name)                                                                                           \
    int name(const char *path, int flags, ...)                                                               \
    {                                                                                                        \
        mode_t mode = 0;                                                                                     \
        if (flags & O_CREAT) {                                                                               \
            va_list rest;                                                                                    \
            va_start(rest, flags);                                                                           \
            mode = va_arg(rest, mode_t);                                                                     \
            va_end(rest);                                                                                    \
        }                                                                                                    \
        return opened(path, flags, mode);                                                                    \
    }
OPEN(open)
OPEN(open64)

int close(int fd)
{
    if (file_of(fd))
        __atomic_store_n(&files[fd], 0, __ATOMIC_RELAXED);
    return (int)syscall(SYS_close, fd);
}

/* W: the bytes at the offset. */
static ssize_t wrote(int fd, const void *bytes, size_t size, off_t offset)
{
    if (!file_of(fd))
        return syscall(SYS_pwrite64, fd, bytes, size, offset);
    lock();
    ssize_t n = syscall(SYS_pwrite64, fd, bytes, size, offset);
    if (n > 0)
        tell('W', file_of(fd), (uint64_t)offset, bytes, (size_t)n);
    unlock();
    return n;
}

#define PWRITE(name)                                                                                         \
    ssize_t name(int fd, const void *bytes, size_t size, off_t offset)                                       \
    {                                                                                                        \
        return wrote(fd, bytes, size, offset);                                                               \
    }
PWRITE(pwrite)
PWRITE(pwrite64)

ssize_t write(int fd, const void *bytes, size_t size)
{
    if (!file_of(fd))
        return syscall(SYS_write, fd, bytes, size);
    off_t offset = lseek(fd, 0, SEEK_CUR);
    ssize_t n = wrote(fd, bytes, size, offset);
    if (n > 0)
        lseek(fd, offset + n, SEEK_SET);
    return n;
}

/* T: the file has this size now. */
static int resized(int fd, off_t size)
{
    if (!file_of(fd))
        return (int)syscall(SYS_ftruncate, fd, size);
    lock();
    int result = (int)syscall(SYS_ftruncate, fd, size);
    if (result == 0)
        tell('T', file_of(fd), (uint64_t)size, NULL, 0);
    unlock();
    return result;
}

#define FTRUNCATE(name)                                                                                      \
    int name(int fd, off_t size)                                                                             \
    {                                                                                                        \
        return resized(fd, size);                                                                            \
    }
FTRUNCATE(ftruncate)
FTRUNCATE(ftruncate64)

/* B, E: a sync of the file or folder, begun and ended well; the number is the same in both. */
static int synced(long call, int fd)
{
    uint64_t file = file_of(fd);
    if (!file)
        return (int)syscall(call, fd);
    lock();
    uint64_t number = ++next_sync;
    tell('B', file, number, NULL, 0);
    unlock();
    int result = (int)syscall(call, fd);
    lock();
    if (result == 0)
        tell('E', file, number, NULL, 0);
    unlock();
    return result;
}

int fsync(int fd)
{
    return synced(SYS_fsync, fd);
}

int fdatasync(int fd)
{
    return synced(SYS_fdatasync, fd);
}

/* R: both paths, a zero between them. */
int rename(const char *from, const char *to)
{
    if (!ours(from))
        return (int)syscall(SYS_rename, from, to);
    char both[8192];
    size_t size = strlen(from) + 1;
    if (size + strlen(to) >= sizeof both)
        give_up("witness: a path is too long\n");
    memcpy(both, from, size);
    memcpy(both + size, to, strlen(to));
    lock();
    int result = (int)syscall(SYS_rename, from, to);
    if (result == 0)
        tell('R', 0, 0, both, size + strlen(to));
    unlock();
    return result;
}

/* U: the path. */
int unlink(const char *path)
{
    if (!ours(path))
        return (int)syscall(SYS_unlink, path);
    lock();
    int result = (int)syscall(SYS_unlink, path);
    if (result == 0)
        tell('U', 0, 0, path, strlen(path));
    unlock();
    return result;
}

/* M: the path. */
int mkdir(const char *path, mode_t mode)
{
    if (!ours(path))
        return (int)syscall(SYS_mkdir, path, mode);
    lock();
    int result = (int)syscall(SYS_mkdir, path, mode);
    if (result == 0)
        tell('M', 0, 0, path, strlen(path));
    unlock();
    return result;
}
