/* SPDX-License-Identifier: Apache-2.0 */
/* model_door.h — the model's part for tickets at the door; model.h includes it.
 *
 * An unused ticket follows from the sale. Only tickets that were shown, and the last void ones, are remembered: as many
 * as there is room for, and no others are shown. */
#ifndef TESTS_SIM_MODEL_DOOR_H
#define TESTS_SIM_MODEL_DOOR_H

#include "ask.h"

#define MODEL_TICKETS 96

struct model;
struct model_item;
struct model_reservation;
struct model_answer;

struct model_ticket {
    bool known; /* the slot is in use */
    struct ask_code_of code;
    struct id reservation;
    bool is_void;
    int8_t event;     /* of a void one; -1: it was of a slot, or the event is gone */
    uint64_t reissue; /* the same */
    uint8_t result;   /* of the last use, enum check_in_result; 0: none */
    int8_t gate;
    uint32_t nonce;
    int64_t at;
};

/* A scan recorded with a nonce. The last ones: no others are repeated. */
#define MODEL_SCANS 64
struct model_recorded {
    struct ask_code_of code;
    uint32_t nonce; /* 0: the slot is free */
    uint8_t result;
    int8_t gate;
    int64_t at, recorded;
};

struct model_door {
    struct model_ticket tickets[MODEL_TICKETS];
    uint32_t turn; /* the slot to check next when one is needed */
    struct model_recorded scans[MODEL_SCANS];
    uint32_t next_scan; /* the oldest slot */
};

/* The expected answer. */
struct model_scanned {
    bool shown;     /* the ticket is */
    uint8_t result; /* that it must have; 0: any */
    bool has_use;   /* with: */
    int64_t at;
    int gate;
    uint64_t reissue;
};

void model_scan(struct model *m, const struct ask *a, struct model_answer *out); /* CHECK_IN, TICKET_LOOK */
/* A ticket of the item was checked in. */
bool model_ticket_used(const struct model *m, const struct model_reservation *r,
                       const struct model_item *item);
void model_tickets_void(struct model *m, const struct model_reservation *r, const struct model_item *item);
void model_tickets_event_gone(struct model *m, int event);
void model_tickets_lose(struct model *m, struct id reservation); /* drops them from the model */
uint32_t model_tickets_free(const struct model *m);              /* how many more can be shown */

#endif
