/* SPDX-License-Identifier: Apache-2.0 */
/* touched.h — the last change that touched each event, calendar and group: itself, or a claim on it.
 *
 * Readers see it as a version, so it must be the same in a process that starts from its book as in one that was running
 * all along. A sale touches the same few events thousands of times per transaction: rows are written when it ends.
 */
#ifndef BOOK_TOUCHED_H
#define BOOK_TOUCHED_H

#include "book/file/sql.h"
#include "core/change.h"

struct book_touched;

struct book_touched *book_touched_make(struct sql *s); /* the caller frees it */
/* By number: no event has the number of a calendar or a group. */
void book_touched_set(struct book_touched *t, uint64_t number, uint64_t seq);
void book_touched_write(struct book_touched *t);  /* before the transaction ends */
void book_touched_forget(struct book_touched *t); /* it was rolled back */

#endif
