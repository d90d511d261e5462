/* SPDX-License-Identifier: Apache-2.0 */
#include "core/dispatch/registration.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/dispatch/ride.h"
#include "core/state.h"

/* ---- The index ---- */

static struct registration *registration_at(const struct state *st, uint32_t handle)
{
    return slab_at(&st->dispatch->registrations, handle);
}

static struct driver *driver_of(const struct state *st, const struct registration *r)
{
    return driver_at(st->dispatch->fleets[r->fleet], r->driver);
}

static uint64_t registration_hash_of(void *owner, uint32_t handle)
{
    return driver_hash(driver_id(driver_of(owner, registration_at(owner, handle))));
}

static bool same_id(void *owner, uint32_t handle, const void *key)
{
    return text_equal(driver_id(driver_of(owner, registration_at(owner, handle))), *(const struct text *)key);
}

void registrations_init(struct state *st)
{
    slab_init(&st->dispatch->registrations, sizeof(struct registration));
    table_init(&st->dispatch->registered, registration_hash_of, st);
}

void registrations_release(struct state *st)
{
    slab_release(&st->dispatch->registrations);
    table_release(&st->dispatch->registered);
}

static uint32_t first_of(const struct state *st, struct text id)
{
    return table_find(&st->dispatch->registered, driver_hash(id), same_id, &id);
}

static void link_record(struct state *st, const struct fleet *f, uint32_t handle)
{
    struct driver *d = driver_at(f, handle);
    if (d->shared)
        return;
    uint32_t first = first_of(st, driver_id(d)), new = slab_take(&st->dispatch->registrations);
    *registration_at(st, new) = (struct registration){.fleet = f->slot, .driver = handle};
    if (first == TABLE_NONE) {
        table_insert(&st->dispatch->registered, driver_hash(driver_id(d)), new);
    } else { /* after the first, so that the table stays as it is */
        registration_at(st, new)->next = registration_at(st, first)->next;
        registration_at(st, first)->next = new + 1;
    }
    d->shared = true;
}

static void unlink_record(struct state *st, const struct fleet *f, uint32_t handle)
{
    struct driver *d = driver_at(f, handle);
    uint32_t first = first_of(st, driver_id(d)), before = TABLE_NONE, gone = first;
    while (registration_at(st, gone)->fleet != f->slot) {
        before = gone;
        gone = registration_at(st, gone)->next - 1;
        ASSERT(gone != TABLE_NONE); /* it is among them */
    }
    uint32_t next = registration_at(st, gone)->next;
    if (gone != first) {
        registration_at(st, before)->next = next;
    } else {
        uint64_t hash = driver_hash(driver_id(d));
        table_remove(&st->dispatch->registered, hash, gone);
        if (next)
            table_insert(&st->dispatch->registered, hash, next - 1);
    }
    slab_give(&st->dispatch->registrations, gone);
    d->shared = false;
    d->elsewhere = 0;
}

/* ---- Others ---- */

void driver_other_next(const struct state *st, struct other_record *o)
{
    do {
        const struct registration *r = o->next ? registration_at(st, o->next - 1) : NULL;
        o->fleet = r ? st->dispatch->fleets[r->fleet] : NULL;
        o->driver = r ? r->driver : TABLE_NONE;
        o->next = r ? r->next : 0;
    } while (o->fleet && o->fleet == o->self);
}

struct other_record driver_others(const struct state *st, const struct fleet *f, uint32_t handle)
{
    const struct driver *d = driver_at(f, handle);
    struct other_record o = {.self = f};
    if (d->shared) {
        o.next = first_of(st, driver_id(d)) + 1;
        driver_other_next(st, &o);
    }
    return o;
}

uint32_t driver_ride(const struct state *st, struct fleet *f, uint32_t handle, struct fleet **where)
{
    *where = f;
    uint32_t ride = driver_at(f, handle)->ride;
    if (ride || !driver_at(f, handle)->elsewhere)
        return ride;
    struct other_record o = driver_others(st, f, handle);
    while (!driver_at(o.fleet, o.driver)->ride) {
        driver_other_next(st, &o);
        ASSERT(o.fleet); /* a driver busy elsewhere has a ride there */
    }
    *where = o.fleet;
    return driver_at(o.fleet, o.driver)->ride;
}

void driver_settle(struct state *st, struct fleet *f, uint32_t handle)
{
    struct fleet *where;
    uint32_t ride = driver_ride(st, f, handle, &where);
    if (ride)
        ride_settle(st, where, ride - 1);
}

int64_t driver_free_since_ms(const struct state *st, const struct fleet *f, uint32_t handle)
{
    for (struct other_record o = driver_others(st, f, handle); o.fleet; driver_other_next(st, &o))
        if (driver_at(o.fleet, o.driver)->free_ms)
            return driver_at(o.fleet, o.driver)->free_ms;
    return st->now_ms;
}

/* ---- Changes to all of them ---- */

void driver_update_others(struct state *st, struct fleet *f, uint32_t handle)
{
    const struct driver *d = driver_at(f, handle);
    for (struct other_record o = driver_others(st, f, handle); o.fleet; driver_other_next(st, &o)) {
        driver_at(o.fleet, o.driver)->elsewhere =
            (d->ride ? (uint32_t)d->status : 0u) & 3u; /* two bits: offered, busy */
        driver_refresh(st, o.fleet, o.driver);
        fleet_schedule(st, o.fleet);
    }
}

void driver_link(struct state *st, struct fleet *f, uint32_t handle)
{
    struct driver *d = driver_at(f, handle);
    ASSERT(!d->shared && !d->ride); /* it is new */
    for (uint32_t i = 0; i < st->dispatch->count && !d->shared; i++) {
        struct fleet *g = st->dispatch->by_name[i];
        uint32_t other = g == f ? TABLE_NONE : driver_find_any(g, driver_id(d));
        if (other == TABLE_NONE)
            continue;
        link_record(st, g, other); /* the second record of this driver */
        link_record(st, f, handle);
    }
    int64_t free_ms = 0;
    for (struct other_record o = driver_others(st, f, handle); o.fleet; driver_other_next(st, &o)) {
        const struct driver *e = driver_at(o.fleet, o.driver);
        if (e->ride)
            d->elsewhere = (uint32_t)e->status & 3u;
        free_ms = e->free_ms ? e->free_ms : free_ms;
    }
    driver_refresh(st, f, handle);
    d->free_ms = d->status == DRIVER_OFFERED ? free_ms : 0;
}

void driver_unlink(struct state *st, struct fleet *f, uint32_t handle)
{
    struct other_record left = driver_others(st, f, handle);
    if (!left.fleet)
        return;
    unlink_record(st, f, handle);
    if (!driver_others(st, left.fleet, left.driver).fleet)
        unlink_record(st, left.fleet, left.driver); /* the last one left */
}

/* The cell of the same point at the resolution of another fleet. */
static uint64_t cell_in(const struct fleet *other, const struct position *p)
{
    if ((int)other->image.resolution == h3_resolution(p->cell))
        return p->cell;
    return h3_from_point((struct h3_point){p->point.lat_e7 / 1e7, p->point.lng_e7 / 1e7},
                         (int)other->image.resolution);
}

void driver_heard_everywhere(struct state *st, struct fleet *f, uint32_t handle, const struct position *p,
                             bool available)
{
    driver_at(f, handle)->available = available;
    driver_heard(st, f, handle, p->point, p->cell);
    for (struct other_record o = driver_others(st, f, handle); o.fleet; driver_other_next(st, &o)) {
        if (driver_at(o.fleet, o.driver)->removed)
            continue; /* kept only until its ride ends */
        driver_at(o.fleet, o.driver)->available = available;
        driver_heard(st, o.fleet, o.driver, p->point, cell_in(o.fleet, p));
        fleet_schedule(st, o.fleet);
    }
}

void driver_silent_everywhere(struct state *st, struct fleet *f, uint32_t handle)
{
    driver_silent(st, f, handle);
    for (struct other_record o = driver_others(st, f, handle); o.fleet; driver_other_next(st, &o)) {
        if (driver_at(o.fleet, o.driver)->present)
            driver_silent(st, o.fleet, o.driver);
        fleet_schedule(st, o.fleet);
    }
}

/* ---- After the book is loaded ---- */

struct all_records {
    const struct state *st;
    struct registration *all;
    uint32_t count, capacity;
    struct table by_id; /* a handle is an index into `all` */
};

static uint64_t hash_of_record(void *owner, uint32_t i)
{
    const struct all_records *a = owner;
    return driver_hash(driver_id(driver_of(a->st, &a->all[i])));
}

static bool same_record(void *owner, uint32_t i, const void *key)
{
    const struct all_records *a = owner;
    return text_equal(driver_id(driver_of(a->st, &a->all[i])), *(const struct text *)key);
}

static void link_fleet(struct state *st, const struct fleet *f, struct all_records *a)
{
    for (uint32_t i = 0; i < f->drivers.used; i++) {
        struct text id = driver_id(driver_at(f, i));
        if (!id.size)
            continue;
        uint32_t other = table_find(&a->by_id, driver_hash(id), same_record, &id);
        if (other != TABLE_NONE) {
            link_record(st, st->dispatch->fleets[a->all[other].fleet], a->all[other].driver);
            link_record(st, f, i);
            continue;
        }
        a->all = memory_room(a->all, a->count, &a->capacity, 1024, sizeof(*a->all));
        a->all[a->count] = (struct registration){.fleet = f->slot, .driver = i};
        table_insert(&a->by_id, driver_hash(id), a->count++);
    }
}

void drivers_link_all(struct state *st)
{
    struct all_records a = {.st = st};
    if (st->dispatch->count < 2)
        return;
    table_init(&a.by_id, hash_of_record, &a);
    for (uint32_t i = 0; i < st->dispatch->count; i++)
        link_fleet(st, st->dispatch->by_name[i], &a);
    for (uint32_t i = 0; i < st->dispatch->count; i++) {
        struct fleet *f = st->dispatch->by_name[i];
        for (uint32_t k = 0; k < f->drivers.used; k++)
            if (driver_at(f, k)->id_size && driver_at(f, k)->ride)
                driver_update_others(st, f, k);
    }
    table_release(&a.by_id);
    free(a.all);
}
