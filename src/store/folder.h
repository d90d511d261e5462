/* SPDX-License-Identifier: Apache-2.0 */
/* folder.h — the data folder: what lies where, and who may touch it.
 *
 *   lock            held by the one process that serves, checks or restores
 *   backup.lock     held shared by a backup; while it is, journal segments stay
 *   journal/        core/change.h's changes in journal/README.md's files
 *   book.sqlite     the book
 *   admin.key, secret   the edge's, mode 0600
 *   incomplete/     while a backup or restore is under way; a folder that still has one is refused
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

/* Names only. INVALID: the path is too long. */
struct status folder_name(struct folder *f, const char *data);
/* Creates the folder if needed and takes its lock. BUSY: another process has it. INVALID: it is no folder, has no
 * parent, has other files in it and none of ours, or is of another version. */
struct status folder_open(struct folder *f, const char *data);
/* To read a stopped folder, which may be read-only, without changing it: creates nothing, and takes the lock
 * if there is one, so that nobody starts to serve it meanwhile. BUSY: another process has it. */
struct status folder_look(struct folder *f, const char *data);
void folder_close(struct folder *f);
/* INVALID: another version of Holdfast wrote the folder, and this one cannot read it. Changes nothing; folder_open, folder_look
 * and folder_keep_segments ask it first. */
struct status folder_readable(const struct folder *f, const char *data);
/* For a backup of a running server: keeps the journal's segments until folder_close. A folder that is
 * read-only here must have none: BUSY otherwise. */
struct status folder_keep_segments(struct folder *f, const char *data);
/* Copies into a new file of mode 0600. Not synced. FULL or IO, naming both paths. */
struct status folder_copy_file(const char *from_path, const char *to_path);

#endif
