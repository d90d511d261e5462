/* SPDX-License-Identifier: Apache-2.0 */
/* step.h — the scratch of one command: what it wants, what it would get, what is in its way, what it shows.
 *
 * state_apply makes it and hands it to the handler. Who makes an offer to somebody on a waiting list, settles
 * or admits has the state and no step, so nothing of the command that is under way can be lost to them. What
 * an outcome points to lives here, and is good until the next command.
 */
#ifndef CORE_STEP_H
#define CORE_STEP_H

#include "core/claim/item.h"
#include "core/claim/single.h"
#include "core/state.h"

struct request_kind; /* core/claim/kind.h */

/* A claim that the command would get. */
struct planned {
    uint32_t index; /* of the request item */
    /* a slot that stands in its timeline already, for the items of the request after it to see */
    bool counted;
    bool looked_beside; /* a seat: what it leaves alone is decided (single_seats.h) */
    struct item item;   /* without fence, id and extra */
    struct item_extra extra;
};

/* What a request item names, found once. A move is a target that knows what it comes from. */
struct target {
    const struct item_request *request;
    const struct request_kind *kind;
    const struct item *from;   /* the item that is to move; NULL: a new claim */
    bool grows;                /* a claim of more units for an item that is there, on the terms it has */
    const struct terms *terms; /* of its event or calendar; a move keeps those it has */
    uint32_t index;            /* in the request */
    struct event *event;       /* seats, pools, best; otherwise NULL */
    struct calendar *calendar; /* slots, and groups once it is picked; otherwise NULL */
    struct group *group;       /* groups; otherwise NULL */
    uint64_t open[2];          /* groups: a bit for each member that could still have it */
    struct terms widest;       /* groups: what `terms` is until it is picked */
    uint32_t part;             /* as the item's */
    int64_t start_ms, end_ms;  /* slots, groups */
    struct text category;      /* seats, pools, best: of prices; at == NULL: the event has none */
    struct code *code;         /* with which it is claimed; NULL: none */
    struct text allotment;     /* it may have what is in this one; at == NULL: in none */
    bool house;                /* and what is blocked */
    const struct text *tiers;  /* only of these, as its pass says; none: any */
    uint32_t tier_count;
};

/* The slots of a reservation, or of what it will have, on one calendar. */
struct buffer_spans {
    uint32_t count;
    struct buffer_span {
        int64_t start_ms, end_ms;
        int64_t until_ms; /* with what it may keep free after it */
    } list[2 * ITEMS_MAX];
};

struct step {
    struct state *state;
    const struct command *command;
    struct text owner;    /* whose claim it would be */
    uint32_t reservation; /* the handle of the one that would get it; TABLE_NONE: a new one */
    struct terms terms;   /* what those of all targets amount to; see plan_items */
    struct terms added;   /* the same of the targets alone, without those of the reservation they come to */
    uint32_t ttl_s;       /* a new reservation: how long it is held */
    struct item_request moving; /* a move: the request that it amounts to */
    uint32_t target_count, plan_count;
    struct target targets[ITEMS_MAX];
    struct planned plan[ITEMS_MAX];
    struct obstacle obstacles[ITEMS_MAX];
    bool left_decided; /* and `left` is what the reservation leaves alone from this step on */
    uint32_t left_count;
    struct single left[SINGLES_MAX];
    struct text singles[SINGLES_MAX];  /* ids of seats that are left alone, for the answer */
    struct item_image view[ITEMS_MAX]; /* of the reservation that is the answer */
    struct buffer_spans spans;         /* while calendar/buffers.c reckons */
    struct outcome trials[2];          /* of judgements that are not the answer, or not yet */
};

/* Nothing is wanted or planned yet. */
void step_begin(struct step *step, struct state *st, const struct command *c);
/* Fills the outcome with the reservation as it is now. OK. */
enum outcome_code step_answer(struct step *step, uint32_t handle, struct outcome *out);

#endif
