/* SPDX-License-Identifier: Apache-2.0 */
/* book_prune.h — takes out of the book what is past its time, slice by slice. The writer owns it and its
 * transactions. */
#ifndef BOOK_BOOK_PRUNE_H
#define BOOK_BOOK_PRUNE_H

#include "book/book_reservation.h"
#include "book/sql.h"

#define BOOK_PRUNE_STATUSES 4
#define BOOK_PRUNE_TABLES 5

struct book_prune {
    struct sql *sql;
    struct book_reservation *reservation;
    struct sql_statement *ended, *idempotency_oldest, *idempotency_remove, *staged_remove;
    struct sql_statement *event_find, *seats_remove, *queue_remove, *list_remove;
    struct sql_statement *event_rest[BOOK_PRUNE_TABLES];
    /* How far the walk through each kind of ended reservations has come. It passes over those that ended too
     * lately, and begins again when it reaches those made too lately. */
    uint64_t reached[BOOK_PRUNE_STATUSES];
};

void book_prune_prepare(struct book_prune *p, struct sql *s, struct book_reservation *reservation);
/* See book_writer_prune. now_ms: the book's last instant. imports_over: as far as the book has them. */
void book_prune_slice(struct book_prune *p, int64_t now_ms, int64_t before_ms, uint64_t imports_over,
                      uint32_t limit, uint32_t *pruned, bool *done);

#endif
