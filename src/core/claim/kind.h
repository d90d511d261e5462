/* SPDX-License-Identifier: Apache-2.0 */
/* kind.h — kinds of requests, and kinds of claims. A kind is one module with its two rows.
 *
 * The two are not the same: `best` and `group` exist in requests only, and become seats or a slot when they are picked.
 * No other code in core depends on the kind of an item.
 */
#ifndef CORE_KIND_H
#define CORE_KIND_H

#include "base/assertion.h"
#include "core/claim/item.h"
#include "core/state.h"

struct check;
struct planned; /* core/step.h */
struct step;    /* core/step.h */
struct target;  /* core/step.h */

/* The order of refusals in the contract. plan_judge goes through the phases, and in each phase through the targets.
 * Before that, a request with more items than there can be targets is refused as in PHASE_SIZE, and a move by its
 * `retarget` as in PHASE_RESOLVE. */
enum phase {
    PHASE_NAMED,     /* 403: the caller may not name an allotment */
    PHASE_DISTINCT,  /* 400: duplicates */
    PHASE_OWNED,     /* items that the reservation already has are skipped */
    PHASE_SIZE,      /* 400: more than a reservation can have */
    PHASE_INSTANTS,  /* 400: impossible times */
    PHASE_RESOLVE,   /* 404, and 400 for a service: does not exist */
    PHASE_TERMS,     /* 400: another currency, a hold that is too long */
    PHASE_CATEGORY,  /* 400: no such category, or no price in it */
    PHASE_ON_SALE,   /* 409 */
    PHASE_PRICE,     /* 402: a move to something more expensive without paying */
    PHASE_PASS,      /* 403: the waiting room */
    PHASE_TIER,      /* 403: not a tier of the pass */
    PHASE_LIST,      /* the waiting list is served first */
    PHASE_VERSION,   /* 412 */
    PHASE_GUESTS,    /* 403 */
    PHASE_CODE,      /* 403: no code, or not valid for this */
    PHASE_CODE_USED, /* 409 */
    PHASE_LIMIT,     /* 409 */
    PHASE_HOURS,     /* 409 closed; 402 for a slot's move, whose new length is known by now */
    PHASE_BOOKABLE,  /* 409: forbidden by a calendar's rules */
    PHASE_CLAIM,     /* 409: taken, sold out; all targets are tried, so that every obstacle is named */
    PHASE_TOTAL,     /* 400: more expensive than a reservation can be */
    PHASE_SINGLE,    /* 409: leaves single seats */
    PHASE_COUNT
};

/* A kind of request: seat, pool, best, slot, group. */
struct request_kind {
    /* The server chooses which one: picked after all named targets, so that it takes none of them; each unit
     * becomes its own item. */
    bool choice;
    const char *taken;    /* the sentence for TAKEN; NULL: the default of the code */
    const char *blocked;  /* the sentence when it is off sale; NULL: it never is */
    uint32_t most;        /* items of this kind in one request; 0: any number */
    const char *too_many; /* the sentence when there are more */
    /* A copy may judge it (gate.h): nothing changes up to PHASE_CLAIM but what `unplan` takes back. */
    bool gated;
    /* Whether the step's reservation already has exactly this, so that it is skipped. Nothing is resolved yet.
     * NULL: asking again means one more. */
    bool (*owned)(struct step *step, const struct target *t);
    /* Judges a target in each phase; NULL: nothing to judge. PHASE_RESOLVE looks up what it names. */
    enum outcome_code (*judge[PHASE_COUNT])(struct step *step, struct target *t, struct outcome *out);
    /* A choice knows its terms only when picked: until then it has the widest possible ones. */
    bool terms_by_pick;
    /* The tier of what it names, once resolved. NULL: not a seat. */
    struct text (*tier)(const struct target *t);
    /* Settles lapsed holds in its way, and plans its items; or adds an obstacle and returns the refusal. */
    enum outcome_code (*pick)(struct step *step, struct target *t, struct outcome *out);
};
const struct request_kind *request_kind(enum item_kind kind);

/* A kind of claim: seat, pool, slot. `handle` is the reservation's. */
struct claim_kind {
    bool in_event; /* item.resource is an event: its counts, limits, queue and list are affected */
    bool timed;    /* it has a start, an end and an until */
    bool many;     /* its quantity can be more than one */
    bool in_row;   /* it has neighbours, and can leave single seats (single_seats.h) */

    /* Looks up where the command moves the item: OK, 400 or 404. */
    enum outcome_code (*retarget)(struct step *step, struct target *t, struct outcome *out);
    /* Undoes the marks of picking; NULL: there are none. */
    void (*unplan)(struct state *st, const struct planned *p);

    /* Begins a claim, held or sold; turns a held one into a sold one; ends it, with the change of this seq. */
    void (*claim)(struct state *st, uint32_t handle, const struct item *item, bool sold);
    void (*sell)(struct state *st, const struct item *item);
    void (*free)(struct state *st, uint32_t handle, const struct item *item, uint64_t seq, bool sold);
    /* Before a claim begins: trims the buffers of the reservation's other items so that they end where the new item
     * begins. NULL: no buffers. */
    void (*buffers_trim)(struct state *st, uint32_t handle, const struct item *item);
    /* Before a claim ends: settles lapsed holds if buffers of the reservation's other items could grow. After it has
     * ended: grows these buffers again, as far as the time is free. */
    void (*buffers_settle)(struct state *st, uint32_t handle, const struct item *item);
    void (*buffers_grow)(struct state *st, uint32_t handle, uint32_t resource);
    /* Notifies the event's waiting list that this came free; NULL: there is no waiting list for it. */
    void (*freed)(struct event *e, const struct item *item);
    /* Its confirmed reservation is forgotten, the claim stays. NULL: the claim does not refer to the reservation. */
    void (*forget)(struct state *st, uint32_t handle, const struct item *item, uint32_t *stub);
    /* Makes the claim refer to the reservation again. False: there is no such claim. */
    bool (*rejoin)(struct state *st, uint32_t handle, const struct item *item);
    /* Recovery: a sold item whose reservation stays in the book. In an event it must add to live_units. False: it
     * does not fit. NULL: nothing to do, the record that it is on already has the number of sold units. */
    bool (*load)(struct state *st, const struct item_image *item, struct id reservation);

    /* The index of its event or calendar, by number. False: there is none. */
    bool (*find)(struct state *st, uint64_t number, uint32_t *place);
    /* Whether its seat, pool or service exists. Trusts nothing: journal or book can be damaged. */
    bool (*exists)(const struct state *st, const struct item *item);
    bool (*is_free)(struct state *st, const struct item *item); /* whether the claim can be made */
    /* Sets resource, resource_id and part_id; part_id stays none if a removed event was already freed. */
    void (*name)(struct state *st, const struct item *item, struct item_image *out);

    /* in_event: the current price of one unit in this category; false: it has no price there. */
    bool (*price)(const struct event *e, uint32_t part, struct text category, int64_t *price);
    /* in_event: the allotment of a new item that claims this part (struct item_extra); none: it is on sale. */
    struct text (*set_aside)(const struct event *e, uint32_t part);
    /* The heap of held items by deadline, to find lapsed ones quickly; NULL: not needed, the seat refers to its
     * reservation. */
    struct heap *(*lapses)(struct state *st, const struct item *item);
    /* A record in memory begins or ceases to refer to its event or calendar. */
    void (*added)(struct state *st, const struct item *item);
    void (*gone)(struct state *st, const struct item *item);
    /* Its event or calendar was removed and perhaps freed: recreates what the item knows of it. False: it was not
     * removed. */
    bool (*recall)(struct state *st, const struct item_image *item, uint32_t *place);
    /* The seq of the last change that touched its event or calendar. */
    uint64_t *(*seq)(struct state *st, const struct item *item);

    /* For all units of the kind in one event; NULL: nothing to do, or not in_event. */
    /* Settles lapsed holds. False: there is a live claim, so the caller can stop. */
    bool (*settle_event)(struct state *st, struct event *e);
    uint64_t (*stock)(const struct event *e); /* free units, and held ones that can come free */
    void (*release)(struct event *e);

    /* For state_check: one live item of the reservation; all of one event, returning its live units; all outside
     * events. Each can be NULL. */
    void (*check)(struct check *c, struct reservation *r, uint32_t handle, uint32_t index);
    uint64_t (*check_event)(struct check *c, struct event *e);
    void (*check_all)(struct check *c);
};
/* By item.kind; 0 is unused. A kind whose `claim` is NULL exists in requests only. */
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
