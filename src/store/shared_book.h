/* SPDX-License-Identifier: Apache-2.0 */
/* shared_book.h — the book of a node at its start: the one in the data folder, or the newest snapshot of the site.
 *
 *   no book, or an empty one              the snapshot, if there is one
 *   its next row of the log was trimmed   the snapshot
 *   the node was forgotten                the snapshot; the book may name people who were erased meanwhile
 *   it is of another log                  the snapshot: that log was abandoned (cluster/adopt.h)
 *   it has changes that the log lacks     it stays, and the log is halted (cluster/halt.h): acknowledged changes are lost
 *   otherwise                             it stays
 */
#ifndef STORE_SHARED_BOOK_H
#define STORE_SHARED_BOOK_H

#include "store/folder.h"
#include "store/shared.h"

/* The folder is locked, and no part of the book is open. Writes the row of the node first. *oldest_seq: see trim_extent. */
struct status shared_book_prepare(struct shared *s, const struct folder *f, uint64_t *oldest_seq);

#endif
