/* SPDX-License-Identifier: Apache-2.0 */
/* driver.h — the drivers of a fleet: their records and positions, and the free ones by cell.
 *
 *   away ◄──► free ──► offered ──► busy      offered, busy: it has a ride, here or elsewhere
 *               ▲─────────┘          │       free: available, heard from within presence_seconds, and no ride
 *               └────────────────────┘       away: the rest
 *
 * driver_refresh (driver_index.c) is the one writer of the status, which follows from the rest of the record. The free
 * drivers of a cell are in groups of five, with their points: so a search reads only drivers it can ask, and one cache
 * line for five of them instead of two for each. Present drivers are in a list by their last report, so that finding
 * silent ones needs no search.
 *
 * A driver takes 80 bytes and about 12 in the index of ids; a cell takes 32 and 12 in its index, and 64 for every five
 * free drivers. Ids of up to 24 bytes are stored inline.
 *
 * An id that is registered in several fleets is one driver with one status: registration.h.
 *
 *   driver.c  the record, the commands      driver_index.c  cells, silence, status
 */
#ifndef CORE_DRIVER_H
#define CORE_DRIVER_H

#include "base/memory/memory.h"
#include "base/memory/table.h"
#include "core/dispatch/fleet.h"

#define DRIVER_ID_INSIDE 24

struct driver {
    union {
        char inside[DRIVER_ID_INSIDE];
        char *outside; /* owned */
    } id;
    uint64_t types;   /* a bit for each of the fleet's types */
    int64_t heard_ms; /* 0: none since the start */
    int64_t free_ms;  /* since when it is free, ignoring offers that came to nothing */
    struct geo_point point;
    uint32_t cell; /* handle + 1; 0: no report since the start */
    /* Its place among the free drivers of its cell: GROUP_PLACES * (group + 1) + index in the group; 0: not listed. */
    uint32_t listed;
    uint32_t later, earlier; /* among those present, by last report, handle + 1 */
    uint32_t ride;           /* offered or assigned to it, handle + 1 */
    uint16_t rating_milli : 13;
    bool shared : 1;        /* other fleets have records of it: registration.h */
    uint16_t elsewhere : 2; /* DRIVER_OFFERED or DRIVER_BUSY because of a ride in another fleet; 0: neither */
    uint8_t id_size;
    uint8_t status : 3; /* enum driver_status */
    bool available : 1; /* meaningful once it has reported */
    bool surge : 1;
    bool present : 1; /* in the list by last report */
    bool removed : 1; /* kept only until its ride ends */
    bool named : 1;   /* by the positions being read; only within one command */
};
_Static_assert(sizeof(struct driver) <= 80, "a driver and its share of the indexes must fit 128 bytes");

struct cell {
    uint64_t cell;
    uint32_t first;                         /* group of free drivers, handle + 1 */
    uint32_t drivers;                       /* whose point is in it */
    uint32_t by_status[DRIVER_STATUS_LAST]; /* indexed by status - 1 */
};

/* Some of the free drivers of a cell, and where each of them is: what a search reads. The first group of a cell has at
 * least one driver, and no gaps; the later groups are full. */
#define GROUP_SIZE 5
#define GROUP_PLACES 8 /* the factor in `listed`: the next power of two */
struct free_group {
    uint32_t next; /* handle + 1 */
    struct free_driver {
        struct geo_point point;
        uint32_t driver; /* handle + 1; 0: none here or after */
    } all[GROUP_SIZE];
};
_Static_assert(sizeof(struct free_group) == SLAB_LINE, "a group is a line of memory");

static inline struct free_group *group_at(const struct fleet *f, uint32_t handle)
{
    return slab_at(&f->groups, handle);
}
static inline struct driver *driver_at(const struct fleet *f, uint32_t handle)
{
    return slab_at(&f->drivers, handle);
}
static inline struct text driver_id(const struct driver *d)
{
    const char *at = d->id_size <= DRIVER_ID_INSIDE ? d->id.inside : d->id.outside;
    return (struct text){at, d->id_size};
}
/* Its group in its cell, handle + 1; 0: it is not free. */
static inline uint32_t driver_group(const struct driver *d)
{
    return d->listed / GROUP_PLACES;
}
/* It will be read soon; handle + 1, 0: none. */
static inline void driver_prefetch(const struct fleet *f, uint32_t at)
{
    if (at) {
        memory_prefetch(driver_at(f, at - 1));
        memory_prefetch((const char *)driver_at(f, at - 1) + 64);
    }
}
uint64_t driver_hash(struct text id); /* never 0 */
/* Handles, or TABLE_NONE; removed drivers are not found. */
uint32_t driver_find(const struct fleet *f, struct text id);
uint32_t driver_find_any(const struct fleet *f, struct text id); /* including removed ones */
/* The driver as it is now. Its types are valid until the next view. */
void driver_view(const struct state *st, const struct fleet *f, uint32_t handle, struct driver_image *out);
/* Whether any driver has this type. */
bool fleet_has_type(const struct fleet *f, struct text type);
bool driver_has_type(const struct fleet *f, const struct driver *d, struct text type);
/* How long it has been idle, up to IDLE_MAX_MS. */
int64_t driver_idle_ms(const struct state *st, const struct driver *d);

/* A new driver with the defaults, away unless it has a ride in another fleet; emits nothing. */
uint32_t driver_make(struct state *st, struct fleet *f, struct text id);
/* Frees a removed driver that has no ride any more. */
void driver_drop(struct state *st, struct fleet *f, uint32_t handle);
void drivers_init(struct fleet *f);
void drivers_release(struct fleet *f);

/* ---- driver_index.c ---- */
/* The handle of a cell's record, or TABLE_NONE. */
uint32_t cell_find(const struct fleet *f, uint64_t cell);
/* Cells and their groups are far apart in memory. So a search prefetches those it is about to read: first their places
 * in the index, */
void cells_prefetch(const struct fleet *f, const uint64_t *cells, uint32_t count);
/* then their records (or TABLE_NONE), with the first group of each, */
void cells_find(const struct fleet *f, const uint64_t *cells, uint32_t count, uint32_t *found);
/* and a few cells ahead, what comes after a group (handle + 1): the next group, and with `records` the drivers. */
void group_prefetch(const struct fleet *f, uint32_t group, bool records);
static inline struct cell *cell_at(const struct fleet *f, uint32_t handle)
{
    return slab_at(&f->cells, handle);
}
/* Recomputes the status from the rest of the record, and its place among the free drivers from the status. */
void driver_refresh(struct state *st, struct fleet *f, uint32_t handle);
/* It reported its position now. */
void driver_heard(struct state *st, struct fleet *f, uint32_t handle, struct geo_point point, uint64_t cell);
/* Treats the driver as present from now on, without a position: for a live offer after a restart. */
void driver_assume_present(struct state *st, struct fleet *f, uint32_t handle);
/* Takes it out of all lists and cells. */
void driver_clear_position(struct state *st, struct fleet *f, uint32_t handle);
/* The next driver to go silent, and when; TABLE_NONE and INT64_MAX: none is present. */
uint32_t driver_next_silent(const struct fleet *f, int64_t *at_ms);
void driver_silent(struct state *st, struct fleet *f, uint32_t handle);
/* Gives it this ride (handle + 1), or none: then a removed driver is dropped. Its records in other fleets follow. */
void driver_set_ride(struct state *st, struct fleet *f, uint32_t handle, uint32_t ride);
void drivers_index_init(struct fleet *f);
void drivers_index_release(struct fleet *f);

#endif
