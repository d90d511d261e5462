/* SPDX-License-Identifier: Apache-2.0 */
/* fleet.h — a fleet: its settings, its drivers and its rides; and all fleets together.
 *
 * Everything a fleet has is removed with it. Timers are heaps over all fleets: a fleet with something to do later is in
 * one at the instant it is due, so that idle fleets cost nothing, and neither does a state without fleets.
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

#define CANDIDATES_MAX 16 /* the best drivers that a search keeps */
#define SCAN_TOGETHER 2   /* rings read together with the cell of the pickup: usually enough */

/* A driver who could be asked, as found by the search. */
struct driver_candidate {
    /* The number of the last offer of this ride that the driver let lapse, or lost by going away; 0: none. */
    uint64_t lapsed;
    int64_t score_ms;
    uint32_t driver; /* handle */
};

/* A search under way: it can take several steps. */
struct scan {
    uint32_t ride; /* handle + 1; 0: none */
    uint32_t ring; /* being read */
    uint32_t last_ring;
    uint32_t cell_count, next_cell;
    uint32_t next_group,
        next_driver; /* in next_cell: where to resume, and the first driver there; handle + 1 */
    uint32_t passed; /* drivers who could be asked, and never were for this ride */
    uint32_t count;
    /* Any driver can be asked, and the nearest is the best: records of drivers are read only to break ties. */
    bool plain;
    bool found_now; /* `found` is from this step */
    bool resumed;   /* it takes several steps, between which drivers move */
    struct eta_origin from;
    struct eta_reach reach; /* plain, and the list is full: drivers beyond this are not among the best */
    /* Where rings end in `cells`: the first ones are read together, then one by one. */
    uint32_t ends[SCAN_TOGETHER + 1];
    struct driver_candidate best[CANDIDATES_MAX]; /* in the order to ask them */
    h3_cell cells[H3_RING_MAX(FLEET_RINGS_MAX)];
    uint32_t found[H3_RING_MAX(FLEET_RINGS_MAX)]; /* their records, or TABLE_NONE: empty */
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
    uint32_t first_heard, last_heard; /* earliest and latest report; handle + 1 */
    struct fleet_type {
        struct text word; /* owned; none: the slot is free */
        uint32_t drivers;
    } types[FLEET_TYPES_MAX];

    struct slab rides, offers;
    struct table rides_by_id, offers_by_number;
    struct name_index rides_by_rider, live_by_rider, offers_by_driver;
    uint64_t rides_by_status[RIDE_STATUS_LAST + 1];
    uint64_t recalled_by_status[RIDE_STATUS_LAST + 1]; /* those of them read from the book after their end */
    struct heap deadlines; /* of offers, of their drivers' presence, of searches; a handle is the ride's */
    uint32_t first_waiting, last_waiting; /* searching, oldest first; handle + 1 */
    uint32_t waiting_root;                /* the same rides as a tree: ride_list.c */
    uint32_t first_ended, last_ended;     /* in the order they ended; handle + 1 */

    /* The search, which is not persisted: dispatch.c. */
    uint32_t fresh;          /* waiting rides to serve */
    struct heap fresh_rides; /* those, by number: many can wait, few of them are new */
    bool dirty;              /* a driver became free, or moved, since the last round began */
    uint32_t round_next;     /* the next ride of the round under way (handle + 1); 0: no round */
    int64_t round_after_ms;  /* earliest start of the next round */
    struct scan scan;
    struct batch *batch;  /* under way, or NULL; batch.c */
    int64_t batch_due_ms; /* when the open batch begins; 0: none is open */

    struct wait_times *wait_times; /* of rides until they were assigned; NULL: none yet */
};

/* All fleets: part of the state. */
struct dispatch {
    struct fleet **fleets; /* by slot; NULL: free */
    uint32_t slot_count;
    struct fleet **by_name; /* sorted by name */
    uint32_t count;
    struct table by_number;    /* a handle is the slot */
    struct heap lapses;        /* the same: when an offer, a search or a driver's presence ends */
    struct heap searches;      /* the same: when it searches next */
    struct slab registrations; /* of drivers in several fleets: registration.h */
    struct table registered;   /* by id: the first of each */
    struct batch_stats stats;
    int64_t since_ms;                  /* the first state_dispatch of this process; 0: not yet */
    uint64_t seq;                      /* of the last change of a fleet */
    uint64_t ends[OFFER_END_LAST + 1]; /* of offers, since the start of this process */
    struct offer_image *view;          /* scratch of ride_view */
    uint32_t view_capacity;
    struct text types[DRIVER_TYPES_MAX]; /* scratch of driver_view */
    uint32_t unknown[POSITIONS_MAX];     /* what an outcome points to */
    uint32_t found[POSITIONS_MAX];       /* scratch of driver_positions */
    bool passed_over[POSITIONS_MAX];     /* the same */
};

/* ---- Reading, without a command ---- */
const struct fleet *state_fleet_named(const struct state *st, struct text id); /* or NULL */
/* The next fleet after this name, sorted by name; NULL after the last. */
const struct fleet *state_fleet_after(const struct state *st, struct text id);
uint64_t state_fleets_seq(const struct state *st); /* of the last change of any of them */
struct fleet_overview state_fleet_overview(const struct state *st, const struct fleet *f);
struct batch_stats state_batch_stats(const struct state *st);
/* The next cell with drivers who are not away, in no order; *from starts at 0. Each place visited uses one of *looks.
 * False: that was all, unless *looks is 0. */
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
/* Something has changed: recomputes when the fleet is due. */
void fleet_schedule(struct state *st, struct fleet *f);
/* A driver can be asked who could not before: waiting rides search again. */
static inline void fleet_mark_dirty(struct fleet *f)
{
    f->dirty = true;
}
/* In all fleets; see state_forget. */
uint32_t fleet_forget(struct state *st, uint64_t book_seq, uint32_t most);

#endif
