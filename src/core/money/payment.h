/* SPDX-License-Identifier: Apache-2.0 */
/* payment.h — what becomes of a payment. Whatever app, admin or the payment provider says was paid ends in exactly one
 * of these: a confirmed reservation, a refund due (refund.h), a recorded rejection. What a buyer itself says about
 * paying never counts.
 *
 *   on a held one, in time       recorded with it; if it ends without a sale: a refund due
 *   on a confirmed one           the recorded payment again: nothing; the first to be told: recorded; another: a refund due
 *   on one that has expired      confirmed, if all is still free and `late_payment` allows; else a refund due
 *   on any other that has ended  a refund due
 */
#ifndef CORE_PAYMENT_H
#define CORE_PAYMENT_H

#include "core/step.h"

/* The payment if it counts, coming from this caller; at == NULL: it does not, or there is none. */
struct text payment_trusted(const struct state *st, struct text ref);

/* Records method and payment (at == NULL: unchanged) with a reservation whose change follows. *replaced is the payment
 * that was recorded before, for payment_replaced. False: this payment is recorded already, or none is given. */
bool payment_record(struct state *st, struct reservation *r, struct text method, struct text ref,
                    struct text *replaced);
/* The change is made: what was replaced, if anything, is to be refunded. Takes it. */
void payment_replaced(struct state *st, uint32_t handle, struct text replaced);

/* A command was refused by this code, and its payment (at == NULL: none) must not be lost: a refund due, once for each
 * reservation and payment. The code, or FETCH. */
enum outcome_code payment_refuse(struct step *step, uint32_t handle, struct text ref, enum outcome_code code,
                                 struct outcome *out);
/* Whether a payment that comes now may confirm this one, which has expired: late.c. False with a code other than OK: RETRY. */
bool payment_welcome_late(struct step *step, uint32_t handle, enum outcome_code *code);
/* A commit with this payment of one that has expired: by `late_payment` it is confirmed, or the payment is a refund due. OK,
 * EXPIRED, FETCH or RETRY. */
enum outcome_code payment_late(struct step *step, uint32_t handle, struct text ref, struct outcome *out);
/* The answer to a commit of one that is confirmed: the answer to the first one may have been lost. OK or FETCH. */
enum outcome_code payment_of_confirmed(struct step *step, uint32_t handle, struct text ref, struct outcome *out);
/* The reservation has ended without a sale, and that is emitted: what is recorded as paid is to be refunded. */
void payment_ended(struct state *st, uint32_t handle, enum refund_cause cause);

#endif
