/* SPDX-License-Identifier: Apache-2.0 */
/* journal_reader.h — follows the journal while it is written, for the thread that keeps the book.
 *
 * Has a file of its own open and shares nothing with the writer: the caller says how far the journal is
 * durable, and the reader never looks at a batch beyond that. Verifies every batch as recovery does, and
 * follows from segment to segment. A segment it has open may be unlinked in the meantime.
 */
#ifndef JOURNAL_JOURNAL_READER_H
#define JOURNAL_JOURNAL_READER_H

#include "journal/batch.h"
#include "journal/disk.h"

struct journal_reader;

/* Starts after after_seq. CORRUPT when the journal begins later than after_seq + 1. */
struct status journal_reader_open(struct journal_reader **out, const struct disk *disk, const char *folder,
                                  uint64_t after_seq);

/* The next batch that has a change later than after_seq, with batch->first_seq <= upto_seq; *found is false
 * when there is none yet. upto_seq is the journal's durable_seq or less. The caller skips changes <=
 * after_seq in the first batch. The batch is valid until the next call. Seals are passed over. CORRUPT when
 * what must be there is not. */
struct status journal_reader_next(struct journal_reader *reader, uint64_t upto_seq, struct batch *batch,
                                  bool *found);

void journal_reader_close(struct journal_reader *reader); /* NULL is fine */

#endif
