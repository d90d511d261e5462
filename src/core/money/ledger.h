/* SPDX-License-Identifier: Apache-2.0 */
/* ledger.h — what follows from the facts about payments, and the only place that says so.
 *
 *   received  the provider's greatest success, which is final; else 0 if it failed; else the app's word
 *   kept      while confirmed: the items' prices, filled by the payment that confirmed, then in order of first money,
 *             each up to received - returned; another currency fills nothing, and is kept whole if it was sold on
 *   returned  the greater of the provider's and staff's totals, and what staff paid back outside the provider
 *   owed      max(0, received - kept - returned): exactly one open refund due (refund.h)
 *
 * So kept + returned + owed = max(received, returned), and equal facts give an equal ledger in whatever order they came.
 * Of a reservation that was pruned `kept` stays as it was. A hold keeps nothing: what was received for it is owed, and
 * neither its expiry nor its release changes anything here.
 */
#ifndef CORE_LEDGER_H
#define CORE_LEDGER_H

#include "core/money/payment.h"
#include "core/state.h"

/* Why the ledger is computed again. */
struct ledger_why {
    enum refund_cause cause; /* of what is owed from now on; 0: it follows from the row and its reservation */
    struct text said;        /* in staff's own words, in place of the cause; at == NULL: none */
    bool paid_back;          /* staff has paid back what this makes owed */
    int64_t aside;           /* what went back now that is not part of the open refund due */
};

int64_t ledger_received(const struct payment_image *p);
/* Whether it pays for this: its best word, less what went back or is owed. Another currency pays for nothing. */
bool ledger_covers(const struct payment_image *p, const char currency[3], int64_t total);
/* Total less what is kept; 0 unless confirmed. */
int64_t ledger_balance(const struct state *st, uint32_t handle);

/* The rows of the reservation, for its image; good until the next command. */
void ledger_show(struct state *st, uint32_t handle, struct reservation_image *out);

/* The reservation has changed, and that is emitted: its rows follow. */
void ledger_settle(struct state *st, uint32_t handle, const struct ledger_why *why);
/* This payment has these facts from now on (the rest of the image is not looked at), and all rows of its reservation
 * follow; TABLE_NONE: it has none in memory. Its first money is noted if it has any now. */
void ledger_tell(struct state *st, uint32_t handle, struct payment_image told, const struct ledger_why *why);

/* A row that is not in memory. FETCH: the book is to be asked; `none`: it was asked just now, and there is none. */
enum outcome_code payment_fetch(struct state *st, const struct command *c, struct payment_key key,
                                enum outcome_code none, struct outcome *out);
/* The refund due that the command names is in memory; or NO_SUCH_REFUND, FETCH. */
enum outcome_code refund_known(struct state *st, const struct command *c, struct outcome *out);
/* Fills the outcome with one in memory. OK. */
enum outcome_code refund_answer(struct state *st, uint64_t number, struct outcome *out);

/* Computes the rows of this one's reservation anew and compares. */
void ledger_check(struct check *c, const struct payment *p);

#endif
