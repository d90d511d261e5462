/* SPDX-License-Identifier: Apache-2.0 */
/* dispatch_person.h — a person in fleets, as rider, driver or recipient of offers; for person/erasure.c.
 *
 * Goes through the rides in memory: nothing else needs a list of what each user has.
 */
#ifndef CORE_DISPATCH_PERSON_H
#define CORE_DISPATCH_PERSON_H

#include "core/dispatch/ride.h"

/* Ends what has lapsed among the rides that this user requested or drives. */
void person_settle_rides(struct state *st, struct text user);
/* Whether this user has a live ride, as rider or driver, or a live offer. *seq: its last change. */
bool person_rides(const struct state *st, struct text user, uint64_t *seq);
/* Whether a fleet has a driver with this id. */
bool person_drives(const struct state *st, struct text user);
/* Removes the driver from every fleet. No ride is live. */
void person_leave_fleets(struct state *st, struct text user, struct outcome *out);
/* Gives past rides and offers the new name; `seq` is the change. */
void person_rename_rides(struct state *st, struct text from, struct text to, uint64_t seq);

#endif
