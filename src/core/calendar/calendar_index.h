/* SPDX-License-Identifier: Apache-2.0 */
/* calendar_index.h — the index of each calendar, by which everything in memory refers to it.
 *
 * As with events (catalogue/event_index.h): an index becomes free when its calendar is removed and no reservation in
 * memory refers to it, and is then reused for a later calendar. So everything that outlives a step must refer to a
 * calendar by its number, which is never reused.
 *
 *   taken, listed ──► taken, removed ──► free (calendar.gone) ──► taken
 *
 * The list has the existing calendars, ordered by number.
 */
#ifndef CORE_CALENDAR_INDEX_H
#define CORE_CALENDAR_INDEX_H

#include "core/calendar/calendar.h"

/* A new calendar, empty except for its index. */
struct calendar *calendar_index_take(struct state *st);
/* Frees the index. Nothing may refer to the calendar, and it must own nothing any more. */
void calendar_index_give(struct state *st, struct calendar *c);

/* Its number must be greater than all numbers in the list. */
void calendar_list_add(struct state *st, const struct calendar *c);
void calendar_list_remove(struct state *st, const struct calendar *c);

#endif
