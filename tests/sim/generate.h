/* SPDX-License-Identifier: Apache-2.0 */
/* generate.h — what the people of the simulation want next, from what they know (the model) and chance. */
#ifndef TESTS_SIM_GENERATE_H
#define TESTS_SIM_GENERATE_H

#include "dice.h"
#include "model.h"

#define GENERATE_TOLD 16

/* What a client remembers between requests. */
struct generator {
    struct dice *dice;
    struct model *model;
    uint64_t next_id;
    uint64_t next_key;
    uint64_t next_ticket;
    uint32_t next_told, told_used; /* of the provider's events */
    uint32_t next_once;
    struct ask told[GENERATE_TOLD]; /* the last of them */
    uint32_t next_nonce;
    uint32_t next_value;          /* of an app key */
    uint32_t slot_percent;        /* of the items wanted */
    uint32_t lines_percent;       /* of the requests; 0: there are neither waiting rooms nor waiting lists */
    bool calls_off;               /* events are cancelled now and then: */
    int doomed;                   /* this one is next, */
    uint32_t crowd;               /* when so many have come for it; 0: none is */
    bool erases;                  /* people are erased now and then */
    uint32_t erased;              /* how many have been, or would have been */
    bool slow;                    /* more time passes between requests */
    struct ask keyed[MODEL_KEYS]; /* the last request sent under each key */
    bool keyed_used[MODEL_KEYS];
    struct { /* a version that was read, for If-Match */
        bool known;
        int event, seat;
        uint64_t version;
        uint32_t claims;
    } seen;
};

/* The next request; false: there is nothing left to ask for. */
bool generate(struct generator *g, struct ask *out);
/* The request that makes an event, its seats or its pool, for the beginning. */
void generate_event(struct generator *g, int event, struct ask *out);
void generate_import(struct generator *g, int event, struct ask *out);
void generate_pool(struct generator *g, int event, int pool, struct ask *out);
/* One that there is, mostly. */
int generate_event_any(struct generator *g);
int generate_seat_any(struct generator *g, int event);
/* ---- reservations: generate_claims.c ---- */
bool generate_hold(struct generator *g, struct ask *out);
bool generate_desk(struct generator *g, struct ask *out); /* something with one that there is */
/* ---- money and tickets: generate_money.c ---- */
/* Of this reservation, or r == NULL the one that is to be: it has a few of its own. */
int generate_ref(struct generator *g, const struct model_reservation *r, struct id id);
/* What app or admin says was paid for it, often nothing. */
struct ask_amount generate_said(struct generator *g, const struct model_reservation *r);
/* A hold with `commit` is one that can be judged before core has picked anything. */
void generate_payable(struct generator *g, struct ask *a);
/* A hold of which something is owed or was paid back, or NULL. */
const struct model_reservation *generate_owed_hold(struct generator *g);
struct model_reservation *generate_paid_sale(struct generator *g); /* or NULL */
bool generate_may_pay(const struct generator *g); /* the model has room for what may be owed */
bool generate_money(struct generator *g, struct ask *out);
bool generate_scan(struct generator *g, struct ask *out);
/* ---- cancelled events: generate_cancelled.c ---- */
/* Somebody buys of an event that is cancelled soon, cancels it, or asks how far that is; false: nobody does now. */
bool generate_cancelled(struct generator *g, struct ask *out);
/* One with something of a cancelled event that was not taken back yet, or NULL. */
struct model_reservation *generate_undone(struct generator *g);
/* ---- calendars: generate_calendar.c ---- */
void generate_calendar(struct generator *g, int calendar, struct ask *out);
void generate_group(struct generator *g, struct ask *out); /* one that is made, or removed */
/* Some interval of some calendar, often beside or across one that is claimed. */
void generate_slot(struct generator *g, enum role role, struct ask_item *out);
/* Right after another one of the same reservation, or before it. */
void generate_slot_beside(struct generator *g, const struct ask_item *other, struct ask_item *out);
/* Where the item goes, often across its own old interval. */
void generate_slot_move(struct generator *g, const struct model_item *item, struct ask *out);
void generate_slots_query(struct generator *g, int calendar, struct slots_query *out);
/* Until the clock is at an edge of a claimed slot, or just before or after it. */
int64_t generate_slot_pause(struct generator *g);
/* ---- waiting rooms and waiting lists: generate_entries.c ---- */
void generate_line_settings(struct generator *g, struct ask *out); /* of an event that is put */
bool generate_lines(struct generator *g, struct ask *out);
/* A pass for the request of this owner, mostly a good one; event: -1 for that of its items. */
void generate_pass(struct generator *g, struct ask *a, int event, int owner);
/* Somebody who may claim what the request wants; -1: nobody is known. */
int generate_admitted(struct generator *g, const struct ask *a);
/* Until something in a line comes to its time, or just before or after it. */
int64_t generate_line_pause(struct generator *g);
/* ---- prices: generate_price.c ---- */
void generate_prices(struct generator *g, struct ask_settings *s);
void generate_pool_prices(struct generator *g, int event, uint8_t prices[ASK_CATEGORIES]);
int generate_category(struct generator *g, int event);                          /* one that it has, mostly */
int generate_item_category(struct generator *g, const struct model_item *item); /* and with a price */
/* ---- who may buy: generate_access.c ---- */
void generate_access(struct generator *g, struct ask_settings *s); /* of an event or calendar that is put */
void generate_codes(struct generator *g, int event, struct ask *out);
void generate_code_remove(struct generator *g, int event, struct ask *out);
int generate_code(struct generator *g, int event); /* a good one, mostly; 0: none */
void generate_item_codes(struct generator *g, struct ask *a);
int generate_allotment(struct generator *g); /* one that seats may be in; 0: none */
/* What the items name, mostly what they are in and seldom by who may not. */
void generate_item_allotments(struct generator *g, struct ask *a);
/* Sometimes the same request again, or another one under the same key. */
void generate_key(struct generator *g, struct ask *a);
/* How many more reservations the model can take, when all who wait are offered one. */
int generate_free(const struct generator *g);
/* For all: a request of which nothing is said yet, and the terms of an event or calendar. */
void ask_clear(struct ask *a, enum command_kind kind);
struct ask_settings generate_terms(struct generator *g);

/* How far the clock goes until the next request: often nothing, sometimes to the very millisecond of a
 * deadline. */
int64_t generate_pause(struct generator *g);

#endif
