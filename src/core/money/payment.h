/* SPDX-License-Identifier: Apache-2.0 */
/* payment.h — what becomes of a payment. Whatever app, admin or the payment provider says was paid ends in exactly one
 * of these: a confirmed reservation, a refund due (refund.h), a recorded rejection. What a buyer itself says about
 * paying never counts.
 *
 *   on a held one, in time       recorded with it; if it ends without a sale: a refund due
 *   too small, another currency  a refund due; a live one stays as it is
 *   more than the total          it buys; what is over is a refund due, once it is told how much was paid
 *   with a request that is       a recorded rejection (payment_event.h): nothing was bought, and the same payment may
 *   refused for other reasons    come again with another request
 *   on a confirmed one           the recorded payment again: nothing; the first to be told: recorded; another: a refund due
 *   on one that has expired      confirmed, if all is still free and `late_payment` allows; else a refund due
 *   on any other that has ended  a refund due
 */
#ifndef CORE_PAYMENT_H
#define CORE_PAYMENT_H

#include "core/step.h"

/* A payment as whoever vouches for it tells of it. */
struct payment {
    struct text ref;            /* at == NULL: none is told, or it does not count (payment_trusted) */
    struct text method;         /* at == NULL: not said */
    struct text attributes;     /* of the reservation, with the sale; at == NULL: unchanged */
    const uint64_t *ticket_key; /* random, two of them */
    bool has_amount;            /* the provider says how much it was: */
    int64_t amount;             /* minor units */
    char currency[4];
};

/* The payment if it counts, coming from this caller; at == NULL: it does not, or there is none. */
struct text payment_trusted(const struct state *st, struct text ref);

/* Records method and payment (at == NULL: unchanged) with a reservation whose change follows. *replaced is the payment
 * that was recorded before, for payment_replaced. False: this payment is recorded already, or none is given. */
bool payment_record(struct state *st, struct reservation *r, struct text method, struct text ref,
                    struct text *replaced);
/* The change is made: what was replaced, if anything, is to be refunded, and what is recorded now is not. Takes it. */
void payment_replaced(struct state *st, uint32_t handle, struct text replaced);

/* Whether this payment of a hold was paid back already: money that went back buys nothing. */
bool payment_went_back(struct state *st, const struct reservation *r, struct text ref, struct outcome *out);

/* A payment of this reservation has arrived, or a commit without one: the rows above, in this order. Has settled it:
 * the caller. Of one that is too small or in another currency `mismatch` says so, and it is a refund due.
 * OK, why it is refused, FETCH or RETRY; out->refund_due is what it, or what is over of it, ended in; 0: all of it was
 * used, or is accounted for. */
enum outcome_code payment_arrived(struct step *step, uint32_t handle, const struct payment *p,
                                  struct outcome *out);
/* A command was refused by this code, and its payment must not be lost: a refund due, once for each reservation and
 * payment. The code, or FETCH. */
enum outcome_code payment_refuse(struct step *step, uint32_t handle, const struct payment *p,
                                 enum outcome_code code, struct outcome *out);
/* A command of app or admin that came with a payment was refused by this code, and there is nothing to owe it to: it is
 * recorded as rejected (payment_event.c). Of any other command nothing. Returns the code. */
enum outcome_code payment_reject(struct step *step, enum outcome_code code, struct outcome *out);
/* Whether a payment that comes now may confirm this one, which has expired: late.c. False with a code other than OK: RETRY. */
bool payment_welcome_late(struct step *step, uint32_t handle, enum outcome_code *code);
/* The reservation has ended without a sale, and that is emitted: what is recorded as paid is to be refunded. `said` as
 * for refund_due. */
void payment_ended(struct state *st, uint32_t handle, enum refund_cause cause, struct text said);

#endif
