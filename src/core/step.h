/* SPDX-License-Identifier: Apache-2.0 */
/* step.h — working memory of one command: its targets, the claims planned for them, obstacles, and the answer.
 *
 * state_apply sets it up and passes it to the handler. Code that makes offers to a waiting list, settles or admits
 * gets the state and no step, so that it cannot disturb the command in progress. Outcomes point into the step, so they
 * are valid until the next command.
 */
#ifndef CORE_STEP_H
#define CORE_STEP_H

#include "core/claim/item.h"
#include "core/claim/single.h"
#include "core/state.h"

struct request_kind; /* core/claim/kind.h */

/* A claim planned for the command. */
struct planned {
    uint32_t index;     /* of the request item */
    bool counted;       /* a slot: already in its timeline, so that later items of the request see it */
    bool sides_checked; /* a seat: its neighbours were checked (single_seats.h) */
    struct item item;   /* without fence, id and extra */
    struct item_extra extra;
};

/* What a request item refers to, looked up once. A move is a target with `from`. */
struct target {
    const struct item_request *request;
    const struct request_kind *kind;
    const struct item *from;   /* the item to move; NULL: a new claim */
    bool grows;                /* more units for an existing item, on its own terms */
    const struct terms *terms; /* of its event or calendar; a move keeps the terms of the item */
    uint32_t index;            /* in the request */
    struct event *event;       /* seats, pools, best; otherwise NULL */
    struct calendar *calendar; /* slots, and groups once picked; otherwise NULL */
    struct group *group;       /* groups; otherwise NULL */
    uint64_t open[2];          /* groups: a bit for each member that can still be picked */
    struct terms widest;       /* groups: `terms` until one is picked */
    uint32_t part;             /* as in struct item */
    int64_t start_ms, end_ms;  /* slots, groups */
    struct text category;      /* seats, pools, best: of prices; none: the event has no categories */
    struct code *code;         /* it is claimed with; or NULL */
    struct text allotment;     /* it may claim from this one */
    bool house;                /* it may claim what is blocked */
    const struct text *tiers;  /* only these, from its pass; none: any */
    uint32_t tier_count;
};

/* The slots, existing or planned, of a reservation on one calendar. */
struct buffer_spans {
    uint32_t count;
    struct buffer_span {
        int64_t start_ms, end_ms;
        int64_t until_ms; /* end including its buffer */
    } list[2 * ITEMS_MAX];
};

struct step {
    struct state *state;
    const struct command *command;
    struct text owner;          /* of the new claims */
    uint32_t reservation;       /* handle of the one that gets the claims; TABLE_NONE: a new one */
    struct terms terms;         /* combined from all targets and the reservation; see plan_items */
    struct terms added;         /* combined from the targets alone */
    uint32_t ttl_s;             /* a new reservation: how long it is held */
    struct item_request moving; /* a move: as a request item */
    uint32_t target_count, plan_count;
    struct target targets[ITEMS_MAX];
    struct planned plan[ITEMS_MAX];
    struct obstacle obstacles[ITEMS_MAX];
    bool all_free;     /* a judgement alone (claim/gate.h): every target could be claimed */
    bool left_decided; /* `left` has the single seats that the reservation leaves from this step on */
    uint32_t left_count;
    struct single left[SINGLES_MAX];
    struct text singles[SINGLES_MAX];  /* ids of single seats, for the answer */
    struct item_image view[ITEMS_MAX]; /* items of the reservation in the answer */
    struct buffer_spans spans;         /* scratch of calendar/buffers.c */
    struct outcome trials[2];          /* of judgements that are not the answer, or not yet */
};

/* Clears it: no targets, no plan. */
void step_begin(struct step *step, struct state *st, const struct command *c);
/* Fills the outcome with the reservation as it is now. OK. */
enum outcome_code step_answer(struct step *step, uint32_t handle, struct outcome *out);

#endif
