/* SPDX-License-Identifier: Apache-2.0 */
/* ride.h — rides and their offers.
 *
 *   searching ──► offered ──► assigned ──► completed
 *      │  ▲  ▲───────┘            │
 *      │  └── driver-cancel ──────┤
 *      ├──► no_driver             │        from the first three: cancelled
 *      └──────────────────────────┴──► cancelled
 *
 *   offer: live ──► accepted | declined | timed_out | withdrawn
 *
 * ride_set_status is the one writer of a ride's status and asserts the legal pair; offer_make and offer_finish
 * (offer.c) are the only writers of an offer. Each emits a change of its own, in one batch with the ride's: first the
 * offer, then the ride. A ride has at most one live offer, a driver at most one live offer or ride: d->ride names it,
 * and r->driver points back.
 *
 * A deadline that has passed counts whether or not the timer has run: every access to a ride settles it first
 * (ride_settle). After search_until, or RIDE_OFFERS_MAX offers, no new offer is made; a live one runs to its end, and
 * only then the ride becomes no_driver.
 *
 * Rides that have ended stay in memory for RIDE_KEPT_MS, and until the book has them; after that they are read from the
 * book (FETCH_RIDE).
 *
 *   ride.c          the record, recovery            ride_command.c  the commands
 *   ride_view.c     what is shown and written       ride_list.c     waiting and ended rides
 *   offer.c         one offer, and its commands     dispatch.c      which driver is asked, and when
 *   batch.c         rides matched together
 */
#ifndef CORE_RIDE_H
#define CORE_RIDE_H

#include "core/dispatch/driver.h"
#include "core/dispatch/fleet.h"
#include "core/dispatch/score.h"
#include "core/outcome.h"

struct offer {
    int64_t score_ms, eta_ms, made_at_ms, expires_at_ms, ended_at_ms;
    char *driver;    /* id, owned; the driver could be gone */
    uint64_t number; /* 0: the slot is free */
    uint32_t ride;
    uint32_t next;              /* of the same ride, newer; handle + 1 */
    uint32_t presence_s;        /* the fleet's when it was made, or loaded: new settings are for new offers */
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
    uint8_t status; /* enum ride_status; 0: the slot is free */
    bool has_to;

    /* derived */
    bool searching; /* in the list of waiting rides */
    bool recalled;  /* read from the book after its end: not recent */
    bool fresh;     /* waiting and to be served: it is new, or other rides got its candidates */
    uint8_t list_count, list_next; /* of `list`; list_next is asked next */
    uint64_t seq;                  /* of its last change */
    uint32_t driver;               /* offered or assigned to it, handle + 1 */
    uint32_t first_offer, last_offer, offer_count;
    uint32_t place;                /* in the heap of deadlines */
    uint32_t fresh_place;          /* in the heap of fresh rides */
    uint32_t next, previous;       /* among the waiting or the ended rides */
    struct name_link of_rider;     /* rides_by_rider */
    struct name_link live;         /* live_by_rider */
    uint32_t older, younger;       /* children in the tree of waiting rides, handle + 1 */
    uint32_t list[CANDIDATES_MAX]; /* drivers, the best first; each is checked again when its turn comes */
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
/* When it stops making new offers: already, if it has had as many as a ride can have. */
static inline int64_t ride_search_over_ms(const struct ride *r)
{
    return r->offer_count < RIDE_OFFERS_MAX ? r->search_until_ms : r->created_at_ms;
}
uint32_t ride_find(const struct fleet *f, struct id id);               /* a handle, or TABLE_NONE */
uint32_t offer_find(const struct fleet *f, uint64_t number);           /* the same */
struct offer *ride_offer(const struct fleet *f, const struct ride *r); /* r->offer; NULL: none */
/* With all its offers and, once it is assigned, its driver's position. Valid until the next view. */
void ride_view(const struct state *st, const struct fleet *f, uint32_t handle, struct ride_image *out);
void offer_view(const struct fleet *f, const struct offer *o, struct offer_image *out);
void ride_image_make(const struct fleet *f, const struct ride *r,
                     struct ride_image *out); /* what is encoded */

/* Whether a user token of this name may see it: its rider (*as_rider), its driver, or the driver it is offered to. */
bool ride_concerns(const struct fleet *f, uint32_t handle, struct text user, bool *as_rider);

/* ---- Recovery and forgetting ---- */
/* After FETCH_RIDE: a ride that has ended, with all its offers. False: it does not fit. */
bool state_remember_ride(struct state *st, const struct ride_image *image);

/* At the end of the journal: whether each live offer belongs to its ride, each offered ride has one, and each driver
 * has one ride. */
bool rides_whole(const struct state *st);

/* ---- For the modules of dispatch ---- */
/* Notifies followers: st->rides. */
void ride_touched(struct state *st, struct ride_touch touch);
void rides_init(struct fleet *f);
void rides_release(struct fleet *f);
/* A record without a status: ride_set_status must follow. */
uint32_t ride_make(struct fleet *f, const struct ride_image *image);
/* The one writer of the status: lists, deadlines and the driver's record follow from it. */
void ride_set_status(struct state *st, struct fleet *f, uint32_t handle, enum ride_status status);
void ride_emit(struct state *st, struct fleet *f, uint32_t handle);
/* Schedules what is due next: its offer lapses, its driver goes silent, its search ends. A driver's report never makes
 * this earlier, so nothing is done then: the ride is rescheduled when the time has come. After a restart the first
 * state_dispatch reschedules it. */
void ride_schedule(struct fleet *f, uint32_t handle);
/* When a silent driver loses this offer; INT64_MAX: it has never reported. */
int64_t offer_silent_ms(const struct offer *o, const struct driver *d);
/* Ends an offer or a search that has lapsed. */
void ride_settle(struct state *st, struct fleet *f, uint32_t handle);
/* Fills the outcome with the ride as it is now. Returns OK. */
enum outcome_code ride_answer(struct state *st, struct fleet *f, uint32_t handle, struct outcome *out);
/* Recovery: one of its offers was added or has ended. False: it does not fit. */
bool ride_link(struct state *st, struct fleet *f, uint32_t handle);
/* Indexes a new offer. */
void offer_insert(struct fleet *f, uint32_t handle);

/* ride_list.c */
void ride_lists_init(struct fleet *f);
void ride_lists_release(struct fleet *f);
/* Whether to serve a waiting ride although no driver has become free. */
void ride_set_fresh(struct fleet *f, uint32_t handle, bool fresh);
/* The youngest waiting ride older than this number: handle + 1; 0: none. */
uint32_t ride_waiting_before(const struct fleet *f, uint64_t number);
/* It is searching: adds it to the waiting rides by age, as fresh. */
void ride_wait_begin(struct fleet *f, uint32_t handle);
/* It no longer searches: the round and the search under way continue without it. */
void ride_wait_end(struct fleet *f, uint32_t handle);
void ride_ended_add(struct fleet *f, uint32_t handle);
void ride_ended_leave(struct fleet *f, uint32_t handle); /* before it is forgotten */

/* offer.c */
/* Offers a waiting ride to a free driver. Emits both changes. */
void offer_make(struct state *st, struct fleet *f, uint32_t ride, uint32_t driver);
/* Ends the live offer; the caller sets the ride's status right after. */
void offer_finish(struct state *st, struct fleet *f, uint32_t ride, enum offer_end end);
/* The same, and the search continues or is over. Emits both changes. */
void offer_lost(struct state *st, struct fleet *f, uint32_t ride, enum offer_end end);
bool offer_restore(struct state *st, const struct offer_image *image, uint64_t seq);
/* Whether this driver has declined the ride, had it and cancelled, or has had DRIVER_OFFERS_MAX offers of it: it is not
 * asked again. *lapsed: the number of the last offer that it let lapse, or lost by going away; 0: none. */
bool offer_refused(const struct fleet *f, const struct ride *r, struct text driver, uint64_t *lapsed);
/* The inputs of the score, except the ETA. */
struct score_facts offer_facts(const struct state *st, const struct ride *r, const struct driver *d);
/* The score of asking this driver now, and its ETA at the pickup. */
int64_t offer_score_ms(const struct state *st, const struct fleet *f, const struct ride *r,
                       const struct driver *d, int64_t *eta_ms);

#endif
