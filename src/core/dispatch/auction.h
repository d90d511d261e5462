/* SPDX-License-Identifier: Apache-2.0 */
/* auction.h — which ride goes to which driver when several rides want the same ones: scores in, pairs out.
 *
 * Owns no ride and no driver: both are numbers from 0 on, rides by age, the oldest first. What it finds is the one
 * matching that is best by, in this order,
 *
 *   1. who is kept: no ride goes without a driver whom it could have had at the expense of younger ones only;
 *   2. the sum of the scores of all pairs, the least;
 *   3. the sum of the places that the drivers have in the lists of their rides, the least: equal scores are ranked
 *      there already.
 *
 * Where all three are equal the order of what was put in decides, so the same input has the same outcome everywhere.
 *
 *   FILLING ──► KEEPING ──► PRICING ──► BIDDING ◄──► LOWERING ──► DONE
 *
 * KEEPING. Sets of rides that can all have a driver at once are the independent sets of a matroid (a transversal one).
 * So taking the rides by age, each whenever it can be had together with those taken before, gives the set that is best
 * by (1), and one as large as any. Whether it can be had is a search for an augmenting path. From here on the others
 * do not count, and what is left to do is (2) and (3) alone: each kept ride gets a driver, at the least cost.
 *
 * BIDDING and LOWERING are the forward and the reverse auction of Bertsekas and Castañón for more objects than bidders.
 * In BIDDING each ride without a driver bids for the one that costs it least (score plus price), so much that it would
 * nearly as soon have the second best; whoever had that driver bids again. When all have one, drivers who are left over
 * may have prices from earlier rounds that nobody pays. In LOWERING those go down to the `floor`, the least price of a
 * driver who is taken, or to where some ride would rather have them, which then gives back its own. Afterwards
 *
 *   each ride pays at most `step` more than it would for any other of its drivers, and
 *   no driver who is left over has a higher price than one who is taken,
 *
 * from which follows that the whole costs at most (number of kept rides) · step more than the least. Costs are integers
 * times that number plus one, so with a step of 1 it is the least. The step begins large and is divided from round to
 * round; prices stay, which is what makes it fast. At the end both conditions are asserted: they prove the outcome.
 *
 * Costs and prices are integers. Scores of one auction that are more than 2^31 ms (24 days) apart are compared in units
 * of 2^-31 of that instead of milliseconds, so that no price leaves 64 bits.
 *
 * auction_go_on counts what it looks at and can stop anywhere: no clock is asked.
 */
#ifndef CORE_AUCTION_H
#define CORE_AUCTION_H

#include <stdbool.h>
#include <stdint.h>

#define AUCTION_RIDES_MAX 256u
#define AUCTION_CHOICES_MAX 16u /* of one ride */
#define AUCTION_EDGES_MAX (AUCTION_RIDES_MAX * AUCTION_CHOICES_MAX)
#define AUCTION_NONE UINT16_MAX
#define AUCTION_SCORE_MAX ((int64_t)1 << 60) /* and its negative */

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
    uint32_t turn;    /* KEEPING: the ride whose turn it is */
    int64_t cost_max; /* of the edges of kept rides; the least is 0 or more */
    int64_t step, floor;
    uint32_t first, waiting; /* of the queue: rides that bid, drivers whose price goes down */
    uint16_t queue[AUCTION_EDGES_MAX];

    /* By ride. An edge is a driver in the list of a ride. */
    uint16_t edges[AUCTION_RIDES_MAX + 1]; /* the first, and in the next place the one behind the last */
    uint16_t taken[AUCTION_RIDES_MAX];     /* edge */
    bool kept[AUCTION_RIDES_MAX];
    /* By edge. */
    uint16_t edge_ride[AUCTION_EDGES_MAX], edge_driver[AUCTION_EDGES_MAX];
    int64_t cost[AUCTION_EDGES_MAX]; /* the score, until PRICING is over */
    /* By driver. */
    int64_t price[AUCTION_EDGES_MAX];
    uint16_t owner[AUCTION_EDGES_MAX];   /* ride */
    uint16_t reached[AUCTION_EDGES_MAX]; /* KEEPING: in the search of which ride, from 1 on, or for good */
    uint16_t via[AUCTION_EDGES_MAX];     /* KEEPING: by which edge */
    uint16_t wishes[AUCTION_EDGES_MAX + 1], wish[AUCTION_EDGES_MAX]; /* edges of kept rides, as `edges` */
};

void auction_begin(struct auction *a);
/* The next ride, younger than those before; its number. */
uint32_t auction_add_ride(struct auction *a);
/* A driver of the ride added last, at most AUCTION_CHOICES_MAX of them, the one to be preferred first. Drivers are
 * numbered without gaps: the highest number so far, or one more. */
void auction_add_choice(struct auction *a, uint32_t driver, int64_t score_ms);
/* True: it is done. Otherwise *work is used up: edges and drivers looked at. It may go over by AUCTION_EDGES_MAX. */
bool auction_go_on(struct auction *a, uint32_t *work);
/* Whom a ride gets, or AUCTION_NONE. */
uint32_t auction_driver(const struct auction *a, uint32_t ride);

#endif
