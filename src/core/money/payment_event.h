/* SPDX-License-Identifier: Apache-2.0 */
/* payment_event.h — the signed events of the payment provider, each applied once; and payments that came with a refused
 * hold, so that they leave a record.
 *
 *   event ──► seen before: the same answer again, without effect
 *        └──► becomes facts of a payment (payment.h), recorded with the result in one step
 *
 * Owns the record of each event and its result. The edge verifies events with the provider's secret (provider.h). An
 * event is in memory until the book has it and a minute has passed, because a command that has read the book can still
 * be waiting for its turn; after that it is fetched (FETCH_PAYMENT_EVENT). About 300 bytes each.
 */
#ifndef CORE_PAYMENT_EVENT_H
#define CORE_PAYMENT_EVENT_H

#include "core/money/payment.h"

#define PAYMENT_EVENT_TEXT_SIZE_MAX 255 /* id and type of an event */

struct payment_event_image {
    uint64_t number;      /* the seq of its change */
    struct text event_id; /* the provider's; none: it came with a refused hold */
    struct text type;     /* the provider's; for a hold: "hold" */
    struct text once;     /* key of a fact that counts once, such as a failed refund; none: only event_id */
    struct text payment_ref; /* optional */
    struct id reservation;   /* optional */
    struct money amount;     /* as reported */
    enum payment_result result;
    uint64_t refund; /* the payment's open refund due after this event; 0: none */
    int64_t received_at_ms;
};

struct state;
struct payment_events; /* those in memory */
struct check;

struct payment_events *payment_events_make(void);
void payment_events_release(struct payment_events *all);
/* By its id, or by its `once` key; or NULL. */
const struct payment_event_image *payment_event_find(const struct state *st, struct text event_id);
const struct payment_event_image *payment_event_find_once(const struct state *st, struct text once);

uint32_t payment_events_forget(struct state *st, uint64_t book_seq, uint32_t most);
/* Adds an event from the book, after a FETCH. */
void state_remember_payment_event(struct state *st, const struct payment_event_image *image);
void check_payment_events(struct check *c);

#endif
