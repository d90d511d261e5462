/* SPDX-License-Identifier: Apache-2.0 */
/* demo_calendars.h — time to book, for those who try Holdfast out: a doctor, a cabin by nights, and twenty
 * hotel rooms of one type.
 *
 * Goes through the store's door like everybody else, and only when there are no calendars yet.
 */
#ifndef CLI_DEMO_CALENDARS_H
#define CLI_DEMO_CALENDARS_H

#include "view/view.h"

#define DEMO_DOCTOR "dr_smith"

/* Puts the calendars if the store has none. done gets OK, also when there was nothing to do, or the first
 * refusal; INVALID when the system has no data of time zones. */
void demo_calendars_put(struct store *store, struct view *view,
                        void (*done)(void *ctx, enum outcome_code code), void *ctx);

#endif
