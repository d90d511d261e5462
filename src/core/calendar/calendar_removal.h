/* SPDX-License-Identifier: Apache-2.0 */
/* calendar_removal.h — a calendar that was removed, and what reservations still say about it.
 *
 * Removed is what nobody has a claim on that is not over, its buffer included. Its name is free from then on. The record
 * stays in memory as long as a reservation there names it, and in the book as long as any does. One that is remembered
 * later brings the names along (calendar_recall).
 *
 * What such a reservation may still do: everything that asks nothing of the calendar, such as commit, extend, release,
 * drop, transfer. Its item cannot move: NO_SUCH_CALENDAR.
 */
#ifndef CORE_CALENDAR_REMOVAL_H
#define CORE_CALENDAR_REMOVAL_H

#include "core/calendar/calendar.h"
#include "core/claim/item.h"
#include "core/image.h"

/* A record of a reservation names the calendar; does so no longer. With the last one a removed calendar goes. */
void calendar_item_added(struct state *st, const struct item *item);
void calendar_item_gone(struct state *st, const struct item *item);
/* Makes a removed calendar that memory has let go of known again, as far as the item speaks of it: name and service.
 * False: it is no item of a removed calendar. */
bool calendar_recall(struct state *st, const struct item_image *item, uint32_t *place);
/* The book is loaded: lets go of removed calendars that no reservation in memory names. */
void calendars_detach(struct state *st);

#endif
