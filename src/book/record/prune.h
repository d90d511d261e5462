/* SPDX-License-Identifier: Apache-2.0 */
/* prune.h — deletes from the book what is past its time, slice by slice. The writer owns it and its
 * transactions. */
#ifndef BOOK_PRUNE_H
#define BOOK_PRUNE_H

#include "book/claim/reservation.h"
#include "book/file/sql.h"

struct book_prune;

/* Both are the connection's; the caller frees what is made. */
struct book_prune *book_prune_make(struct sql *s, struct book_reservation *reservation);
/* See book_writer_prune. now_ms: the book's last instant. imports_over: as far as the book has them. */
void book_prune_slice(struct book_prune *p, int64_t now_ms, int64_t before_ms, uint64_t imports_over,
                      uint32_t limit, uint32_t *pruned, bool *done);

#endif
