/* SPDX-License-Identifier: Apache-2.0 */
/* ride.h — rides and the offers of them.
 *
 *   searching ──► offered ──► assigned ──► completed
 *      │  ▲  ▲───────┘            │
 *      │  └── driver-cancel ──────┤
 *      ├──► no_driver             │        from the first three: cancelled
 *      └──────────────────────────┴──► cancelled
 *
 *   offer: live ──► accepted | declined | timed_out | withdrawn
 *
 * ride_set_status is the one writer of a ride's status and asserts the legal pair; offer_make and offer_finish (offer.c)
 * are all that ever happens to one. Each is a change of its own, in one batch with the ride's: first the offer,
 * then the ride. A ride has at most one live offer, a driver at most one live offer or ride: d->ride says which, and
 * r->driver the reverse.
 *
 * A deadline that has come counts whether or not the timer has run: whoever looks at a ride settles it (ride_settle).
 * After search_until, or RIDE_OFFERS_MAX offers, no new one is made; a live one runs to its end, and only then there is
 * no driver.
 *
 * Rides that are over stay for RIDE_KEPT_MS and until the book has them; later the book is asked (FETCH_RIDE).
 *
 *   ride.c          the record, recovery            ride_command.c  the commands
 *   ride_view.c     what is shown and written       ride_list.c     those that wait, those that ended
 *   offer.c         one offer, and its commands     dispatch.c      who is asked, and when
 *   batch.c         rides that are matched together
 */
#ifndef CORE_RIDE_H
#define CORE_RIDE_H

#include "core/dispatch/driver.h"
#include "core/dispatch/fleet.h"
#include "core/dispatch/score.h"
#include "core/outcome.h"

struct offer {
    int64_t score_ms, eta_ms, made_at_ms, expires_at_ms, ended_at_ms;
    char *driver;    /* id, owned; it may be of a driver who is gone */
    uint64_t number; /* 0: the place is free */
    uint32_t ride;
    uint32_t next;       /* of the same ride, newer; handle + 1 */
    uint32_t presence_s; /* the fleet's when it was made, or read: a change of settings is for new offers */
    struct name_link of_driver; /* offers_by_driver */
    uint8_t driver_size;
    uint8_t end; /* enum offer_end; 0: live */
};

struct ride {
    struct id id;
    uint64_t number;
    uint64_t offer;                     /* number of the live or accepted one */
    struct text rider, type, driver_id; /* owned */
    struct geo_point pickup, to;
    uint64_t cell;
    uint32_t surge_milli;
    int64_t created_at_ms, search_until_ms, assigned_at_ms, ended_at_ms;
    uint8_t status; /* enum ride_status; 0: the place is free */
    bool has_to;

    /* derived */
    bool searching;                    /* it is in the list of those that wait */
    bool recalled;                 /* read from the book after its end: nothing that happened lately */
    bool fresh;                    /* and is to be looked after: it came, or others got whom it found */
    uint8_t list_count, list_next; /* who is asked next */
    uint64_t seq;                  /* of its last change */
    uint32_t driver;               /* offered or assigned to it, handle + 1 */
    uint32_t first_offer, last_offer, offer_count;
    uint32_t place;                /* in the heap of deadlines */
    uint32_t fresh_place;          /* in the heap of those that are fresh */
    uint32_t next, previous;       /* among those that wait, or among those that ended */
    struct name_link of_rider;     /* rides_by_rider */
    struct name_link live;         /* live_by_rider */
    uint32_t older, younger;       /* below it in the tree of those that wait, handle + 1 */
    uint32_t list[CANDIDATES_MAX]; /* drivers, the best first; each is looked at again when its turn comes */
};

static inline struct ride *ride_at(const struct fleet *f, uint32_t handle)
{
    return slab_at(&f->rides, handle);
}
static inline struct offer *offer_at(const struct fleet *f, uint32_t handle)
{
    return slab_at(&f->offers, handle);
}
static inline bool ride_live(const struct ride *r)
{
    return ride_status_live((enum ride_status)r->status);
}
/* From when on no new offer of it is made: long since, if it has had as many as a ride may have. */
static inline int64_t ride_search_over_ms(const struct ride *r)
{
    return r->offer_count < RIDE_OFFERS_MAX ? r->search_until_ms : r->created_at_ms;
}
uint32_t ride_find(const struct fleet *f, struct id id);               /* a handle, or TABLE_NONE */
uint32_t offer_find(const struct fleet *f, uint64_t number);           /* the same */
struct offer *ride_offer(const struct fleet *f, const struct ride *r); /* r->offer; NULL: none */
/* With all its offers and, once it is assigned, its driver's place. Good until the next view. */
void ride_view(const struct state *st, const struct fleet *f, uint32_t handle, struct ride_image *out);
void offer_view(const struct fleet *f, const struct offer *o, struct offer_image *out);
void ride_image_make(const struct fleet *f, const struct ride *r,
                     struct ride_image *out); /* what is encoded */

/* Whether a user token of this name may see it: its rider (*as_rider), its driver, or whoever it is offered to. */
bool ride_concerns(const struct fleet *f, uint32_t handle, struct text user, bool *as_rider);

/* ---- Recovery and forgetting ---- */
/* After FETCH_RIDE: a ride that is over, with all its offers. False: it does not fit. */
bool state_remember_ride(struct state *st, const struct ride_image *image);

/* The journal ends here: whether each live offer is its ride's, each ride that is offered has one, and each driver one
 * ride. */
bool rides_whole(const struct state *st);

/* ---- For the modules of dispatch ---- */
/* To be told to those who follow: st->rides. */
void ride_touched(struct state *st, struct ride_touch touch);
void rides_init(struct fleet *f);
void rides_release(struct fleet *f);
/* A record without a status yet: ride_set_status follows. */
uint32_t ride_make(struct fleet *f, const struct ride_image *image);
/* The one writer of the status: lists, deadlines and the driver's record follow from it. */
void ride_set_status(struct state *st, struct fleet *f, uint32_t handle, enum ride_status status);
void ride_emit(struct state *st, struct fleet *f, uint32_t handle);
/* When something is to be done about it next: its offer lapses, its driver falls silent, its search is over. Whoever
 * was heard of before and speaks makes it no earlier, so that nothing is done then: it is placed anew when its time has
 * come. After a restart the first state_dispatch places it anew. */
void ride_place(struct fleet *f, uint32_t handle);
/* When a driver who stays silent loses this offer; INT64_MAX: it was never heard of. */
int64_t offer_silent_ms(const struct offer *o, const struct driver *d);
/* Ends what has lapsed: an offer, the search. */
void ride_settle(struct state *st, struct fleet *f, uint32_t handle);
/* Fills the outcome with the ride as it is now. OK. */
enum outcome_code ride_answer(struct state *st, struct fleet *f, uint32_t handle, struct outcome *out);
/* Recovery: one of its offers has come, or has ended. False: it does not fit. */
bool ride_link(struct state *st, struct fleet *f, uint32_t handle);
/* A new offer is found by its number. */
void offer_insert(struct fleet *f, uint32_t handle);

/* ride_list.c */
void ride_lists_init(struct fleet *f);
void ride_lists_release(struct fleet *f);
/* Whether a waiting ride is to be looked after, though nobody else becomes free. */
void ride_set_fresh(struct fleet *f, uint32_t handle, bool fresh);
/* The youngest of those that wait and are older than this number: handle + 1; 0: none. */
uint32_t ride_waiting_before(const struct fleet *f, uint64_t number);
/* It is searching: it waits in its place by age, and is fresh. */
void ride_wait_begin(struct fleet *f, uint32_t handle);
/* It is not searching any more: the round and the search under way go on without it. */
void ride_wait_end(struct fleet *f, uint32_t handle);
void ride_ended_add(struct fleet *f, uint32_t handle);
void ride_ended_leave(struct fleet *f, uint32_t handle); /* to be forgotten */

/* offer.c */
/* Makes an offer of a waiting ride to a free driver. Emits both. */
void offer_make(struct state *st, struct fleet *f, uint32_t ride, uint32_t driver);
/* The live offer comes to this end; the ride's status is the caller's, and follows at once. */
void offer_finish(struct state *st, struct fleet *f, uint32_t ride, enum offer_end end);
/* The same, and the search goes on or is over. Emits both. */
void offer_lost(struct state *st, struct fleet *f, uint32_t ride, enum offer_end end);
bool offer_restore(struct state *st, const struct offer_image *image, uint64_t seq);
/* Whether this driver has declined the ride, had it and drove off, or has had DRIVER_OFFERS_MAX offers of it: it is not
 * asked again. *lapsed: the number of the last offer that it let lapse, or lost by going away; 0: none. */
bool offer_refused(const struct fleet *f, const struct ride *r, struct text driver, uint64_t *lapsed);
/* What the score looks at, but for the ETA. */
struct score_facts offer_facts(const struct state *st, const struct ride *r, const struct driver *d);
/* What asking this driver now would score, and how long it would take to the pickup. */
int64_t offer_score_ms(const struct state *st, const struct fleet *f, const struct ride *r,
                       const struct driver *d, int64_t *eta_ms);

#endif
