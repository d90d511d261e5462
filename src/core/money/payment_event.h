/* SPDX-License-Identifier: Apache-2.0 */
/* payment_event.h — the signed events of the payment provider, each once; and payments that came with a hold which was
 * refused, so that no trace of them is lost.
 *
 *   event ──► seen before: the same answer again, and nothing is done
 *        └──► its news become facts of a payment (payment.h), recorded with the result in one step
 *
 * Owns the record of what came and what became of it. Whether an event is genuine is the edge's to judge, by the
 * provider's secret (provider.h). An event is in memory until the book has it and a minute has passed, because a command
 * that has looked in the book may wait for its turn; the others are fetched (FETCH_PAYMENT_EVENT). About 300 bytes each.
 */
#ifndef CORE_PAYMENT_EVENT_H
#define CORE_PAYMENT_EVENT_H

#include "core/money/payment.h"

#define PAYMENT_EVENT_TEXT_SIZE_MAX 255 /* id and type of an event */

struct payment_event_image {
    uint64_t number;      /* the seq of its change */
    struct text event_id; /* the provider's; at == NULL: it came with a hold that was refused */
    struct text type;     /* the provider's word; of a hold: "hold" */
    struct text
        once; /* what it must count once for, such as a refund that failed; at == NULL: nothing but its id */
    struct text payment_ref; /* at == NULL: it names none */
    struct id reservation;   /* none: it names none */
    struct money amount;     /* as told */
    enum payment_result result;
    uint64_t refund; /* the refund due that is open of the payment since; 0: none */
    int64_t received_at_ms;
};

struct state;
struct payment_events; /* those in memory */
struct check;

struct payment_events *payment_events_make(void);
void payment_events_release(struct payment_events *all);
/* By its id, or by what it counts once for; or NULL. */
const struct payment_event_image *payment_event_find(const struct state *st, struct text event_id);
const struct payment_event_image *payment_event_find_once(const struct state *st, struct text once);

uint32_t payment_events_forget(struct state *st, uint64_t book_seq, uint32_t most);
/* One that the book had, after a FETCH. */
void state_remember_payment_event(struct state *st, const struct payment_event_image *image);
void check_payment_events(struct check *c);

#endif
