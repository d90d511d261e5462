/* SPDX-License-Identifier: Apache-2.0 */
/* ledger.h — computes the ledger from the facts about payments; nothing else does.
 *
 *   received  the provider's greatest success, which is final; else 0 if it failed; else what the app reported
 *   kept      while confirmed: the items' prices, covered by the payment that confirmed, then in order of first money,
 *             each up to received - returned; another currency covers nothing, but is kept whole if it confirmed
 *   returned  the greater of the provider's and staff's totals, plus what staff paid back outside the provider
 *   owed      max(0, received - kept - returned): exactly one open refund due (refund.h)
 *
 * So kept + returned + owed = max(received, returned), and equal facts give an equal ledger in whatever order they
 * arrive. If the reservation was pruned, `kept` stays as it was. A hold keeps nothing: what was received for it is
 * owed, and neither its expiry nor its release changes that.
 */
#ifndef CORE_LEDGER_H
#define CORE_LEDGER_H

#include "core/money/payment.h"
#include "core/state.h"

/* Why the ledger is recomputed. */
struct ledger_why {
    enum refund_cause cause; /* of what is owed from now on; 0: derived from the row and its reservation */
    struct text said;        /* by staff, in place of the cause; optional */
    bool paid_back;          /* staff has already paid back what this makes owed */
    int64_t aside;           /* amount returned now that is not part of the open refund due */
};

int64_t ledger_received(const struct payment_image *p);
/* Whether it covers the total: what was received, less what was returned or is owed. Another currency covers
 * nothing. */
bool ledger_covers(const struct payment_image *p, const char currency[3], int64_t total);
/* Total less what is kept; 0 unless confirmed. */
int64_t ledger_balance(const struct state *st, uint32_t handle);

/* The rows of the reservation, for its image; valid until the next command. */
void ledger_show(struct state *st, uint32_t handle, struct reservation_image *out);

/* The reservation has changed, and the change is emitted: recomputes its rows. */
void ledger_settle(struct state *st, uint32_t handle, const struct ledger_why *why);
/* Sets the facts of this payment (the rest of the image is ignored) and recomputes all rows of its reservation;
 * TABLE_NONE: it has none in memory. Records its first money if it has any now. */
void ledger_record(struct state *st, uint32_t handle, struct payment_image facts,
                   const struct ledger_why *why);

/* For a row that is not in memory. FETCH: read it from the book; `none`: it was just looked up, and there is
 * none. */
enum outcome_code payment_fetch(struct state *st, const struct command *c, struct payment_key key,
                                enum outcome_code none, struct outcome *out);
/* OK: the refund due of the command is in memory; or NO_SUCH_REFUND, FETCH. */
enum outcome_code refund_known(struct state *st, const struct command *c, struct outcome *out);
/* Fills the outcome with one in memory. Returns OK. */
enum outcome_code refund_answer(struct state *st, uint64_t number, struct outcome *out);

/* Recomputes the rows of its reservation and compares. */
void ledger_check(struct check *c, const struct payment *p);

#endif
