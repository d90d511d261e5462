/* SPDX-License-Identifier: Apache-2.0 */
/* disk.h — the table of file operations under the journal, so that tests can break any of them.
 *
 * Every operation returns zero or more for success and a negative errno for failure. The table is as thin as
 * the system calls: an interrupted or short transfer is reported as such, and disk_read_all and
 * disk_write_all, above the table, continue with the rest. A failed sync is never retried: the kernel may have
 * dropped the bytes and would report success the second time.
 */
#ifndef JOURNAL_DISK_H
#define JOURNAL_DISK_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#define DISK_PATH_MAX 1024
#define DISK_NAME_MAX 80 /* no file of a journal has a longer name, its NUL included */

enum disk_mode {
    DISK_READ,   /* an existing file, read only */
    DISK_UPDATE, /* an existing file, read and write */
    DISK_CREATE  /* a new, empty file, read and write; an old one of that name is emptied */
};

typedef void (*disk_list_fn)(void *ctx, const char *name);

struct disk {
    void *owner;                                                     /* first argument of every operation */
    int (*open)(void *owner, const char *path, enum disk_mode mode); /* a handle */
    int (*close)(void *owner, int handle);
    int64_t (*read)(void *owner, int handle, void *bytes, size_t size, uint64_t offset);        /* pread */
    int64_t (*write)(void *owner, int handle, const void *bytes, size_t size, uint64_t offset); /* pwrite */
    int (*sync_data)(void *owner, int handle); /* fdatasync: the bytes of a file whose size does not change */
    int (*sync)(void *owner, int handle);      /* fsync: the bytes and the size */
    int (*sync_folder)(void *owner, const char *folder); /* the names in it */
    int64_t (*size)(void *owner, int handle);
    int (*drop_cache)(void *owner, int handle); /* drop clean pages: the next read goes to the device */
    int (*rename)(void *owner, const char *from, const char *to);
    int (*unlink)(void *owner, const char *path);
    int (*make_folder)(void *owner, const char *folder);
    int (*list)(void *owner, const char *folder, disk_list_fn fn, void *ctx); /* every name but . and .. */
    int (*entropy)(void *owner, void *bytes, size_t size); /* random bytes, from any thread */
};

extern const struct disk disk_real;

/* Opens; retries when interrupted. */
int disk_open(const struct disk *d, const char *path, enum disk_mode mode);
/* Reads up to `size` bytes; fewer only at the end of the file. Returns how many. */
int64_t disk_read_all(const struct disk *d, int handle, void *bytes, size_t size, uint64_t offset);
/* Writes all or fails; one system call unless the kernel cuts it short. */
int disk_write_all(const struct disk *d, int handle, const void *bytes, size_t size, uint64_t offset);

/* The fault for a negative errno: STATUS_FULL for no space or no quota, else STATUS_IO. */
struct status disk_fault(int error, const char *doing, const char *path);

/* INVALID if a file in this folder could have too long a path. Check each folder that comes from outside. */
struct status disk_folder_check(const char *folder);
/* "folder/name" into path. It fits: the folder was checked. */
void disk_path(char path[DISK_PATH_MAX], const char *folder, const char *name);
bool disk_name_ends(const char *name, const char *suffix);

#endif
