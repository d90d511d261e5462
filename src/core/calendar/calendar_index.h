/* SPDX-License-Identifier: Apache-2.0 */
/* calendar_index.h — where calendars are kept: an index for each, by which everything in memory names it.
 *
 * As with events (catalogue/event_index.h): an index is given back when its calendar is removed and no reservation in
 * memory names it, and then goes to a calendar that is made later. Whatever outlives a step must name a calendar by its
 * number, which is never given again.
 *
 *   taken, listed ──► taken, removed ──► free (calendar.gone) ──► taken
 *
 * The list has the calendars that exist, in the order of their numbers.
 */
#ifndef CORE_CALENDAR_INDEX_H
#define CORE_CALENDAR_INDEX_H

#include "core/calendar/calendar.h"

/* A new calendar, empty but for its index. */
struct calendar *calendar_index_take(struct state *st);
/* Nothing refers to it, and it owns nothing any more. */
void calendar_index_give(struct state *st, struct calendar *c);

/* Its number is greater than those of all that are listed. */
void calendar_list_add(struct state *st, const struct calendar *c);
void calendar_list_remove(struct state *st, const struct calendar *c);

#endif
