/* SPDX-License-Identifier: Apache-2.0 */
/* book_catalogue.h — writes events with the settings of their waiting rooms, their seats and their pools.
 *
 * The parts of an import are kept as they came, and become rows when the import is published. Positions
 * follow the rule of core's layouts: a new seat gets the number of seats that the event had, plus its place
 * among the new ones. Faults stick to the connection (see sql.h).
 */
#ifndef BOOK_BOOK_CATALOGUE_H
#define BOOK_BOOK_CATALOGUE_H

#include "book/sql.h"
#include "core/change.h"

struct book_catalogue;

struct book_catalogue *book_catalogue_make(struct sql *s); /* the caller frees it */
void book_catalogue_put_event(struct book_catalogue *b, const struct change *c);
void book_catalogue_put_pool(struct book_catalogue *b, const struct change *c);
void book_catalogue_stage(struct book_catalogue *b, const struct change *c);
void book_catalogue_publish(struct book_catalogue *b, const struct change *c);
void book_catalogue_copy(struct book_catalogue *b, const struct change *c);
void book_catalogue_block(struct book_catalogue *b, const struct change *c);

#endif
