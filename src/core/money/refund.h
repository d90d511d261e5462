/* SPDX-License-Identifier: Apache-2.0 */
/* refund.h — a refund due: what a payment owes, for staff to pay back. Holdfast moves no money.
 *
 *   open ──── some of it was returned ────► done ◄──┐
 *     └────── nothing is owed any more ► withdrawn ┘  (it was paid back anyway)
 *
 * A row of the ledger has at most one open refund due, for everything it owes (only ledger.c creates, changes and ends
 * them). The amount follows the ledger under the same id until any of it is returned, so the id is a safe idempotency
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
    int64_t amount; /* minor units; once done: the amount returned */
    char currency[4];
    struct text reason;                /* the name of a cause, or the text of staff; of the last increase */
    int64_t created_at_ms, done_at_ms; /* done 0: not yet */
    enum refund_status status;
    uint64_t told_seq;       /* of the change that last set its amount; its number until that changes */
    int64_t returned_before; /* amount returned when it was created: more means part of this was */
    enum payment_source received_by; /* who reported the amount; not encoded */
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
/* Of one payment, by number; NULL: no more. */
struct refund *refunds_first(const struct state *st, const struct payment *p);
struct refund *refund_next(const struct state *st, const struct refund *r);
struct refund *refund_open(const struct state *st, const struct payment *p); /* the open one, or NULL */

/* Saves it with the next change: for ledger.c. Its payment is in memory. */
void refund_save(struct state *st, const struct refund_image *image);
/* Restores it from a change, or with seq 0 from the book, into its payment. False: it does not fit. */
bool refund_restore(struct state *st, const struct refund_image *image, uint64_t seq);
/* The payment is dropped from memory. */
void refunds_drop(struct state *st, struct payment *p);

#endif
