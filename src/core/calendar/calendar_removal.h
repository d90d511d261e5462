/* SPDX-License-Identifier: Apache-2.0 */
/* calendar_removal.h — removed calendars, and reservations that still refer to them.
 *
 * A calendar can be removed once all its claims are over, including their buffers. Its id is free from then on. The
 * record stays in memory while a reservation there refers to it, and in the book while any does. A reservation fetched
 * from the book later has the names that are needed (calendar_recall).
 *
 * Such a reservation can still do everything that does not need the calendar, such as commit, extend, release, drop,
 * transfer. Its item cannot move: NO_SUCH_CALENDAR.
 */
#ifndef CORE_CALENDAR_REMOVAL_H
#define CORE_CALENDAR_REMOVAL_H

#include "core/calendar/calendar.h"
#include "core/claim/item.h"
#include "core/image.h"

/* A reservation in memory begins or ceases to refer to the calendar. With the last one a removed calendar is freed. */
void calendar_item_added(struct state *st, const struct item *item);
void calendar_item_gone(struct state *st, const struct item *item);
/* Recreates a removed calendar that was freed, with the names in the item: id and service. False: not an item of a
 * removed calendar. */
bool calendar_recall(struct state *st, const struct item_image *item, uint32_t *place);
/* After loading the book: frees removed calendars that no reservation in memory refers to. */
void calendars_detach(struct state *st);

#endif
