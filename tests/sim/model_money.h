/* SPDX-License-Identifier: Apache-2.0 */
/* model_money.h — the model's part for payments, refunds and returns; model.h includes it.
 *
 * Reports about a payment are recorded as facts, and nothing else. The ledger is computed from them, and from the state
 * of the reservation, after every request, for every payment (model_ledger.c); core must have recorded every difference
 * since, and nothing else.
 */
#ifndef TESTS_SIM_MODEL_MONEY_H
#define TESTS_SIM_MODEL_MONEY_H

#include "ask.h"

#define MODEL_ROWS 400    /* payments of one run */
#define MODEL_REFUNDS 800 /* refunds due, the same */
#define MODEL_TOLD 64     /* events of the provider that can come again: the last */
#define MODEL_ONCE 32     /* the same for `once` keys */

struct model;
struct model_reservation;
struct model_answer;

/* Reports about a payment. Currencies are letters, 0: none was named. */
struct model_facts {
    struct id reservation; /* owner; without money: the last one named */
    int64_t app, paid;     /* reported amount, amount of the success */
    int64_t refunded, refund_failed, disputed, reinstated;
    int64_t staff, outside;
    uint32_t rank; /* of its first money among all; 0: it has none */
    uint32_t disputes, disputes_over;
    bool unknown, said, assumed, succeeded, failed;
    char app_currency, paid_currency, back_currency;
};

/* The computed sums. */
struct model_sums {
    int64_t received, kept, returned, owed;
    uint8_t discrepancy; /* enum discrepancy */
    char currency;       /* 0: that of the reservation */
};

struct model_row {
    int16_t ref;
    int16_t slot;                /* of its reservation; -1: no longer in the model, or none */
    uint64_t number;             /* as in core; 0: not recorded yet */
    struct model_facts is, told; /* told: as last recorded */
    struct model_sums now, told_sums;
    int64_t aside; /* amount returned in this request that is not part of the open refund due */
    struct {       /* the reservation when it was dropped from the model */
        uint8_t status;
        char currency;
        bool confirmed_with; /* this payment */
        int64_t total;
    } gone;
};

struct model_refund {
    uint64_t number; /* 0: it is owed, and that is not recorded yet */
    int64_t amount, told_amount, done_at,
        returned_at; /* returned_at: amount returned of the payment when it was created */
    int16_t row;
    char currency, told_currency;
    uint8_t status; /* enum refund_status */
    bool changed, untold;
};

struct model_event_told {
    uint32_t number; /* 0: none */
    uint8_t result;  /* enum payment_result */
    uint64_t refund;
};

struct model_money {
    struct model_row rows[MODEL_ROWS];
    uint32_t row_count, next_rank;
    struct model_refund refunds[MODEL_REFUNDS];
    uint32_t count;
    struct model_event_told told[MODEL_TOLD]; /* a ring */
    uint32_t told_count;
    uint32_t once[MODEL_ONCE]; /* the same */
    uint32_t once_count;
};

/* The expected answer about the payment. */
struct model_settled {
    bool rejected;                     /* it is recorded as rejected */
    int due_ref;                       /* the open refund due of this payment is shown; 0: none */
    bool due_ended;                    /* or if there is none the last one */
    struct id used_by;                 /* PAYMENT_USED */
    enum payment_result result;        /* PAYMENT_EVENT */
    struct model_event_told *told;     /* the same: the recorded event */
    bool again;                        /* a repetition */
    bool late;                         /* it was sold after it had expired */
    bool withdrawn;                    /* REFUND_DONE: of one that was */
    const struct model_refund *refund; /* REFUND_DONE, REFUND_LOOK */
    const struct model_row *row;       /* PAYMENT_LOOK */
};

/* ---- the ledger: model_ledger.c ---- */
int64_t model_total(const struct model_reservation *r);
int64_t model_balance(struct model *m, const struct model_reservation *r);
bool model_has_rows(const struct model *m, const struct model_reservation *r);
bool model_received_any(struct model *m, const struct model_reservation *r);
struct model_row *model_row_of(struct model *m, int ref); /* or NULL */
struct model_row *model_row_by_text(struct model *m, struct text ref);
/* Whether its money does not belong to a reservation other than this one, which can be unknown. */
bool model_row_free(const struct model_row *row, struct id reservation);
/* The row of this payment, named for this reservation now (id_none: for none), whose slot is known (-1: not). */
struct model_row *model_row_named(struct model *m, int ref, struct id reservation, int slot);
int64_t model_received(const struct model_facts *f);
int64_t model_returned(const struct model_facts *f);
char model_row_currency(const struct model_facts *f); /* 0: not reported */
void model_first_money(struct model *m, struct model_row *row);
/* After every request: computes all rows and their refunds due. paid_back: staff has paid back what this made owed to
 * this reservation; NULL: nothing. */
void model_settle(struct model *m, const struct model_reservation *paid_back);
/* It can be dropped from the model. */
bool model_may_lose(const struct model *m, const struct model_reservation *r);
void model_rows_lose(struct model *m, const struct model_reservation *r);
struct model_refund *model_open_due(struct model *m, int row); /* or NULL */
/* Changes recorded by core; NULL, or what is wrong. made: for the first time. */
bool model_ref_differs(struct text found, int ref);
const char *model_row_told(struct model *m, const struct payment_image *image);
const char *model_refund_told(struct model *m, const struct refund_image *image, bool made);
/* It is due from now on, or its amount has changed. */
bool model_refund_grown(const struct model *m, const struct refund_image *image);
bool model_refund_news(const struct model *m, const struct refund_image *image);
const char *model_money_told(const struct model *m); /* all of it is recorded by now */
const char *model_row_differs(const struct model_row *row, const struct payment_image *image);
const char *model_money_check(struct model *m); /* it adds up */

/* ---- payments: model_money.c ---- */
void model_commit(struct model *m, const struct ask *a, struct model_reservation *r,
                  struct model_answer *out);
void model_payment(struct model *m, const struct ask *a, struct model_reservation *r,
                   struct model_answer *out);
/* A hold with `commit` that is otherwise allowed. total: its price, -1: only core knows. */
enum outcome_code model_pay_hold(struct model *m, const struct ask *a, char currency, int64_t total,
                                 struct model_answer *out);
/* It was sold in one step, for this payment; the total is known now. */
void model_paid_hold(struct model *m, const struct ask *a, struct model_reservation *r);
/* The request is refused, and its payment has no effect. */
void model_rejected(const struct ask *a, struct model_answer *out);
/* The provider's events. */
void model_told(struct model *m, const struct ask *a, struct model_answer *out);
void model_refund_done(struct model *m, const struct ask *a, struct model_answer *out);
void model_payment_look(struct model *m, const struct ask *a, struct model_answer *out);

/* ---- late ones: model_late.c ---- */

/* A new reservation has the terms of everything that exists now; and existing ones get those of an event or calendar
 * that is created only now. */
void model_terms_begin(const struct model *m, struct model_reservation *r);
void model_terms_event_made(struct model *m, int event);
void model_terms_calendar_made(struct model *m, int calendar);
/* Whether a late payment confirms an expired reservation. */
bool model_late(struct model *m, const struct model_reservation *r, struct model_answer *out);

/* ---- what goes back: model_back.c ---- */
void model_refund(struct model *m, const struct ask *a, struct model_reservation *r,
                  struct model_answer *out);
void model_cancel(struct model *m, const struct ask *a, struct model_reservation *r,
                  struct model_answer *out);
/* A sale, of its items of this event, which is cancelled. */
void model_back(struct model *m, struct model_reservation *r, int event);

#endif
