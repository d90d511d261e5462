/* SPDX-License-Identifier: Apache-2.0 */
/* expiry.h — what happens when a hold's time runs out. This file and no other.
 *
 * A hold is over from the very millisecond of its deadline, whether or not anybody has looked: now >=
 * expires_at. Settling writes that down: the reservation becomes `expired`, its claims end, and an `expired`
 * change is emitted, before whatever the command that found it wants to do. Lazily, by a command on what is
 * in its way; eagerly, by the timer.
 */
#ifndef CORE_EXPIRY_H
#define CORE_EXPIRY_H

#include "core/state.h"

/* If the reservation's deadline has come, expires it. True: it did. One command settles at most SETTLE_MAX,
 * so that no turn of the loop and no batch grows without bound; a refusal that comes of there being more is
 * OUTCOME_RETRY. */
bool settle_reservation(struct state *st, uint32_t handle);
/* The reservation that claims this seat, if any, is settled. */
void settle_seat(struct state *st, struct event *e, uint32_t position);
/* Settles the first of these held items (claim_kind.lapses) if its deadline has come. True: it did. */
bool settle_first(struct state *st, const struct heap *lapses);
/* Settles lapsed holds of the pool until `wanted` units are available or no lapsed ones are left. */
void settle_pool(struct state *st, struct pool *p, uint32_t wanted);
/* Settles the lapsed holds of a calendar. */
void settle_calendar(struct state *st, struct calendar *c);
/* Settles whatever has lapsed, up to what the command may still settle; but when that frees much where people
 * are on a waiting list, these are to be served first. */
void settle_lapsed(struct state *st);
/* Settles the lapsed holds of a user. */
void settle_user(struct state *st, uint32_t user);
/* Recovery: the held reservation has expired, by the change of this seq. What that means for a waiting list
 * is a change of its own. */
void expiry_restore(struct state *st, uint32_t handle, uint64_t seq);

#endif
