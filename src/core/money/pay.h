/* SPDX-License-Identifier: Apache-2.0 */
/* pay.h — what a payment does to its reservation. What a buyer says about paying never counts: only app, admin and the
 * provider vouch for money.
 *
 *   held, in time       it confirms if what can be used of it covers the total; else it is owed
 *   expired             the same, if everything is still free and `late_payment` allows (late.c)
 *   confirmed           it fills the balance; what is over is owed
 *   ended otherwise     it is owed
 *
 * What is owed or went back confirms nothing. The sums are the ledger's (ledger.h).
 */
#ifndef CORE_PAY_H
#define CORE_PAY_H

#include "core/money/payment.h"
#include "core/step.h"

/* What comes with a payment. */
struct pay {
    struct text ref;            /* at == NULL: none is named, or it does not count (pay_trusted) */
    struct text method;         /* at == NULL: not said */
    struct text attributes;     /* of the reservation, with the sale; at == NULL: unchanged */
    struct money amount;        /* that app or admin name */
    const uint64_t *ticket_key; /* random, two of them */
};

/* The reference if it counts, coming from this caller; at == NULL: it does not, or there is none. */
struct text pay_trusted(const struct state *st, struct text ref);
/* Before anything is settled: whether the row of the payment that the command brings is in memory, if there is one. OK or
 * FETCH. */
enum outcome_code pay_look_up(struct step *step, struct outcome *out);
/* The row of this payment, in memory or new, for this reservation. False: its money belongs to another reservation. */
bool pay_row(const struct state *st, struct text ref, struct id reservation, struct payment_image *row);

/* COMMIT. Has settled it: the caller. */
enum outcome_code pay_commit(struct step *step, uint32_t handle, const struct pay *p, struct outcome *out);
/* A payment of which `row` has the facts by now. OK: it is confirmed, or was; *confirmed: by this. Otherwise why it is
 * not, or RETRY, which has told nothing. */
enum outcome_code pay_arrived(struct step *step, uint32_t handle, const struct payment_image *row,
                              const struct pay *p, bool *confirmed, struct outcome *out);
/* PAYMENT: the reference is kept as begun. OK, or PAYMENT_USED. */
enum outcome_code pay_begin(struct step *step, uint32_t handle, struct text ref, struct outcome *out);
/* HOLD with `commit`, planned and not granted yet: whether its payment covers this total. OK, PAYMENT_USED or
 * PAYMENT_REQUIRED. */
enum outcome_code pay_judge_hold(struct step *step, int64_t total, const char currency[3],
                                 struct outcome *out);
/* It is granted and confirmed, and that is emitted. */
void pay_for_hold(struct step *step, uint32_t handle);

/* Whether any money was received for it. */
bool pay_received_any(const struct state *st, uint32_t handle);

/* Whether a payment that comes now may confirm this one, which has expired: late.c. False with a code other than OK:
 * RETRY. */
bool late_payment_acceptable(struct step *step, uint32_t handle, enum outcome_code *code);

/* A hold of app or admin that came with a payment was refused by this code: that is recorded (payment_event.c). Of any other
 * command nothing. Returns the code. */
enum outcome_code pay_reject(struct step *step, enum outcome_code code, struct outcome *out);

#endif
