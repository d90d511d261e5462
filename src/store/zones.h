/* SPDX-License-Identifier: Apache-2.0 */
/* zones.h — gives recovered calendars and events their time zones, which core cannot load.
 *
 * The zones are the system's tzdata. Calendars of one zone share it. A zone that the system lacks is not
 * replaced by another: without it nothing can be judged.
 */
#ifndef STORE_ZONES_H
#define STORE_ZONES_H

#include "base/status.h"
#include "core/state.h"

/* INVALID, naming the zone: that of a calendar or an event is not known here. */
struct status zones_give(struct state *st);
/* Calls `unknown` for each calendar and event whose zone is not known here; the state stays as it is. */
void zones_check(const struct state *st,
                 void (*unknown)(void *ctx, const char *what, struct text id, struct text timezone),
                 void *ctx);

#endif
