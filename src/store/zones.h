/* SPDX-License-Identifier: Apache-2.0 */
/* zones.h — loads the time zones of recovered calendars and events, which core cannot do.
 *
 * The zones are the system's tzdata. Calendars with the same zone share it. There is no fallback for a zone that the system
 * lacks: opening hours cannot be computed without it.
 */
#ifndef STORE_ZONES_H
#define STORE_ZONES_H

#include "base/status.h"
#include "core/state.h"

/* INVALID: the system lacks the zone of a calendar or an event, and the text names it. */
struct status zones_assign(struct state *st);
/* Calls `unknown` for each calendar and event whose zone the system lacks; does not change the state. */
void zones_check(const struct state *st,
                 void (*unknown)(void *ctx, const char *what, struct text id, struct text timezone),
                 void *ctx);

#endif
