/* SPDX-License-Identifier: Apache-2.0 */
/* payment_event.h — what a payment provider tells of, each event once; and payments that came with a request which was
 * refused, so that no trace of them is lost.
 *
 *   event ──► seen before: the same answer again, and nothing is done
 *        └──► judged (payment.h) and recorded with its result, in one step
 *
 * Owns the record of what came and what became of it. Whether an event is genuine is the edge's to judge, by the
 * provider's secret (provider.h). An event is in memory until the book has it and a minute has passed, because a command
 * that has looked in the book may wait for its turn; the others are fetched (FETCH_PAYMENT_EVENT). About 300 bytes each.
 */
#ifndef CORE_PAYMENT_EVENT_H
#define CORE_PAYMENT_EVENT_H

#include "core/types.h"

#define PAYMENT_EVENT_TEXT_SIZE_MAX 255 /* id and type of an event */
#define NO_CURRENCY "XXX"               /* ISO 4217: none is involved */

struct payment_event_image {
    uint64_t number; /* the seq of its change */
    struct text
        event_id; /* the provider's; at == NULL: it came with a request of app or admin that was refused */
    struct text type;        /* the provider's word; of a request: "hold", "payment" or "commit" */
    struct text payment_ref; /* at == NULL: it names none */
    struct id reservation;   /* none: it names none */
    bool has_amount;
    int64_t amount; /* as told; minor units */
    char currency[4];
    enum payment_result result;
    uint64_t refund; /* the refund due that it ended in; 0: none */
    int64_t received_at_ms;
};

struct state;
struct payment_events; /* those in memory */
struct check;

struct payment_events *payment_events_make(void);
void payment_events_release(struct payment_events *all);
const struct payment_event_image *payment_event_find(const struct state *st,
                                                     struct text event_id); /* or NULL */

uint32_t payment_events_forget(struct state *st, uint64_t book_seq, uint32_t most);
/* One that the book had, after a FETCH. */
void state_remember_payment_event(struct state *st, const struct payment_event_image *image);
void check_payment_events(struct check *c);

#endif
