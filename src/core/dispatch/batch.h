/* SPDX-License-Identifier: Apache-2.0 */
/* batch.h — in fleets with batch_ms, rides that wait together are matched together.
 *
 *   (none) ──► opened ──► GATHERING ──► LINKING ──► SOLVING ◄──► OFFERING ──► (none)
 *
 * A batch is opened when a ride has somebody to look for: it has just come, its driver said no, or somebody became free
 * or moved. batch_ms later, and no sooner than rounds may follow each other (dispatch.h), it begins:
 *
 *   GATHERING  each ride searches, oldest first, and brings its CANDIDATES_MAX best with their scores. In a batch that
 *              nobody's move has opened these are only the fresh ones: the others have found nobody before.
 *   LINKING    rides that want the same driver belong together, and so do those that want what they want: a group.
 *   SOLVING    each group by an auction (auction.h) of its own: the oldest are kept, then the total score is least. A
 *              group of more than AUCTION_RIDES_MAX rides is not solved: its oldest ride chooses first, and so on.
 *   OFFERING   the pairs become offers, as they do without batching. Whoever is gone or taken meanwhile is passed over.
 *
 * A ride that found candidates and got none of them stays fresh, and another batch begins at once: there may be more
 * drivers than it has brought. Each such batch makes offers, so they come to an end. A ride that is declined or let
 * lapse is in the next batch, as if it had just come. Of those who let an offer of it lapse a ride brings only who did so longest ago, and only when
 * there is nobody else.
 *
 * A batch may take several steps, while rides and drivers come and go. It is written down nowhere, owns no ride and no
 * driver, and is looked at by number: one that ends or loses its place in memory is not mistaken for another.
 */
#ifndef CORE_BATCH_H
#define CORE_BATCH_H

#include "core/dispatch/dispatch.h"

/* Opens one if there is cause, or forgets one that has lost its cause. */
void batch_open(const struct state *st, struct fleet *f);
/* Begins the one that is due, and does what the step has left to do. */
void batch_search(struct state *st, struct fleet *f, struct dispatch_budget *left);
/* The one that is opened or under way, if any, is forgotten: its rides wait as before. */
void batch_drop(struct fleet *f);

#endif
