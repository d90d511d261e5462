/* SPDX-License-Identifier: Apache-2.0 */
/* kind.h — what can be asked for, and what can be claimed. A kind of thing is one module and its row.
 *
 * The two are not the same: `best` and `group` exist in requests only, and become seats and a slot when they are picked. Nobody else
 * in core asks an item what kind it is.
 */
#ifndef CORE_KIND_H
#define CORE_KIND_H

#include "base/assertion.h"
#include "core/claim/item.h"
#include "core/state.h"

struct check;
struct planned; /* core/step.h, and the next two */
struct step;
struct target;

/* The order in which the contract refuses. plan_judge walks it, and in each phase the targets. Before it, a
 * request with more items than there can be targets is refused as in PHASE_SIZE, and a move by its `retarget`
 * as in PHASE_RESOLVE. */
enum phase {
    PHASE_NAMED,     /* 403: an allotment, by who may not name one */
    PHASE_DISTINCT,  /* 400: the same thing twice */
    PHASE_OWNED,     /* what the reservation has already is passed over */
    PHASE_SIZE,      /* 400: more than a reservation may have */
    PHASE_INSTANTS,  /* 400: times that nobody can have */
    PHASE_RESOLVE,   /* 404, and 400 of a service: what is not there */
    PHASE_TERMS,     /* 400: another currency, a hold that is too long */
    PHASE_CATEGORY,  /* 400: no such category, or no price in it */
    PHASE_ON_SALE,   /* 409 */
    PHASE_PRICE,     /* 402: a move that would be a way around paying */
    PHASE_PASS,      /* 403: the waiting room */
    PHASE_TIER,      /* 403: not what the pass is for */
    PHASE_LIST,      /* those on the waiting list come first */
    PHASE_VERSION,   /* 412 */
    PHASE_GUESTS,    /* 403 */
    PHASE_CODE,      /* 403: none, or not one for this */
    PHASE_CODE_USED, /* 409 */
    PHASE_LIMIT,     /* 409 */
    PHASE_HOURS,     /* 409 closed; 402 for a slot's move, whose new length is known by now */
    PHASE_BOOKABLE,  /* 409: what a calendar's rules forbid */
    PHASE_CLAIM,     /* 409: taken, sold out; all targets are asked, so that every obstacle is named */
    PHASE_TOTAL,     /* 400: it would cost more than a reservation may */
    PHASE_SINGLE,    /* 409: what is granted would leave single seats alone */
    PHASE_COUNT
};

/* What can be asked for: seat, pool, best, slot, group. */
struct request_kind {
    /* We choose which one: picked after everything that is named, so that it takes none of that; each unit
     * becomes an item of its own. */
    bool choice;
    const char *taken;    /* the sentence when it is TAKEN; NULL: that of the code */
    const char *blocked;  /* the same when it is off sale; NULL: it never is */
    uint32_t most;        /* of one request may be of this kind; 0: any number */
    const char *too_many; /* the sentence when there are more */
    /* Whether the step's reservation has just this already, so that asking again changes nothing. Nothing is
     * resolved yet. NULL: asking again asks for one more. */
    bool (*owned)(struct step *step, const struct target *t);
    /* What each phase has to say of a target; NULL: nothing. PHASE_RESOLVE finds what it names. */
    enum outcome_code (*judge[PHASE_COUNT])(struct step *step, struct target *t, struct outcome *out);
    /* A choice knows its terms only when it is picked: until then they are the widest that it could have. */
    bool terms_by_pick;
    /* The tier of what it names, once that is found; at == NULL: it has none. NULL: it is no seat. */
    struct text (*tier)(const struct target *t);
    /* Settles what has lapsed in its way, and plans the items it gets; or adds an obstacle, and says why. */
    enum outcome_code (*pick)(struct step *step, struct target *t, struct outcome *out);
};
const struct request_kind *request_kind(enum item_kind kind);

/* What can be claimed: seat, pool, slot. A handle is that of the reservation. */
struct claim_kind {
    bool in_event; /* item.resource is an event, whose counts, limits, queue and list it concerns */
    bool timed;    /* it has a start, an end and an until */
    bool many;     /* its quantity may be more than one */
    bool in_row;   /* it has neighbours, of which one may be left alone (single_seats.h) */

    /* Where the command wants to move the item: found, or 400, 404. */
    enum outcome_code (*retarget)(struct step *step, struct target *t, struct outcome *out);
    /* Takes back what picking marked; NULL: nothing. */
    void (*unplan)(struct state *st, const struct planned *p);

    /* A claim begins, held or sold; is sold; ends, by the change of this seq. */
    void (*claim)(struct state *st, uint32_t handle, const struct item *item, bool sold);
    void (*sell)(struct state *st, const struct item *item);
    void (*free)(struct state *st, uint32_t handle, const struct item *item, uint64_t seq, bool sold);
    /* Other items of the reservation give way to this one, which is about to begin: what is kept free around them ends
     * where it begins. NULL: nothing is kept free. */
    void (*give_way)(struct state *st, uint32_t handle, const struct item *item);
    /* The item may end: settles what has lapsed, if others of the reservation would get more room. Then, when it has
     * ended: they get it back, as far as it is free. */
    void (*before_regain)(struct state *st, uint32_t handle, const struct item *item);
    void (*regain)(struct state *st, uint32_t handle, uint32_t resource);
    /* Tells the event's waiting list, where somebody waits, that this came free; NULL: nobody waits for
     * it. */
    void (*freed)(struct event *e, const struct item *item);
    /* Its confirmed reservation is forgotten: the claim stays. NULL: it does not say whose it is. */
    void (*forget)(struct state *st, uint32_t handle, const struct item *item, uint32_t *stub);
    /* The claim becomes the reservation's again. False: there is none. */
    bool (*rejoin)(struct state *st, uint32_t handle, const struct item *item);
    /* Recovery: it was bought, and its reservation stays in the book. In an event it is one of the
     * live_units, which nobody else counts here. False: it does not fit. NULL: what it is on counts what is
     * sold by itself. */
    bool (*load)(struct state *st, const struct item_image *item, struct id reservation);

    /* The place of its event or calendar, by number. False: there is none. */
    bool (*find)(struct state *st, uint64_t number, uint32_t *place);
    /* Whether what it is on exists. Takes nothing for granted: journal or book may be damaged. */
    bool (*exists)(const struct state *st, const struct item *item);
    bool (*is_free)(struct state *st, const struct item *item); /* whether the claim can be made */
    /* resource, resource_id and part_id; part_id.at stays NULL when a removed event has let go of it. */
    void (*name)(struct state *st, const struct item *item, struct item_image *out);

    /* What one unit costs in this category today; false: nothing is asked for it. NULL: it has no categories. */
    bool (*price)(const struct event *e, uint32_t part, struct text category, int64_t *price);
    /* in_event: what an item is from that claims this part today (struct item_extra); at == NULL: it is on sale. */
    struct text (*set_aside)(const struct event *e, uint32_t part);
    /* Where held items wait for their deadline, so that whoever is in need finds the lapsed ones; NULL: what
     * it is on knows who has it. */
    struct heap *(*lapses)(struct state *st, const struct item *item);
    /* A record of a reservation begins to name its event or calendar; ceases to. */
    void (*added)(struct state *st, const struct item *item);
    void (*gone)(struct state *st, const struct item *item);
    /* What it is on was removed, and memory may have let go of it: makes its place known again, with as much as the item
     * says of it. False: it was not removed. */
    bool (*recall)(struct state *st, const struct item_image *item, uint32_t *place);
    /* Of the last change that touched its event or calendar. */
    uint64_t *(*seq)(struct state *st, const struct item *item);

    /* All there is of it in one event; NULL: nothing to do, or not in_event. */
    /* Settles what has lapsed. False: a claim stands, and nobody need look further. */
    bool (*settle_event)(struct state *st, struct event *e);
    uint64_t (*stock)(const struct event *e); /* what is free, and what is held and may come free */
    void (*release)(struct event *e);

    /* For state_check: one live item of the reservation; what is in one event, returning its live units; all
     * that it is on, outside of events. Each may be NULL. */
    void (*check)(struct check *c, struct reservation *r, uint32_t handle, uint32_t index);
    uint64_t (*check_event)(struct check *c, struct event *e);
    void (*check_all)(struct check *c);
};
/* By item.kind; 0 is none. One whose `claim` is NULL cannot be claimed: it becomes what it picks. */
extern const struct claim_kind *const claim_kinds[ITEM_KIND_LAST + 1];
static inline const struct claim_kind *claim_kind(enum item_kind kind)
{
    ASSERT(kind >= ITEM_KIND_FIRST && kind <= ITEM_KIND_LAST);
    return claim_kinds[kind];
}
static inline void item_added(struct state *st, const struct item *item)
{
    claim_kind(item->kind)->added(st, item);
}
static inline void item_gone(struct state *st, const struct item *item)
{
    claim_kind(item->kind)->gone(st, item);
}
/* The event that the item is in, or NULL. */
static inline struct event *item_event(const struct state *st, const struct item *item)
{
    return claim_kind(item->kind)->in_event ? st->events[item->resource] : NULL;
}

/* The rows, each in its module. */
#define KIND_ROWS(constant, number, word, module)                                                            \
    extern const struct request_kind module##_request;                                                       \
    extern const struct claim_kind module##_claims;
REQUEST_KINDS(KIND_ROWS)

#endif
