/* SPDX-License-Identifier: Apache-2.0 */
/* book_queue.h — waiting rooms as rows, both ways: what they remember, and who stands in line. Their settings
 * are the event's: see book_catalogue.h.
 *
 * A person in line is one row from joining until some time after the event is removed; only status and until
 * change. Two live entries of one user, a number that is taken, and a move of one who is no longer in line do
 * not fit: the fault is CORRUPT. Faults stick to the connection (see sql.h).
 */
#ifndef BOOK_BOOK_QUEUE_H
#define BOOK_BOOK_QUEUE_H

#include "book/book_load.h"
#include "book/sql.h"
#include "core/change.h"

void *book_queue_make(struct sql *s);                     /* the caller frees it */
void book_queue_join(void *part, const struct change *c); /* CHANGE_QUEUE_JOINED */
void book_queue_move(void *part, const struct change *c); /* CHANGE_QUEUE_MOVED */

/* Gives the sink each queue, by event, and after each its entries, by number. */
void book_queue_each(struct sql *s, const struct book_load_sink *sink);

#endif
