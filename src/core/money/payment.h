/* SPDX-License-Identifier: Apache-2.0 */
/* payment.h — a row of the ledger: one payment, identified by the provider's reference, which is never reused.
 *
 * It stores facts: the amount the app reported, the greatest success, whether it failed, what was returned, when its
 * first money came. The rest (received, kept, returned, owed, discrepancy) is computed from them in ledger.c and
 * nowhere else, after every change, and stored in the image for the book and for people.
 *
 *   begun, failed ──── its first money ────► belongs to its reservation permanently
 *
 * Memory has the rows of the reservations in memory, all or none of each reservation's, in order of their first money;
 * they are dropped with the reservation. A row whose reservation does not exist (unknown, or pruned) is dropped once
 * the book has it. Owns the record and its indexes. What a payment does to its reservation is decided in pay.c.
 */
#ifndef CORE_PAYMENT_H
#define CORE_PAYMENT_H

#include "core/types.h"

#define AMOUNT_MAX 1000000000000000LL /* minor units; a sanity bound */
#define NO_CURRENCY "XXX"             /* ISO 4217: no currency */

/* An amount in a request or an event. */
struct money {
    bool given;
    int64_t amount; /* minor units */
    char currency[4];
};

struct payment_image {
    uint64_t number; /* the seq of the change that made it */
    struct text ref;
    struct id reservation; /* owner; without money: the last one named; none: none was named */
    bool unknown;          /* there was no such reservation when its first money came */

    /* facts */
    struct money app;                 /* as reported by app or admin, or assumed */
    bool assumed;                     /* they gave no amount: it is the balance at that time */
    struct money paid;                /* the greatest success of the provider */
    bool failed;                      /* or was cancelled */
    char returned_currency[4];        /* of what the provider returned; NO_CURRENCY: nothing yet */
    int64_t refunded;                 /* by the provider: the highest total reported */
    int64_t refund_failed;            /* the part of it that failed: the sum */
    int64_t disputed, reinstated;     /* withdrawn by disputes, and reinstated: the sums */
    uint32_t disputes, disputes_over; /* counts */
    int64_t staff_returned, outside;  /* by staff: total through the provider; total outside it */
    uint64_t money_seq;               /* of its first money; 0: none, so it has no owner yet */
    int64_t first_at_ms, last_at_ms;  /* first and last report */

    /* computed: ledger.h */
    char currency[4];
    int64_t received, kept, returned, owed;
    enum discrepancy discrepancy;
    uint64_t discrepancy_seq; /* of the change that brought it; 0: none */
};

enum payment_status payment_status(const struct payment_image *p);
/* False: it has no money reported by anyone. */
bool payment_source(const struct payment_image *p, enum payment_source *source);

struct state;
struct payments; /* all in memory */
struct payment;  /* one of them */
struct check;

/* Which row to read from the book: by one of these. The answer names its reservation, so that the whole account is
 * fetched by that reservation and never under two names; or it is the row itself, if its reservation does not exist. */
struct payment_key {
    struct text ref; /* none: by one of the others */
    uint64_t refund; /* number of one of its refunds due; 0: not by that */
    uint64_t number;
};

struct payments *payments_make(void);
void payments_release(struct payments *all);

struct payment *payment_find(const struct state *st, struct text ref); /* in memory, or NULL */
const struct payment_image *payment_image(const struct payment *p);
uint64_t payment_seq(const struct payment *p); /* of its last change; 0: the book has it */
uint32_t *payment_refunds(struct payment *p);  /* for refund.c: the first of its refunds due, handle + 1 */
uint32_t payment_first_refund(const struct payment *p);
/* The rows of a reservation in memory, in order of their first money; rows without money are in no order. NULL: no
 * more. */
struct payment *payments_first(const struct state *st, uint32_t handle);
struct payment *payment_next(const struct state *st, const struct payment *p);
/* The handle of its reservation if that is in memory, else TABLE_NONE. */
uint32_t payment_reservation(const struct payment *p);

/* Saves the row with the next change: found by its ref, or new. Returns it. */
struct payment *payment_save(struct state *st, const struct payment_image *image);
bool payment_image_same(const struct payment_image *a, const struct payment_image *b);
/* The image of a new payment. */
struct payment_image payment_image_new(const struct state *st, struct text ref, struct id reservation);

/* Records the seq of the last change of the row or of one of its refunds due. Returns true. */
bool payment_touched(struct state *st, struct payment *p, uint64_t seq);

/* A reservation is dropped from memory, and its rows with it. */
void payments_drop(struct state *st, uint32_t handle);
/* Drops rows without a reservation that the book has. Returns how many it checked. */
uint32_t payments_forget(struct state *st, uint64_t book_seq, uint32_t most);

/* The book's data of a reservation, or of a row without one: the rows and their refunds due. */
struct account {
    const struct payment_image *payments;
    uint32_t payment_count;
    const struct refund_image *refunds; /* by number */
    uint32_t refund_count;
};
/* After a FETCH: adds what is not in memory yet. False: it contradicts memory. */
bool state_remember_account(struct state *st, const struct account *account);
struct change;
/* Recovery: whether this change of a payment builds on a row that is in the book but not in memory. */
bool payment_forgotten(struct state *st, const struct change *c);
/* Recovery from the book: the number of open refunds due, and of rows with a discrepancy. */
void state_load_ledger(struct state *st, uint64_t open, uint64_t discrepancies);
uint64_t ledger_open(const struct state *st);
uint64_t ledger_discrepancies(const struct state *st);
void ledger_count_open(struct state *st, bool before, bool now); /* for refund.c: was and is one open */

void check_payments(struct check *c);
/* For comparing states: the row at a handle, from 0 on; NULL: no more; `number` 0: the handle is free. */
const struct payment_image *payment_at(const struct state *st, uint32_t handle);

#endif
