/* SPDX-License-Identifier: Apache-2.0 */
/* fleets.c — reads fleets, drivers and rides from memory, and reports their changes to a listener.
 *
 * Changes are kept in a ring with their seq and reported once that is durable, a slice at a time. They stay in the
 * ring for clients that lost their connection and reconnect.
 */
#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/dispatch/ride.h"
#include "view/answers.h"

#define NOTIFY_BATCH 256u
#define RIDES_RING_MAX 65536u /* touches kept after they were reported */

static const struct fleet *fleet_numbered(struct view *v, uint64_t number)
{
    return fleet_find_number(store_state(v->store), number);
}

/* ---- Reading ---- */

static bool fleet_view_make(const struct fleet *f, struct fleet_view *out)
{
    if (f)
        *out = (struct fleet_view){.image = &f->image, .seq = f->seq};
    return f != NULL;
}

bool view_fleet_find(struct view *v, struct text id, struct fleet_view *out)
{
    return fleet_view_make(state_fleet_named(store_state(v->store), id), out);
}

bool view_fleet_after(struct view *v, struct text id, struct fleet_view *out)
{
    return fleet_view_make(state_fleet_after(store_state(v->store), id), out);
}

bool view_driver_next(struct view *v, struct text fleet, uint32_t *place, uint32_t *budget,
                      struct driver_image *out)
{
    const struct state *st = store_state(v->store);
    const struct fleet *f = state_fleet_named(st, fleet);
    while (f && *budget && *place < f->drivers.used) {
        uint32_t at = (*place)++;
        const struct driver *d = driver_at(f, at);
        --*budget;
        if (!d->id_size || d->removed)
            continue;
        driver_view(st, f, at, out);
        return true;
    }
    if (!f || *place >= f->drivers.used)
        *budget = 1; /* not 0: there are no more */
    return false;
}

bool view_has_driver(struct view *v, uint64_t fleet, struct text driver)
{
    const struct fleet *f = fleet_numbered(v, fleet);
    return f && driver_find(f, driver) != TABLE_NONE;
}

bool view_driver(struct view *v, uint64_t fleet, struct text driver, struct driver_image *out,
                 struct id *ride)
{
    const struct state *st = store_state(v->store);
    const struct fleet *f = fleet_find_number(st, fleet);
    uint32_t handle = f ? driver_find(f, driver) : TABLE_NONE;
    *ride = (struct id){0};
    if (handle == TABLE_NONE)
        return false;
    driver_view(st, f, handle, out);
    if (driver_at(f, handle)->ride)
        *ride = ride_at(f, driver_at(f, handle)->ride - 1)->id;
    return true;
}

bool view_fleet_overview(struct view *v, uint64_t fleet, struct fleet_overview *out)
{
    const struct fleet *f = fleet_numbered(v, fleet);
    if (f)
        *out = state_fleet_overview(v->state, f);
    return f != NULL;
}

bool view_fleet_cell(struct view *v, uint64_t fleet, uint32_t *from, uint32_t *budget, struct fleet_cell *out)
{
    const struct fleet *f = fleet_numbered(v, fleet);
    return f && state_fleet_cell(f, from, budget, out);
}

void view_dispatch_stats(struct view *v, struct dispatch_stats *out)
{
    const struct dispatch *d = v->state->dispatch;
    *out = (struct dispatch_stats){.batches = state_batch_stats(v->state)};
    memcpy(out->ends, d->ends, sizeof(out->ends));
    for (uint32_t i = 0; i < d->count; i++) {
        for (int s = DRIVER_STATUS_FIRST; s <= DRIVER_STATUS_LAST; s++)
            out->drivers[s] += d->by_name[i]->drivers_by_status[s];
        for (int s = RIDE_STATUS_FIRST; s <= RIDE_STATUS_LAST; s++)
            out->rides[s] += d->by_name[i]->rides_by_status[s];
    }
}

uint64_t view_seq(struct view *v)
{
    return v->state->seq;
}

bool view_ride(struct view *v, uint64_t fleet, struct id ride, struct text user, struct ride_seen *out)
{
    const struct fleet *f = fleet_numbered(v, fleet);
    uint32_t handle = f ? ride_find(f, ride) : TABLE_NONE;
    *out = (struct ride_seen){0};
    if (handle == TABLE_NONE || (user.at && !ride_concerns(f, handle, user, &out->as_rider)))
        return false;
    ride_view(v->state, f, handle, &out->image);
    out->seq = ride_at(f, handle)->seq;
    return true;
}

bool view_offer(struct view *v, uint64_t fleet, uint64_t number, struct offer_image *offer,
                struct ride_image *ride)
{
    const struct fleet *f = fleet_numbered(v, fleet);
    uint32_t handle = f ? offer_find(f, number) : TABLE_NONE;
    if (handle == TABLE_NONE)
        return false;
    const struct offer *o = offer_at(f, handle);
    offer_view(f, o, offer);
    ride_image_make(f, ride_at(f, o->ride), ride);
    return true;
}

/* ---- Changes ---- */

void view_on_ride(struct view *v, void (*fn)(void *ctx, const struct ride_touch *touch), void *ctx)
{
    v->on_ride = fn;
    v->on_ride_ctx = ctx;
}

uint64_t view_driver_hash(struct text driver)
{
    return driver_hash(driver);
}

static struct ride_touch *touch_at(const struct view *v, uint64_t index)
{
    return &v->rides[index & (v->rides_capacity - 1)];
}

void fleets_touched(struct view *v)
{
    const struct state *st = v->state;
    for (uint32_t i = 0; i < st->ride_count; i++) {
        uint64_t count = v->rides_end - v->rides_first;
        ASSERT(!count || touch_at(v, v->rides_end - 1)->seq < st->rides[i].seq); /* searched by seq */
        if (count >= RIDES_RING_MAX && v->rides_first < v->rides_notified)
            v->rides_floor = touch_at(v, v->rides_first++)->seq;
        else
            v->rides = memory_room_ring(v->rides, count, &v->rides_capacity, 1024, sizeof(*v->rides));
        *touch_at(v, v->rides_end++) = st->rides[i];
    }
}

/* The listener may do anything, including changing rides. */
bool fleets_notify(struct view *v)
{
    for (uint32_t i = 0; i < NOTIFY_BATCH; i++) {
        if (v->rides_notified == v->rides_end ||
            touch_at(v, v->rides_notified)->seq > store_durable_seq(v->store))
            return false;
        /* A copy: the listener may make the ring grow. */
        struct ride_touch touch = *touch_at(v, v->rides_notified++);
        if (v->on_ride)
            v->on_ride(v->on_ride_ctx, &touch);
    }
    return true;
}

uint64_t view_rides_notified_seq(struct view *v)
{
    if (v->rides_notified == v->rides_end ||
        touch_at(v, v->rides_notified)->seq > store_durable_seq(v->store))
        return store_durable_seq(v->store);
    return touch_at(v, v->rides_notified)->seq - 1;
}

/* The first touch later than `after`. */
static uint64_t ring_after(const struct view *v, uint64_t after)
{
    uint64_t low = v->rides_first, high = v->rides_notified;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (touch_at(v, middle)->seq <= after)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool view_driver_touches(struct view *v, uint64_t fleet, uint64_t driver_hash, uint64_t after,
                         void (*fn)(void *ctx, const struct ride_touch *touch), void *ctx)
{
    if (after < v->rides_floor || after > view_rides_notified_seq(v))
        return false;
    for (uint64_t i = ring_after(v, after); i < v->rides_notified; i++)
        if (touch_at(v, i)->driver == driver_hash && touch_at(v, i)->fleet == fleet)
            fn(ctx, touch_at(v, i));
    return true;
}
