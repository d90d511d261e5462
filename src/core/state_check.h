/* SPDX-License-Identifier: Apache-2.0 */
/* state_check.h — recomputes every rule of core from scratch.
 *
 * Starts from the reservations, the only source of truth, and derives from them what seats, pools, calendars, counts,
 * users, heaps and lists must contain; nothing derived is trusted. Changes nothing. For tests, the simulator and
 * `holdfast check`.
 */
#ifndef CORE_STATE_CHECK_H
#define CORE_STATE_CHECK_H

#include "core/state.h"

/* True when every rule holds. Each broken rule is reported as a sentence; report can be NULL. The state is
 * const in all but name: a lookup can move buckets of a table that is growing. Time and memory are linear. */
bool state_check(struct state *st, void (*report)(void *ctx, const char *sentence), void *ctx);

#endif
