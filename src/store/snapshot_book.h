/* SPDX-License-Identifier: Apache-2.0 */
/* snapshot_book.h — a book as a snapshot: a copy that is checked, without the names of erased people; and back. */
#ifndef STORE_SNAPSHOT_BOOK_H
#define STORE_SNAPSHOT_BOOK_H

#include "book/record/load.h"
#include "cluster/snapshot.h"

/* Reads which log the book at `path` belongs to, and how far it goes. */
struct status snapshot_book_meta(const char *path, struct book_meta *meta);
/* Upgrades the book, which must not be in use, to this version, and checks all its rules. CORRUPT: a rule is broken. */
struct status snapshot_book_check(const char *path);
/* Copies the book, in use or not, to `path`; sets seq and chain of *s. The caller removes the copy, also after a fault. */
struct status snapshot_book_make(const char *book, const char *path, struct snapshot *s);
/* Writes the newest snapshot to `path`, and checks it. *s says which one it was; seq 0: there is none. */
struct status snapshot_book_take(struct pg *pg, int32_t shard, const char *path, struct snapshot *s);
/* Deletes the file and what SQLite may have left beside it. */
void snapshot_book_remove(const char *path);

#endif
