/* SPDX-License-Identifier: Apache-2.0 */
/* book_reservation.h — writes reservations: the record, its items, the claims they are, the history and the
 * tickets.
 *
 * A change carries the whole new image. What is in the book is compared with it, and only the difference is
 * written: claims that end first, then those that begin, so that changes taken in the order of their seq
 * always fit. What a claim is, by kind of item, is book_claim.h's business. Faults stick to the connection
 * (see sql.h).
 */
#ifndef BOOK_BOOK_RESERVATION_H
#define BOOK_BOOK_RESERVATION_H

#include "book/book_claim.h"
#include "book/book_columns.h"

/* A reservation as the book has it before a change. */
struct book_before {
    enum reservation_status status;
    struct book_item items[ITEMS_MAX];
    uint32_t item_count;
};

struct book_reservation {
    struct sql *sql;
    struct book_claim claim;
    struct book_before before;         /* scratch: too large to be cleared on the stack for every change */
    struct book_item items[ITEMS_MAX]; /* scratch: the image's, as rows */
    struct sql_statement *insert, *find, *find_by_id, *update, *update_status, *expire, *remove;
    struct sql_statement *item_insert, *item_remove, *items_find;
    struct sql_statement *history_insert, *history_remove, *ticket_insert, *ticket_remove;
};

void book_reservation_prepare(struct book_reservation *b, struct sql *s);
void book_reservation_write(struct book_reservation *b, const struct change *c);  /* CHANGE_RESERVATION */
void book_reservation_expire(struct book_reservation *b, const struct change *c); /* CHANGE_EXPIRED */
/* Takes an ended reservation out of the book, with all that hangs on it. */
void book_reservation_forget(struct book_reservation *b, uint64_t number, const uint64_t ticket_key[2]);

#endif
