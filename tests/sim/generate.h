/* SPDX-License-Identifier: Apache-2.0 */
/* generate.h — the next request of the simulated people, from what they know (the model) and chance. */
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
    uint32_t slot_percent;        /* of the items requested */
    uint32_t lines_percent;       /* of the requests; 0: no waiting rooms or waiting lists */
    bool calls_off;               /* events are cancelled occasionally: */
    int doomed;                   /* the next one, */
    uint32_t crowd;               /* when this many have come for it; 0: none */
    bool erases;                  /* users are erased occasionally */
    uint32_t erased;              /* how many were, or would have been */
    bool slow;                    /* more time passes between requests */
    struct ask keyed[MODEL_KEYS]; /* the last request sent with each key */
    bool keyed_used[MODEL_KEYS];
    struct { /* a version that was read, for If-Match */
        bool known;
        int event, seat;
        uint64_t version;
        uint32_t claims;
    } seen;
};

/* The next request; false: there is nothing left to request. */
bool generate(struct generator *g, struct ask *out);
/* The request that creates an event, its seats or its pool, at the start. */
void generate_event(struct generator *g, int event, struct ask *out);
void generate_import(struct generator *g, int event, struct ask *out);
void generate_pool(struct generator *g, int event, int pool, struct ask *out);
/* An existing one, mostly. */
int generate_event_any(struct generator *g);
int generate_seat_any(struct generator *g, int event);
/* ---- reservations: generate_claims.c ---- */
bool generate_hold(struct generator *g, struct ask *out);
bool generate_desk(struct generator *g, struct ask *out); /* something with an existing one */
/* ---- money and tickets: generate_money.c ---- */
/* Of this reservation, or r == NULL a future one: it has a few of its own. */
int generate_ref(struct generator *g, const struct model_reservation *r, struct id id);
/* The amount that app or admin reports, often none. */
struct ask_amount generate_said(struct generator *g, const struct model_reservation *r);
/* A hold with `commit` that can be judged before core has picked anything. */
void generate_payable(struct generator *g, struct ask *a);
/* A hold with money owed or paid back, or NULL. */
const struct model_reservation *generate_owed_hold(struct generator *g);
struct model_reservation *generate_paid_sale(struct generator *g); /* or NULL */
bool generate_may_pay(const struct generator *g); /* the model has room for what could be owed */
bool generate_money(struct generator *g, struct ask *out);
bool generate_scan(struct generator *g, struct ask *out);
/* ---- cancelled events: generate_cancelled.c ---- */
/* A purchase for an event that is cancelled soon, its cancellation, or a query of the progress; false: nothing now. */
bool generate_cancelled(struct generator *g, struct ask *out);
/* One with something of a cancelled event that was not taken back yet, or NULL. */
struct model_reservation *generate_undone(struct generator *g);
/* ---- calendars: generate_calendar.c ---- */
void generate_calendar(struct generator *g, int calendar, struct ask *out);
void generate_group(struct generator *g, struct ask *out); /* creates or removes one */
/* Some interval of some calendar, often next to or across a claimed one. */
void generate_slot(struct generator *g, enum role role, struct ask_item *out);
/* Right after another one of the same reservation, or before it. */
void generate_slot_beside(struct generator *g, const struct ask_item *other, struct ask_item *out);
/* The new interval of the item, often across its own old one. */
void generate_slot_move(struct generator *g, const struct model_item *item, struct ask *out);
void generate_slots_query(struct generator *g, int calendar, struct slots_query *out);
/* Until the clock is at an edge of a claimed slot, or just before or after it. */
int64_t generate_slot_pause(struct generator *g);
/* ---- waiting rooms and waiting lists: generate_entries.c ---- */
void generate_line_settings(struct generator *g, struct ask *out); /* of an event that is put */
bool generate_lines(struct generator *g, struct ask *out);
/* A pass for the request of this owner, mostly a good one; event: -1 for that of its items. */
void generate_pass(struct generator *g, struct ask *a, int event, int owner);
/* A user who may claim what the request wants; -1: none is known. */
int generate_admitted(struct generator *g, const struct ask *a);
/* Until something in a line is due, or just before or after it. */
int64_t generate_line_pause(struct generator *g);
/* ---- prices: generate_price.c ---- */
void generate_prices(struct generator *g, struct ask_settings *s);
void generate_pool_prices(struct generator *g, int event, uint8_t prices[ASK_CATEGORIES]);
int generate_category(struct generator *g, int event);                          /* an existing one, mostly */
int generate_item_category(struct generator *g, const struct model_item *item); /* and with a price */
/* ---- who may buy: generate_access.c ---- */
void generate_access(struct generator *g, struct ask_settings *s); /* of an event or calendar that is put */
void generate_codes(struct generator *g, int event, struct ask *out);
void generate_code_remove(struct generator *g, int event, struct ask *out);
int generate_code(struct generator *g, int event); /* a good one, mostly; 0: none */
void generate_item_codes(struct generator *g, struct ask *a);
int generate_allotment(struct generator *g); /* one that seats may be in; 0: none */
/* The allotments that items name, mostly the right ones and rarely without permission. */
void generate_item_allotments(struct generator *g, struct ask *a);
/* Sometimes the same request again, or another one with the same key. */
void generate_key(struct generator *g, struct ask *a);
/* How many more reservations the model can take if all waiting entries get an offer. */
int generate_free(const struct generator *g);
/* For all: an empty request, and the terms of an event or calendar. */
void ask_clear(struct ask *a, enum command_kind kind);
struct ask_settings generate_terms(struct generator *g);

/* How far the clock advances until the next request: often not at all, sometimes to the very millisecond of a
 * deadline. */
int64_t generate_pause(struct generator *g);

#endif
