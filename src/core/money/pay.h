/* SPDX-License-Identifier: Apache-2.0 */
/* pay.h — what a payment does to its reservation. What a buyer reports about a payment never counts: only app, admin
 * and the provider vouch for money.
 *
 *   held, in time       it confirms if its usable part covers the total; else it is owed
 *   expired             the same, if everything is still free and `late_payment` allows (late.c)
 *   confirmed           it fills the balance; the excess is owed
 *   ended otherwise     it is owed
 *
 * Money that is owed or was returned confirms nothing. The sums are the ledger's (ledger.h).
 */
#ifndef CORE_PAY_H
#define CORE_PAY_H

#include "core/money/payment.h"
#include "core/step.h"

/* What comes with a payment. */
struct pay {
    struct text ref;            /* none: not named, or not trusted (pay_trusted) */
    struct text method;         /* optional */
    struct text attributes;     /* of the reservation, with the sale; none: unchanged */
    struct money amount;        /* as app or admin report it */
    const uint64_t *ticket_key; /* random, two of them */
};

/* The reference if this caller is trusted with it; none: not trusted, or not given. */
struct text pay_trusted(const struct state *st, struct text ref);
/* Before anything is settled: whether the row of the command's payment is in memory, if there is one. OK or FETCH. */
enum outcome_code pay_look_up(struct step *step, struct outcome *out);
/* The row of this payment, in memory or new, for this reservation. False: its money belongs to another reservation. */
bool pay_row(const struct state *st, struct text ref, struct id reservation, struct payment_image *row);

/* COMMIT. The caller has settled the reservation. */
enum outcome_code pay_commit(struct step *step, uint32_t handle, const struct pay *p, struct outcome *out);
/* A payment has arrived; `row` has its facts. OK: the reservation is confirmed; *confirmed: by this payment. Otherwise
 * why not, or RETRY, which has recorded nothing. */
enum outcome_code pay_arrived(struct step *step, uint32_t handle, const struct payment_image *row,
                              const struct pay *p, bool *confirmed, struct outcome *out);
/* PAYMENT: records the reference as begun. OK, or PAYMENT_USED. */
enum outcome_code pay_begin(struct step *step, uint32_t handle, struct text ref, struct outcome *out);
/* HOLD with `commit`, planned but not granted: whether its payment covers this total. OK, PAYMENT_USED or
 * PAYMENT_REQUIRED. */
enum outcome_code pay_judge_hold(struct step *step, int64_t total, const char currency[3],
                                 struct outcome *out);
/* The hold is granted and confirmed, and that is emitted: records its payment. */
void pay_for_hold(struct step *step, uint32_t handle);

/* Whether any money was received for it. */
bool pay_received_any(const struct state *st, uint32_t handle);

/* Whether a payment that arrives now can confirm this expired reservation: late.c. False with a code other than OK:
 * RETRY. */
bool late_payment_acceptable(struct step *step, uint32_t handle, enum outcome_code *code);

/* A hold of app or admin that came with a payment was refused with this code: records that (payment_event.c). Does
 * nothing for other commands. Returns the code. */
enum outcome_code pay_reject(struct step *step, enum outcome_code code, struct outcome *out);

#endif
