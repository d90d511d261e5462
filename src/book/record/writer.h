/* SPDX-License-Identifier: Apache-2.0 */
/* writer.h — the one connection that writes the book.
 *
 * Takes changes in the order of their seq, many per transaction. The transaction also records the last seq, so that content
 * and seq move together. Changes that the book already has are skipped, a gap is refused. Commits are synced (WAL,
 * synchronous = FULL); only book_writer_checkpoint moves the log into the database, and journal segments may be freed up to
 * book_writer_checkpointed_seq.
 *
 *   begin -> apply ... -> commit      or, after a fault, rollback and begin again
 *   checkpoint, prune                 between transactions
 *
 * Has no thread of its own. Faults: BUSY (another program holds a lock on the database), FULL and IO (try again later; the
 * journal keeps the changes), CORRUPT (the changes contradict the book).
 */
#ifndef BOOK_WRITER_H
#define BOOK_WRITER_H

#include "base/status.h"
#include "core/change.h"

struct book_writer;

/* Creates or upgrades the file, and checkpoints what a crash left in the log. */
struct status book_writer_open(struct book_writer **out, const char *path);
/* Whether the book at `path` was written by an older program: then only the writer can open it, which upgrades it. */
struct status book_writer_upgrades(const char *path, bool *yes);
void book_writer_close(struct book_writer *w); /* rolls back what is not committed; NULL is allowed */

struct status book_writer_begin(struct book_writer *w);
/* After a fault of apply or commit, only rollback is allowed. */
struct status book_writer_apply(struct book_writer *w, const struct change *c);
/* last_seq: of the last change applied, or a later one. last_at_ms: its instant. chain: the CRC of the journal's batch that
 * ends with last_seq; the next start identifies the journal by it. */
struct status book_writer_commit(struct book_writer *w, uint64_t last_seq, int64_t last_at_ms,
                                 uint32_t chain);
void book_writer_rollback(struct book_writer *w);

/* Between transactions: records the id of the book's journal and, for a restored copy, the id of the journal it was copied
 * from (`parent`, otherwise NULL). Synced. */
struct status book_writer_tie(struct book_writer *w, const uint8_t folder[16], const uint8_t parent[16]);

uint64_t book_writer_seq(const struct book_writer *w); /* committed */
int64_t book_writer_at_ms(const struct book_writer *w);
uint64_t book_writer_log_bytes(const struct book_writer *w); /* not checkpointed yet */

/* Moves the log into the database, synced. If readers hold part of it back, checkpointed_seq stays; that is not a fault. */
struct status book_writer_checkpoint(struct book_writer *w);
uint64_t book_writer_checkpointed_seq(const struct book_writer *w);

/* Deletes old records, one slice in a transaction of its own: reservations that ended before before_ms (0: none), events
 * removed before then that no reservation refers to any more, with their queues and lists, idempotency keys older than 24
 * hours by the book's own time, and staged parts of imports that were given up: every import with a number up to
 * imports_over had ended by the change with that seq, so once the book has that change, the parts that are left will never
 * be published. Examines about `limit` records at most. *pruned: how many it deleted; *done: nothing is left for now. */
struct status book_writer_prune(struct book_writer *w, int64_t before_ms, uint64_t imports_over,
                                uint32_t limit, uint32_t *pruned, bool *done);

/* The seq of the last erasure of a person; 0: there was none. */
uint64_t book_writer_erased(struct book_writer *w);
/* Wipes the bytes that erased people left in unused parts of the file, a slice at a time: see book/file/scrub.h. *more: call
 * it again. */
struct status book_writer_scrub(struct book_writer *w, bool *more);

#endif
