/* SPDX-License-Identifier: Apache-2.0 */
/* model_money.h — the model's part for payments, refunds and what goes back; model.h includes it.
 *
 * Every payment that app, admin or the provider tells of is noted with its reservation, and model_money_check asks
 * what became of each: it is what the reservation was sold for or is held with, or it is owed, once.
 */
#ifndef TESTS_SIM_MODEL_MONEY_H
#define TESTS_SIM_MODEL_MONEY_H

#include "ask.h"

#define MODEL_REFUNDS 1024 /* of one run */
#define MODEL_TOLD 64      /* events of the provider that may come again: the last */
#define MODEL_PAID 8       /* payments of one reservation */

struct model;
struct model_reservation;
struct model_answer;

enum model_due { MODEL_OPEN, MODEL_DONE, MODEL_WITHDRAWN };
struct model_refund {
    uint64_t number; /* 0: it is owed, and that is not written down yet */
    struct id reservation;
    int64_t amount, done_at;
    int16_t ref;
    char currency;
    uint8_t state, told; /* enum model_due; told: as last written down */
};

/* A payment of a reservation, as its ledger has it. */
struct model_paid {
    int16_t ref; /* 0: none */
    bool never;  /* the provider says that it failed, or that it was nothing */
};

struct model_event_told {
    uint32_t number; /* 0: none */
    uint8_t result;  /* enum payment_result */
    uint64_t refund;
};

struct model_money {
    struct model_refund refunds[MODEL_REFUNDS];
    uint32_t count;
    struct model_event_told told[MODEL_TOLD]; /* a ring */
    uint32_t told_count;
};

/* What the answer says of the payment. */
struct model_settled {
    bool rejected;    /* it is recorded that it came in vain */
    bool due;         /* it is owed, or paid back: */
    struct id due_of; /* of this reservation, unless `last` says more */
    int due_ref;
    bool last;                         /* the refund due that was ended last */
    uint64_t number;                   /* with last */
    enum payment_result result;        /* PAYMENT_EVENT */
    struct model_event_told *told;     /* the same: what is remembered of it */
    bool again;                        /* it was told before */
    bool late;                         /* it was sold after it had expired */
    const struct model_refund *refund; /* REFUND_DONE, REFUND_LOOK */
};

/* ---- payments: model_money.c ---- */
int64_t model_total(const struct model_reservation *r);
/* One that is owed or paid back, or NULL. */
struct model_refund *model_refund_of(struct model *m, struct id reservation, int ref);
void model_commit(struct model *m, const struct ask *a, struct model_reservation *r,
                  struct model_answer *out);
void model_payment(struct model *m, const struct ask *a, struct model_reservation *r,
                   struct model_answer *out);
/* It was sold in one step, for this payment. */
void model_sold_for(struct model_reservation *r, int ref);
/* It has ended without a sale. */
void model_unsold(struct model *m, struct model_reservation *r);
/* The request is refused, and the payment that came with it is for nothing. */
void model_rejected(const struct ask *a, struct model_answer *out);
void model_owe(struct model *m, const struct model_reservation *r, int ref, int64_t amount, char currency);
/* The provider's events, and REFUND_DONE and REFUND_LOOK. */
void model_told(struct model *m, const struct ask *a, struct model_answer *out);
void model_refund_done(struct model *m, const struct ask *a, struct model_answer *out);
/* What core writes down of refunds due; NULL, or what is wrong. */
bool model_ref_differs(struct text found, int ref);
const char *model_refund_told(struct model *m, const struct refund_image *image, bool made);
const char *model_refunds_told(const struct model *m); /* all of it is, by now */
/* What became of every payment; NULL, or what is wrong. */
const char *model_money_check(struct model *m);

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
