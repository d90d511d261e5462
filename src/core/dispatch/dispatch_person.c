/* SPDX-License-Identifier: Apache-2.0 */
#include "core/dispatch/dispatch_person.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/state.h"

/* The ride this driver is offered or has: handle + 1; 0: none. */
static uint32_t live_ride_of(const struct fleet *f, struct text user)
{
    uint32_t driver = driver_find_any(f, user);
    return driver == TABLE_NONE ? 0 : driver_at(f, driver)->ride;
}

void person_settle_rides(struct state *st, struct text user)
{
    for (uint32_t i = 0; i < st->dispatch->count; i++) {
        struct fleet *f = st->dispatch->by_name[i];
        uint32_t ride = live_ride_of(f, user);
        if (ride)
            ride_settle(st, f, ride - 1);
        for (uint32_t at = name_index_first(&f->live_by_rider, user), next; at; at = next) {
            next = ride_at(f, at - 1)->live.next;
            ride_settle(st, f, at - 1);
        }
    }
}

bool person_rides(const struct state *st, struct text user, uint64_t *seq)
{
    for (uint32_t i = 0; i < st->dispatch->count; i++) {
        const struct fleet *f = st->dispatch->by_name[i];
        uint32_t ride = live_ride_of(f, user);
        if (!ride)
            ride = name_index_first(&f->live_by_rider, user);
        if (!ride)
            continue;
        ASSERT(ride_live(ride_at(f, ride - 1)));
        *seq = ride_at(f, ride - 1)->seq;
        return true;
    }
    return false;
}

bool person_drives(const struct state *st, struct text user)
{
    for (uint32_t i = 0; i < st->dispatch->count; i++)
        if (driver_find_any(st->dispatch->by_name[i], user) != TABLE_NONE)
            return true;
    return false;
}

void person_leave_fleets(struct state *st, struct text user, struct outcome *out)
{
    for (uint32_t i = 0; i < st->dispatch->count; i++) {
        const struct fleet *f = st->dispatch->by_name[i];
        struct command remove = {.kind = COMMAND_DRIVER_REMOVE};
        if (driver_find_any(f, user) == TABLE_NONE)
            continue;
        ASSERT(!live_ride_of(f, user)); /* so that nothing of it stays */
        remove.driver.fleet = f->image.id;
        remove.driver.id = user;
        enum outcome_code code = driver_remove(st, &remove, out);
        ASSERT(code == OUTCOME_OK && driver_find_any(f, user) == TABLE_NONE);
    }
}

static void rename_text(struct text *text, struct text to)
{
    text_free(*text);
    *text = text_own(to);
}

/* A ride they requested. An answer with the new name waits until that is durable. */
static void rename_rider(struct fleet *f, uint32_t ride, struct text to, uint64_t seq)
{
    struct ride *r = ride_at(f, ride);
    ASSERT(!ride_live(r));
    name_index_remove(&f->rides_by_rider, ride);
    rename_text(&r->rider, to);
    name_index_add(&f->rides_by_rider, ride);
    r->seq = seq;
}

/* An offer made to them; a driver who has or had a ride had an offer of it. */
static void rename_driver(struct fleet *f, uint32_t offer, struct text from, struct text to, uint64_t seq)
{
    struct offer *o = offer_at(f, offer);
    struct ride *r = ride_at(f, o->ride);
    ASSERT(o->end); /* a live offer has a driver in memory */
    name_index_remove(&f->offers_by_driver, offer);
    free(o->driver);
    o->driver = memory_copy(to.at, to.size);
    o->driver_size = (uint8_t)to.size;
    name_index_add(&f->offers_by_driver, offer);
    if (r->driver_id.at && text_equal(r->driver_id, from))
        rename_text(&r->driver_id, to);
    r->seq = seq;
}

void person_rename_rides(struct state *st, struct text from, struct text to, uint64_t seq)
{
    ASSERT(to.size >= 1 && to.size <= USER_SIZE_MAX);
    for (uint32_t i = 0; i < st->dispatch->count; i++) {
        struct fleet *f = st->dispatch->by_name[i];
        uint32_t at;
        while ((at = name_index_first(&f->rides_by_rider, from)))
            rename_rider(f, at - 1, to, seq);
        while ((at = name_index_first(&f->offers_by_driver, from)))
            rename_driver(f, at - 1, from, to, seq);
    }
}
