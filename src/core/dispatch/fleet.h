/* SPDX-License-Identifier: Apache-2.0 */
/* fleet.h — a fleet: its settings, its drivers and its rides; and all fleets together.
 *
 * Everything that a fleet has lives and goes with it. Time is one heap over all fleets: each that has something to do
 * later is in it under the instant at which it is due, so that fleets in which nothing happens cost nothing, and a
 * state without fleets nothing at all.
 */
#ifndef CORE_FLEET_H
#define CORE_FLEET_H

#include "base/geo/h3.h"
#include "base/memory/heap.h"
#include "base/memory/slab.h"
#include "base/memory/table.h"
#include "core/dispatch/dispatch_image.h"
#include "core/dispatch/eta.h"
#include "core/dispatch/name_index.h"
#include "core/dispatch/wait_times.h"

struct state;
struct outcome;

#define CANDIDATES_MAX 16 /* that a search remembers: the best */
#define SCAN_TOGETHER 2   /* rings that a search finds with the pickup's cell: so many are usual */

/* Somebody who could be asked, as the search found it. */
struct driver_candidate {
    /* The number of the last offer of this ride that it let lapse or went away from; 0: none. */
    uint64_t lapsed;
    int64_t score_ms;
    uint32_t driver; /* handle */
};

/* A search under way: it may take several steps. */
struct scan {
    uint32_t ride; /* handle + 1; 0: there is none */
    uint32_t ring; /* being read */
    uint32_t last_ring;
    uint32_t cell_count, next_cell;
    uint32_t next_group, next_driver; /* of next_cell: where to go on, and who is first there; handle + 1 */
    uint32_t passed;                  /* who could be asked, and never was for this ride */
    uint32_t count;
    /* Anybody can be asked, and the nearest is the best: records of drivers are looked at only where two score the same. */
    bool plain;
    bool found_now; /* `found` is of this very step */
    bool resumed;   /* it takes several steps, between which drivers move */
    struct eta_origin from;
    struct eta_reach reach; /* plain, and the list is full: who is beyond is not among the best */
    /* Where rings end in `cells`: the first ones are read together, then one by one. */
    uint32_t ends[SCAN_TOGETHER + 1];
    struct driver_candidate best[CANDIDATES_MAX]; /* in the order in which they are to be asked */
    h3_cell cells[H3_RING_MAX(FLEET_RINGS_MAX)];
    uint32_t found[H3_RING_MAX(FLEET_RINGS_MAX)]; /* their records, or TABLE_NONE: nobody is there */
};

struct fleet {
    struct fleet_image image; /* texts are owned */

    /* derived */
    uint64_t seq;                       /* of its last change */
    uint64_t drivers_seq;               /* of the last change of a driver's record */
    uint32_t slot;                      /* in struct dispatch */
    uint32_t lapse_place, search_place; /* in the heaps of struct dispatch */

    struct slab drivers, cells, groups;
    struct table drivers_by_id, cells_by_cell;
    uint64_t drivers_by_status[DRIVER_STATUS_LAST + 1];
    uint32_t first_heard, last_heard; /* longest ago, and latest; handle + 1 */
    struct fleet_type {
        struct text word; /* owned; at == NULL: the place is free */
        uint32_t drivers;
    } types[FLEET_TYPES_MAX];

    struct slab rides, offers;
    struct table rides_by_id, offers_by_number;
    struct name_index rides_by_rider, live_by_rider, offers_by_driver;
    uint64_t rides_by_status[RIDE_STATUS_LAST + 1];
    uint64_t recalled_by_status[RIDE_STATUS_LAST + 1]; /* of them, those read from the book after their end */
    struct heap deadlines; /* of offers, of their drivers' silence, of searches; a handle is the ride's */
    uint32_t first_waiting, last_waiting; /* searching, oldest first; handle + 1 */
    uint32_t waiting_root;                /* the same as a tree: ride_list.c */
    uint32_t first_ended, last_ended;     /* in the order in which they ended; handle + 1 */

    /* The search, which is not written down: dispatch.c. */
    uint32_t fresh;          /* waiting rides that are to be looked after */
    struct heap fresh_rides; /* those, by number: many may wait, few of them are new */
    bool dirty;            /* somebody became free, or moved, since the last round began */
    uint32_t round_next;     /* a round is under way, and this ride is next (handle + 1); 0: none is */
    int64_t round_after_ms;  /* the next one does not begin before */
    struct scan scan;
    struct batch *batch;  /* under way; NULL: none is. batch.c */
    int64_t batch_due_ms; /* the one that is open begins; 0: none is */

    struct wait_times *wait_times; /* of rides until they were assigned; NULL: none was */
};

/* All fleets: a part of the state. */
struct dispatch {
    struct fleet **fleets; /* by slot; NULL: free */
    uint32_t slot_count;
    struct fleet **by_name; /* in the order of names */
    uint32_t count;
    struct table by_number;    /* a handle is the slot */
    struct heap lapses;        /* the same: when an offer, a search or a driver's presence is over */
    struct heap searches;      /* the same: when it goes on searching */
    struct slab registrations; /* of drivers in several fleets: registration.h */
    struct table registered;   /* by id: the first of each */
    struct batch_stats stats;
    int64_t since_ms;                  /* of the first state_dispatch of this process; 0: not yet */
    uint64_t seq;                      /* of the last change of a fleet */
    uint64_t ends[OFFER_END_LAST + 1]; /* of offers, since the start of this process */
    struct offer_image *view;          /* scratch of ride_view */
    uint32_t view_capacity;
    struct text types[DRIVER_TYPES_MAX]; /* scratch of driver_view */
    uint32_t unknown[POSITIONS_MAX];     /* what an outcome points to */
    uint32_t found[POSITIONS_MAX];       /* scratch of driver_positions */
    bool passed_over[POSITIONS_MAX];     /* the same */
};

/* ---- Looking, without a command ---- */
const struct fleet *state_fleet_named(const struct state *st, struct text id); /* or NULL */
/* In the order of names; NULL behind the last. The next after a name: state_fleet_after. */
const struct fleet *state_fleet_after(const struct state *st, struct text id);
uint64_t state_fleets_seq(const struct state *st); /* of the last change of one */
struct fleet_overview state_fleet_overview(const struct state *st, const struct fleet *f);
struct batch_stats state_batch_stats(const struct state *st);
/* Cells with anybody in them who is not away, in no order: *from begins with 0. Each place that is looked at takes one of
 * *looks. False: that was all, unless *looks is 0. */
bool state_fleet_cell(const struct fleet *f, uint32_t *from, uint32_t *looks, struct fleet_cell *out);
/* What an answer that shows a driver's record must wait for. */
static inline uint64_t fleet_drivers_seq(const struct fleet *f)
{
    return f->drivers_seq;
}

/* ---- For the modules of core ---- */
void dispatch_init(struct state *st);
void dispatch_release(struct state *st);
struct fleet *fleet_find(const struct state *st, struct text id); /* or NULL */
struct fleet *fleet_find_number(const struct state *st, uint64_t number);
/* Something has changed: when the fleet is due follows from what it is now. */
void fleet_schedule(struct state *st, struct fleet *f);
/* Somebody can be asked who could not before: those who wait look again. */
static inline void fleet_mark_dirty(struct fleet *f)
{
    f->dirty = true;
}
/* Of all fleets; see state_forget. */
uint32_t fleet_forget(struct state *st, uint64_t book_seq, uint32_t most);

#endif
