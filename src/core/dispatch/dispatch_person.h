/* SPDX-License-Identifier: Apache-2.0 */
/* dispatch_person.h — a person in fleets: who rides, who drives, whom rides were offered to; for person/erasure.c.
 *
 * Walks the rides in memory: nobody else needs a list of what each user has.
 */
#ifndef CORE_DISPATCH_PERSON_H
#define CORE_DISPATCH_PERSON_H

#include "core/dispatch/ride.h"

/* Ends what has lapsed of the rides that this user has asked for, or drives. */
void person_settle_rides(struct state *st, struct text user);
/* Whether a ride of this user is under way, as rider or as driver, or one is offered to it. *seq: its last change. */
bool person_rides(const struct state *st, struct text user, uint64_t *seq);
/* Whether a fleet has a driver of this name. */
bool person_drives(const struct state *st, struct text user);
/* The driver leaves every fleet. Nothing is under way. */
void person_leave_fleets(struct state *st, struct text user, struct outcome *out);
/* Past rides and offers have the other name; `seq` did it. */
void person_rename_rides(struct state *st, struct text from, struct text to, uint64_t seq);

#endif
