/* SPDX-License-Identifier: Apache-2.0 */
/* auction.h — assigns drivers to rides that compete for the same ones: scores in, pairs out.
 *
 * Owns no ride and no driver: both are numbers from 0 on, rides by age, the oldest first. It finds the best matching by
 * these criteria, in this order:
 *
 *   1. rides kept: no ride goes without a driver that it could have had at the expense of younger rides only;
 *   2. the lowest sum of the scores of all pairs;
 *   3. the lowest sum of the drivers' ranks in the lists of their rides: equal scores are already ranked
 *      there.
 *
 * If all three are equal, input order decides, so the same input has the same outcome everywhere.
 *
 *   FILLING ──► KEEPING ──► PRICING ──► BIDDING ◄──► LOWERING ──► DONE
 *
 * KEEPING. Sets of rides that can all have a driver at once are the independent sets of a matroid (a transversal one).
 * So going through the rides by age and keeping each one that fits with those kept before gives the set that is best by
 * (1), and it is as large as any. Whether a ride fits is a search for an augmenting path. From here on the other rides
 * do not count, and only (2) and (3) remain: each kept ride gets a driver, at the lowest total cost.
 *
 * BIDDING and LOWERING are the forward and the reverse auction of Bertsekas and Castañón for more objects than bidders.
 * In BIDDING each ride without a driver bids for the one that costs it least (score plus price), up to where the second
 * best would be almost as good; the ride that had that driver bids again. When all have one, unassigned drivers can
 * still have prices from earlier rounds that no ride pays. In LOWERING those prices go down to the `floor`, the lowest
 * price of an assigned driver, or to where some ride prefers that driver and gives back its own. Afterwards
 *
 *   each ride pays at most `step` more than it would for any other of its candidates, and
 *   no unassigned driver has a higher price than an assigned one,
 *
 * so the total is at most (number of kept rides) · step above the minimum. Costs are integers times that number plus
 * one, so with a step of 1 the total is the minimum. The step starts large and is divided from round to round; prices
 * stay, which makes it fast. At the end both conditions are asserted: they prove the outcome.
 *
 * Costs and prices are integers. If the scores of one auction span more than 2^31 ms (24 days), they are compared in
 * units of 2^-31 of that span instead of milliseconds, so that prices fit 64 bits.
 *
 * auction_continue counts its work and can stop anywhere; it reads no clock.
 */
#ifndef CORE_AUCTION_H
#define CORE_AUCTION_H

#include <stdbool.h>
#include <stdint.h>

#define AUCTION_RIDES_MAX 256u
#define AUCTION_CHOICES_MAX 16u /* per ride */
#define AUCTION_EDGES_MAX (AUCTION_RIDES_MAX * AUCTION_CHOICES_MAX)
#define AUCTION_NONE UINT16_MAX
#define AUCTION_SCORE_MAX ((int64_t)1 << 60) /* and down to its negative */

enum auction_stage {
    AUCTION_FILLING,
    AUCTION_KEEPING,
    AUCTION_PRICING,
    AUCTION_BIDDING,
    AUCTION_LOWERING,
    AUCTION_DONE,
};

struct auction {
    enum auction_stage stage;
    uint32_t ride_count, driver_count, edge_count;
    uint32_t kept_count;
    uint32_t turn;    /* KEEPING: the next ride */
    int64_t cost_max; /* of the edges of kept rides; the lowest is 0 or more */
    int64_t step, floor;
    uint32_t first, waiting; /* the queue: rides that bid, or drivers whose price goes down */
    uint16_t queue[AUCTION_EDGES_MAX];

    /* By ride. An edge is one candidate driver of one ride. */
    uint16_t edges[AUCTION_RIDES_MAX + 1]; /* the first edge; the next entry is where they end */
    uint16_t taken[AUCTION_RIDES_MAX];     /* edge */
    bool kept[AUCTION_RIDES_MAX];
    /* By edge. */
    uint16_t edge_ride[AUCTION_EDGES_MAX], edge_driver[AUCTION_EDGES_MAX];
    int64_t cost[AUCTION_EDGES_MAX]; /* the score, until PRICING is done */
    /* By driver. */
    int64_t price[AUCTION_EDGES_MAX];
    uint16_t owner[AUCTION_EDGES_MAX];   /* ride */
    uint16_t reached[AUCTION_EDGES_MAX]; /* KEEPING: by the search of which ride (+ 1), or a dead end */
    uint16_t via[AUCTION_EDGES_MAX];     /* KEEPING: the edge it was reached by */
    uint16_t wishes[AUCTION_EDGES_MAX + 1], wish[AUCTION_EDGES_MAX]; /* edges of kept rides, as `edges` */
};

void auction_begin(struct auction *a);
/* Adds the next ride, younger than those before. Returns its number. */
uint32_t auction_add_ride(struct auction *a);
/* Adds a driver to the last ride, at most AUCTION_CHOICES_MAX, the preferred one first. Drivers are numbered without
 * gaps: up to the highest number so far, or one more. */
void auction_add_choice(struct auction *a, uint32_t driver, int64_t score_ms);
/* Returns true when done. Otherwise *work is used up: edges and drivers visited. It can go over by
 * AUCTION_EDGES_MAX. */
bool auction_continue(struct auction *a, uint32_t *work);
/* The driver of a ride, or AUCTION_NONE. */
uint32_t auction_driver(const struct auction *a, uint32_t ride);

#endif
