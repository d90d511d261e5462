/* SPDX-License-Identifier: Apache-2.0 */
/* book_calendar.h — calendars as rows, both ways: settings, opening hours, closed intervals, services.
 *
 * A change carries the whole record. Hours and closed intervals are replaced by the new ones; a service keeps
 * its row for ever, because items name it. Claims on calendars are the reservations' business
 * (book_reservation.h). Faults stick to the connection (see sql.h).
 */
#ifndef BOOK_BOOK_CALENDAR_H
#define BOOK_BOOK_CALENDAR_H

#include "book/book_load.h"
#include "book/sql.h"
#include "core/change.h"

void *book_calendar_make(struct sql *s);                    /* the caller frees it */
void book_calendar_put(void *part, const struct change *c); /* CHANGE_CALENDAR */

/* Gives the sink each calendar, in the order of numbers. */
void book_calendar_each(struct sql *s, const struct book_load_sink *sink, struct change *c);

#endif
