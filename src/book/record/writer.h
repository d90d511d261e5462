/* SPDX-License-Identifier: Apache-2.0 */
/* writer.h — the one connection that writes the book.
 *
 * Takes changes in the order of their seq, many to a transaction; the transaction also says up to which seq
 * the book has everything, so that state and seq move together. Changes that the book has already are passed
 * over, a gap is refused. Commits are synced (WAL, synchronous = FULL); the log is moved into the database
 * only by book_writer_checkpoint, and journal segments may be freed up to book_writer_checkpointed_seq.
 *
 *   begin -> apply ... -> commit      or, after a fault, rollback and begin again
 *   checkpoint, prune                 between transactions
 *
 * A plain object without threads: the caller's thread does the work. Faults: BUSY (somebody else has a lock
 * on the database), FULL and IO (try again later; the journal keeps the changes), CORRUPT (the changes do not
 * fit the book).
 */
#ifndef BOOK_WRITER_H
#define BOOK_WRITER_H

#include "base/status.h"
#include "core/change.h"

struct book_writer;

/* Makes the file or upgrades it, and checkpoints what a crash left in the log. */
struct status book_writer_open(struct book_writer **out, const char *path);
/* Whether the book at `path` was written by an older program: only the writer can open it, and upgrades
 * it. */
struct status book_writer_upgrades(const char *path, bool *yes);
void book_writer_close(struct book_writer *w); /* rolls back what is not committed; NULL is none */

struct status book_writer_begin(struct book_writer *w);
/* After a fault of apply or commit nothing but rollback is allowed. */
struct status book_writer_apply(struct book_writer *w, const struct change *c);
/* last_seq: of the last change applied, or later if what followed was no change. last_at_ms: its instant.
 * chain: the CRC of the journal's batch that ends with last_seq, by which the journal is recognised at the
 * next start. */
struct status book_writer_commit(struct book_writer *w, uint64_t last_seq, int64_t last_at_ms,
                                 uint32_t chain);
void book_writer_rollback(struct book_writer *w);

/* Between transactions: says of which journal the book is made, by its id, and, if it is a restored copy
 * (parent not NULL), by the id of what it was copied from. Synced. */
struct status book_writer_tie(struct book_writer *w, const uint8_t folder[16], const uint8_t parent[16]);

uint64_t book_writer_seq(const struct book_writer *w); /* committed */
int64_t book_writer_at_ms(const struct book_writer *w);
uint64_t book_writer_log_bytes(const struct book_writer *w); /* waiting for a checkpoint */

/* Moves the log into the database, synced. When readers keep part of it back, that is no fault:
 * checkpointed_seq stays. */
struct status book_writer_checkpoint(struct book_writer *w);
uint64_t book_writer_checkpointed_seq(const struct book_writer *w);

/* One slice of housekeeping, in a transaction of its own: takes out reservations that ended before before_ms
 * (0: none), events removed before it that no reservation refers to any more, with all who stood in line for
 * them, by the book's own time idempotency keys older than 24 hours, and the parts of imports that were given
 * up: every import with a number up to imports_over had ended by the change of that seq, so once the book has
 * that change, what is still staged of them will never be published. Looks at no more than about `limit`
 * records. *pruned: how many were taken out; *done: there is nothing left for now. */
struct status book_writer_prune(struct book_writer *w, int64_t before_ms, uint64_t imports_over,
                                uint32_t limit, uint32_t *pruned, bool *done);

/* The last person who was erased, by the seq of that change; 0: nobody was. */
uint64_t book_writer_erased(struct book_writer *w);
/* Goes on with what erased people leave in free bytes of the file, a slice at a time: see book/file/scrub.h. *more: call it
 * again. */
struct status book_writer_scrub(struct book_writer *w, bool *more);

#endif
