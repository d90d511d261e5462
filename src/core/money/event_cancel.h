/* SPDX-License-Identifier: Apache-2.0 */
/* event_cancel.h — cancels an event: nothing of it can be claimed any more, and what was claimed is given back step by
 * step.
 *
 *   EVENT_CANCEL ──► running ──── nothing is claimed any more ────► done
 *
 * The first step only records it: from then on the sale is over (event_sale_end) for everyone. The rest is done in
 * rounds:
 *
 *   tickets   reservations of the good tickets: the sales of this round
 *   holds     released or, if they have items of other events or calendars too, stripped of those of this event
 *   queues    waiting room and waiting list end
 *   sales     the engine takes them one by one (state_cancel_sale) and submits CANCEL_SALE for each, because one that
 *             is no longer in memory is fetched from the book: refunded, or only its items of this event are
 *
 * A hold can be committed before its turn. A hold that is being paid for together with other items is left alone, so
 * that its payment is settled as a whole: the next round finds the result. Each sale is taken back and counted in one
 * step; a restart begins the round again, and finds only what is still claimed.
 *
 * Owns the progress. The permanent record is in the event's image (struct event_cancelled).
 */
#ifndef CORE_EVENT_CANCEL_H
#define CORE_EVENT_CANCEL_H

#include "base/memory/buf.h"
#include "core/types.h"

#ifndef CANCEL_TICKETS_MAX
#define CANCEL_TICKETS_MAX 16384u /* tickets that one step checks: less than a millisecond */
#endif
#ifndef CANCEL_HOLDS_MAX
#define CANCEL_HOLDS_MAX 8192u /* the same for reservations in memory, */
#define CANCEL_ENDS_MAX 128u   /* of which it ends this many; and for entries */
#endif
#define CANCEL_ROUND_MS 1000 /* between two rounds */

struct state;
struct event;
struct cancelling; /* owned by its event */
struct check;

/* The event's image has changed: it could be cancelled now, or removed. */
void event_cancel_follow(struct state *st, struct event *e);
void cancelling_release(struct cancelling *c); /* NULL is fine */

/* The reason shown in a reservation's history. */
struct text event_cancel_reason(const struct event *e);
/* Counts a sale that was taken back by the change just before. Emits. */
void event_cancel_refunded(struct state *st, struct event *e);
/* The command for this sale was applied, whatever the outcome. */
void event_cancel_seen(struct event *e, struct id sale);

/* When to call state_cancel next; INT64_MAX: nothing to take back. */
int64_t state_next_cancel(const struct state *st);
/* One step of a round. `under_way`: sales handed out and not answered yet. Returns true if there is more to do at this
 * very instant. Changes go to `changes`; see st->change_count and st->touches. */
bool state_cancel(struct state *st, int64_t now_ms, uint32_t under_way, struct buf *changes);
/* The next sale to take back, and the event's number. False: there is none, or not now. */
bool state_cancel_sale(struct state *st, uint64_t *event, struct id *sale);

void check_event_cancel(struct check *c, const struct event *e);

#endif
