/* SPDX-License-Identifier: Apache-2.0 */
/* demo_calendars.h — calendars for the demo: a practice of two doctors and a restaurant of three tables, each a
 * group; a cabin, hotel rooms and suites by nights.
 *
 * Created through store.h like any others, and only if there are no calendars yet.
 */
#ifndef CLI_DEMO_CALENDARS_H
#define CLI_DEMO_CALENDARS_H

#include "view/view.h"

#define DEMO_DOCTOR "dr_smith"

/* Puts the calendars and their groups if the store has no calendar. done gets OK, also when there was nothing to do, or the first
 * refusal; INVALID when the system has no data of time zones. */
void demo_calendars_put(struct store *store, struct view *view,
                        void (*done)(void *ctx, enum outcome_code code), void *ctx);

#endif
