/* SPDX-License-Identifier: Apache-2.0 */
/* batch.h — in fleets with batch_ms, rides that wait together are matched together.
 *
 *   (none) ──► opened ──► GATHERING ──► LINKING ──► SOLVING ◄──► OFFERING ──► (none)
 *
 * A batch is opened when a ride has reason to search: it is new, its driver said no, or a driver became free or moved.
 * It begins batch_ms later, but not before the next round is allowed (dispatch.h):
 *
 *   GATHERING  each ride searches, oldest first, and brings its CANDIDATES_MAX best with their scores. A batch that was
 *              not opened by a driver has only the fresh rides: the others have already searched without success.
 *   LINKING    rides that share a candidate, directly or through other rides, form a group.
 *   SOLVING    each group in its own auction (auction.h): the oldest are kept, then the total score is the lowest. A
 *              group of more than AUCTION_RIDES_MAX rides is not solved: its rides choose one by one, oldest first.
 *   OFFERING   the pairs become offers, as without batching. Drivers who are gone or taken by now are skipped.
 *
 * A ride that found candidates and got none of them stays fresh, and another batch begins at once: there can be more
 * drivers than it brought. Each such batch makes offers, so this ends. A ride whose offer was declined or lapsed is in
 * the next batch, as if it were new. Of the drivers who let an offer of it lapse a ride brings only the one who did so
 * longest ago, and only when there is no other candidate.
 *
 * A batch can take several steps, while rides and drivers come and go. It is not persisted and owns no ride and no
 * driver; it identifies rides by number, so that a ride whose memory was reused is not mistaken for another.
 */
#ifndef CORE_BATCH_H
#define CORE_BATCH_H

#include "core/dispatch/dispatch.h"

/* Opens a batch if there is a reason, or cancels one that has lost its reason. */
void batch_open(const struct state *st, struct fleet *f);
/* Begins the batch that is due, and works on it as far as the budget allows. */
void batch_search(struct state *st, struct fleet *f, struct dispatch_budget *left);
/* Drops the batch that is open or under way, if any: its rides wait as before. */
void batch_drop(struct fleet *f);

#endif
