/* SPDX-License-Identifier: Apache-2.0 */
/* refund.h — a refund due: money that came in for a reservation and has to go back.
 *
 *   due ──► open ──► done        (somebody has paid it back, or the provider says so)
 *             └────► withdrawn   (the same payment was accepted late after all)
 *
 * Owns the record and nothing else: whether a payment is accepted or refused is judged in payment.c, and Holdfast moves
 * no money. Its number is the seq of the change that made it. Those that are open are in memory, and so are those of
 * held reservations, those of a payment of which another is open, and those that the book does not have yet; the others
 * are fetched (FETCH_REFUND). Each takes about
 * 260 bytes with its texts and its place in three indexes. The image is everybody's: changes and outcomes include this.
 */
#ifndef CORE_REFUND_H
#define CORE_REFUND_H

#include "core/types.h"

#define REFUND_REASON_SIZE_MAX 256

struct refund_image {
    uint64_t number;
    struct id reservation;
    struct text payment_ref;
    int64_t amount; /* minor units */
    char currency[4];
    struct text reason;                /* the name of a cause, or what staff said */
    int64_t created_at_ms, done_at_ms; /* done 0: not yet */
    bool withdrawn;
};

/* Which one: by number, or else by what it is for. With done_of: the first after this number that was paid back of the
 * payment, whatever the reservation. */
struct refund_key {
    bool done_of;
    uint64_t number;
    struct id reservation;
    struct text payment_ref;
};

struct state;
struct refunds; /* all in memory */
struct check;
struct reservation;

struct refunds *refunds_make(void);
void refunds_release(struct refunds *all);

/* In memory, or NULL; withdrawn ones are found by number only. Good until the next one is made. */
const struct refund_image *refund_find(const struct state *st, uint64_t number);
const struct refund_image *refund_of(const struct state *st, struct id reservation, struct text payment_ref);
uint64_t refunds_open(const struct state *st); /* how many */
uint64_t refund_seq(const struct state *st,
                    uint64_t number); /* of the last change of one in memory; 0: the book has it */

/* As it is from now on, by the next change: for refund_life.c. */
void refund_emit(struct state *st, const struct refund_image *image);
/* Makes one over this amount in the reservation's currency, by the next change. `said` is the reason in staff's own
 * words, at == NULL: the cause's name. Returns its number. */
uint64_t refund_due(struct state *st, const struct reservation *r, struct text payment_ref, int64_t amount,
                    enum refund_cause cause, struct text said);
/* The same of a payment that says itself how much it was. */
uint64_t refund_due_over(struct state *st, struct id reservation, struct text payment_ref, int64_t amount,
                         const char currency[3], enum refund_cause cause, struct text said);
/* Whether any of this payment is open; then what was paid back of it must be in memory before the next is asked. */
bool refunds_any_open(const struct state *st, struct text payment_ref);
/* The first after this number that was paid back of the payment, or NULL. For a book that is a state. */
const struct refund_image *refund_done_after(const struct state *st, struct text payment_ref,
                                             uint64_t number);
/* The provider says that so much of this payment has gone back by now: those that this covers are done, from the oldest
 * on. What is done already counts. Returns the number of the last one that it ended, or 0. */
uint64_t refunds_paid_back(struct state *st, struct text payment_ref, int64_t amount, const char currency[3]);
/* An open one ends. Emits. */
void refund_withdraw(struct state *st, uint64_t number);
void refund_set_done(struct state *st, uint64_t number);

/* Drops from memory what need not be there once the book has everything up to book_seq. Returns how many. */
uint32_t refunds_forget(struct state *st, uint64_t book_seq, uint32_t most);
/* One that the book had, after a FETCH. */
void state_remember_refund(struct state *st, const struct refund_image *image);

void check_refunds(struct check *c);
/* For whoever compares or loads states: each in memory, by handle from 0 on; NULL: there are no more; `number` 0: none
 * at this handle. */
const struct refund_image *refund_at(const struct state *st, uint32_t handle);

#endif
