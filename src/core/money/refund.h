/* SPDX-License-Identifier: Apache-2.0 */
/* refund.h — a refund due: what a payment owes, for staff to pay back. Holdfast moves no money.
 *
 *   open ──── some of it went back ────► done ◄──┐
 *     └────── nothing is owed any more ► withdrawn ┘  (it was paid back all the same)
 *
 * A row of the ledger has at most one that is open, over all that it owes (ledger.c, which alone makes, changes and ends
 * them). The amount follows the ledger under the same id until any of it has gone back, so the id is a safe idempotency
 * key at the provider. Its number is the seq of the change that made it.
 */
#ifndef CORE_REFUND_H
#define CORE_REFUND_H

#include "core/types.h"

#define REFUND_REASON_SIZE_MAX 256

struct refund_image {
    uint64_t number;
    struct id reservation;
    struct text payment_ref;
    int64_t amount; /* minor units; of one that is done: what went back of it */
    char currency[4];
    struct text reason;                /* the name of a cause, or what staff said; of the last growth */
    int64_t created_at_ms, done_at_ms; /* done 0: not yet */
    enum refund_status status;
    uint64_t told_seq; /* of the change that made it, which is its number, or that changed its amount last */
    int64_t
        returned_before; /* what had gone back of the payment when it was made: more means that some of this has */
    enum payment_source received_by; /* whose word the amount rests on; not encoded */
    bool disputed;                   /* not to be paid; not encoded */
};

struct state;
struct refunds; /* all in memory */
struct refund;  /* one of them, owned by its payment */
struct payment;

struct refunds *refunds_make(void);
void refunds_release(struct refunds *all);

const struct refund_image *refund_image(const struct refund *r);
struct refund *refund_find(const struct state *st, uint64_t number); /* in memory, or NULL */
/* Of one payment, by number; NULL: there are no more. */
struct refund *refunds_first(const struct state *st, const struct payment *p);
struct refund *refund_next(const struct state *st, const struct refund *r);
struct refund *refund_open(const struct state *st, const struct payment *p); /* the open one, or NULL */

/* As it is from now on, by the next change: for ledger.c. Its payment is in memory. */
void refund_emit(struct state *st, const struct refund_image *image);
/* What a change says, or with seq 0 the book: put into its payment. False: it does not fit. */
bool refund_restore(struct state *st, const struct refund_image *image, uint64_t seq);
/* The payment leaves memory. */
void refunds_drop(struct state *st, struct payment *p);

#endif
