/* SPDX-License-Identifier: Apache-2.0 */
/* backup.h — a consistent copy of a data folder, running or stopped, in another folder.
 *
 * The book is copied first, through SQLite; then the journal's whole batches from the book's last seq on. A shared lock
 * keeps the server from freeing segments during the copy. Everything acknowledged before the copy started is in it. Keys
 * and secrets are copied too, so protect a backup like the folder itself.
 *
 * The folder of a node with --store has no journal. The copy of it ends where the node's book ends, and gets a journal of its
 * own: it is a data folder that a single server can serve.
 */
#ifndef STORE_BACKUP_H
#define STORE_BACKUP_H

#include <stdint.h>

#include "base/status.h"

struct backup_report {
    uint64_t book_seq, last_seq;
    uint64_t segments;
};

/* Creates `to`. INVALID: it exists and is not empty. */
struct status backup_make(const char *from, const char *to, struct backup_report *report);

/* Whether a copy of the book that ends at last_seq is complete. BUSY: no server is running and the book is behind the
 * journal, because the server was killed, or the folder was restored and not served since. The book of a running server
 * catches up within moments: OK. */
struct status backup_book_complete(const char *data, uint64_t last_seq);

/* The reverse: copies a stopped folder, which may be read-only and is not changed, into `to` and forks the copy's journal.
 * From then on the two have separate histories, and a mix of their files is refused. BUSY: a server is using `from`. */
struct status backup_restore(const char *from, const char *to, struct backup_report *report);

#endif
