/* SPDX-License-Identifier: Apache-2.0 */
/* dispatch.h — the loop: for every ride without a driver, who is asked, and when.
 *
 * In fleets without batching (with it: batch.h) rides that wait are looked after in rounds, the oldest first. A round begins when somebody became free, appeared or
 * moved to another cell; a ride that has just come, or whose driver said no, is looked after at once, unless somebody
 * became free meanwhile: then older ones choose first.
 *
 * A search reads the free drivers of the pickup's cell and of the rings around it, outward, until 8 of them can be
 * asked, and then one ring more, because the order of rings is not that of distances; at most max_rings. Those who
 * declined are passed over for good. Those who let an offer lapse, or went away from it, do not count among the 8, and
 * are asked again only when no other is left within max_rings, who did so longest ago first. The best CANDIDATES_MAX
 * are remembered, in order; each is looked at again when its turn comes, and scored anew. When nobody of them is left,
 * the next search begins.
 *
 * What has lapsed by now (offers, searches, silent drivers) is settled in all fleets before any of them searches: a driver
 * whose offer has lapsed in one is free in the others. So at one instant nobody becomes free while a search is under way.
 *
 * A step reads at most DISPATCH_WORK_MAX drivers and cells, makes at most DISPATCH_OFFERS_MAX offers and looks at
 * DISPATCH_AUCTION_MAX prices, which takes about a millisecond: counted, because core has no clock. What takes longer
 * than a read counts as several: what lapses, reading for a ride that has had many offers, a ring near a pentagon.
 */
#ifndef CORE_DISPATCH_H
#define CORE_DISPATCH_H

#include "base/memory/buf.h"
#include "core/dispatch/ride.h"

#define DISPATCH_WORK_MAX 4096u
#define DISPATCH_LAPSE_WORK 8u       /* drivers that could be read while an offer or a search lapses */
#define DISPATCH_OFFERS_PER_READ 32u /* of a ride, that are looked through in the time of one read */
#define DISPATCH_OFFERS_MAX 128u
#define SCAN_AHEAD 4u               /* cells, at which a search looks before it reads them */
#define DISPATCH_AUCTION_MAX 65536u /* about 6 ns each */
#define DISPATCH_ENOUGH 8u          /* who can be asked: then one ring more; with batching CANDIDATES_MAX */
#define ROUND_PAUSE_MS 20           /* between rounds, and a millisecond for each ROUND_RIDES that wait, */
#define ROUND_PAUSE_MAX_MS 100      /* but no longer than this */
#define ROUND_RIDES 64u

/* What a step may still do. */
struct dispatch_budget {
    uint32_t work, offers, auction;
};

/* Offers and searches lapse, the silent ones are taken for gone, those who wait are offered to somebody. True: there is
 * more to do at this very instant. Changes go to `changes`. The first call after the start is from when the drivers of
 * live offers may be silent for presence_seconds. */
bool state_dispatch(struct state *st, int64_t now_ms, struct buf *changes);
/* When it should be called next; INT64_MAX: there is nothing to do. Any command may make it earlier. */
int64_t state_next_dispatch(const struct state *st);

/* For fleet.c: when the search is due. */
int64_t dispatch_search_due(const struct state *st, const struct fleet *f);
/* What is under way is forgotten, and all who wait are looked after anew: batching begins or ends, or who is the best
 * is judged by other settings. */
void dispatch_start_over(struct fleet *f);

/* ---- For batch.c ---- */
/* Begins or continues the search of a waiting ride. True: it is over; r->list has whom it found, in the order of
 * f->scan.best, which has their scores. False: the step has done enough. */
bool dispatch_scan(const struct state *st, struct fleet *f, uint32_t ride, struct dispatch_budget *left);
/* Whether a driver found earlier can be asked; the place may be another's by now, who is as good as any. */
bool dispatch_can_ask(const struct fleet *f, const struct ride *r, uint32_t driver, uint64_t *lapsed);
/* Looks after one ride that waits: it is offered to the next of its list, or after a search to the best, or nobody is
 * there. False: the step has done enough, and goes on with it. */
bool dispatch_look_after(struct state *st, struct fleet *f, uint32_t ride, struct dispatch_budget *left);
/* A round begins with the oldest that waits; the next one does not begin at once. */
void dispatch_round_begin(struct state *st, struct fleet *f);

#endif
