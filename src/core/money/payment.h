/* SPDX-License-Identifier: Apache-2.0 */
/* payment.h — a row of the ledger: one payment, known by the provider's reference, which is unique for ever.
 *
 * Stored are facts: the app's word, the greatest success, whether it failed, what went back, when its first money came.
 * What follows from them (received, kept, returned, owed, discrepancy) is computed in ledger.c and nowhere else, after
 * every change, and kept in the image for the book and for people.
 *
 *   begun, failed ──── its first money ────► belongs to its reservation for ever
 *
 * In memory are the rows of the reservations in memory, all of each one's or none, in order of their first money; they
 * leave with the reservation. A row whose reservation does not exist (unknown, or pruned) leaves once the book has it.
 * Owns the record and where rows are kept. What a payment does to its reservation is judged in pay.c.
 */
#ifndef CORE_PAYMENT_H
#define CORE_PAYMENT_H

#include "core/types.h"

#define AMOUNT_MAX 1000000000000000LL /* minor units; more is no amount of money */
#define NO_CURRENCY "XXX"             /* ISO 4217: none is involved */

/* An amount as a request or an event names it. */
struct money {
    bool given;
    int64_t amount; /* minor units */
    char currency[4];
};

struct payment_image {
    uint64_t number; /* the seq of the change that made it */
    struct text ref;
    struct id reservation; /* the one it belongs to; without money: that named it last; none: it named none */
    bool unknown;          /* there was no such reservation when its first money came */

    /* facts */
    struct money app;                 /* what app or admin said, or what was assumed for them */
    bool assumed;                     /* they named no amount: it is what was missing then */
    struct money paid;                /* the greatest success of the provider */
    bool failed;                      /* or was cancelled */
    char returned_currency[4];        /* of what the provider gave back; NO_CURRENCY: nothing yet */
    int64_t refunded;                 /* by the provider: the most that it has told of, in all */
    int64_t refund_failed;            /* of that, what did not arrive: the sum */
    int64_t disputed, reinstated;     /* taken by disputes, and given back: the sums */
    uint32_t disputes, disputes_over; /* how many */
    int64_t staff_returned, outside;  /* by staff: in all through the provider; beside it */
    uint64_t money_seq;               /* of its first money; 0: it has none, and binds nothing */
    int64_t first_at_ms, last_at_ms;  /* first and last told of */

    /* computed: ledger.h */
    char currency[4];
    int64_t received, kept, returned, owed;
    enum discrepancy discrepancy;
    uint64_t discrepancy_seq; /* of the change that brought it; 0: there is none */
};

enum payment_status payment_status(const struct payment_image *p);
/* False: it has no money, and the word is of none. */
bool payment_source(const struct payment_image *p, enum payment_source *source);

struct state;
struct payments; /* all in memory */
struct payment;  /* one of them */
struct check;

/* Which row is wanted from the book: by one of these. The answer is whose it is, so that its whole account is fetched by
 * that reservation and never by two names at a time; or the row itself, if its reservation does not exist. */
struct payment_key {
    struct text ref; /* at == NULL: by one of the others */
    uint64_t refund; /* the number of one of its refunds due; 0: not by that */
    uint64_t number;
};

struct payments *payments_make(void);
void payments_release(struct payments *all);

struct payment *payment_find(const struct state *st, struct text ref); /* in memory, or NULL */
const struct payment_image *payment_image(const struct payment *p);
uint64_t payment_seq(const struct payment *p); /* of its last change; 0: the book has it */
uint32_t *payment_refunds(struct payment *p);  /* for refund.c: the first of its refunds due, handle + 1 */
uint32_t payment_first_refund(const struct payment *p);
/* The rows of a reservation in memory, in order of their first money; those without money are anywhere. NULL: no more. */
struct payment *payments_first(const struct state *st, uint32_t handle);
struct payment *payment_next(const struct state *st, const struct payment *p);
/* The handle of its reservation if that is in memory, else TABLE_NONE. */
uint32_t payment_reservation(const struct payment *p);

/* The row as it is from now on, by the next change: found by its ref, or new. Returns it. */
struct payment *payment_emit(struct state *st, const struct payment_image *image);
bool payment_image_same(const struct payment_image *a, const struct payment_image *b);
/* The image of a payment that nobody told of yet. */
struct payment_image payment_image_new(const struct state *st, struct text ref, struct id reservation);

/* The change of this seq is the last one that touched the row or one of its refunds due. True. */
bool payment_touched(struct state *st, struct payment *p, uint64_t seq);

/* A reservation leaves memory: so do its rows. */
void payments_drop(struct state *st, uint32_t handle);
/* Drops rows without a reservation that the book has. Returns how many it looked at. */
uint32_t payments_forget(struct state *st, uint64_t book_seq, uint32_t most);

/* What the book has of a reservation, or of a row without one: the rows and their refunds due. */
struct account {
    const struct payment_image *payments;
    uint32_t payment_count;
    const struct refund_image *refunds; /* by number */
    uint32_t refund_count;
};
/* After a FETCH: put back in memory, what is not there yet. False: it does not fit what is known. */
bool state_remember_account(struct state *st, const struct account *account);
struct change;
/* Recovery: what this change of a payment builds on is in the book, and not in memory. */
bool payment_forgotten(struct state *st, const struct change *c);
/* Recovery from the book: how many refunds due are open, and how many rows have a discrepancy. */
void state_load_ledger(struct state *st, uint64_t open, uint64_t discrepancies);
uint64_t ledger_open(const struct state *st);
uint64_t ledger_discrepancies(const struct state *st);
void ledger_count_open(struct state *st, bool before, bool now); /* for refund.c: one is open now, or was */

void check_payments(struct check *c);
/* For comparing states: each in memory, by handle from 0 on; NULL: there are no more; `number` 0: none at this handle. */
const struct payment_image *payment_at(const struct state *st, uint32_t handle);

#endif
