/* SPDX-License-Identifier: Apache-2.0 */
/* backup.h — a consistent copy of a data folder, running or stopped, in another folder.
 *
 * The book is copied first, through SQLite; then the journal's whole batches from the book's last seq on.
 * Meanwhile a shared lock keeps the server from freeing segments. What was acknowledged before the copy began
 * is in it. Keys and secret come along, so a backup must be guarded like the folder itself.
 */
#ifndef STORE_BACKUP_H
#define STORE_BACKUP_H

#include <stdint.h>

#include "base/status.h"

struct backup_report {
    uint64_t book_seq, last_seq;
    uint64_t segments;
};

/* Creates `to`; if it exists it must be empty (INVALID otherwise). */
struct status backup_make(const char *from, const char *to, struct backup_report *report);

/* Whether a copy of the book that ends at last_seq has everything in the folder. BUSY: nobody serves the
 * folder and its book is behind the journal, because the server was killed or the folder was restored and not
 * served since. The book of a running server is a moment behind and catches up: OK. */
struct status backup_book_complete(const char *data, uint64_t last_seq);

/* The way back: copies a stopped folder, which may be read-only and is not changed, into `to` and forks the
 * copy's journal. From then on the copy is a folder of its own: what it and its parent write no longer fits
 * together, and a mixture of both is refused. BUSY: somebody serves the folder. */
struct status backup_restore(const char *from, const char *to, struct backup_report *report);

#endif
