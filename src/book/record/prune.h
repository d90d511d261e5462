/* SPDX-License-Identifier: Apache-2.0 */
/* prune.h — deletes old records from the book, slice by slice. The writer owns it and the transactions. */
#ifndef BOOK_PRUNE_H
#define BOOK_PRUNE_H

#include "book/claim/reservation.h"
#include "book/file/sql.h"

struct book_prune;

/* The caller frees the result; `s` and `reservation` must outlive it. */
struct book_prune *book_prune_make(struct sql *s, struct book_reservation *reservation);
/* See book_writer_prune. now_ms: the last instant in the book. imports_over: not after the last seq of the book. */
void book_prune_slice(struct book_prune *p, int64_t now_ms, int64_t before_ms, uint64_t imports_over,
                      uint32_t limit, uint32_t *pruned, bool *done);

#endif
