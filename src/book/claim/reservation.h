/* SPDX-License-Identifier: Apache-2.0 */
/* reservation.h — writes reservations: the record, its items, their claims, the history and the tickets.
 *
 * A change carries the whole new image. It is compared with the book, and only the difference is written: first the claims
 * that end, then those that begin, so that changes in the order of their seq never conflict. book/claim/claim.h writes the
 * claims of each kind of item. Faults stick to the connection (see sql.h).
 */
#ifndef BOOK_RESERVATION_H
#define BOOK_RESERVATION_H

#include "book/claim/claim.h"

struct book_parts; /* book/record/kept.h */
struct book_reservation;

struct book_reservation *book_reservation_make(struct sql *s); /* the caller frees it */
void book_reservation_release(struct book_reservation *b);     /* its buffers; NULL is allowed */
void book_reservation_write(struct book_parts *parts, const struct change *c);    /* CHANGE_RESERVATION */
void book_reservation_expire(struct book_parts *parts, const struct change *c);   /* CHANGE_EXPIRED */
void book_reservation_check_in(struct book_parts *parts, const struct change *c); /* CHANGE_CHECK_IN */
/* Deletes an ended reservation from the book, with its items, history and tickets. */
void book_reservation_forget(struct book_reservation *b, uint64_t number, const uint64_t ticket_key[2]);
/* Removes it from the search index. For many reservations, call it for all of them by number, and only then
 * book_reservation_erase: the index writes a new part whenever numbers go back. */
void book_reservation_forget_words(struct book_reservation *b, uint64_t number);
/* Replaces the erased owner. Remove the owner's search words first. The image then matches core's. */
void book_reservation_erase(struct book_reservation *b, const struct change *c, uint64_t number);
/* The same in its history only: the reservation belongs to another user now. */
void book_reservation_rename(struct book_reservation *b, const struct change *c, uint64_t number);

#endif
