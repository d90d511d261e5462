/* SPDX-License-Identifier: Apache-2.0 */
/* expiry.h — what happens when a hold's time runs out. This file and no other.
 *
 * A hold is over from the exact millisecond of its deadline, settled or not: now >= expires_at. Settling records
 * that: the reservation becomes `expired`, its claims end, and an `expired` change is emitted, before anything else
 * that the command does. Lazily, by a command that finds a lapsed hold in its way; eagerly, by the timer.
 */
#ifndef CORE_EXPIRY_H
#define CORE_EXPIRY_H

#include "core/state.h"

/* Expires the reservation if its deadline has passed. True: it did. One command settles at most SETTLE_MAX,
 * so that no turn of the loop and no batch grows without bound; if there were more, a refusal becomes
 * OUTCOME_RETRY. A judgement alone settles nothing, and so has more if one has lapsed, or will soon (gate.h). */
bool settle_reservation(struct state *st, uint32_t handle);
/* Settles the reservation that claims this seat, if any. */
void settle_seat(struct state *st, struct event *e, uint32_t position);
/* Settles the first of these held items (claim_kind.lapses) if its deadline has passed. True: it did. */
bool settle_first(struct state *st, const struct heap *lapses);
/* Settles lapsed holds of the pool until `wanted` units are available or none is left. */
void settle_pool(struct state *st, struct pool *p, uint32_t wanted);
/* Settles the lapsed holds of a calendar. */
void settle_calendar(struct state *st, struct calendar *c);
/* Settles all lapsed holds, up to what the command may still settle; stops early once
 * the freed stock must first be offered to waiting lists. */
void settle_lapsed(struct state *st);
/* Settles the lapsed holds of a user. */
void settle_user(struct state *st, uint32_t user);
/* Recovery: the held reservation expired with the change of this seq. The effect on a waiting list is a separate
 * change. */
void expiry_restore(struct state *st, uint32_t handle, uint64_t seq);

#endif
