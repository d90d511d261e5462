/* SPDX-License-Identifier: Apache-2.0 */
/* book_catalogue.h — writes events with the settings of their waiting rooms, and their seats.
 *
 * The parts of an import are kept as they came, and become rows when the import is published. Positions
 * follow the rule of core's layouts: a new seat gets the number of seats that the event had, plus its place
 * among the new ones. Faults stick to the connection (see sql.h).
 */
#ifndef BOOK_BOOK_CATALOGUE_H
#define BOOK_BOOK_CATALOGUE_H

#include "book/sql.h"
#include "core/change.h"

void *book_catalogue_make(struct sql *s); /* the caller frees it */
void book_catalogue_put_event(void *part, const struct change *c);
void book_catalogue_stage(void *part, const struct change *c);
void book_catalogue_publish(void *part, const struct change *c);
void book_catalogue_copy(void *part, const struct change *c);
void book_catalogue_block(void *part, const struct change *c);

#endif
