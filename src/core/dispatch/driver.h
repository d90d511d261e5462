/* SPDX-License-Identifier: Apache-2.0 */
/* driver.h — the drivers of a fleet: who they are, where they are, which are free, by cell.
 *
 *   away ◄──► free ──► offered ──► busy      offered, busy: it has a ride, here or elsewhere
 *               ▲─────────┘          │       free: available, heard of within presence_seconds, and no ride
 *               └────────────────────┘       away: the rest
 *
 * driver_refresh (driver_index.c) is the one writer of the status, which follows from the rest of the record. The free
 * ones of a cell are in groups of five, with their points: so a search reads nobody who cannot be asked, and a line of
 * memory for five of them instead of two for each. Those heard of are in a list by when, so that silence is found
 * without looking for it.
 *
 * A driver takes 80 bytes, its place in the index of ids about 12, a cell 32 and 12 for all drivers in it, and 64 for
 * every five of them. Ids of up to 24 bytes are inside.
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
    int64_t heard_ms; /* 0: not since the start */
    int64_t free_ms;  /* since when it has been free, but for offers that came to nothing */
    struct geo_point point;
    uint32_t cell; /* handle + 1; 0: not heard of since the start */
    /* Among the free ones of its cell: GROUP_PLACES * (group + 1) + where in it; 0: nowhere. */
    uint32_t listed;
    uint32_t later, earlier; /* among those present, by when they were heard of, handle + 1 */
    uint32_t ride;           /* offered or assigned to it, handle + 1 */
    uint16_t rating_milli : 13;
    bool shared : 1;        /* other fleets have records of it: registration.h */
    uint16_t elsewhere : 2; /* DRIVER_OFFERED or DRIVER_BUSY by a ride of another fleet; 0: no */
    uint8_t id_size;
    uint8_t status : 3; /* enum driver_status */
    bool available : 1; /* meaningful once heard of */
    bool surge : 1;
    bool present : 1; /* in the list of those heard of */
    bool removed : 1; /* here only until its ride is over */
    bool named : 1;   /* by a position that is being read; never from one command to the next */
};
_Static_assert(sizeof(struct driver) <= 80, "a driver and its share of the indexes must fit 128 bytes");

struct cell {
    uint64_t cell;
    uint32_t first;                         /* group of free drivers, handle + 1 */
    uint32_t drivers;                       /* that point here */
    uint32_t by_status[DRIVER_STATUS_LAST]; /* from the first on */
};

/* Some of the free drivers of a cell, and where each of them is: what a search looks at. The first group of a cell has one
 * at least, from the first place on; those behind it are full. */
#define GROUP_SIZE 5
#define GROUP_PLACES 8 /* of which these are used: a power of two */
struct free_group {
    uint32_t next; /* handle + 1 */
    struct free_driver {
        struct geo_point point;
        uint32_t driver; /* handle + 1; 0: nobody, nor behind */
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
/* In which of the groups of its cell it is, handle + 1; 0: it is not free. */
static inline uint32_t driver_group(const struct driver *d)
{
    return d->listed / GROUP_PLACES;
}
/* It will be looked at soon; handle + 1, 0: nobody. */
static inline void driver_prefetch(const struct fleet *f, uint32_t at)
{
    if (at) {
        memory_prefetch(driver_at(f, at - 1));
        memory_prefetch((const char *)driver_at(f, at - 1) + 64);
    }
}
uint64_t driver_hash(struct text id); /* never 0 */
/* Handles, or TABLE_NONE; those removed are not found. */
uint32_t driver_find(const struct fleet *f, struct text id);
uint32_t driver_find_ever(const struct fleet *f, struct text id); /* removed ones, too */
/* As it is now. Its types are good until the next view. */
void driver_view(const struct state *st, const struct fleet *f, uint32_t handle, struct driver_image *out);
/* Whether any driver has this type. */
bool fleet_has_type(const struct fleet *f, struct text type);
bool driver_has_type(const struct fleet *f, const struct driver *d, struct text type);
/* How long it has waited, as far as that counts. */
int64_t driver_idle_ms(const struct state *st, const struct driver *d);

/* A new one, with the defaults, away unless it has a ride in another fleet; emits nothing. */
uint32_t driver_make(struct state *st, struct fleet *f, struct text id);
/* It is removed, and has no ride any more. */
void driver_drop(struct state *st, struct fleet *f, uint32_t handle);
void drivers_init(struct fleet *f);
void drivers_release(struct fleet *f);

/* ---- driver_index.c ---- */
/* The handle of a cell's record, or TABLE_NONE. */
uint32_t cell_find(const struct fleet *f, uint64_t cell);
/* Cells, and their groups, are far apart in memory. So those that a search is about to read are asked for together, and
 * come while it does something else: first their places in the index, */
void cells_expect(const struct fleet *f, const uint64_t *cells, uint32_t count);
/* then their records, or TABLE_NONE, with the first group of each, */
void cells_find(const struct fleet *f, const uint64_t *cells, uint32_t count, uint32_t *found);
/* and a few cells before it is read, what follows a group (handle + 1): the next one, and with `records` the drivers. */
void group_expect(const struct fleet *f, uint32_t group, bool records);
static inline struct cell *cell_at(const struct fleet *f, uint32_t handle)
{
    return slab_at(&f->cells, handle);
}
/* Its status follows from the rest of its record, which has changed; its place among the free ones from that. */
void driver_refresh(struct state *st, struct fleet *f, uint32_t handle);
/* It was heard of now, here. */
void driver_heard(struct state *st, struct fleet *f, uint32_t handle, struct geo_point point, uint64_t cell);
/* It counts as present from now on, wherever it is: a live offer after a restart. */
void driver_assume_present(struct state *st, struct fleet *f, uint32_t handle);
/* It is in no list and no cell any more. */
void driver_unplace(struct state *st, struct fleet *f, uint32_t handle);
/* The next who falls silent, and when; TABLE_NONE and INT64_MAX: nobody is present. */
uint32_t driver_next_silent(const struct fleet *f, int64_t *at_ms);
void driver_silent(struct state *st, struct fleet *f, uint32_t handle);
/* It has this ride (handle + 1) from now on, or none: then one that was removed is gone. Its records in other fleets
 * follow. */
void driver_set_ride(struct state *st, struct fleet *f, uint32_t handle, uint32_t ride);
void drivers_index_init(struct fleet *f);
void drivers_index_release(struct fleet *f);

#endif
