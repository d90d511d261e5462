/* SPDX-License-Identifier: Apache-2.0 */
/* demo_data.h — events for the demo: an arena with standing room, a small studio, a theatre with categories
 * and a front row for the press, a presale by code, a premiere with a waiting room, and the event `default`; and the
 * calendars of demo_calendars.h.
 *
 * Created through store.h like any others, and only if there are none of the kind yet.
 */
#ifndef CLI_DEMO_DATA_H
#define CLI_DEMO_DATA_H

#include "view/view.h"

#define DEMO_PREMIERE "premiere" /* the event with a waiting room */

/* Puts events if the store has none, then calendars if it has none. done gets OK, also when there was nothing
 * to do, or the first refusal. */
void demo_data_put(struct store *store, struct view *view, void (*done)(void *ctx, enum outcome_code code),
                   void *ctx);

#define DEMO_SEAT_SIZE_MAX (2 * ID_SIZE_MAX + 2)
/* Writes the first free seat of the demo's arena as "event/seat". False: none is free, or somebody removed
 * it. */
bool demo_data_free_seat(struct view *view, char out[DEMO_SEAT_SIZE_MAX]);

#endif
