/* SPDX-License-Identifier: Apache-2.0 */
/* book_waiting_list.h — waiting lists as rows, both ways: who waits for what, and what they were offered.
 *
 * A change carries the whole entry; who wants what, and since when, never changes. Two live entries of one
 * user do not fit: the fault is CORRUPT. Faults stick to the connection (see sql.h).
 */
#ifndef BOOK_BOOK_WAITING_LIST_H
#define BOOK_BOOK_WAITING_LIST_H

#include "book/book_load.h"
#include "book/sql.h"
#include "core/change.h"

void *book_waiting_list_make(struct sql *s);                    /* the caller frees it */
void book_waiting_list_put(void *part, const struct change *c); /* CHANGE_LIST_ENTRY */

/* Gives the sink each entry, by event and number. */
void book_waiting_list_each(struct sql *s, const struct book_load_sink *sink, struct change *c);

#endif
