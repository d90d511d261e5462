/* SPDX-License-Identifier: Apache-2.0 */
/* dispatch.h — the loop: which driver is asked for each waiting ride, and when.
 *
 * In fleets without batching (with it: batch.h) waiting rides are served in rounds, the oldest first. A round begins
 * after a driver became free, appeared or moved to another cell; a ride that is new, or whose driver said no, is served
 * at once, unless a driver became free in the meantime: then older rides choose first.
 *
 * A search reads the free drivers of the pickup's cell and of the rings around it, outward, until 8 of them can be
 * asked, and then one more ring, because rings are not ordered by distance; at most max_rings. Drivers who declined are
 * never asked again for this ride. Those who let an offer lapse, or went away during it, do not count among the 8 and
 * are asked again only when no other is left within max_rings, longest ago first. The best CANDIDATES_MAX are kept, in
 * order; each is checked and scored again when its turn comes. When none of them is left, the next search begins.
 *
 * What has lapsed by now (offers, searches, silent drivers) is settled in all fleets before any of them searches: a
 * driver whose offer has lapsed in one is free in the others. So within one instant no driver becomes free during a
 * search.
 *
 * A step reads at most DISPATCH_WORK_MAX drivers and cells, makes at most DISPATCH_OFFERS_MAX offers and checks
 * DISPATCH_AUCTION_MAX prices, which takes about a millisecond. It counts because core has no clock. Work that takes
 * longer than one read counts as several: lapses, reads for a ride that has had many offers, a ring near a pentagon.
 */
#ifndef CORE_DISPATCH_H
#define CORE_DISPATCH_H

#include "base/memory/buf.h"
#include "core/dispatch/ride.h"

#define DISPATCH_WORK_MAX 4096u
#define DISPATCH_LAPSE_WORK 8u /* drivers that could be read in the time one offer or search takes to lapse */
#define DISPATCH_OFFERS_PER_READ 32u /* offers of a ride, checked in the time of one read */
#define DISPATCH_OFFERS_MAX 128u
#define SCAN_AHEAD 4u               /* cells to prefetch before a search reads them */
#define DISPATCH_AUCTION_MAX 65536u /* about 6 ns each */
#define DISPATCH_ENOUGH 8u          /* drivers to ask: then one more ring; with batching CANDIDATES_MAX */
#define ROUND_PAUSE_MS 20           /* between rounds, plus a millisecond for each ROUND_RIDES that wait, */
#define ROUND_PAUSE_MAX_MS 100      /* but no longer than this */
#define ROUND_RIDES 64u

/* What is left of a step's budget. */
struct dispatch_budget {
    uint32_t work, offers, auction;
};

/* Lets offers and searches lapse, marks silent drivers as gone, and makes offers for waiting rides. Changes go to
 * `changes`. Returns true if there is more to do at this very instant. From the first call after the start, the drivers
 * of live offers have presence_seconds to be heard from. */
bool state_dispatch(struct state *st, int64_t now_ms, struct buf *changes);
/* When to call it next; INT64_MAX: nothing to do. Any command can make it earlier. */
int64_t state_next_dispatch(const struct state *st);

/* For fleet.c: when the next search is due. */
int64_t dispatch_search_due(const struct state *st, const struct fleet *f);
/* Drops the work under way and serves all waiting rides again: batching was turned on or off, or settings changed the
 * scores. */
void dispatch_start_over(struct fleet *f);

/* ---- For batch.c ---- */
/* Begins or continues the search of a waiting ride. True: done; r->list has the drivers found, in the order of
 * f->scan.best, which has their scores. False: the step's budget is used up. */
bool dispatch_scan(const struct state *st, struct fleet *f, uint32_t ride, struct dispatch_budget *left);
/* Whether a driver found earlier can still be asked. The handle could be reused by now; the new driver is checked like
 * any other. */
bool dispatch_can_ask(const struct fleet *f, const struct ride *r, uint32_t driver, uint64_t *lapsed);
/* Serves one waiting ride: offers it to the next driver of its list, or after a search to the best, or finds none.
 * False: the step's budget is used up; the next one continues here. */
bool dispatch_serve_ride(struct state *st, struct fleet *f, uint32_t ride, struct dispatch_budget *left);
/* Begins a round with the oldest waiting ride, and sets the earliest time of the next one. */
void dispatch_round_begin(struct state *st, struct fleet *f);

#endif
