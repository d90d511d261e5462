/* SPDX-License-Identifier: Apache-2.0 */
/* model_money.h — the model's part for payments, refunds and what goes back; model.h includes it.
 *
 * What is told of a payment is noted as facts, and nothing else. The ledger is added up from them, and from how the
 * reservation stands, after every request, for every payment there is (model_ledger.c); core must have written down all that
 * is different since, and nothing that is not.
 */
#ifndef TESTS_SIM_MODEL_MONEY_H
#define TESTS_SIM_MODEL_MONEY_H

#include "ask.h"

#define MODEL_ROWS 400    /* payments of one run */
#define MODEL_REFUNDS 800 /* refunds due, the same */
#define MODEL_TOLD 64     /* events of the provider that may come again: the last */
#define MODEL_ONCE 32     /* the same of what counts once */

struct model;
struct model_reservation;
struct model_answer;

/* What was told of a payment. Currencies are letters, 0: none was named. */
struct model_facts {
    struct id reservation; /* the one it belongs to; without money: that named it last */
    int64_t app, paid;     /* said, succeeded: how much */
    int64_t refunded, refund_failed, disputed, reinstated;
    int64_t staff, outside;
    uint32_t rank; /* of its first money among all; 0: it has none */
    uint32_t disputes, disputes_over;
    bool unknown, said, assumed, succeeded, failed;
    char app_currency, paid_currency, back_currency;
};

/* What follows. */
struct model_sums {
    int64_t received, kept, returned, owed;
    uint8_t discrepancy; /* enum discrepancy */
    char currency;       /* 0: that of the reservation */
};

struct model_row {
    int16_t ref;
    int16_t slot;                /* of its reservation; -1: nobody sees that any more, or there is none */
    uint64_t number;             /* as core says; 0: it is not written down yet */
    struct model_facts is, told; /* told: as last written down */
    struct model_sums now, told_sums;
    int64_t aside; /* in this request so much went back that is not of the open refund due */
    struct {       /* how the reservation was when it was lost sight of */
        uint8_t status;
        char currency;
        bool confirmed_with; /* this payment */
        int64_t total;
    } gone;
};

struct model_refund {
    uint64_t number; /* 0: it is owed, and that is not written down yet */
    int64_t amount, told_amount, done_at,
        returned_at; /* returned_at: what had gone back of the payment when it was made */
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

/* What the answer says of the payment. */
struct model_settled {
    bool rejected;                     /* it is recorded that it came in vain */
    int due_ref;                       /* what is open of this payment is told; 0: nothing is */
    bool due_ended;                    /* or if there is none what went back last */
    struct id used_by;                 /* PAYMENT_USED */
    enum payment_result result;        /* PAYMENT_EVENT */
    struct model_event_told *told;     /* the same: what is remembered of it */
    bool again;                        /* it was told before */
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
/* Whether its money is not another's than this reservation's, which may be unknown. */
bool model_row_free(const struct model_row *row, struct id reservation);
/* The row of this payment, named for this reservation by now (id_none: for none), whose place is known (-1: not). */
struct model_row *model_row_named(struct model *m, int ref, struct id reservation, int slot);
int64_t model_received(const struct model_facts *f);
int64_t model_returned(const struct model_facts *f);
char model_row_currency(const struct model_facts *f); /* 0: none is told */
void model_first_money(struct model *m, struct model_row *row);
/* After every request: all rows are added up, and what is due of them follows. paid_back: staff has paid back what this made
 * owed to this reservation; NULL: nothing. */
void model_settle(struct model *m, const struct model_reservation *paid_back);
/* Nobody looks at it any more. */
bool model_may_lose(const struct model *m, const struct model_reservation *r);
void model_rows_lose(struct model *m, const struct model_reservation *r);
struct model_refund *model_open_due(struct model *m, int row); /* or NULL */
/* What core writes down; NULL, or what is wrong. made: for the first time. */
bool model_ref_differs(struct text found, int ref);
const char *model_row_told(struct model *m, const struct payment_image *image);
const char *model_refund_told(struct model *m, const struct refund_image *image, bool made);
/* It is due from now on, or its amount is another than before. */
bool model_refund_grown(const struct model *m, const struct refund_image *image);
bool model_refund_news(const struct model *m, const struct refund_image *image);
const char *model_money_told(const struct model *m); /* all of it is, by now */
const char *model_row_differs(const struct model_row *row, const struct payment_image *image);
const char *model_money_check(struct model *m); /* it adds up */

/* ---- payments: model_money.c ---- */
void model_commit(struct model *m, const struct ask *a, struct model_reservation *r,
                  struct model_answer *out);
void model_payment(struct model *m, const struct ask *a, struct model_reservation *r,
                   struct model_answer *out);
/* A hold with `commit` that everything else allows. total: what it costs, -1: core alone knows. */
enum outcome_code model_pay_hold(struct model *m, const struct ask *a, char currency, int64_t total,
                                 struct model_answer *out);
/* It was sold in one step, for this payment; the total is known by now. */
void model_paid_hold(struct model *m, const struct ask *a, struct model_reservation *r);
/* The request is refused, and the payment that came with it is for nothing. */
void model_rejected(const struct ask *a, struct model_answer *out);
/* The provider's events. */
void model_told(struct model *m, const struct ask *a, struct model_answer *out);
void model_refund_done(struct model *m, const struct ask *a, struct model_answer *out);
void model_payment_look(struct model *m, const struct ask *a, struct model_answer *out);

/* ---- late ones: model_late.c ---- */

/* A new reservation comes under the terms of all that there is by now; and whoever has one under those of an event or
 * calendar that is made only now. */
void model_terms_begin(const struct model *m, struct model_reservation *r);
void model_terms_event_made(struct model *m, int event);
void model_terms_calendar_made(struct model *m, int calendar);
/* Whether a payment that comes now buys what has expired. */
bool model_late(struct model *m, const struct model_reservation *r, struct model_answer *out);

/* ---- what goes back: model_back.c ---- */
void model_refund(struct model *m, const struct ask *a, struct model_reservation *r,
                  struct model_answer *out);
void model_cancel(struct model *m, const struct ask *a, struct model_reservation *r,
                  struct model_answer *out);
/* A sale, of what it has of this event, which does not take place. */
void model_back(struct model *m, struct model_reservation *r, int event);

#endif
