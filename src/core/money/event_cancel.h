/* SPDX-License-Identifier: Apache-2.0 */
/* event_cancel.h — an event that does not take place: nothing of it can be claimed from then on, and what was claimed goes
 * back, bit by bit.
 *
 *   EVENT_CANCEL ──► running ──── nothing of it is claimed any more ────► done
 *
 * The first step only says so: from then on the sale is over (event_sale_end), for everyone. The rest is done in rounds:
 *
 *   tickets   of those that are good, whose they are: the sales of this round
 *   holds     released or, with items of other events or calendars, without those of this one
 *   lines     waiting room and waiting list end
 *   sales     the store takes them one by one (state_cancel_sale) and submits CANCEL_SALE for each, because one that
 *             memory has forgotten is fetched from the book: refunded, or the items of this event are
 *
 * A commit may come before its hold's turn, and a hold that is being paid for together with other things is left to end as
 * it may, so that its payment is accounted for whole: the next round finds what became of it. Each sale is taken back by one
 * step, which counts it; a restart begins the round again, and finds only what is still claimed.
 *
 * Owns how far this is. What is known of it for ever is in the event's image (struct event_cancelled).
 */
#ifndef CORE_EVENT_CANCEL_H
#define CORE_EVENT_CANCEL_H

#include "base/memory/buf.h"
#include "core/types.h"

#ifndef CANCEL_TICKETS_MAX
#define CANCEL_TICKETS_MAX 16384u /* that one step looks at: less than a millisecond */
#endif
#ifndef CANCEL_HOLDS_MAX
#define CANCEL_HOLDS_MAX 8192u /* the same of reservations in memory, */
#define CANCEL_ENDS_MAX 128u   /* of which it ends so many; and of entries */
#endif
#define CANCEL_ROUND_MS 1000 /* between two rounds */

struct state;
struct event;
struct cancelling; /* owned by its event */
struct check;

/* The event's image is another: it may be cancelled now, or no longer be there. */
void event_cancel_follow(struct state *st, struct event *e);
void cancelling_release(struct cancelling *c); /* NULL is fine */

/* Why what is taken back is, in a reservation's history. */
struct text event_cancel_reason(const struct event *e);
/* This sale was taken back, by a change just before. Emits. */
void event_cancel_refunded(struct state *st, struct event *e);
/* The command about this sale was applied, whatever it found. */
void event_cancel_seen(struct event *e, struct id sale);

/* When state_cancel should be called: INT64_MAX when there is nothing to take back. */
int64_t state_next_cancel(const struct state *st);
/* A step of a round. `under_way`: so many sales were handed out and are not answered yet. True: there is more to do at
 * this very instant. Changes go to `changes`; st->change_count and st->touches tell of them. */
bool state_cancel(struct state *st, int64_t now_ms, uint32_t under_way, struct buf *changes);
/* The next sale to be taken back, and the event's number. False: there is none, or not now. */
bool state_cancel_sale(struct state *st, uint64_t *event, struct id *sale);

void check_event_cancel(struct check *c, const struct event *e);

#endif
