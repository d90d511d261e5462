/* SPDX-License-Identifier: Apache-2.0 */
/* reservation.h — writes reservations: the record, its items, the claims they are, the history and the
 * tickets.
 *
 * A change carries the whole new image. What is in the book is compared with it, and only the difference is
 * written: claims that end first, then those that begin, so that changes taken in the order of their seq
 * always fit. What a claim is, by kind of item, is book/claim/claim.h's business. Faults stick to the connection
 * (see sql.h).
 */
#ifndef BOOK_RESERVATION_H
#define BOOK_RESERVATION_H

#include "book/claim/claim.h"

struct book_parts; /* book/record/kept.h */
struct book_reservation;

struct book_reservation *book_reservation_make(struct sql *s); /* the caller frees it */
void book_reservation_release(struct book_reservation *b);     /* what it has; NULL: nothing */
void book_reservation_write(struct book_parts *parts, const struct change *c);    /* CHANGE_RESERVATION */
void book_reservation_expire(struct book_parts *parts, const struct change *c);   /* CHANGE_EXPIRED */
void book_reservation_check_in(struct book_parts *parts, const struct change *c); /* CHANGE_CHECK_IN */
/* Takes an ended reservation out of the book, with all that hangs on it. */
void book_reservation_forget(struct book_reservation *b, uint64_t number, const uint64_t ticket_key[2]);
/* The search forgets it; a caller with many goes by number, and erases them afterwards: the index writes a part whenever
 * numbers go back. */
void book_reservation_forget_words(struct book_reservation *b, uint64_t number);
/* Takes its owner out of it, whose words are forgotten: the image that core has from this change on. */
void book_reservation_erase(struct book_reservation *b, const struct change *c, uint64_t number);
/* And out of its history alone: it is another's. */
void book_reservation_rename(struct book_reservation *b, const struct change *c, uint64_t number);

#endif
