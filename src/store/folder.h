/* SPDX-License-Identifier: Apache-2.0 */
/* folder.h — the data folder: its files and its locks.
 *
 *   lock            held by the one process that serves, checks or restores it
 *   backup.lock     held shared by a backup; meanwhile no journal segment is freed
 *   journal/        the changes of core/change.h, in the files that journal/README.md describes
 *   book.sqlite     the book
 *   owner.token     with a log in PostgreSQL: the token of this node's last epoch (cluster/lease.h); there is no journal then
 *   admin.key, secret, ticket.key   owned by the edge, mode 0600
 *   incomplete/     exists during a backup or restore; a folder that still has one is refused
 */
#ifndef STORE_FOLDER_H
#define STORE_FOLDER_H

#include <stdbool.h>

#include "base/status.h"

#define FOLDER_PATH_MAX 1024
#define FOLDER_INCOMPLETE "incomplete"

struct folder {
    char journal[FOLDER_PATH_MAX];
    char book[FOLDER_PATH_MAX];
    int lock;        /* -1: not held */
    int backup_lock; /* -1: not open */
};

/* Sets the paths and opens nothing. INVALID: the path is empty or too long. */
struct status folder_set_paths(struct folder *f, const char *data);
/* Creates the folder if needed and locks it. BUSY: another process holds the lock. INVALID: it is not a folder, its parent
 * does not exist, it contains only foreign files, or it is of another version. */
struct status folder_open(struct folder *f, const char *data);
/* To read a stopped folder, which may be read-only, without changing it: creates nothing, and takes the lock if there is
 * one, so that no server starts meanwhile. BUSY: another process holds the lock. */
struct status folder_open_read_only(struct folder *f, const char *data);
void folder_close(struct folder *f);
/* INVALID: another version of Holdfast wrote the folder, and this one cannot read it. Changes nothing. Called first by
 * folder_open, folder_open_read_only and folder_keep_segments. */
struct status folder_readable(const struct folder *f, const char *data);
/* For a backup of a running server: no journal segment is freed until folder_close. A folder that is read-only here cannot
 * be locked that way, so no server may be running: BUSY otherwise. */
struct status folder_keep_segments(struct folder *f, const char *data);
/* Copies into a new file with mode 0600, without syncing it. FULL or IO name both paths. */
struct status folder_copy_file(const char *from_path, const char *to_path);

#endif
